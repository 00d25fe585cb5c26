//! An open game on disk: saves operations, rules and from time to time the state.

use std::borrow::Borrow;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::chain::{Chain, sha256};
use super::hashed_files::{self, Stash};
use super::journal::{Journal, Sink, SyncMode};
use super::lock::{Lock, ReadOnly};
use super::snapshot::{self, Since};
use super::write_behind::Ahead;
use super::{ArchiveError, First, LINE_BYTES, RuleFile, disk, operation_line, pinned_rules};
use crate::store::{Operation, State};
use crate::value::Names;

/// The file with a line for each operation.
pub const JOURNAL: &str = "journal.jsonl";

/// The file with the 32 bytes that all dice come from.
pub const SECRET: &str = "secret";

/// The folder of pinned rules.
pub(super) const RULES: &str = "rules";

/// The folder of operations that are too large for a line.
pub(super) const BLOBS: &str = "blobs";

/// An open game on disk.
#[derive(Debug)]
pub struct Game {
    folder: PathBuf,
    first: First,
    /// Number of the last saved operation.
    seq: u64,
    /// The writer of the game, or the reason why the game is read-only.
    writer: Result<Writer, ReadOnly>,
    rules: Stash,
    blobs: Stash,
    /// The saved generations of rules.
    pinned: BTreeSet<String>,
}

/// Writer of a game.
#[derive(Debug)]
pub(super) struct Writer {
    // The journal must be closed before the lock is released: fields are dropped in this order.
    pub(super) journal: Journal<Box<dyn Sink>>,
    pub(super) since: Since,
    /// Whether another thread saves the written lines.
    pub(super) is_behind: bool,
    pub(super) _lock: Lock,
}

impl Game {
    pub(super) fn new(
        folder: &Path,
        first: First,
        seq: u64,
        writer: Result<Writer, ReadOnly>,
    ) -> Game {
        Game {
            folder: folder.to_owned(),
            first,
            seq,
            writer,
            rules: Stash::new(folder, RULES),
            blobs: Stash::new(folder, BLOBS),
            pinned: BTreeSet::new(),
        }
    }

    /// Saves the operations of one command, all or none. When this returns the operations are safe on the disk; with
    /// [`SyncMode::Group`] they are safe soon.
    ///
    /// Shape: the next operations, under rules that [`Game::save_rules`] saved; `at` is the real time, for people. On
    /// any error none was saved, and the caller must roll the operations back before any answer is given.
    /// Errors: `ReadOnly`, `NotNext`, `NotPinned`, `TooLarge`, `TooDeep`, `Full`, `NotWritten`, `NotSynced`, `Ended`.
    pub fn append_operations(
        &mut self,
        names: &Names,
        operations: &[impl Borrow<Operation>],
        at: &str,
    ) -> Result<(), ArchiveError> {
        let writer = self.writer.as_mut().map_err(|why| read_only_error(why))?;
        let mut lines = Vec::with_capacity(operations.len());
        for (operation, seq) in operations.iter().map(Borrow::borrow).zip(self.seq + 1..) {
            if operation.seq != seq {
                return Err(ArchiveError::NotNext(operation.seq));
            }
            let rules = &*operation.rules;
            if !rules.is_empty() && !self.pinned.contains(rules) {
                return Err(ArchiveError::NotPinned(disk::shown_path(rules)));
            }
            if operation_line::is_too_deep(operation) {
                return Err(ArchiveError::TooDeep);
            }
            let more = lines.len() + 1 < operations.len();
            let mut json = operation_line::operation_json(names, operation, (at, more));
            if json.len() > LINE_BYTES {
                json = move_to_blob(&mut self.blobs, operation.seq, &json)?;
            }
            lines.push(json);
        }
        let before = writer.journal.length();
        writer.journal.append_lines(&lines)?;
        let count = lines.len() as u64;
        self.seq += count;
        writer.since.lines += count;
        writer.since.bytes += writer.journal.length() - before;
        Ok(())
    }

    /// Saves the rules of the next commands and returns the rules' name for [`Operation::rules`].
    ///
    /// Errors: `ReadOnly`, `BadPath`, `Link`, `WrongKind`, `Full`, `NotWritten`.
    pub fn save_rules(&mut self, files: &[RuleFile]) -> Result<String, ArchiveError> {
        self.writer.as_ref().map_err(read_only_error)?;
        let name = pinned_rules::generation_name(files)?;
        if !self.pinned.contains(&name) {
            pinned_rules::pin_rules(&mut self.rules, files)?;
            self.pinned.insert(name.clone());
        }
        Ok(name)
    }

    /// Returns whether a generation of rules is saved.
    pub fn has_saved_rules(&self, name: &str) -> bool {
        self.pinned.contains(name)
    }

    /// Returns the rules of an operation, in the order of their paths. Errors: `Altered`, `Unreadable`, `BadPath`.
    pub fn saved_rules(&self, name: &str) -> Result<Vec<RuleFile>, ArchiveError> {
        pinned_rules::read_pinned_rules(&self.rules, name)
    }

    /// Returns whether the list of a generation of rules exists and is whole.
    pub(super) fn has_whole_list(&self, name: &str) -> bool {
        pinned_rules::has_whole_list(&self.rules, name)
    }

    /// Notes that rules were saved earlier.
    pub(super) fn note_rules_saved(&mut self, name: &str) {
        self.pinned.insert(name.to_owned());
    }

