//! This module decides what lies under the paths that a person names: mods, files, findings.

use std::path::{Path, PathBuf};

use host::content::Mod;
use host::diag::Diagnostic;
use host::game::Home;

use crate::place::reason;

/// The named paths and the folders of the mods, all in the form that can be compared.
#[derive(Debug)]
pub(crate) struct Scope {
    paths: Vec<PathBuf>,
    mods: Vec<Mod>,
}

impl Scope {
    /// Returns what the paths name; without paths, everything. Errors: one of them does not exist.
    pub(crate) fn new(home: &Home, paths: &[PathBuf]) -> Result<Scope, Box<Diagnostic>> {
        let paths = real_paths(paths)?;
        let (mods, _) = home.mods();
        let folder = |folder: Option<PathBuf>| folder.map(|folder| real(&folder).unwrap_or(folder));
        let mods = mods.into_iter().map(|one| Mod {
            name: one.name,
            scripts: folder(one.scripts),
            content: folder(one.content),
        });
        Ok(Scope {
            paths,
            mods: mods.collect(),
        })
    }

    /// Returns the names of the mods that a path reaches into, or that lie below it.
    pub(crate) fn mods(&self) -> Vec<&str> {
        let reached = |folder: &PathBuf| {
            self.paths.is_empty()
                || self
                    .paths
                    .iter()
                    .any(|path| folder.starts_with(path) || path.starts_with(folder))
        };
        let is_in = |one: &&Mod| {
            [&one.scripts, &one.content]
                .into_iter()
                .flatten()
                .any(reached)
        };
        self.mods
            .iter()
            .filter(is_in)
            .map(|one| one.name.as_str())
            .collect()
    }

    /// Returns which of the paths, by their numbers, reach no mod.
    pub(crate) fn unreached(&self) -> Vec<usize> {
        let is_reached = |path: &PathBuf| {
            let mut folders = self
                .mods
                .iter()
                .flat_map(|one| [&one.scripts, &one.content])
                .flatten();
            folders.any(|folder| folder.starts_with(path) || path.starts_with(folder))
        };
        let paths = self.paths.iter().enumerate();
        paths
            .filter(|(_, path)| !is_reached(path))
            .map(|(number, _)| number)
            .collect()
    }

    /// Returns the file on disk of a name that people see: `scripts/MOD/a/b.luau`.
    pub(crate) fn file(&self, name: &str) -> Option<PathBuf> {
        let (kind, rest) = name.split_once('/')?;
        let (mod_name, inner) = rest.split_once('/')?;
        let one = self.mods.iter().find(|one| one.name == mod_name)?;
        let folder = match kind {
            "scripts" => one.scripts.as_ref(),
            "content" => one.content.as_ref(),
            _ => None,
        };
        Some(folder?.join(inner))
    }

    /// Returns whether a file lies under the paths; what is no file of a mod does.
    pub(crate) fn holds(&self, name: &str) -> bool {
        let is_under = |file: PathBuf| self.paths.iter().any(|path| file.starts_with(path));
        self.paths.is_empty() || self.file(name).is_none_or(is_under)
    }

    /// Returns whether a test file is meant: it lies under the paths, or the script that it stands beside is one.
    pub(crate) fn means_test(&self, name: &str) -> bool {
        let stem = name.split(".test.").next().unwrap_or(name);
        let script = self.file(&format!("{stem}.luau"));
        self.holds(name) || script.is_some_and(|script| self.paths.contains(&script))
    }
}

/// Returns paths in the form that can be compared. Errors: one of them does not exist.
pub(crate) fn real_paths(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Box<Diagnostic>> {
    paths.iter().map(|path| real(path)).collect()
}

fn real(path: &Path) -> Result<PathBuf, Box<Diagnostic>> {
    std::fs::canonicalize(path).map_err(|error| {
        let message = format!(
            "the path {} cannot be used: {}",
            path.display(),
            reason(&error)
        );
        Box::new(Diagnostic::error("content/missing-file", message))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Toy;

    #[test]
    fn paths_reach_mods_files_and_tests() {
        let toy = Toy::new();
        let at = |paths: &[&str]| {
            let paths: Vec<PathBuf> = paths.iter().map(|path| toy.path(path)).collect();
            Scope::new(&toy.home(), &paths).unwrap()
        };
        assert_eq!(at(&[]).mods(), ["library", "mini"]);
        assert_eq!(at(&["scripts/mini"]).mods(), ["mini"]);
        assert_eq!(at(&["."]).mods(), ["library", "mini"]);
        toy.write("notes/a.txt", "x");
        let some = at(&["notes", "scripts/mini", "notes/a.txt", "content"]);
        assert_eq!(some.unreached(), [0, 2]);
        let one = at(&["scripts/mini/commands/mood.luau"]);
        assert_eq!(one.mods(), ["mini"]);
        assert!(one.holds("scripts/mini/commands/mood.luau"));
        assert!(!one.holds("scripts/mini/commands/throw.luau"));
        assert!(one.means_test("scripts/mini/commands/mood.test.txt"));
        assert!(!one.means_test("scripts/mini/commands/throw.test.txt"));
        assert!(Scope::new(&toy.home(), &[toy.path("nothing")]).is_err());
    }
}
