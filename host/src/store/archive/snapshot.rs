//! Saves the state from time to time, so that opening a long game applies only the later operations.
//!
//! A file is a line `{"v", "seq", "state"}` and the canonical bytes of the state. The journal wins: a snapshot counts
//! only if its state has the hash that the journal gives for that operation.

use std::fs;
use std::path::Path;
use std::rc::Rc;

use serde::{Deserialize, Serialize};

use super::first_line::VERSION;
use super::{ArchiveError, disk};
use crate::store::State;
use crate::value::Names;

/// The folder of snapshots in a game.
pub(super) const SNAPSHOTS: &str = "snapshots";

/// Number of snapshots that are kept.
pub(crate) const KEPT: usize = 3;

/// A snapshot is due after so many new lines and ...
pub(crate) const LINES: u64 = 200;

/// ... after so many times its size in new bytes since the last one.
pub(crate) const TIMES: u64 = 4;

/// Maximum length of one file, in bytes.
pub(crate) const FILE_BYTES: u64 = 4 << 30;

#[derive(Serialize, Deserialize)]
struct Head {
    v: u32,
    seq: u64,
    state: String,
}

/// Amount that was added since the last snapshot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Since {
    /// Lines of the journal.
    pub(super) lines: u64,
    /// Bytes of those lines.
    pub(super) bytes: u64,
    /// Bytes of that snapshot.
    pub(super) snapshot: u64,
}

impl Since {
    /// Returns whether the next snapshot is due.
    pub(super) fn is_due(&self) -> bool {
        self.lines > LINES && self.bytes > TIMES * self.snapshot
    }
}

/// Saves the state after an operation and returns the number of bytes; the oldest snapshots are removed.
///
/// Errors: `Link`, `WrongKind`, `Full`, `NotWritten`.
pub(super) fn write_snapshot(game: &Path, seq: u64, state: &State) -> Result<u64, ArchiveError> {
    let head = Head {
        v: VERSION,
        seq,
        state: state.hash().to_string(),
    };
    let mut bytes = serde_json::to_vec(&head).expect("invariant: the head is plain data");
    bytes.push(b'\n');
    bytes.extend(state.to_bytes());
    disk::make_folder(game, SNAPSHOTS)?;
    let folder = game.join(SNAPSHOTS);
    // The game does not wait for the disk. A snapshot lost in a power failure does not count, and the game opens from
    // an earlier snapshot or from none.
    disk::write_file_unsynced(&folder, &file_name_of_seq(seq), &bytes)?;
    for old in snapshot_seqs(game)?.iter().rev().skip(KEPT) {
        let _ = fs::remove_file(folder.join(file_name_of_seq(*old)));
    }
    Ok(bytes.len() as u64)
}

/// Returns the operations that have snapshots, oldest first. Errors: `Link`, `WrongKind`, `Unreadable`.
pub(super) fn snapshot_seqs(game: &Path) -> Result<Vec<u64>, ArchiveError> {
    let names = disk::file_names(game, SNAPSHOTS)?;
    Ok(names
        .iter()
        .filter_map(|name| seq_of_file_name(name))
        .collect())
}

/// Returns whether a snapshot may have this name.
pub(super) fn is_snapshot_name(text: &str) -> bool {
    seq_of_file_name(text).is_some()
}

fn seq_of_file_name(text: &str) -> Option<u64> {
    let seq = text.strip_suffix(".state")?.parse().ok()?;
    (file_name_of_seq(seq) == text).then_some(seq)
}

/// Returns the state of a snapshot and its size in bytes, if it is whole.
pub(super) fn read_snapshot(game: &Path, seq: u64, names: Rc<Names>) -> Option<(State, u64)> {
    let bytes = disk::read_file(&game.join(SNAPSHOTS), &file_name_of_seq(seq), FILE_BYTES).ok()?;
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    let head: Head = serde_json::from_slice(&bytes[..end]).ok()?;
    let state = State::from_bytes(&bytes[end + 1..], names).ok()?;
    let is_whole = head.v == VERSION && head.seq == seq && head.state == state.hash().to_string();
    is_whole.then_some((state, bytes.len() as u64))
}

/// Returns whether a snapshot is an empty file.
pub(super) fn is_snapshot_empty(game: &Path, seq: u64) -> bool {
    let found = fs::symlink_metadata(game.join(SNAPSHOTS).join(file_name_of_seq(seq)));
    found.is_ok_and(|found| found.len() == 0)
}

/// Removes a snapshot that does not count.
pub(super) fn remove_snapshot(game: &Path, seq: u64) {
    let _ = fs::remove_file(game.join(SNAPSHOTS).join(file_name_of_seq(seq)));
}

fn file_name_of_seq(seq: u64) -> String {
    format!("{seq:012}.state")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_snapshot_is_due_by_lines_and_by_size() {
        let due = |lines, bytes, snapshot| {
            Since {
                lines,
                bytes,
                snapshot,
            }
            .is_due()
        };
        assert!(!due(200, 1_000_000, 0));
        assert!(due(201, 1, 0));
        assert!(!due(5_000, 400, 100));
        assert!(due(5_000, 401, 100));
    }

    #[test]
    fn three_are_kept_and_a_broken_one_is_none() {
        let game = tempfile::tempdir().unwrap();
        let names: Rc<Names> = Rc::default();
        let state = State::new(Rc::clone(&names));
        for seq in [3, 20, 100, 1000] {
            write_snapshot(game.path(), seq, &state).unwrap();
        }
        assert_eq!(snapshot_seqs(game.path()), Ok(vec![20, 100, 1000]));
        let (read_back, _) = read_snapshot(game.path(), 100, Rc::clone(&names)).unwrap();
        assert_eq!(read_back.hash(), state.hash());
        let place = game.path().join(SNAPSHOTS).join(file_name_of_seq(100));
        let whole = fs::read(&place).unwrap();
        for length in 0..whole.len() {
            fs::write(&place, &whole[..length]).unwrap();
            assert!(read_snapshot(game.path(), 100, Rc::clone(&names)).is_none());
        }
        fs::write(place.with_file_name("x.state"), "").unwrap();
        assert_eq!(snapshot_seqs(game.path()), Ok(vec![20, 100, 1000]));
    }
}
