//! Recognises files that are not text, such as images and archives beside a book. These files are counted and never
//! read.

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

/// Endings of text files. They are read with any contents, and errors in them are reported.
const TEXTS: [&str; 6] = ["luau", "yaml", "yml", "json", "md", "txt"];

/// The first bytes of images, archives, documents and programs; no text begins with them.
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
pub(super) fn has_binary_ending(name: &str) -> bool {
    ENDINGS.contains(&file_ending(name).as_str())
}

/// Returns whether these bytes are not a text: they begin like a file of another kind.
pub(super) fn has_binary_start(name: &str, bytes: &[u8]) -> bool {
    let is_text = TEXTS.contains(&file_ending(name).as_str());
    !is_text && BEGINNINGS.iter().any(|one| bytes.starts_with(one))
}

/// The number of such files in each folder.
#[derive(Debug, Default)]
pub(super) struct Counted(BTreeMap<String, usize>);

impl Counted {
    /// Counts a file by its path below the root.
    pub(super) fn count_file(&mut self, path: &str) {
        let folder = path
            .split_once('/')
            .map_or("the folder itself", |(first, _)| first);
        *self.0.entry(folder.to_owned()).or_default() += 1;
    }

    /// Returns the message about all of them; nothing if there are none.
    pub(super) fn to_finding(&self) -> Option<Diagnostic> {
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
        assert!(has_binary_ending("Cover.PNG") && has_binary_ending("book.tar.gz"));
        assert!(
            !has_binary_ending("hull")
                && !has_binary_ending("png")
                && !has_binary_ending("hull.luau")
        );
        assert!(has_binary_start("hull", b"\x89PNG\0\xff"));
        assert!(!has_binary_start("hull", b"caf\xe9") && !has_binary_start("hull", b"a\0"));
        assert!(
            !has_binary_start("hull.luau", b"\x89PNG\0\xff")
                && !has_binary_start("hull", b"\xff\xfea\0")
        );
        assert!(!has_binary_start(
            "hull",
            b"text with \0 and \xff: it is told what is wrong with it"
        ));
    }

    #[test]
    fn they_are_told_by_folder() {
        let mut counted = Counted::default();
        assert!(counted.to_finding().is_none());
        counted.count_file("cover.png");
        assert!(
            counted
                .to_finding()
                .unwrap()
                .message
                .ends_with("not read: in the folder itself (1)")
        );
        counted.count_file("parts/hull.png");
        counted.count_file("parts/more/cat.png");
        let told = counted.to_finding().unwrap();
        assert_eq!(
            told.message,
            "3 files are not texts (for example images) and are not read: in parts (2), the folder itself (1)"
        );
        assert_eq!(told.severity, Severity::Note);
    }
}
