//! Tests a journal on a disk that fails.

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard};

use proptest::prelude::*;

use crate::store::archive::journal_scanner::{Scanner, Tail};
use crate::store::archive::{ArchiveError, Chain, Journal, Sink, SyncMode};

/// The reply of a disk to its next call; after all planned replies the disk works.
#[derive(Clone, Copy, Debug)]
pub(super) enum DiskReply {
    Works,
    /// Takes only so many bytes.
    Short(usize),
    Fails(io::ErrorKind),
}

#[derive(Debug, Default)]
pub(super) struct Disk {
    pub(super) bytes: Vec<u8>,
    /// The number of bytes that survive a loss of power.
    pub(super) safe: usize,
    pub(super) writes: VecDeque<DiskReply>,
    pub(super) syncs: VecDeque<DiskReply>,
    pub(super) cuts: VecDeque<DiskReply>,
    pub(super) synced: usize,
}

#[derive(Debug, Default, Clone)]
pub(super) struct Handle(Arc<Mutex<Disk>>);

impl Handle {
    pub(super) fn lock(&self) -> MutexGuard<'_, Disk> {
        self.0.lock().unwrap()
    }

    /// Returns whether all bytes would survive a loss of power.
    pub(super) fn is_safe(&self) -> bool {
        let disk = self.lock();
        disk.safe == disk.bytes.len()
    }
}

impl Sink for Handle {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut disk = self.0.lock().unwrap();
        let count = match disk.writes.pop_front().unwrap_or(DiskReply::Works) {
            DiskReply::Works => bytes.len(),
            DiskReply::Short(count) => count.min(bytes.len()),
            DiskReply::Fails(kind) => return Err(kind.into()),
        };
        disk.bytes.extend_from_slice(&bytes[..count]);
        Ok(count)
    }

    fn sync(&mut self) -> io::Result<()> {
        let mut disk = self.0.lock().unwrap();
        disk.synced += 1;
        if let DiskReply::Fails(kind) = disk.syncs.pop_front().unwrap_or(DiskReply::Works) {
            return Err(kind.into());
        }
        disk.safe = disk.bytes.len();
        Ok(())
    }

    fn cut(&mut self, length: u64) -> io::Result<()> {
        let mut disk = self.0.lock().unwrap();
        if let DiskReply::Fails(kind) = disk.cuts.pop_front().unwrap_or(DiskReply::Works) {
            return Err(kind.into());
        }
        disk.bytes.truncate(usize::try_from(length).unwrap());
        Ok(())
    }
}

fn journal(sync: SyncMode) -> (Handle, Journal<Handle>) {
    let disk = Handle::default();
    (
        disk.clone(),
        Journal::new(disk, (0, Chain::default()), sync),
    )
}

/// Returns the JSON of the sound lines, and the kind of the bytes after them.
pub(super) fn lines(bytes: &[u8]) -> (Vec<String>, Tail) {
    let mut scanner = Scanner::new(bytes);
    let mut found = Vec::new();
    while let Some(json) = scanner.next_line().unwrap() {
        found.push(String::from_utf8(json.to_vec()).unwrap());
    }
    (found, scanner.scan_so_far().tail.clone())
}

#[test]
fn a_full_disk_refuses_the_line_and_the_next_one_goes_on() {
    let (disk, mut journal) = journal(SyncMode::Each);
    journal.append_lines(&[b"{\"a\":1}"]).unwrap();
    let before = disk.lock().bytes.clone();
    for kind in [io::ErrorKind::StorageFull, io::ErrorKind::QuotaExceeded] {
        disk.lock().writes = [DiskReply::Short(5), DiskReply::Fails(kind)].into();
        assert_eq!(
            journal.append_lines(&[b"{\"b\":2}"]),
            Err(ArchiveError::Full)
        );
        assert_eq!(disk.lock().bytes, before, "nothing of it is left");
    }
    disk.lock().writes = [DiskReply::Short(3), DiskReply::Short(0)].into();
    assert_eq!(
        journal.append_lines(&[b"{\"b\":2}"]),
        Err(ArchiveError::Full)
    );
    journal.append_lines(&[b"{\"c\":3}"]).unwrap();
    let (found, tail) = lines(&disk.lock().bytes);
    assert_eq!(found, ["{\"a\":1}", "{\"c\":3}"]);
    assert_eq!(tail, Tail::None);
}

#[test]
fn a_write_that_is_interrupted_or_short_goes_on() {
    let (disk, mut journal) = journal(SyncMode::Each);
    let again = DiskReply::Fails(io::ErrorKind::Interrupted);
    disk.lock().writes = [again, DiskReply::Short(1), again, DiskReply::Short(4)].into();
    journal.append_lines(&[b"{}"]).unwrap();
    assert_eq!(
        lines(&disk.lock().bytes),
        (vec!["{}".to_owned()], Tail::None)
    );
}

