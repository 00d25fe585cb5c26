//! Unpacks a packed game into a new folder. A file that is not part of a game is refused by its name.
//!
//! In: an archive from any source. Nothing in the archive decides where files are written. Each entry must be one of
//! the files of a game. It must be in its place, occur only once, and not exceed the size limit of such a file.
//! Otherwise no new folder is made.

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use tar::Archive;

use super::game_creation::make_whole_folder;
use super::hashed_files::Stash;
use super::open_game::{BLOBS, RULES};
use super::packed_files::{ALL_BYTES, FOLDERS, max_file_bytes};
use super::{ArchiveError, disk, journal_load};

/// Maximum number of entries of an archive.
pub(crate) const ENTRIES: usize = 100_000;

/// Number of zero bytes at the end of an archive.
const END: usize = 1024;

/// Unpacks a game into a new folder.
///
/// Errors: `NoPack`, `BadEntry`, the errors of a new folder, of writing, and of the first line of a journal.
pub fn unpack_game(file: &Path, new: &Path) -> Result<(), ArchiveError> {
    unpack_game_within(file, new, ALL_BYTES)
}

/// Unpacks a game with at most so many bytes for all files.
pub(super) fn unpack_game_within(file: &Path, new: &Path, most: u64) -> Result<(), ArchiveError> {
    let opened = open_archive(file)?;
    make_whole_folder(new, |folder| {
        for name in FOLDERS {
            disk::make_folder(folder, name)?;
        }
        let mut unpacking = Unpacking {
            file,
            folder,
            top: None,
            seen: BTreeSet::new(),
            most,
            left: most,
        };
        unpacking.unpack_entries(opened)?;
        journal_load::read_first_line(folder)?;
        for name in FOLDERS {
            disk::sync_folder(&folder.join(name))?;
        }
        Ok(())
    })
}

/// Opens an archive and checks that it ends like an archive. Errors: `NoPack`.
fn open_archive(file: &Path) -> Result<File, ArchiveError> {
    let no_pack = |why: &str| ArchiveError::NoPack(disk::shown_path(file), why.to_owned());
    let there = std::fs::metadata(file).map_err(|error| no_pack(&error.kind().to_string()))?;
    if !there.is_file() {
        return Err(no_pack("it is not a file"));
    }
    let unreadable = |error: io::Error| no_pack(&error.kind().to_string());
    let mut opened = File::open(file).map_err(unreadable)?;
    let mut end = [1; END];
    let ends = opened
        .seek(SeekFrom::End(-(END as i64)))
        .and_then(|_| opened.read_exact(&mut end));
    if ends.is_err() || end != [0; END] {
        return Err(no_pack("it does not end as a tar file does"));
    }
    opened.rewind().map_err(unreadable)?;
    Ok(opened)
}

/// A game while it is unpacked.
struct Unpacking<'a> {
    file: &'a Path,
    folder: &'a Path,
    /// The folder inside the archive that contains all files.
    top: Option<String>,
    seen: BTreeSet<String>,
    /// Bytes allowed for all its files, and bytes still allowed for the next files.
    most: u64,
    left: u64,
}

