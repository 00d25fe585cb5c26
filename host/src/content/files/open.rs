//! This module opens files and folders: it reads no more than it may, and through no link inside a mod.

use std::fs::{self, DirEntry, FileType, Metadata};
use std::io::{self, Read};
use std::path::Path;

use super::FILE_BYTES;

/// Why a file cannot be taken.
pub(super) struct Fault {
    pub(super) code: &'static str,
    pub(super) message: String,
    pub(super) hint: &'static str,
}

/// Reads a file of a mod through its handle and makes sure that it is the file at this very place.
pub(super) fn read_in_place(place: &Path) -> Result<Vec<u8>, Fault> {
    let unreadable = |error: io::Error| Fault {
        code: "content/unreadable",
        message: why(&error),
        hint: "check its permissions",
    };
    let handle = fs::File::open(place).map_err(unreadable)?;
    let opened = handle.metadata().map_err(unreadable)?;
    let resolved = fs::canonicalize(place).map_err(unreadable)?;
    let there = fs::symlink_metadata(place).map_err(unreadable)?;
    if resolved != place || !there.is_file() || !is_same_file(&opened, &there) {
        let message = "the file leads out of its place through a link".to_owned();
        return Err(Fault {
            code: "content/path",
            message,
            hint: "put the file itself here",
        });
    }
    read_at_most(handle, FILE_BYTES)
        .map_err(unreadable)?
        .ok_or_else(|| too_long(FILE_BYTES))
}

pub(super) fn too_long(most: u64) -> Fault {
    let message = format!("the file has more than {} KiB", most >> 10);
    Fault {
        code: "limit/size",
        message,
        hint: "split the file",
    }
}

/// Returns the bytes, or none when there are more than `most`.
pub(super) fn read_at_most(handle: fs::File, most: u64) -> io::Result<Option<Vec<u8>>> {
    // With room for all that is expected a file is read in one go; it may still be shorter or longer.
    let expected = handle.metadata()?.len().min(most) + 1;
    let mut bytes = Vec::with_capacity(usize::try_from(expected).unwrap_or(0));
    handle.take(most + 1).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= most).then_some(bytes))
}

#[cfg(unix)]
fn is_same_file(a: &Metadata, b: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (a.dev(), a.ino()) == (b.dev(), b.ino())
}

#[cfg(not(unix))]
fn is_same_file(a: &Metadata, b: &Metadata) -> bool {
    (a.len(), a.modified().ok()) == (b.len(), b.modified().ok())
}

/// Returns at most `most` entries of a folder; an entry that cannot be read is left out.
pub(super) fn list(folder: &Path, most: usize) -> io::Result<Vec<DirEntry>> {
    Ok(fs::read_dir(folder)?
        .take(most)
        .filter_map(Result::ok)
        .collect())
}

pub(super) fn kind_fault(kind: FileType) -> &'static str {
    if kind.is_symlink() {
        "a link lies here, and links are not followed"
    } else {
        "this is neither a file nor a folder"
    }
}

/// Returns the reason of the machine in words that are the same everywhere.
pub(super) fn why(error: &io::Error) -> String {
    format!("it cannot be read: {}", error.kind())
}
