//! Keeps bytes in the user's cache folder from one start to the next. The bytes are expensive to compute and depend
//! only on files that have not changed.
//!
//! The cache can only save time. A file that is missing, cut or made by another program counts as missing and is not
//! reported. Only the owner of the cache can read the files.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::UNIX_EPOCH;

/// The name of an entry: a hash.
pub(crate) type Key = [u8; 32];

/// Bytes of the hash in front of the contents of a file.
const HASH: usize = 32;

/// Bytes of one file.
const FILE: u64 = 32 << 20;

/// Most files in the cache; the last ones written stay.
const FILES: usize = 24;

/// The ending of all files of the cache.
const ENDING: &str = "kept";

/// A cache folder.
#[derive(Clone, Debug)]
pub struct Cache {
    folder: PathBuf,
    /// The identity of this program. Entries of other programs are ignored.
    program: [u8; HASH],
}

impl Cache {
    /// Returns the cache in a folder. The folder is created at the first write.
    pub fn new(folder: PathBuf) -> Cache {
        Cache {
            folder,
            program: program_hash(),
        }
    }

    /// Returns the bytes of an entry.
    pub(crate) fn read_entry(&self, key: &Key) -> Option<Vec<u8>> {
        let file = File::open(self.entry_path(key)).ok()?;
        let mut bytes = Vec::new();
        file.take(FILE).read_to_end(&mut bytes).ok()?;
        let kept = bytes.split_off(HASH.min(bytes.len()));
        (bytes == self.entry_hash(key, &kept)).then_some(kept)
    }

    /// Stores the bytes of an entry and replaces former ones. Bytes that cannot be written are not stored.
    pub(crate) fn store_entry(&self, key: &Key, kept: &[u8]) {
        if kept.len() as u64 + (HASH as u64) < FILE {
            let _ = self.write_entry_file(key, kept);
        }
    }

    fn write_entry_file(&self, key: &Key, kept: &[u8]) -> io::Result<()> {
        make_folder(&self.folder)?;
        let path = self.entry_path(key);
        // Until the file is complete, each writer has a file of its own.
        static WRITES: AtomicUsize = AtomicUsize::new(0);
        let number = WRITES.fetch_add(1, Ordering::Relaxed);
        let own = path.with_extension(format!("{}-{number}.tmp", std::process::id()));
        let done = write_private_file(&own, &[&self.entry_hash(key, kept), kept])
            .and_then(|()| fs::rename(&own, &path));
        if done.is_err() {
            let _ = fs::remove_file(&own);
        }
        self.remove_oldest_files();
        done
    }

    /// Removes the files that were written first, if there are too many.
    fn remove_oldest_files(&self) {
        let Ok(entries) = fs::read_dir(&self.folder) else {
            return;
        };
        let is_own = |path: &PathBuf| {
            let ending = path.extension().and_then(|ending| ending.to_str());
            ending.is_some_and(|ending| ending == ENDING || ending == "tmp")
        };
        let own = entries.filter_map(|entry| {
            let entry = entry.ok()?;
            let path = Some(entry.path()).filter(is_own)?;
            let metadata = entry.metadata().ok().filter(fs::Metadata::is_file)?;
            Some((metadata.modified().ok()?, path))
        });
        let mut own: Vec<(_, PathBuf)> = own.take(10_000).collect();
        own.sort();
        for (_, path) in &own[..own.len().saturating_sub(FILES)] {
            let _ = fs::remove_file(path);
        }
    }

    fn entry_path(&self, key: &Key) -> PathBuf {
        let name = blake3::Hash::from_bytes(*key).to_hex();
        self.folder.join(format!("{name}.{ENDING}"))
    }

    /// Returns the hash of an entry and its bytes for this program.
    fn entry_hash(&self, key: &Key, kept: &[u8]) -> [u8; HASH] {
        let mut hash = blake3::Hasher::new();
        hash.update(&self.program).update(key).update(kept);
        hash.finalize().into()
    }
}

/// Returns the identity of the running program: the place, length and modification time of its file.
fn program_hash() -> [u8; HASH] {
    let mut hash = blake3::Hasher::new();
    hash.update(env!("CARGO_PKG_VERSION").as_bytes());
    if let Ok(path) = std::env::current_exe()
        && let Ok(metadata) = fs::metadata(&path)
    {
        let made = metadata.modified().ok();
        let made = made.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        hash.update(path.as_os_str().as_encoded_bytes());
        hash.update(&metadata.len().to_le_bytes());
        hash.update(&made.unwrap_or_default().as_nanos().to_le_bytes());
    }
    hash.finalize().into()
}

/// Makes a folder that only its owner can look into.
fn make_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Writes a new file that only its owner can read.
fn write_private_file(path: &Path, parts: &[&[u8]]) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    for part in parts {
        file.write_all(part)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: Key = [7; 32];

    #[test]
    fn what_was_kept_comes_back_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::new(folder.path().join("deep/cache"));
        assert_eq!(cache.read_entry(&KEY), None);
        cache.store_entry(&KEY, b"first");
        cache.store_entry(&KEY, b"second");
        assert_eq!(cache.read_entry(&KEY).as_deref(), Some(&b"second"[..]));
        assert_eq!(cache.read_entry(&[8; 32]), None);
        let other = Cache {
            program: [1; 32],
            ..cache.clone()
        };
        assert_eq!(other.read_entry(&KEY), None, "another program made it");
    }

    #[test]
    fn what_was_cut_or_changed_is_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::new(folder.path().to_owned());
        cache.store_entry(&KEY, b"some bytes");
        let whole = fs::read(cache.entry_path(&KEY)).unwrap();
        for at in 0..whole.len() {
            fs::write(cache.entry_path(&KEY), &whole[..at]).unwrap();
            assert_eq!(cache.read_entry(&KEY), None);
            let mut changed = whole.clone();
            changed[at] ^= 1;
            fs::write(cache.entry_path(&KEY), changed).unwrap();
            assert_eq!(cache.read_entry(&KEY), None);
        }
        // A copy of the file under another name is not the entry of that name.
        fs::write(cache.entry_path(&[8; 32]), &whole).unwrap();
        assert_eq!(cache.read_entry(&[8; 32]), None);
    }

    #[test]
    fn the_newest_stay() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::new(folder.path().to_owned());
        fs::write(folder.path().join("notes.txt"), "not ours").unwrap();
        for number in 0..=FILES as u8 + 3 {
            cache.store_entry(&[number; 32], &[number]);
            let time = UNIX_EPOCH + std::time::Duration::from_secs(number.into());
            let file = OpenOptions::new()
                .append(true)
                .open(cache.entry_path(&[number; 32]));
            file.unwrap().set_modified(time).unwrap();
        }
        let count = fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(count, FILES + 1);
        assert_eq!(cache.read_entry(&[0; 32]), None);
        assert_eq!(
            cache.read_entry(&[FILES as u8 + 3; 32]),
            Some(vec![FILES as u8 + 3])
        );
        assert!(folder.path().join("notes.txt").exists());
    }

    #[test]
    fn where_nothing_can_be_written_nothing_happens() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "no folder").unwrap();
        let cache = Cache::new(file.join("cache"));
        cache.store_entry(&KEY, b"bytes");
        assert_eq!(cache.read_entry(&KEY), None);
    }

    #[cfg(unix)]
    #[test]
    fn only_its_owner_can_read_it() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::new(folder.path().join("cache"));
        cache.store_entry(&KEY, b"bytes");
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&cache.folder), 0o700);
        assert_eq!(mode(&cache.entry_path(&KEY)), 0o600);
    }
}
