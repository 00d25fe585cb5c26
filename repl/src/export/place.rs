//! This module puts what was written in its place on the disk: each file whole, or not at all.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use host::diag::Diagnostic;

use crate::folder;
use crate::reason::reason;
use crate::written::Written;

/// A file of every folder of pages: the names of those that were written, one a line. What else is there is not ours.
const LIST: &str = ".arbiter-export";

/// Writes a file that a person named; one that was written here before is gone then, and anyway any other.
///
/// Errors: it is somebody else's; it cannot be written.
pub(super) fn file(path: &Path, text: &str, anyway: bool) -> Result<(), Box<Diagnostic>> {
    check(path, anyway)?;
    folder::make_parent(path)?;
    whole(path, text)?;
    Written::of_user().note(path, text.as_bytes());
    Ok(())
}

/// Refuses a file that is not to be written. Errors: its path; it is somebody else's.
pub(super) fn check(path: &Path, anyway: bool) -> Result<(), Box<Diagnostic>> {
    crate::path::check(path)?;
    if anyway {
        Ok(())
    } else {
        Written::of_user().check(path)
    }
}

/// Writes a file whole, or not at all. Errors: it cannot be written.
fn whole(path: &Path, text: &str) -> Result<(), Box<Diagnostic>> {
    let new = beside(path);
    let done = fs::write(&new, text).and_then(|()| fs::rename(&new, path));
    done.map_err(|error| {
        // What is half written helps nobody.
        drop(fs::remove_file(&new));
        refused(path, &error)
    })
}

/// Writes pages into a folder: a new or empty one, or one of earlier pages. Those that are not written again are gone
/// then; whatever else somebody put there stays.
///
/// Errors: it is somebody else's, or a page would be written over another file; it cannot be written.
pub(super) fn folder(path: &Path, pages: &BTreeMap<String, String>) -> Result<(), Box<Diagnostic>> {
    crate::path::check(path)?;
    let earlier = fs::read_to_string(path.join(LIST)).ok();
    let is_free = match fs::read_dir(path) {
        Ok(mut inside) => inside.next().is_none(),
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    };
    let shown = path.display();
    if earlier.is_none() && !is_free {
        let message = format!("{shown} is no folder of pages: something else is there");
        return Err(Box::new(used(message)));
    }
    let earlier = earlier.unwrap_or_default();
    let earlier: BTreeSet<&str> = earlier.lines().filter(|name| is_name(name)).collect();
    let is_foreign = |name: &&String| !earlier.contains(name.as_str()) && path.join(name).exists();
    if let Some(name) = pages.keys().find(is_foreign) {
        let message = format!("{shown} has a file {name} that is no page of an export");
        return Err(Box::new(used(message)));
    }
    fs::create_dir_all(path).map_err(|error| refused(path, &error))?;
    // What was written and what will be is listed first: whatever is interrupted, it is known whose the files are.
    let names = pages.keys().map(String::as_str);
    let both: BTreeSet<&str> = earlier.iter().copied().chain(names.clone()).collect();
    whole(&path.join(LIST), &list(&both))?;
    for (name, text) in pages {
        whole(&path.join(name), text)?;
    }
    for name in earlier.iter().filter(|name| !pages.contains_key(**name)) {
        if let Err(error) = fs::remove_file(path.join(name))
            && error.kind() != io::ErrorKind::NotFound
        {
            return Err(refused(&path.join(name), &error));
        }
    }
    whole(&path.join(LIST), &list(&names.collect()))
}

fn list(names: &BTreeSet<&str>) -> String {
    names.iter().map(|name| format!("{name}\n")).collect()
}

/// Returns whether a line of the list can be the name of a page: never a path.
fn is_name(name: &str) -> bool {
    name.ends_with(".html") && !name.contains(['/', '\\']) && !name.starts_with('.')
}

fn used(message: String) -> Diagnostic {
    Diagnostic::error("export/folder-used", message).hint("name a folder that is new or empty")
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
