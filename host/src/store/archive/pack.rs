//! Packs a whole game into one file, a plain tar archive: the same game gives the same bytes on every machine.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;

use tar::{Builder, EntryType, Header};

use super::packed_files::{ALL_BYTES, FOLDERS, Part, files_of_game};
use super::unpack::too_large_text;
use super::{ArchiveError, disk};

/// The folder inside a packed game that contains all its files.
pub(super) const TOP: &str = "game";

/// Result of packing a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packed {
    /// Files of the game.
    pub files: usize,
    /// Bytes of the archive.
    pub bytes: u64,
}

/// Packs a game, with its secret and its rules, into a new file that only its owner can access.
///
/// Shape: the paths are sorted; times and owners are 0. Errors: `FileUsed`, `BadName`; `NoGame`, `Broken`, `Link`,
/// `WrongKind`, `Unreadable` of the game; `NotPacked`; `Full`, `NotWritten`.
pub fn pack_game_into_file(game: &Path, file: &Path) -> Result<Packed, ArchiveError> {
    pack_limited_game_into_file(game, file, ALL_BYTES)
}

/// Packs a game with at most so many bytes for all files: a game that is too large to unpack is not packed.
pub(super) fn pack_limited_game_into_file(
    game: &Path,
    file: &Path,
    most: u64,
) -> Result<Packed, ArchiveError> {
    let name = file.file_name();
    let name = name.ok_or_else(|| ArchiveError::BadName(disk::shown_path(file)))?;
    if fs::symlink_metadata(file).is_ok() {
        return Err(ArchiveError::FileUsed(disk::shown_path(file)));
    }
    let parts = files_of_game(game)?;
    if parts.iter().map(|part| part.length).sum::<u64>() > most {
        return Err(ArchiveError::NotPacked(
            disk::shown_path(game),
            too_large_text(most),
        ));
    }
    let mut hidden = OsString::from(".new-");
    hidden.push(name);
    let beside = file.with_file_name(hidden);
    let _ = fs::remove_file(&beside);
    let packed = write_archive(game, &parts, &beside).and_then(|bytes| {
        fs::rename(&beside, file).map_err(|error| disk::not_written_error(&error))?;
        disk::sync_folder(disk::parent_folder(file))?;
        let files = parts.len();
        Ok(Packed { files, bytes })
    });
    packed.inspect_err(|_| {
        let _ = fs::remove_file(&beside);
    })
}

fn write_archive(game: &Path, parts: &[Part], place: &Path) -> Result<u64, ArchiveError> {
    let not_written = |error: io::Error| disk::not_written_error(&error);
    let mut options = OpenOptions::new();
    let made = disk::owner_only_options(options.write(true).create_new(true)).open(place);
    let mut tar = Builder::new(io::BufWriter::new(made.map_err(not_written)?));
    for folder in std::iter::once("").chain(FOLDERS) {
        let header = entry_header(&format!("{TOP}/{folder}"), EntryType::Directory, 0);
        tar.append(&header, io::empty()).map_err(not_written)?;
    }
    for part in parts {
        let header = entry_header(
            &format!("{TOP}/{}", part.path()),
            EntryType::Regular,
            part.length,
        );
        let place = game.join(part.folder);
        let from = disk::open_file(&place, &part.name, OpenOptions::new().read(true))?;
        let whole = Whole::new(from, part.length);
        tar.append(&header, whole).map_err(not_written)?;
    }
    let mut file = tar.into_inner().map_err(not_written)?;
    file.flush().map_err(not_written)?;
    let file = file
        .into_inner()
        .map_err(|error| not_written(error.into_error()))?;
    file.sync_all().map_err(not_written)?;
    Ok(file.metadata().map_err(not_written)?.len())
}

fn entry_header(path: &str, kind: EntryType, length: u64) -> Header {
    let mut header = Header::new_ustar();
    let fits = header.set_path(path);
    fits.expect("invariant: the paths of a game are short");
    header.set_entry_type(kind);
    header.set_size(length);
    header.set_mode(if kind.is_dir() { 0o700 } else { 0o600 });
    header.set_uid(0);
    header.set_gid(0);
    header.set_mtime(0);
    header.set_cksum();
    header
}

/// Reader of exactly so many bytes of a file, because a header promised them.
struct Whole {
    from: io::Take<File>,
}

impl Whole {
    fn new(from: File, length: u64) -> Whole {
        Whole {
            from: from.take(length),
        }
    }
}

impl Read for Whole {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.from.read(into)?;
        if count == 0 && !into.is_empty() && self.from.limit() > 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(count)
    }
}
