//! Stores files that are named by the SHA-256 of their content: written once, checked when read.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::chain::{is_sha256, sha256};
use super::{ArchiveError, disk};

/// Maximum size of such a file, in bytes.
pub(crate) const FILE_BYTES: u64 = 256 << 20;

/// A folder of such files.
#[derive(Clone, Debug)]
pub(super) struct Stash {
    game: PathBuf,
    name: &'static str,
    /// Names of files that were written or checked in this session.
    sound: BTreeSet<String>,
}

impl Stash {
    /// Returns the files in a folder of a game.
    pub(super) fn new(game: &Path, name: &'static str) -> Stash {
        Stash {
            game: game.to_owned(),
            name,
            sound: BTreeSet::new(),
        }
    }

    /// Stores bytes and returns their name; an existing file that does not match its name is replaced.
    ///
    /// Shape: [`Stash::sync`] makes the names safe. Errors: `Link`, `WrongKind`, `Full`, `NotWritten`.
    pub(super) fn store_bytes(&mut self, bytes: &[u8]) -> Result<String, ArchiveError> {
        let hash = sha256(bytes);
        if !self.sound.contains(&hash) {
            disk::make_folder(&self.game, self.name)?;
            if self.read_checked(&hash).is_err() {
                disk::write_file(&self.folder(), &hash, bytes)?;
            }
            self.sound.insert(hash.clone());
        }
        Ok(hash)
    }

    /// Returns the bytes of the file with a name. Errors: `Altered`, `Unreadable`, `Link`, `WrongKind`, `TooLong`.
    pub(super) fn read_checked(&self, hash: &str) -> Result<Vec<u8>, ArchiveError> {
        let shown = || disk::shown_path(format!("{}/{hash}", self.name));
        if !is_sha256(hash) {
            return Err(ArchiveError::Altered(shown()));
        }
        let bytes = disk::read_file(&self.folder(), hash, FILE_BYTES)?;
        if sha256(&bytes) == hash {
            Ok(bytes)
        } else {
            Err(ArchiveError::Altered(shown()))
        }
    }

    /// Makes the names of all files safe. Errors: `NotWritten`.
    pub(super) fn sync(&self) -> Result<(), ArchiveError> {
        disk::sync_folder(&self.folder())?;
        disk::sync_folder(&self.game)
    }

    /// Copies all files that match their names. Errors: the errors of [`Stash::store_bytes`].
    pub(super) fn copy_sound_files_into(&self, other: &mut Stash) -> Result<(), ArchiveError> {
        for name in disk::file_names(&self.game, self.name)? {
            if let Ok(bytes) = self.read_checked(&name) {
                other.store_bytes(&bytes)?;
            }
        }
        disk::make_folder(&other.game, other.name)?;
        other.sync()
    }

    fn folder(&self) -> PathBuf {
        self.game.join(self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_what_its_name_says_or_refused() {
        let game = tempfile::tempdir().unwrap();
        let mut stash = Stash::new(game.path(), "blobs");
        let name = stash.store_bytes(b"abc").unwrap();
        stash.sync().unwrap();
        assert_eq!(stash.read_checked(&name), Ok(b"abc".to_vec()));
        let place = game.path().join("blobs").join(&name);
        std::fs::write(&place, b"abd").unwrap();
        let altered = ArchiveError::Altered(format!("blobs/{name}"));
        assert_eq!(stash.read_checked(&name), Err(altered));
        let mut again = Stash::new(game.path(), "blobs");
        again.store_bytes(b"abc").unwrap();
        assert_eq!(again.read_checked(&name), Ok(b"abc".to_vec()));
        let outside = ArchiveError::Altered("blobs/../secret".to_owned());
        assert_eq!(stash.read_checked("../secret"), Err(outside));
    }
}
