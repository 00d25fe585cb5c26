//! Lets only one program at a time write to a game, and reports that program.

use std::fmt;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::Path;

use super::{ArchiveError, disk};

/// The file that the writing process locks.
pub(super) const LOCK: &str = "lock";

/// Maximum length of the text about the holder, in bytes.
const HOLDER: usize = 200;

/// Reasons why a game is open for reading only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadOnly {
    /// The game was opened only for reading.
    Asked,
    /// Another program holds the lock; the text is its description of itself.
    Held(String),
    /// A later host wrote the game, in this format.
    Newer(u32),
    /// The game is in a place where nothing can be written or locked.
    Place,
    /// The secret of the dice is missing or does not match the promised hash.
    NoSecret,
}

impl fmt::Display for ReadOnly {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadOnly::Asked => out.write_str("it was opened only to view it"),
            ReadOnly::Held(holder) => write!(out, "it is in use by {holder}"),
            ReadOnly::Newer(v) => write!(out, "a newer program wrote it, in format {v}"),
            ReadOnly::Place => out.write_str("nothing can be written to its folder"),
            ReadOnly::NoSecret => {
                out.write_str("the file \"secret\", which all dice come from, is missing or is not the one of this game")
            }
        }
    }
}

/// The lock on a held game; it is released with this value and with the process.
#[derive(Debug)]
pub(super) struct Lock {
    _file: File,
}

/// Takes the lock of a game, or returns the reason why the game can only be read.
///
/// Shape: `holder` is the text shown to other programs. Errors: `Link`, `WrongKind`.
pub(super) fn take_lock(
    folder: &Path,
    holder: &str,
) -> Result<Result<Lock, ReadOnly>, ArchiveError> {
    let mut file = match open_lock_file(folder) {
        Ok(file) => file,
        Err(ArchiveError::Unreadable(..)) => return Ok(Err(ReadOnly::Place)),
        Err(error) => return Err(error),
    };
    match file.try_lock() {
        Ok(()) => {
            let said = disk::shown_path(holder);
            // The text about the holder is only information; the lock itself counts.
            let _ = file
                .set_len(0)
                .and_then(|()| file.write_all(said.as_bytes()));
            Ok(Ok(Lock { _file: file }))
        }
        Err(TryLockError::WouldBlock) => Ok(Err(ReadOnly::Held(read_holder(&mut file)))),
        Err(TryLockError::Error(_)) => Ok(Err(ReadOnly::Place)),
    }
}

fn open_lock_file(folder: &Path) -> Result<File, ArchiveError> {
    let mut options = OpenOptions::new();
    options.read(true).write(true);
    if !disk::file_exists(folder, LOCK)? {
        let mut new = options.clone();
        let made = disk::owner_only_options(new.create_new(true)).open(folder.join(LOCK));
        if let Ok(file) = made {
            return Ok(file);
        }
    }
    disk::open_file(folder, LOCK, &options)
}

fn read_holder(file: &mut File) -> String {
    let mut said = Vec::new();
    let _ = file.rewind();
    let _ = file.take(HOLDER as u64).read_to_end(&mut said);
    match disk::shown_path(&*String::from_utf8_lossy(&said)) {
        nothing if nothing.is_empty() => "another program".to_owned(),
        said => said,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_holds_it_and_the_other_is_told_who() {
        let folder = tempfile::tempdir().unwrap();
        let lock = take_lock(folder.path(), "process 7 of Ann\u{1b}[2J")
            .unwrap()
            .unwrap();
        let other = take_lock(folder.path(), "process 8").unwrap().unwrap_err();
        assert_eq!(
            other,
            ReadOnly::Held("process 7 of Ann\\u{1b}[2J".to_owned())
        );
        drop(lock);
        let again = take_lock(folder.path(), "p 9").unwrap();
        assert!(again.is_ok());
        let third = take_lock(folder.path(), "p 10").unwrap().unwrap_err();
        assert_eq!(third.to_string(), "it is in use by p 9");
    }

    #[cfg(unix)]
    #[test]
    fn a_lock_that_is_no_file_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let elsewhere = folder.path().join("elsewhere");
        std::os::unix::fs::symlink(&elsewhere, folder.path().join(LOCK)).unwrap();
        let refused = take_lock(folder.path(), "p 1").unwrap_err();
        assert_eq!(refused, ArchiveError::Link(LOCK.to_owned()));
        assert!(!elsewhere.exists());
        std::fs::remove_file(folder.path().join(LOCK)).unwrap();
        std::fs::create_dir(folder.path().join(LOCK)).unwrap();
        let refused = take_lock(folder.path(), "p 1").unwrap_err();
        assert_eq!(
            refused,
            ArchiveError::WrongKind(LOCK.to_owned(), "is a folder, expected a file")
        );
    }
}
