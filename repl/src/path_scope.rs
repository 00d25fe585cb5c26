//! Selects the mods, files and findings under the named paths.

use std::path::{Path, PathBuf};

use host::content::Mod;
use host::diag::Diagnostic;
use host::game::Home;

use crate::io_error_words::io_error_words;

/// The folder of a home with pages for people, whose transcripts are tests too.
pub(crate) const PAGES: &str = "docs";

/// The page in the folder of a home itself.
pub(crate) const README: &str = "README.md";

/// The named paths and the folders of the mods, all in a form that can be compared.
#[derive(Debug)]
pub(crate) struct Scope {
    paths: Vec<PathBuf>,
    mods: Vec<Mod>,
    /// The folder of the home.
    home: PathBuf,
    /// Content outside of all mods: the prefix of its file names, and its folder.
    book: Option<(String, PathBuf)>,
    /// The ruleset that uses this content.
    reader: Option<String>,
    /// Whether the scope contains only this content.
    is_book: bool,
}

impl Scope {
    /// Returns the scope of the paths; without paths, everything. Content that lies elsewhere belongs to a ruleset.
    ///
    /// Errors: one of the paths does not exist.
    pub(crate) fn of_paths(
        home: &Home,
        paths: &[PathBuf],
        ruleset: Option<&str>,
    ) -> Result<Scope, Box<Diagnostic>> {
        let paths = real_paths(paths)?;
        let book = home.external_content_prefix().zip(home.content.clone());
        let book = book.map(|(name, folder)| (name, real_path(&folder).unwrap_or(folder)));
        let (mods, _) = home.mods();
        let folder =
            |folder: Option<PathBuf>| folder.map(|folder| real_path(&folder).unwrap_or(folder));
        let mods = mods.into_iter().map(|one| Mod {
            scripts: folder(one.scripts),
            content: folder(one.content),
            name: one.name,
        });
        Ok(Scope {
            paths,
            mods: mods.collect(),
            home: real_path(&home.folder).unwrap_or_else(|_| home.folder.clone()),
            book,
            reader: ruleset.map(str::to_owned),
            is_book: false,
        })
    }

    /// Returns a scope of only content outside of all mods. Errors: it does not exist.
    pub(crate) fn of_outside_content(
        home: &Home,
        paths: &[PathBuf],
        ruleset: &str,
    ) -> Result<Scope, Box<Diagnostic>> {
        let scope = Scope::of_paths(home, paths, Some(ruleset))?;
        Ok(Scope {
            is_book: true,
            ..scope
        })
    }

    /// Returns whether the scope contains only content outside of all mods.
    pub(crate) fn is_outside_content_only(&self) -> bool {
        self.is_book
    }

    /// Returns the folders that a mod is read from.
    fn folders_of_mod<'a>(&'a self, one: &'a Mod) -> impl Iterator<Item = &'a PathBuf> {
        let is_reader = self.reader.as_ref() == Some(&one.name);
        let book = self.book.as_ref().filter(|_| is_reader);
        let own = [one.scripts.as_ref(), one.content.as_ref()];
        own.into_iter()
            .chain([book.map(|(_, folder)| folder)])
            .flatten()
    }

    /// Returns the names of the mods that contain a path or are below it.
    pub(crate) fn mod_names(&self) -> Vec<&str> {
        let reached = |folder: &PathBuf| {
            self.paths.is_empty()
                || self
                    .paths
                    .iter()
                    .any(|path| folder.starts_with(path) || path.starts_with(folder))
        };
        let is_in = |one: &&Mod| self.folders_of_mod(one).any(reached);
        self.mods
            .iter()
            .filter(is_in)
            .map(|one| one.name.as_str())
            .collect()
    }

    /// Returns the numbers of the paths that reach no mod.
    pub(crate) fn unreached_path_numbers(&self) -> Vec<usize> {
        let is_reached = |path: &PathBuf| {
            let mut folders = self.mods.iter().flat_map(|one| self.folders_of_mod(one));
            folders.any(|folder| folder.starts_with(path) || path.starts_with(folder))
        };
        let paths = self.paths.iter().enumerate();
        paths
            .filter(|(_, path)| !is_reached(path))
            .map(|(number, _)| number)
            .collect()
    }

