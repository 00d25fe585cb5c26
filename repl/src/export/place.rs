//! This module puts what was written in its place on the disk: whole, or not at all.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use host::diag::Diagnostic;

use super::pages::INDEX;
use crate::folder;
use crate::place::reason;

/// A file of every folder of pages: it says that the folder may be written anew.
const MARK: &str = ".arbiter-export";

/// Writes a file; an older one of that name is gone. Errors: it cannot be written.
pub(super) fn file(path: &Path, text: &str) -> Result<(), Box<Diagnostic>> {
    folder::make_parent(path)?;
    let new = beside(path);
    let done = fs::write(&new, text).and_then(|()| fs::rename(&new, path));
    done.map_err(|error| {
        // What is half written helps nobody.
        drop(fs::remove_file(&new));
        refused(path, &error)
    })
}

/// Writes pages into a folder of their own: a new or empty one, or one of earlier pages, which are gone then.
///
/// Errors: something else is in it; it cannot be written.
pub(super) fn folder(path: &Path, pages: &BTreeMap<String, String>) -> Result<(), Box<Diagnostic>> {
    let is_ours = path.join(MARK).is_file();
    let is_free = match fs::read_dir(path) {
        Ok(mut inside) => inside.next().is_none(),
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    };
    if !is_ours && !is_free {
        let message = format!(
            "{} is no folder of pages: something else is there",
            path.display()
        );
        let finding = Diagnostic::error("export/folder-used", message);
        return Err(Box::new(finding.hint("name a folder that is new or empty")));
    }
    folder::make_parent(path)?;
    let new = beside(path);
    let write = || {
        fs::create_dir(&new)?;
        for (name, text) in pages {
            fs::write(new.join(name), text)?;
        }
        fs::write(new.join(MARK), "")?;
        if path.exists() {
            fs::remove_dir_all(path)?;
        }
        fs::rename(&new, path)
    };
    write().map_err(|error| {
        drop(fs::remove_dir_all(&new));
        refused(&path.join(INDEX), &error)
    })
}

/// Returns a name of our own in the same folder.
fn beside(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{}.new", std::process::id()))
}

fn refused(path: &Path, error: &io::Error) -> Box<Diagnostic> {
    let message = format!("{} cannot be written: {}", path.display(), reason(error));
    Box::new(Diagnostic::error("export/not-written", message))
}
