//! Finds the mods in folders: a mod is a folder of scripts, a folder of content, or both.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::DirEntry;
use std::path::{Path, PathBuf};

use super::super::findings::Findings;
use super::super::name::is_id;
use super::folder::{list_folder, not_file_or_folder_message, unreadable_message};
use super::path::{is_hidden_or_leftover, is_mod_file_name};
use super::{ENTRIES, finding_at_path};
use crate::diag::Diagnostic;

/// The script that makes a mod a ruleset.
const RULESET: &str = "ruleset.luau";

/// A mod: a folder of scripts, a folder of content, or both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mod {
    /// Its name, an id.
    pub name: String,
    /// Its folder of scripts.
    pub scripts: Option<PathBuf>,
    /// Its folder of content.
    pub content: Option<PathBuf>,
}

impl Mod {
    /// Returns whether it is a ruleset: its folder of scripts has a file `ruleset.luau`.
    pub fn is_ruleset(&self) -> bool {
        self.scripts
            .as_ref()
            .is_some_and(|folder| folder.join(RULESET).is_file())
    }
}

/// Returns the nearest folder at or above `start` that has `scripts/` and `content/`, or a ruleset in `scripts/`.
pub fn find_home_folder(start: &Path) -> Option<PathBuf> {
    let is_home = |folder: &&Path| {
        let scripts = folder.join("scripts");
        scripts.is_dir() && (folder.join("content").is_dir() || has_ruleset(&scripts))
    };
    start.ancestors().find(is_home).map(Path::to_path_buf)
}

/// Returns whether a folder holds the folder of a ruleset.
fn has_ruleset(scripts: &Path) -> bool {
    let entries = list_folder(scripts, ENTRIES).unwrap_or_default();
    let mut folders = entries.iter().map(DirEntry::path);
    folders.any(|folder| folder.join(RULESET).is_file())
}

/// Finds the mods below `home` and below each folder of `mods`, in the order of names. A folder that is named twice
/// counts once.
///
/// Findings: `content/missing-folder`, `content/mod-name`, `content/duplicate-mod` (the first one stays), and a warning
/// `content/stray-file` for a file beside the mods.
pub fn discover_mods(home: &Path, mods: &[PathBuf]) -> (Vec<Mod>, Vec<Diagnostic>) {
    let mut findings = Findings::default();
    let mut found: BTreeMap<String, (Mod, &Path)> = BTreeMap::new();
    let mut read = BTreeSet::new();
    for place in std::iter::once(home).chain(mods.iter().map(PathBuf::as_path)) {
        let real = place.canonicalize();
        if !read.insert(real.unwrap_or_else(|_| place.to_path_buf())) {
            continue;
        }
        for one in mods_in_folder(place, &mut findings) {
            if let Some((_, first)) = found.get(&one.name) {
                let message = format!(
                    "two mods are named {:?}: in {} and in {}",
                    one.name,
                    first.to_string_lossy(),
                    place.to_string_lossy()
                );
                let finding = Diagnostic::error("content/duplicate-mod", message)
                    .hint("rename or remove one of them");
                findings.push(finding_at_path(&place.to_string_lossy(), finding));
            } else {
                found.insert(one.name.clone(), (one, place));
            }
        }
    }
    (
        found.into_values().map(|(one, _)| one).collect(),
        findings.into_vec(),
    )
}

/// Returns the mods of one folder, which holds `scripts/NAME/` and `content/NAME/`.
fn mods_in_folder(place: &Path, findings: &mut Findings) -> Vec<Mod> {
    let mut found: BTreeMap<String, Mod> = BTreeMap::new();
    let mut any = false;
    for part in ["scripts", "content"] {
        let folder = place.join(part);
        let Ok(entries) = list_folder(&folder, ENTRIES) else {
            continue;
        };
        any = true;
        let mut entries: Vec<(String, DirEntry)> = entries
            .into_iter()
            .map(|entry| (entry.file_name().to_string_lossy().into_owned(), entry))
            .collect();
        entries.sort_by(|a, b| a.0.cmp(&b.0));
        for (name, entry) in entries {
            if !check_mod_folder(&name, &entry, &folder, findings) {
                continue;
            }
            let one = found.entry(name.clone()).or_insert(Mod {
                name,
                scripts: None,
                content: None,
            });
            let folder = if part == "scripts" {
                &mut one.scripts
            } else {
                &mut one.content
            };
            *folder = Some(entry.path());
        }
    }
    if !any {
        let finding = Diagnostic::error(
            "content/missing-folder",
            "no folder `scripts` or `content` found here",
        )
        .hint("a folder of mods holds scripts/NAME and content/NAME");
        findings.push(finding_at_path(&place.to_string_lossy(), finding));
    }
    found.into_values().collect()
}

fn check_mod_folder(name: &str, entry: &DirEntry, folder: &Path, findings: &mut Findings) -> bool {
    if is_hidden_or_leftover(name) {
        return false;
    }
    let shown = format!("{}/{name}", folder.to_string_lossy());
    let finding = match entry.file_type() {
        Ok(kind) if kind.is_dir() && is_id(name) => return true,
        Ok(kind) if kind.is_dir() => {
            let message = format!("the folder name {name:?} is not a valid mod name");
            Diagnostic::error("content/mod-name", message)
                .hint("name it with 1 to 64 of a-z, 0-9, _ and -")
        }
        Ok(kind) if kind.is_file() && !is_mod_file_name(name) => return false,
        Ok(kind) if kind.is_file() => Diagnostic::warning(
            "content/stray-file",
            "the file is next to the mods, not inside one, so it is never read",
        )
        .hint("move it into the folder of a mod"),
        Ok(kind) => Diagnostic::error("content/path", not_file_or_folder_message(kind))
            .hint("name the folder with --mods instead"),
        Err(error) => Diagnostic::error("content/unreadable", unreadable_message(&error))
            .hint("check its permissions"),
    };
    findings.push(finding_at_path(&shown, finding));
    false
}