    /// Returns the named files outside of all mods, each with its name.
    pub(crate) fn files_outside_mods(&self) -> Vec<(String, PathBuf)> {
        let lost = self
            .unreached_path_numbers()
            .into_iter()
            .map(|number| &self.paths[number]);
        let files = lost.filter(|path| path.is_file());
        let named = |path: &PathBuf| (path.display().to_string(), path.clone());
        files.map(named).collect()
    }

    /// Returns the file on disk of a displayed name: `scripts/MOD/a/b.luau`, `docs/a.md`.
    pub(crate) fn file_of_shown_name(&self, name: &str) -> Option<PathBuf> {
        if let Some(file) = self.file_of_outside_content(name) {
            return Some(file);
        }
        if name == README || Path::new(name).starts_with(PAGES) {
            return Some(self.home.join(name));
        }
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

    /// Returns the file on disk of a displayed name, if it belongs to the content outside of all mods.
    fn file_of_outside_content(&self, name: &str) -> Option<PathBuf> {
        let (shown, folder) = self.book.as_ref()?;
        let inner = name.strip_prefix(shown.as_str())?.strip_prefix('/')?;
        Some(folder.join(inner))
    }

    /// Returns whether a finding is reported: one that lies under the paths. Findings outside of content that lies
    /// elsewhere are reported only if they are errors, because these keep the content from being read.
    pub(crate) fn includes_finding(&self, finding: &Diagnostic) -> bool {
        let Some(place) = &finding.place else {
            return true;
        };
        let name = place.source.name();
        if self.is_book {
            let shown = self.book.as_ref().map(|(shown, _)| shown.as_str());
            finding.is_error()
                || shown == Some(name)
                || self.file_of_outside_content(name).is_some()
        } else {
            self.includes_file(name)
        }
    }

    /// Returns whether a file is under the paths; true for a file that does not belong to a mod.
    pub(crate) fn includes_file(&self, name: &str) -> bool {
        let is_under = |file: PathBuf| self.paths.iter().any(|path| file.starts_with(path));
        self.paths.is_empty() || self.file_of_shown_name(name).is_none_or(is_under)
    }

    /// Returns whether the scope includes a test file: it is under the paths, or the script beside it is one of them.
    pub(crate) fn includes_test(&self, name: &str) -> bool {
        let stem = name.split(".test.").next().unwrap_or(name);
        let script = self.file_of_shown_name(&format!("{stem}.luau"));
        self.includes_file(name) || script.is_some_and(|script| self.paths.contains(&script))
    }
}

/// Returns paths in the form that can be compared. Errors: one of them does not exist.
pub(crate) fn real_paths(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Box<Diagnostic>> {
    paths.iter().map(|path| real_path(path)).collect()
}

fn real_path(path: &Path) -> Result<PathBuf, Box<Diagnostic>> {
    std::fs::canonicalize(path).map_err(|error| {
        let shown = path.display();
        let message = match error.kind() {
            std::io::ErrorKind::NotFound => format!("no file or folder {shown}"),
            _ => format!("{shown} cannot be used: {}", io_error_words(&error)),
        };
        Box::new(Diagnostic::error("content/missing-file", message))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toy_game::Toy;

    #[test]
    fn paths_reach_mods_files_and_tests() {
        let toy = Toy::new();
        let at = |paths: &[&str]| {
            let paths: Vec<PathBuf> = paths.iter().map(|path| toy.path(path)).collect();
            Scope::of_paths(&toy.home(), &paths, None).unwrap()
        };
        assert_eq!(at(&[]).mod_names(), ["library", "mini"]);
        assert_eq!(at(&["scripts/mini"]).mod_names(), ["mini"]);
        assert_eq!(at(&["."]).mod_names(), ["library", "mini"]);
        toy.write("notes/a.txt", "x");
        let some = at(&["notes", "scripts/mini", "notes/a.txt", "content"]);
        assert_eq!(some.unreached_path_numbers(), [0, 2]);
        let one = at(&["scripts/mini/commands/mood.luau"]);
        assert_eq!(one.mod_names(), ["mini"]);
        assert!(one.includes_file("scripts/mini/commands/mood.luau"));
        assert!(!one.includes_file("scripts/mini/commands/throw.luau"));
        assert!(one.includes_test("scripts/mini/commands/mood.test.txt"));
        assert!(!one.includes_test("scripts/mini/commands/throw.test.txt"));
        assert!(Scope::of_paths(&toy.home(), &[toy.path("nothing")], None).is_err());
    }
}
