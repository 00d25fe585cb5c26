//! Knows files that are no text, such as images and archives beside a book: they are counted, and never read.

use std::collections::BTreeMap;
use std::path::Path;

use crate::diag::{Diagnostic, Severity};

/// Endings of images, archives, documents, sounds, films and fonts.
const ENDINGS: [&str; 52] = [
    "7z", "avif", "bmp", "bz2", "db", "dll", "doc", "docx", "epub", "exe", "flac", "gif", "gz",
    "heic", "icns", "ico", "jpeg", "jpg", "m4a", "mkv", "mov", "mp3", "mp4", "odg", "odp", "ods",
    "odt", "ogg", "opus", "otf", "pdf", "png", "ppt", "pptx", "psd", "rar", "so", "sqlite", "tar",
    "tgz", "tif", "tiff", "ttf", "wav", "webm", "webp", "woff", "woff2", "xls", "xlsx", "xz",
    "zip",
];

/// Endings of what is to be text, whatever it holds: what is wrong with it is told.
const TEXTS: [&str; 6] = ["luau", "yaml", "yml", "json", "md", "txt"];

/// What images, archives, documents and programs begin with; no text begins so.
const BEGINNINGS: [&[u8]; 10] = [
    b"\x89PNG",
    b"\xff\xd8\xff",
    b"GIF8",
    b"PK\x03\x04",
    b"\x1f\x8b",
    b"7z\xbc\xaf",
    b"%PDF-",
    b"\x7fELF",
    b"OggS",
    b"SQLite format 3\0",
];

fn file_ending(name: &str) -> String {
    let ending = Path::new(name).extension().and_then(|one| one.to_str());
    ending.unwrap_or_default().to_ascii_lowercase()
}

/// Returns whether a file of this name is not a text file.
pub(super) fn is_named(name: &str) -> bool {
    ENDINGS.contains(&file_ending(name).as_str())
}

/// Returns whether these bytes are those of no text: it begins like a file of another kind.
pub(super) fn is_held(name: &str, bytes: &[u8]) -> bool {
    let is_text = TEXTS.contains(&file_ending(name).as_str());
    !is_text && BEGINNINGS.iter().any(|one| bytes.starts_with(one))
}

/// How many such files lie in which folder.
#[derive(Debug, Default)]
pub(super) struct Counted(BTreeMap<String, usize>);

impl Counted {
    /// Counts a file by its path below the root.
    pub(super) fn add(&mut self, path: &str) {
        let folder = path
            .split_once('/')
            .map_or("the folder itself", |(first, _)| first);
        *self.0.entry(folder.to_owned()).or_default() += 1;
    }

    /// Returns what is said of all of them; nothing of none.
    pub(super) fn told(&self) -> Option<Diagnostic> {
        let folders = self.0.iter();
        let folders: Vec<String> = folders
            .map(|(name, count)| format!("{name} ({count})"))
            .collect();
        let what = match self.0.values().sum() {
            0_usize => return None,
            1 => "1 file is not a text (for example an image) and is not read".to_owned(),
            count => format!("{count} files are not texts (for example images) and are not read"),
        };
        let message = format!("{what}: in {}", folders.join(", "));
        Some(Diagnostic {
            severity: Severity::Note,
            ..Diagnostic::warning("content/binary", message)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_or_the_bytes_say_that_a_file_is_no_text() {
        assert!(is_named("Cover.PNG") && is_named("book.tar.gz"));
        assert!(!is_named("hull") && !is_named("png") && !is_named("hull.luau"));
        assert!(is_held("hull", b"\x89PNG\0\xff"));
        assert!(!is_held("hull", b"caf\xe9") && !is_held("hull", b"a\0"));
        assert!(!is_held("hull.luau", b"\x89PNG\0\xff") && !is_held("hull", b"\xff\xfea\0"));
        assert!(!is_held(
            "hull",
            b"text with \0 and \xff: it is told what is wrong with it"
        ));
    }

    #[test]
    fn they_are_told_by_folder() {
        let mut counted = Counted::default();
        assert!(counted.told().is_none());
        counted.add("cover.png");
        assert!(
            counted
                .told()
                .unwrap()
                .message
                .ends_with("not read: in the folder itself (1)")
        );
        counted.add("parts/hull.png");
        counted.add("parts/more/cat.png");
        let told = counted.told().unwrap();
        assert_eq!(
            told.message,
            "3 files are not texts (for example images) and are not read: in parts (2), the folder itself (1)"
        );
        assert_eq!(told.severity, Severity::Note);
    }
}
