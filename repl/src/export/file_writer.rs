//! Puts written files in their place on the disk: each file is complete or not there at all.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use host::diag::Diagnostic;
use host::store::archive::sha256;

use crate::game_folder;
use crate::io_error_words::io_error_words;
use crate::written_files::Written;

/// A file in every folder of pages: hash and name of each written page, one a line. Other files there are not ours.
const LIST: &str = ".arbiter-export";

/// Writes a file that a person named. It replaces a file that this program wrote, and with `anyway` any other.
///
/// Errors: the file is not ours; it cannot be written.
pub(super) fn write_named_file(
    path: &Path,
    text: &str,
    anyway: bool,
) -> Result<(), Box<Diagnostic>> {
    check_named_file(path, anyway)?;
    game_folder::make_parent_folders(path)?;
    write_whole_file(path, text)?;
    Written::list_in_user_folder().note_written_file(path, text.as_bytes());
    Ok(())
}

/// Refuses to write a file that this program did not write. Files of a game are never replaced.
///
/// Errors: its path is wrong; it is inside a game; the file is not ours.
pub(super) fn check_named_file(path: &Path, anyway: bool) -> Result<(), Box<Diagnostic>> {
    crate::typed_path::check_new_path(path)?;
    game_folder::check_outside_games(path)?;
    if anyway {
        Ok(())
    } else {
        Written::list_in_user_folder().check_may_overwrite(path)
    }
}

/// Writes a complete file, or nothing. Errors: it cannot be written.
pub(crate) fn write_whole_file(path: &Path, text: &str) -> Result<(), Box<Diagnostic>> {
    let new = temporary_path(path);
    let done = fs::write(&new, text).and_then(|()| fs::rename(&new, path));
    done.map_err(|error| {
        // A half-written file has no use.
        drop(fs::remove_file(&new));
        write_refusal(path, &error)
    })
}

/// Writes pages into a folder that is new, empty, or has earlier pages. Earlier pages that are not written again are
/// removed. Other files stay. A page that a user changed stays too, unless `anyway` is set.
///
/// Errors: the folder is not ours or inside a game, or a page would overwrite a file that is not ours; it cannot be
/// written.
pub(super) fn write_page_folder(
    path: &Path,
    pages: &BTreeMap<String, String>,
    anyway: bool,
) -> Result<(), Box<Diagnostic>> {
    crate::typed_path::check_new_path(path)?;
    game_folder::check_outside_games(path)?;
    if path.is_file() {
        let message = format!("{} is a file, expected a folder for pages", path.display());
        let finding = Diagnostic::error("export/folder-used", message);
        return Err(Box::new(finding.hint("name a folder that is new or empty")));
    }
    let earlier = fs::read_to_string(path.join(LIST)).ok();
    let is_free = match fs::read_dir(path) {
        Ok(mut inside) => inside.next().is_none(),
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    };
    if earlier.is_none() && !is_free {
        let message = format!(
            "{} is not a folder of pages: it contains something else",
            path.display()
        );
        let finding = Diagnostic::error("export/folder-used", message);
        return Err(Box::new(finding.hint("name a folder that is new or empty")));
    }
    let earlier = earlier.unwrap_or_default();
    let earlier: BTreeSet<Page> = earlier.lines().filter_map(Page::parse).collect();
    if !anyway {
        check_no_foreign_page(path, pages, &earlier)?;
    }
    fs::create_dir_all(path).map_err(|error| write_refusal(path, &error))?;
    // The list of written and planned pages comes first: after an interruption it still shows which files are ours.
    let new: BTreeSet<Page> = pages.iter().map(Page::of_text).collect();
    write_whole_file(
        &path.join(LIST),
        &page_list_text(&earlier.union(&new).cloned().collect()),
    )?;
    for (name, text) in pages {
        write_whole_file(&path.join(name), text)?;
    }
    let gone = earlier.iter().filter(|one| !pages.contains_key(&one.name));
    for one in gone.filter(|one| one.is_unchanged_in(path)) {
        if let Err(error) = fs::remove_file(path.join(&one.name))
            && error.kind() != io::ErrorKind::NotFound
        {
            return Err(write_refusal(&path.join(&one.name), &error));
        }
    }
    write_whole_file(&path.join(LIST), &page_list_text(&new))
}

/// Errors: a page would overwrite a file that is not a page, or that a user changed since then.
fn check_no_foreign_page(
    path: &Path,
    pages: &BTreeMap<String, String>,
    earlier: &BTreeSet<Page>,
) -> Result<(), Box<Diagnostic>> {
    let is_ours = |name: &str| {
        let mut known = earlier.iter().filter(|one| one.name == name);
        known.any(|one| one.is_unchanged_in(path))
    };
    // A link without its target belongs to the user too.
    let is_there = |name: &str| fs::symlink_metadata(path.join(name)).is_ok();
    let others = |name: &&String| is_there(name) && !is_ours(name);
    let Some(name) = pages.keys().find(others) else {
        return Ok(());
    };
    let what = match earlier.iter().any(|one| one.name == *name) {
        true => "that was changed since this program wrote it",
        false => "that is not a page of an export",
    };
    let message = format!("{} has a file {name} {what}", path.display());
    let finding = Diagnostic::error("save/file-used", message)
        .hint("name a folder that is new or empty")
        .hint("or overwrite it: add `anyway` after the folder, or `--anyway` on the command line");
    Err(Box::new(finding))
}

/// A written page: a line of the list.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Page {
    name: String,
    /// The hash of the written text; lists of earlier versions had none.
    hash: Option<String>,
}

impl Page {
    fn of_text((name, text): (&String, &String)) -> Page {
        Page {
            name: name.clone(),
            hash: Some(sha256(text.as_bytes())),
        }
    }

    fn parse(line: &str) -> Option<Page> {
        let (hash, name) = match line.split_once(' ') {
            Some((hash, name)) => (Some(hash.to_owned()), name),
            None => (None, line),
        };
        is_page_name(name).then(|| Page {
            name: name.to_owned(),
            hash,
        })
    }

    /// Returns whether the file of this name still has the written text.
    fn is_unchanged_in(&self, folder: &Path) -> bool {
        let path = folder.join(&self.name);
        let is_file = fs::symlink_metadata(&path).is_ok_and(|found| found.is_file());
        let is_same = |hash: &String| fs::read(&path).is_ok_and(|found| sha256(&found) == *hash);
        is_file && self.hash.as_ref().is_none_or(is_same)
    }
}

fn page_list_text(pages: &BTreeSet<Page>) -> String {
    let lines = pages.iter().map(|one| match &one.hash {
        Some(hash) => format!("{hash} {}\n", one.name),
        None => format!("{}\n", one.name),
    });
    lines.collect()
}

/// Returns whether a line of the list can be the name of a page: never a path.
fn is_page_name(name: &str) -> bool {
    name.ends_with(".html") && !name.contains(['/', '\\']) && !name.starts_with('.')
}

/// Returns a name of our own in the same folder.
fn temporary_path(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{}.new", std::process::id()))
}

fn write_refusal(path: &Path, error: &io::Error) -> Box<Diagnostic> {
    let message = format!(
        "{} cannot be written: {}",
        path.display(),
        io_error_words(error)
    );
    Box::new(Diagnostic::error("export/not-written", message))
}
