//! Keeps a list of the files that the program wrote for a person: no other file is overwritten.
//!
//! A line of the list is the hash of the written bytes and the path. A file that a user changed later belongs to the
//! user again.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use host::diag::Diagnostic;
use host::store::archive::sha256;

use crate::history_file;

/// Maximum size of the list in bytes; when it is longer, its older half is removed.
const MOST: u64 = 1 << 20;

/// The list of written files.
#[derive(Clone, Debug)]
pub(crate) struct Written {
    /// `None` if the user has no folder for it: then no file counts as ours.
    list: Option<PathBuf>,
}

impl Written {
    /// Returns the list beside the history of the user.
    pub(crate) fn list_in_user_folder() -> Written {
        let list =
            history_file::make_history_path().and_then(|file| Some(file.parent()?.join("written")));
        Written { list }
    }

    /// Refuses an existing file that this program did not write, or that was changed after that.
    ///
    /// Errors: `save/file-used`.
    pub(crate) fn check_may_overwrite(&self, path: &Path) -> Result<(), Box<Diagnostic>> {
        let is_free = match fs::symlink_metadata(path) {
            // A folder cannot be overwritten: the system reports that to the person who tries.
            Ok(found) => found.is_dir() || (found.is_file() && self.is_listed_unchanged(path)),
            Err(_) => true,
        };
        if is_free {
            return Ok(());
        }
        let message = format!(
            "the file \"{}\" already exists, and was changed since this program wrote it, or written by something else",
            path.display()
        );
        let finding = Diagnostic::error("save/file-used", message)
            .hint("name another file")
            .hint(
                "or overwrite it: add `anyway` after the file, or `--anyway` on the command line",
            );
        Err(Box::new(finding))
    }

    fn is_listed_unchanged(&self, path: &Path) -> bool {
        let known = || {
            let list = fs::read_to_string(self.list.as_ref()?).ok()?;
            let line = line_of_file(path, &fs::read(path).ok()?)?;
            Some(list.lines().any(|known| known == line))
        };
        known().unwrap_or(false)
    }

    /// Notes that a file was written. If that cannot be noted, the next write of the file needs `anyway`.
    pub(crate) fn note_written_file(&self, path: &Path, bytes: &[u8]) {
        let noted = || {
            let list = self.list.as_ref()?;
            shorten_list(list);
            let line = line_of_file(path, bytes)? + "\n";
            let mut file = OpenOptions::new()
                .create(true)
                .append(true)
                .open(list)
                .ok()?;
            file.write_all(line.as_bytes()).ok()
        };
        let _ = noted();
    }
}

/// Returns the line of an existing file.
fn line_of_file(path: &Path, bytes: &[u8]) -> Option<String> {
    let place = path.canonicalize().ok()?;
    Some(format!(
        "{} {}",
        sha256(bytes),
        place.to_str()?.escape_debug()
    ))
}

fn shorten_list(list: &Path) {
    let is_long = fs::metadata(list).is_ok_and(|found| found.len() > MOST);
    let Some(text) = is_long.then(|| fs::read_to_string(list).ok()).flatten() else {
        return;
    };
    let lines: Vec<&str> = text.lines().collect();
    let newer = lines[lines.len() / 2..].join("\n") + "\n";
    let beside = list.with_extension(format!("{}.new", std::process::id()));
    let _ = fs::write(&beside, newer).and_then(|()| fs::rename(&beside, list));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_written_here_and_not_changed_since_is_written_over() {
        let folder = tempfile::tempdir().unwrap();
        let list = Some(folder.path().join("written"));
        let written = Written { list };
        let file = folder.path().join("a\n.md");
        assert_eq!(written.check_may_overwrite(&file), Ok(()));
        fs::write(&file, "ours").unwrap();
        assert_eq!(
            written.check_may_overwrite(&file).unwrap_err().code,
            "save/file-used"
        );
        written.note_written_file(&file, b"ours");
        assert_eq!(written.check_may_overwrite(&file), Ok(()));
        fs::write(&file, "theirs").unwrap();
        assert_eq!(
            written.check_may_overwrite(&file).unwrap_err().code,
            "save/file-used"
        );
        let nowhere = Written { list: None };
        nowhere.note_written_file(&file, b"theirs");
        assert_eq!(
            nowhere.check_may_overwrite(&file).unwrap_err().code,
            "save/file-used"
        );
    }

    #[test]
    fn a_long_list_loses_its_older_half() {
        let folder = tempfile::tempdir().unwrap();
        let list = folder.path().join("written");
        let long = format!("{}\n", "x".repeat(99)).repeat(11_000);
        fs::write(&list, &long).unwrap();
        let file = folder.path().join("a.md");
        fs::write(&file, "ours").unwrap();
        let written = Written {
            list: Some(list.clone()),
        };
        written.note_written_file(&file, b"ours");
        assert_eq!(written.check_may_overwrite(&file), Ok(()));
        assert!(fs::metadata(&list).unwrap().len() < MOST);
    }
}
