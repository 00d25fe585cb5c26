//! Makes the folder of a game, completely or not at all.

use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use super::chain::{Chain, sha256};
use super::first_line::{First, is_ruleset_name};
use super::journal::{FileSink, Journal, SyncMode};
use super::open_game::{BLOBS, Game, JOURNAL, RULES, SECRET, Writer};
use super::snapshot::{SNAPSHOTS, Since};
use super::{ArchiveError, disk, lock};

/// Maximum length of a folder name, in characters.
pub(crate) const NAME: usize = 64;

/// Maximum number of unfinished folders beside a new one.
pub(crate) const LEFT: u32 = 1000;

/// Settings of a new game.
#[derive(Clone)]
pub struct NewGame<'a> {
    /// The ruleset that is played.
    pub ruleset: &'a str,
    /// The secret that all dice come from.
    pub secret: [u8; 32],
    /// Whether a user chose the secret.
    pub is_test: bool,
    /// The real time of the clock, for people.
    pub at: &'a str,
    /// Text about the writing program, shown to other programs.
    pub holder: &'a str,
    /// The times at which lines are made safe on disk.
    pub sync: SyncMode,
}

impl Game {
    /// Makes a game in an empty or new folder, and holds its lock.
    ///
    /// Errors: `BadName`, `BadRuleset`, `FolderUsed`, `NotMade`, `Full`, `NotWritten`.
    pub fn create(place: &Path, new: &NewGame<'_>) -> Result<Game, ArchiveError> {
        if !is_ruleset_name(new.ruleset) {
            return Err(ArchiveError::BadRuleset(disk::shown_path(new.ruleset)));
        }
        let first = First::new(new.ruleset, sha256(&new.secret), new.is_test, new.at);
        let held = make_whole_folder(place, |folder| {
            for name in [SNAPSHOTS, RULES, BLOBS] {
                disk::make_folder(folder, name)?;
            }
            disk::write_file(folder, SECRET, &new.secret)?;
            let json = serde_json::to_vec(&first).expect("invariant: it is plain data");
            if First::parse(&json).as_ref() != Some(&first) {
                return Err(ArchiveError::BadName(disk::shown_path(new.at)));
            }
            let (line, chain) = Chain::default().next_line(&json);
            disk::write_file(folder, JOURNAL, &line)?;
            let lock = lock::take_lock(folder, new.holder)?;
            Ok((lock, line.len() as u64, chain))
        })?;
        let (lock, length, chain) = held;
        let file = disk::open_file(place, JOURNAL, OpenOptions::new().append(true))?;
        let writer = lock.map(|lock| Writer {
            journal: Journal::new(Box::new(FileSink(file)), (length, chain), new.sync),
            since: Since::default(),
            is_behind: false,
            _lock: lock,
        });
        Ok(Game::new(place, first, 0, writer))
    }
}

/// Makes a folder by filling another folder beside it and renaming that one; on a failure nothing is left.
///
/// Errors: `BadName`, `FolderUsed`, `NotMade`, errors of `fill`.
pub(super) fn make_whole_folder<T>(
    place: &Path,
    fill: impl FnOnce(&Path) -> Result<T, ArchiveError>,
) -> Result<T, ArchiveError> {
    let beside = checked_unfinished_path(place)?;
    check_folder_unused(place)?;
    let not_made = |error: io::Error| ArchiveError::NotMade(disk::shown_path(place), error.kind());
    let beside = make_unfinished_folder(&beside).map_err(not_made)?;
    let filled = fill(&beside).and_then(|filled| {
        disk::sync_folder(&beside)?;
        Ok(filled)
    });
    let moved = filled.and_then(|filled| {
        // An empty folder is removed. A folder that is not empty any more stays, and the renaming fails.
        let _ = fs::remove_dir(place);
        fs::rename(&beside, place).map_err(not_made)?;
        disk::sync_folder(disk::parent_folder(place))?;
        Ok(filled)
    });
    moved.inspect_err(|_| {
        let _ = fs::remove_dir_all(&beside);
    })
}

/// Makes the folder to fill. An earlier process with our process number may have left its folder after a crash.
fn make_unfinished_folder(beside: &Path) -> io::Result<PathBuf> {
    let mut tried = (1..=LEFT).map(|count| {
        let beside = beside.with_added_extension(count.to_string());
        disk::make_owner_only_folder(&beside).map(|()| beside)
    });
    let is_taken = |made: &io::Result<PathBuf>| matches!(made, Err(error) if error.kind() == io::ErrorKind::AlreadyExists);
    let made = tried.find(|made| !is_taken(made));
    made.unwrap_or_else(|| Err(io::ErrorKind::AlreadyExists.into()))
}

/// Returns the path beside a new folder where the folder is filled. Errors: `BadName`.
fn checked_unfinished_path(place: &Path) -> Result<PathBuf, ArchiveError> {
    let name = place.file_name().and_then(|name| name.to_str());
    let is_sound = |name: &&str| {
        (1..=NAME).contains(&name.chars().count()) && disk::shown_path(name) == **name
    };
    let name = name
        .filter(is_sound)
        .ok_or_else(|| ArchiveError::BadName(disk::shown_path(place)))?;
    let process = std::process::id();
    Ok(place.with_file_name(format!(".{name}.new-{process}")))
}

fn check_folder_unused(place: &Path) -> Result<(), ArchiveError> {
    let used = || ArchiveError::FolderUsed(disk::shown_path(place));
    match fs::symlink_metadata(place) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Ok(there) if there.is_dir() => match fs::read_dir(place).map(|mut all| all.next()) {
            Ok(None) => Ok(()),
            _ => Err(used()),
        },
        _ => Err(used()),
    }
}