#[test]
fn a_torn_line_that_cannot_be_cut_off_ends_writing() {
    let (disk, mut journal) = journal(SyncMode::Each);
    journal.append_lines(&[b"[1]"]).unwrap();
    disk.lock().writes = [DiskReply::Short(5), DiskReply::Fails(io::ErrorKind::Other)].into();
    disk.lock().cuts = [DiskReply::Fails(io::ErrorKind::Other)].into();
    let kind = io::ErrorKind::Other;
    let refused = journal.append_lines(&[b"[2]"]).unwrap_err();
    assert_eq!(refused, ArchiveError::NotWritten(kind));
    assert_eq!(refused.code(), "save/not-written");
    assert_eq!(journal.append_lines(&[b"[3]"]), Err(ArchiveError::Ended));
    assert_eq!(
        lines(&disk.lock().bytes),
        (vec!["[1]".to_owned()], Tail::Torn)
    );
}

#[test]
fn a_failed_sync_ends_writing_for_the_session() {
    let (disk, mut journal) = journal(SyncMode::Each);
    journal.append_lines(&[b"[1]"]).unwrap();
    let failure = io::ErrorKind::Other;
    disk.lock().syncs = [DiskReply::Fails(failure)].into();
    assert_eq!(
        journal.append_lines(&[b"[2]"]),
        Err(ArchiveError::NotSynced(failure))
    );
    assert!(journal.has_ended());
    let syncs = disk.lock().synced;
    let bytes = disk.lock().bytes.clone();
    // The disk works again, but the journal still refuses lines.
    let refused = journal.append_lines(&[b"[3]"]).unwrap_err();
    assert_eq!(refused, ArchiveError::Ended);
    assert_eq!(refused.code(), "save/ended");
    assert_eq!(journal.flush(), Err(ArchiveError::Ended));
    drop(journal);
    assert_eq!(disk.lock().synced, syncs);
    assert_eq!(disk.lock().bytes, bytes);
    assert_eq!(lines(&bytes), (vec!["[1]".to_owned()], Tail::None));
}

#[test]
fn a_line_is_safe_before_the_answer_and_a_group_at_its_end() {
    let (disk, mut each) = journal(SyncMode::Each);
    for _ in 0..3 {
        each.append_lines(&[b"[]"]).unwrap();
        assert!(disk.is_safe());
    }
    let (disk, mut group) = journal(SyncMode::Group);
    for _ in 0..511 {
        group.append_lines(&[b"[]"]).unwrap();
    }
    assert_eq!((disk.lock().synced, group.unsynced_line_count()), (0, 511));
    group.append_lines(&[b"[]"]).unwrap();
    assert_eq!((disk.lock().synced, group.unsynced_line_count()), (1, 0));
    group.append_lines(&[b"[]"]).unwrap();
    drop(group);
    assert_eq!(disk.lock().synced, 2);
    assert!(disk.is_safe());
    // Large lines are synced earlier.
    let (disk, mut group) = journal(SyncMode::Group);
    for _ in 0..5 {
        group.append_lines(&[vec![b'1'; 1 << 20]]).unwrap();
    }
    assert_eq!(disk.lock().synced, 1);
}

#[test]
fn a_line_whose_group_cannot_be_synced_is_not_kept() {
    let (disk, mut group) = journal(SyncMode::Group);
    for _ in 0..511 {
        group.append_lines(&[b"[]"]).unwrap();
    }
    let before = disk.lock().bytes.clone();
    disk.lock().syncs = [DiskReply::Fails(io::ErrorKind::Other)].into();
    let refused = Err(ArchiveError::NotSynced(io::ErrorKind::Other));
    assert_eq!(group.append_lines(&[b"{}"]), refused);
    assert_eq!(disk.lock().bytes, before, "nobody was told of it");
    assert_eq!(group.append_lines(&[b"{}"]), Err(ArchiveError::Ended));
}

fn any_disk_reply() -> impl Strategy<Value = DiskReply> {
    prop_oneof![
        4 => Just(DiskReply::Works),
        1 => (0usize..90).prop_map(DiskReply::Short),
        1 => Just(DiskReply::Fails(io::ErrorKind::StorageFull)),
        1 => Just(DiskReply::Fails(io::ErrorKind::Other)),
    ]
}

pub(super) fn any_plan() -> impl Strategy<Value = VecDeque<DiskReply>> {
    prop::collection::vec(any_disk_reply(), 0..12).prop_map(VecDeque::from)
}

proptest! {
    /// If the disk fails in any way, all answered lines are saved in order, with at most one more line at the end.
    #[test]
    fn what_was_answered_is_there(writes in any_plan(), syncs in any_plan(), cuts in any_plan(), count in 1usize..12) {
        let (disk, mut journal) = journal(SyncMode::Each);
        {
            let mut disk = disk.lock();
            (disk.writes, disk.syncs, disk.cuts) = (writes, syncs, cuts);
        }
        let mut answered = Vec::new();
        for number in 0..count {
            let json = format!("{{\"seq\":{number}}}");
            if journal.append_lines(&[&json]).is_ok() {
                answered.push(json);
                let disk = disk.lock();
                prop_assert_eq!(disk.safe, disk.bytes.len());
            }
        }
        drop(journal);
        let (found, tail) = lines(&disk.lock().bytes);
        prop_assert!(!matches!(tail, Tail::Broken(_)));
        prop_assert!(found.starts_with(&answered));
        prop_assert!(found.len() <= answered.len() + 1);
    }
}