    /// Saves the state if a snapshot is due, and returns whether it did. The state must be the one after the last
    /// operation.
    ///
    /// Errors: the errors of writing. The journal has all data, so the game goes on.
    pub fn snapshot_if_due(&mut self, state: &State) -> Result<bool, ArchiveError> {
        let is_due = |writer: &Writer| writer.since.is_due();
        if state.has_pending_writes() || !self.writer.as_ref().is_ok_and(is_due) {
            return Ok(false);
        }
        self.save_snapshot(state)?;
        Ok(true)
    }

    /// Saves the state, which must be the state after the last operation. Errors: `ReadOnly`, the errors of writing.
    ///
    /// The snapshot and the lines before it are not synced: the journal wins over a snapshot that is
    /// ahead. The function waits for the writes of another thread, so a disk that refuses lines leaves no snapshot of
    /// them.
    pub fn save_snapshot(&mut self, state: &State) -> Result<(), ArchiveError> {
        let writer = self.writer.as_mut().map_err(|why| read_only_error(why))?;
        writer.journal.settle()?;
        let snapshot = snapshot::write_snapshot(&self.folder, self.seq, state)?;
        writer.since = Since {
            snapshot,
            ..Since::default()
        };
        Ok(())
    }

    /// Makes all operations safe. Errors: `NotSynced`, `Ended`.
    pub fn flush(&mut self) -> Result<(), ArchiveError> {
        match &mut self.writer {
            Ok(writer) => writer.journal.flush(),
            Err(_) => Ok(()),
        }
    }

    /// Changes when operations are made safe. Errors: `ReadOnly`, `NotSynced`, `Ended`.
    pub fn set_sync(&mut self, sync: SyncMode) -> Result<(), ArchiveError> {
        let writer = self.writer.as_mut().map_err(|why| read_only_error(why))?;
        writer.journal.set_sync(sync)
    }

    /// Writes the journal through another sink from now on; tests use it to simulate a failing disk.
    ///
    /// Shape: the sink adds at the end of the same file. Errors: `ReadOnly`.
    pub fn set_sink(&mut self, sink: Box<dyn Sink>) -> Result<(), ArchiveError> {
        let writer = self.writer.as_mut().map_err(|why| read_only_error(why))?;
        *writer.journal.sink_mut() = sink;
        Ok(())
    }

    /// Hands all writes over to another thread from now on; a game that is read-only stays as it is.
    pub fn write_behind<T: Send + 'static>(&mut self, ahead: &Ahead<T>) {
        if let Ok(writer) = &mut self.writer {
            let length = writer.journal.length();
            ahead.redirect_to_thread(writer.journal.sink_mut(), length);
            writer.is_behind = true;
        }
    }

    /// Returns whether another thread saves the written lines.
    pub fn is_written_behind(&self) -> bool {
        self.writer.as_ref().is_ok_and(|writer| writer.is_behind)
    }

    /// Returns the 32 bytes that all dice come from. Errors: `Unreadable`, `Link`, `WrongKind`, `WrongSize`, `Altered`
    /// if they do not match the hash in the first line.
    pub fn secret(&self) -> Result<[u8; 32], ArchiveError> {
        let secret: [u8; 32] = disk::read_file_of_size(&self.folder, SECRET)?;
        if sha256(&secret) == self.first.seed {
            Ok(secret)
        } else {
            Err(ArchiveError::Altered(SECRET.to_owned()))
        }
    }

    /// Removes a game that was just made and never reported to a user.
    pub fn delete_new_game(self) {
        let folder = self.folder.clone();
        drop(self);
        let _ = std::fs::remove_dir_all(folder);
    }

    /// Returns the folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the first line of the journal.
    pub fn first_line(&self) -> &First {
        &self.first
    }

    /// Returns the number of the last saved operation.
    pub fn last_seq(&self) -> u64 {
        self.seq
    }

    /// Returns the CHAIN of the last line, which proves that no earlier line was changed. None while reading.
    pub fn last_chain(&self) -> Option<Chain> {
        let writer = self.writer.as_ref().ok();
        writer.map(|writer| writer.journal.last_chain())
    }

    /// Returns the reason why the game is open for reading only, if it is.
    pub fn read_only_reason(&self) -> Option<&ReadOnly> {
        self.writer.as_ref().err()
    }

    /// Stops all writing and lets other programs write; a game that was read-only before keeps its own reason.
    pub fn make_read_only(&mut self, why: ReadOnly) {
        if self.writer.is_ok() {
            self.writer = Err(why);
        }
    }

    /// Returns whether writing ended because the disk failed.
    pub fn has_ended(&self) -> bool {
        let has_ended = |writer: &Writer| writer.journal.has_ended();
        self.writer.as_ref().is_ok_and(has_ended)
    }
}

/// Writes an operation into a separate file and returns the JSON of its line.
pub(super) fn move_to_blob(
    blobs: &mut Stash,
    seq: u64,
    json: &[u8],
) -> Result<Vec<u8>, ArchiveError> {
    let bytes = json.len() as u64;
    if bytes > hashed_files::FILE_BYTES {
        return Err(ArchiveError::TooLarge(json.len()));
    }
    let name = blobs.store_bytes(json)?;
    blobs.sync()?;
    Ok(operation_line::blob_line_json(seq, name, bytes))
}

fn read_only_error(why: &ReadOnly) -> ArchiveError {
    ArchiveError::ReadOnly(why.clone())
}
