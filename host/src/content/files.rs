//! Reads the files of mods and data files from disk. It trusts nothing that it finds there.
//!
//! No bad file stops the reading: each file that cannot be read is a finding, and the other files are read. Links
//! inside a mod are never followed: each entry of a folder is opened by its name in that folder.

mod binary;
mod data_file;
mod decoder;
mod folder;
mod mods;
pub(crate) mod path;
#[cfg(test)]
mod tests;
pub(crate) mod walk;

use std::sync::Arc;

use sha2::{Digest, Sha256};

use self::decoder::decode_text;
use crate::diag::{Diagnostic, Source, Span};

pub use data_file::{outside_link_refusal, read_data_file};
pub use mods::{Mod, discover_mods, find_home_folder};
pub use path::{expand_home_path, is_device_name};
pub use walk::{Budget, Tree};

/// Bytes of one file of a mod.
pub const FILE_BYTES: u64 = 256 << 10;

/// Bytes of a data file that a user names.
pub const DATA_BYTES: u64 = 8 << 20;

/// Entries looked at in all folders of a mod, also those that are ignored.
pub(crate) const ENTRIES: usize = 20_000;

/// A file that was read.
#[derive(Clone, Debug)]
pub struct File {
    /// Its path in its folder, with forward slashes: `commands/pool.luau`.
    pub path: String,
    /// Its text without byte-order mark and carriage returns; its name is the path people see.
    pub source: Arc<Source>,
    /// SHA-256 of its bytes on disk.
    pub hash: [u8; 32],
    /// SHA-256 of its text.
    pub text_hash: [u8; 32],
}

impl File {
    /// Returns the file of a text that is on disk unchanged.
    pub fn new(path: &str, source: Arc<Source>) -> File {
        let hash = Sha256::digest(source.text().as_bytes()).into();
        File {
            path: path.to_owned(),
            source,
            hash,
            text_hash: hash,
        }
    }

    /// Returns the file of these bytes as if it had been read; nothing if a mod may not have such a file.
    pub fn of_bytes(path: &str, shown: &str, bytes: &[u8]) -> Option<File> {
        let is_short = bytes.len() as u64 <= FILE_BYTES;
        read_bytes(path, shown.to_owned(), bytes)
            .0
            .filter(|_| is_short)
    }
}

/// Returns the file of these bytes; a text with an error gives findings only.
fn read_bytes(path: &str, shown: String, bytes: &[u8]) -> (Option<File>, Vec<Diagnostic>) {
    let (source, findings) = decode_text(&shown, bytes);
    let sound = !findings.iter().any(Diagnostic::is_error);
    let file = sound.then(|| {
        let mut file = File::new(path, source);
        if file.source.text().as_bytes() != bytes {
            file.hash = Sha256::digest(bytes).into();
        }
        file
    });
    (file, findings)
}

/// Puts a finding at a path whose text is unknown.
fn finding_at_path(path: &str, finding: Diagnostic) -> Diagnostic {
    let shown: String = path
        .chars()
        .flat_map(|c| {
            // Names may contain any character; the finding shows control characters as escapes.
            if c.is_control() {
                c.escape_debug().collect::<Vec<_>>()
            } else {
                vec![c]
            }
        })
        .collect();
    finding.at(&Source::new(shown, ""), Span::default())
}
