//! The files of a game that is handed over: the sound lines of its journal, its secret, its pinned rules, blobs,
//! snapshots. The lock, unfinished files and torn tails that were moved into other files are left out.

use std::path::Path;

use super::chain::is_sha256;
use super::journal_load::{self, broken_line_error, unreadable_journal_error};
use super::journal_scanner::Tail;
use super::open_game::{BLOBS, JOURNAL, RULES, SECRET};
use super::snapshot::{self, SNAPSHOTS};
use super::{ArchiveError, disk, hashed_files};

/// Maximum length of a journal that is handed over, in bytes.
const JOURNAL_BYTES: u64 = ALL_BYTES;

/// Maximum length of all files of a game that is handed over, in bytes.
pub(crate) const ALL_BYTES: u64 = 2 << 30;

/// The folders of a game, in order.
pub(super) const FOLDERS: [&str; 3] = [BLOBS, RULES, SNAPSHOTS];

/// A file of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Part {
    /// The folder inside the game that contains the file; empty for the game's own folder.
    pub(super) folder: &'static str,
    /// Its name in that folder.
    pub(super) name: String,
    /// Number of its bytes that belong to the game.
    pub(super) length: u64,
}

impl Part {
    /// Returns its path in the game, with a forward slash.
    pub(super) fn path(&self) -> String {
        match self.folder {
            "" => self.name.clone(),
            folder => format!("{folder}/{}", self.name),
        }
    }
}

/// Returns the files of a game in the order of their paths.
///
/// Errors: `NoGame`, `Broken`, `Link`, `WrongKind`, `Unreadable`.
pub(super) fn files_of_game(game: &Path) -> Result<Vec<Part>, ArchiveError> {
    let mut parts = vec![checked_journal_file(game)?];
    if disk::file_exists(game, SECRET)? {
        parts.push(file_part(game, "", SECRET)?);
    }
    for folder in FOLDERS {
        for name in disk::file_names(game, folder)? {
            if max_file_bytes(folder, &name).is_some() {
                parts.push(file_part(game, folder, &name)?);
            }
        }
    }
    parts.sort_by_key(Part::path);
    Ok(parts)
}

/// Returns the maximum length of a file of a game, or nothing if such a file is not part of a game.
pub(super) fn max_file_bytes(folder: &str, name: &str) -> Option<u64> {
    match (folder, name) {
        ("", JOURNAL) => Some(JOURNAL_BYTES),
        ("", SECRET) => Some(32),
        (RULES | BLOBS, name) if is_sha256(name) => Some(hashed_files::FILE_BYTES),
        (SNAPSHOTS, name) if snapshot::is_snapshot_name(name) => Some(snapshot::FILE_BYTES),
        _ => None,
    }
}

/// A torn tail is not part of a game: its command was never answered.
fn checked_journal_file(game: &Path) -> Result<Part, ArchiveError> {
    let mut lines = journal_load::open_journal(game)?;
    while lines
        .next_line()
        .map_err(unreadable_journal_error)?
        .is_some()
    {}
    let found = lines.scan_so_far();
    match &found.tail {
        Tail::Broken(reason) => Err(broken_line_error(found.lines + 1, *reason)),
        Tail::None | Tail::Torn => Ok(Part {
            folder: "",
            name: JOURNAL.to_owned(),
            length: found.length,
        }),
    }
}

fn file_part(game: &Path, folder: &'static str, name: &str) -> Result<Part, ArchiveError> {
    let place = game.join(folder);
    disk::file_exists(&place, name)?;
    let there = std::fs::symlink_metadata(place.join(name));
    let there = there.map_err(|error| disk::unreadable_file_error(name, &error))?;
    Ok(Part {
        folder,
        name: name.to_owned(),
        length: there.len(),
    })
}
