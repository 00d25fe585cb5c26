//! Writes a new text into a file that was read.
//!
//! The file is replaced completely or not at all, and only if it still has the text that was read. Its line ends and
//! its byte order mark stay.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use host::diag::Source;

use crate::path_scope::Scope;

const BYTE_ORDER_MARK: &str = "\u{feff}";

/// Replaces a file that was read in one step. Errors: its text has changed, or the disk refuses.
pub(crate) fn replace_file(scope: &Scope, read: &Source, text: &str) -> io::Result<()> {
    let path = &scope
        .file_of_shown_name(read.name())
        .ok_or_else(no_file_error)?;
    let bytes = fs::read(path)?;
    let found = String::from_utf8(bytes).map_err(|_| file_changed_error())?;
    let (mark, body) = match found.strip_prefix(BYTE_ORDER_MARK) {
        Some(body) => (BYTE_ORDER_MARK, body),
        None => ("", found.as_str()),
    };
    if body.replace("\r\n", "\n") != read.text() {
        return Err(file_changed_error());
    }
    let (ends, marked) = (body.matches('\n').count(), body.matches("\r\n").count());
    if marked > 0 && marked < ends {
        return Err(io::Error::other("it has two kinds of line ends"));
    }
    let text = if marked > 0 {
        text.replace('\n', "\r\n")
    } else {
        text.to_owned()
    };
    write_atomically(path, &format!("{mark}{text}"))
}

fn file_changed_error() -> io::Error {
    io::Error::other("it was changed in the meantime")
}

/// Writes a file beside the original, then replaces the original; its permissions stay.
fn write_atomically(path: &Path, text: &str) -> io::Result<()> {
    let folder = path.parent().ok_or_else(no_file_error)?;
    let name = path
        .file_name()
        .ok_or_else(no_file_error)?
        .to_string_lossy();
    let beside = folder.join(format!(".{name}.{}", std::process::id()));
    let written = (|| {
        let mut file = File::create_new(&beside)?;
        file.write_all(text.as_bytes())?;
        file.set_permissions(fs::metadata(path)?.permissions())?;
        file.sync_all()?;
        fs::rename(&beside, path)
    })();
    if written.is_err() {
        // The file beside it has no use; a failure to remove it is not a second error.
        let _ = fs::remove_file(&beside);
    }
    written
}

fn no_file_error() -> io::Error {
    io::Error::from(io::ErrorKind::NotFound)
}
