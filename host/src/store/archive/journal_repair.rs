//! Repairs a journal with a broken middle in a copy: keeps all lines before the break and stores the rest in another
//! file.

use std::fs::OpenOptions;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::rc::Rc;

use super::game_creation::make_whole_folder;
use super::hashed_files::Stash;
use super::journal_load::{self, unreadable_journal_error};
use super::journal_scanner::Tail;
use super::open_game::{BLOBS, JOURNAL, RULES, SECRET};
use super::seed_in_rest::is_seed_in_rest;
use super::snapshot::SNAPSHOTS;
use super::{ArchiveError, disk};

/// Name of the file in the copy with the bytes that are not in its journal.
pub(super) const REST: &str = "journal.broken";

/// Result of recovering a broken game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recovered {
    /// Number of the last operation that was saved in the copy.
    pub seq: u64,
    /// The fault of the next line; none if the journal is whole or only its tail was torn.
    pub fault: Option<ArchiveError>,
    /// Number of bytes in `journal.broken` of the copy.
    pub rest: u64,
    /// Whether these bytes show the seed, so that anybody may know the next dice of the copy.
    pub shows_seed: bool,
}

/// Makes a copy of a game with the operations before the first one that is broken or does not fit.
///
/// Errors: `NoGame`, `Foreign`, `Older`, a first line that is broken; the errors of making the copy.
pub fn recover_copy(game: &Path, copy: &Path) -> Result<Recovered, ArchiveError> {
    check_outside_game(game, copy)?;
    let names = Rc::default();
    let loaded = journal_load::load_journal(game, &names)?;
    let (ends, tail, mut fault) = (loaded.ends, loaded.scan.tail, loaded.failure);
    let seq = match journal_load::apply_entries(&names, loaded.entries, None) {
        Ok(played) => played.history.operations().len(),
        Err(failed) => {
            fault = Some(failed.1);
            failed.0.history.operations().len()
        }
    };
    debug_assert!(fault.is_some() || !matches!(tail, Tail::Broken(_)));
    let length = ends[seq];
    make_whole_folder(copy, |folder| {
        let rest = copy_journal(game, folder, length)?;
        if disk::file_exists(game, SECRET)? {
            disk::write_file(folder, SECRET, &disk::read_file(game, SECRET, 32)?)?;
        }
        disk::make_folder(folder, SNAPSHOTS)?;
        for name in [RULES, BLOBS] {
            Stash::new(game, name).copy_sound_files_into(&mut Stash::new(folder, name))?;
        }
        Ok(Recovered {
            seq: seq as u64,
            fault,
            rest,
            shows_seed: is_seed_in_rest(folder)?,
        })
    })
}

/// Checks that a new file or folder is not inside the folder of a game. Errors: `Within`.
pub fn check_outside_game(game: &Path, new: &Path) -> Result<(), ArchiveError> {
    let Ok(game) = game.canonicalize() else {
        return Ok(());
    };
    // A path that does not exist yet is checked by its nearest existing parent folder.
    let mut above = new.ancestors().map(|one| match one.as_os_str().is_empty() {
        true => Path::new("."),
        false => one,
    });
    match above.find_map(|one| one.canonicalize().ok()) {
        Some(real) if real.starts_with(&game) => {
            Err(ArchiveError::Within(new.display().to_string()))
        }
        Some(_) | None => Ok(()),
    }
}

/// Makes a whole copy of a game, with the same future dice. Errors: the errors of [`recover_copy`], the game is broken.
pub fn copy_game(game: &Path, copy: &Path) -> Result<u64, ArchiveError> {
    let made = recover_copy(game, copy)?;
    match made.fault {
        None => Ok(made.seq),
        Some(fault) => {
            let _ = std::fs::remove_dir_all(copy);
            Err(fault)
        }
    }
}

/// Copies so many bytes of a journal, and all other bytes into a file beside it; returns the number of those other
/// bytes.
fn copy_journal(game: &Path, folder: &Path, length: u64) -> Result<u64, ArchiveError> {
    let mut journal = disk::open_file(game, JOURNAL, OpenOptions::new().read(true))?;
    copy_nonempty_rest(&mut (&mut journal).take(length), folder, JOURNAL)?;
    journal
        .seek(SeekFrom::Start(length))
        .map_err(unreadable_journal_error)?;
    let mut rest = journal.take(u64::MAX);
    copy_nonempty_rest(&mut rest, folder, REST)
}

/// Copies into a new file, unless there is nothing to copy; returns the number of bytes.
fn copy_nonempty_rest(
    from: &mut impl Read,
    folder: &Path,
    name: &str,
) -> Result<u64, ArchiveError> {
    let not_written = |error| disk::not_written_error(&error);
    let mut options = OpenOptions::new();
    let place = folder.join(name);
    let made = disk::owner_only_options(options.write(true).create_new(true)).open(&place);
    let mut file = made.map_err(not_written)?;
    let count = std::io::copy(from, &mut file).map_err(not_written)?;
    file.flush()
        .and_then(|()| file.sync_all())
        .map_err(not_written)?;
    if count == 0 {
        std::fs::remove_file(&place).map_err(not_written)?;
    }
    Ok(count)
}
