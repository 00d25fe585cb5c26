//! Reads a game on disk to check it, without lock and state, and trusts none of its content.
//!
//! Opening a game stops at operations that do not lead to their recorded result. This reading goes on, so that each
//! operation can be checked.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::chain::{Chain, sha256};
use super::hashed_files::Stash;
use super::journal_scanner::Tail;
use super::open_game::{RULES, SECRET};
use super::{ArchiveError, First, RuleFile, disk, journal_load, pinned_rules, snapshot};
use crate::store::Operation;
use crate::value::Names;

/// A game as it is on disk.
#[derive(Debug)]
pub struct Reading {
    folder: PathBuf,
    /// The first line of the journal.
    pub first: First,
    /// The operations, as far as the chain of lines is valid.
    pub operations: Vec<Operation>,
    /// The reason why reading stopped before the end.
    pub failure: Option<ArchiveError>,
    /// Whether an unfinished write left bytes after the last line.
    pub is_torn: bool,
    /// Number of lines in the journal, as far as its chain is valid.
    pub lines: u64,
    /// The CHAIN of the last line.
    pub chain: Chain,
}

impl Reading {
    /// Reads the journal of a game. Errors: there is no journal, or its first line cannot be read.
    pub fn from_folder(folder: &Path, names: &Rc<Names>) -> Result<Reading, ArchiveError> {
        let loaded = journal_load::load_journal(folder, names)?;
        let entries = loaded.entries.into_iter();
        Ok(Reading {
            folder: folder.to_owned(),
            first: loaded.first,
            operations: entries.map(|entry| entry.operation).collect(),
            failure: loaded.failure,
            is_torn: loaded.scan.tail == Tail::Torn,
            lines: loaded.scan.lines,
            chain: loaded.scan.chain,
        })
    }

    /// Returns the rules of a generation. Errors: `Altered`, `Unreadable`, `BadPath`.
    pub fn saved_rules(&self, name: &str) -> Result<Vec<RuleFile>, ArchiveError> {
        pinned_rules::read_pinned_rules(&Stash::new(&self.folder, RULES), name)
    }

    /// Returns the 32 secret bytes, if there are any. Errors: `Altered` if they do not match the hash in the first
    /// line; `Unreadable`, `Link`, `WrongKind`.
    pub fn secret(&self) -> Result<Option<[u8; 32]>, ArchiveError> {
        if !disk::file_exists(&self.folder, SECRET)? {
            return Ok(None);
        }
        let secret: [u8; 32] = disk::read_file_of_size(&self.folder, SECRET)?;
        if sha256(&secret) == self.first.seed {
            Ok(Some(secret))
        } else {
            Err(ArchiveError::Altered(SECRET.to_owned()))
        }
    }

    /// Returns the folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the numbers of the operations with snapshots that do not match the journal. Errors: failed reading.
    ///
    /// Snapshots are not synced. An empty snapshot, or one that is ahead of the journal, is a normal result of power
    /// loss.
    pub fn mismatched_snapshot_seqs(&self, names: &Rc<Names>) -> Result<Vec<u64>, ArchiveError> {
        let mut strange = snapshot::snapshot_seqs(&self.folder)?;
        strange.retain(|seq| {
            let at = usize::try_from(*seq)
                .ok()
                .and_then(|seq| seq.checked_sub(1));
            let operation = at.and_then(|at| self.operations.get(at));
            let is_told = |operation: &Operation| {
                let found = snapshot::read_snapshot(&self.folder, *seq, Rc::clone(names));
                found.is_some_and(|(state, _)| state.hash() == operation.state)
            };
            let is_left = snapshot::is_snapshot_empty(&self.folder, *seq);
            operation.is_some_and(|operation| !is_left && !is_told(operation))
        });
        Ok(strange)
    }
}