impl Unpacking<'_> {
    fn unpack_entries(&mut self, opened: File) -> Result<(), ArchiveError> {
        let file = disk::shown_path(self.file);
        let no_pack = |why: String| ArchiveError::NoPack(file.clone(), why);
        let mut archive = Archive::new(io::BufReader::new(opened));
        let entries = archive
            .entries()
            .map_err(|error| no_pack(error.to_string()))?;
        // Raw reading: names and sizes come from the plain headers. An extended header that changes them is an
        // entry of a wrong kind.
        for (count, entry) in entries.raw(true).enumerate() {
            if count == ENTRIES {
                return Err(no_pack(format!("it has more than {ENTRIES} entries")));
            }
            let mut entry = entry.map_err(|error| no_pack(error.to_string()))?;
            let path = entry.path_bytes().into_owned();
            let (kind, size) = (entry.header().entry_type(), entry.size());
            let refused = |why: &'static str| {
                let name = disk::shown_path(String::from_utf8_lossy(&path).as_ref());
                ArchiveError::BadEntry(name, why)
            };
            let text = std::str::from_utf8(&path).map_err(|_| refused(NO_PART))?;
            if kind.is_dir() {
                self.accept_folder(text).ok_or_else(|| refused(NO_PART))?;
            } else if kind.is_file() {
                let (folder, name) = self.folder_and_name(text).ok_or_else(|| refused(NO_PART))?;
                if is_file_beside_game(&folder, &name) {
                    continue;
                }
                let most = max_file_bytes(&folder, &name).ok_or_else(|| refused(NO_PART))?;
                if !self.seen.insert(format!("{folder}/{name}")) {
                    return Err(refused("occurs twice"));
                }
                if size > most {
                    return Err(refused("is larger than this file of a game may be"));
                }
                // Checked before reading: a header may promise more than the disk can hold.
                let left = self.left.checked_sub(size);
                self.left = left.ok_or_else(|| no_pack(too_large_text(self.most)))?;
                self.write_game_file((&folder, &name), &mut entry, size)?;
                if [RULES, BLOBS].contains(&folder.as_str()) {
                    let stash = if folder == RULES { RULES } else { BLOBS };
                    let sound = Stash::new(self.folder, stash).read_checked(&name);
                    sound.map_err(|_| refused("does not match its name"))?;
                }
            } else {
                return Err(refused("is neither a file nor a folder"));
            }
        }
        Ok(())
    }

    /// Accepts a folder of a game, or the folder that contains all files.
    fn accept_folder(&mut self, path: &str) -> Option<()> {
        let path = path.strip_suffix('/').unwrap_or(path);
        let path = path.strip_prefix("./").unwrap_or(path);
        if path == "." || FOLDERS.contains(&path) {
            return Some(());
        }
        match path.split_once('/') {
            None => self.accept_top_folder(path).then_some(()),
            Some((top, folder)) => {
                (FOLDERS.contains(&folder) && self.accept_top_folder(top)).then_some(())
            }
        }
    }

    /// Returns folder and name of a path, if it can be a path of a game.
    fn folder_and_name(&mut self, path: &str) -> Option<(String, String)> {
        let path = path.strip_prefix("./").unwrap_or(path);
        let parts: Vec<&str> = path.split('/').collect();
        let owned = |folder: &str, name: &str| Some((folder.to_owned(), name.to_owned()));
        match parts.as_slice() {
            [name] => owned("", name),
            [folder, name] if FOLDERS.contains(folder) => owned(folder, name),
            [top, name] if self.accept_top_folder(top) => owned("", name),
            [top, folder, name] if FOLDERS.contains(folder) && self.accept_top_folder(top) => {
                owned(folder, name)
            }
            _ => None,
        }
    }

    /// Accepts the name of the folder that contains all files; the first accepted name decides.
    fn accept_top_folder(&mut self, name: &str) -> bool {
        if matches!(name, "" | "." | "..") || FOLDERS.contains(&name) {
            return false;
        }
        self.top.get_or_insert_with(|| name.to_owned()) == name
    }

    fn write_game_file(
        &self,
        (folder, name): (&str, &str),
        from: &mut impl Read,
        size: u64,
    ) -> Result<(), ArchiveError> {
        let not_written = |error: io::Error| disk::not_written_error(&error);
        let no_pack = |why: String| ArchiveError::NoPack(disk::shown_path(self.file), why);
        let mut options = OpenOptions::new();
        let place = self.folder.join(folder).join(name);
        let made = disk::owner_only_options(options.write(true).create_new(true)).open(place);
        let mut file = made.map_err(not_written)?;
        let mut left = size;
        let mut chunk = vec![0; 1 << 16];
        while left > 0 {
            let count = from
                .read(&mut chunk)
                .map_err(|error| no_pack(error.to_string()))?;
            if count == 0 {
                return Err(no_pack("it ends early".to_owned()));
            }
            file.write_all(&chunk[..count]).map_err(not_written)?;
            left = left.saturating_sub(count as u64);
        }
        file.sync_all().map_err(not_written)
    }
}

/// Returns the reason why a game is too large for one archive.
pub(super) fn too_large_text(most: u64) -> String {
    match most >> 20 {
        0 => format!("its files have more than {most} bytes in all"),
        mebibytes => format!("its files have more than {mebibytes} MiB in all"),
    }
}

const NO_PART: &str = "is not part of a game";

/// Returns whether a file is in a game folder without being part of the game: an archive that a user packed by hand
/// has it.
fn is_file_beside_game(folder: &str, name: &str) -> bool {
    let is_moved = name.starts_with("journal.torn-") || name == "journal.broken";
    folder.is_empty() && (name == super::lock::LOCK || is_moved)
}
