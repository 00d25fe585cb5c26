//! This module finds the mods of a home folder and reads the files that a ruleset is made of.

use std::path::PathBuf;

use sha2::{Digest, Sha256};

use crate::content::{Budget, Mod, Tree, discover};
use crate::diag::{Diagnostic, near_hint, there_is};
use crate::script::{LIBRARY, ModFiles};

/// Where rules and content come from.
#[derive(Clone, Debug)]
pub struct Home {
    /// The folder with `scripts/` and `content/`.
    pub folder: PathBuf,
    /// Further folders of the same layout.
    pub mods: Vec<PathBuf>,
}

/// The files that one ruleset is made of.
#[derive(Clone, Debug, Default)]
pub struct Files {
    /// The library first, the ruleset last.
    pub mods: Vec<ModFiles>,
    /// What was found while reading.
    pub findings: Vec<Diagnostic>,
    /// SHA-256 over all paths and contents, in hex.
    pub hash: String,
}

impl Home {
    /// Returns the mods, and what is wrong with the folders.
    pub fn mods(&self) -> (Vec<Mod>, Vec<Diagnostic>) {
        discover(&self.folder, &self.mods)
    }

    /// Returns the names of the rulesets: mods with a file `ruleset.luau`.
    pub fn rulesets(&self) -> Vec<String> {
        let (mods, _) = self.mods();
        let is_ruleset = |one: &Mod| one.name != LIBRARY && one.has_script("ruleset.luau");
        mods.into_iter()
            .filter(is_ruleset)
            .map(|one| one.name)
            .collect()
    }

    /// Returns the folders that mods lie in, for watching: a mod may be put in its place anew.
    pub fn folders(&self) -> Vec<PathBuf> {
        let homes = std::iter::once(&self.folder).chain(&self.mods);
        homes
            .flat_map(|home| ["scripts", "content"].map(|part| home.join(part)))
            .collect()
    }

    /// Reads everything that a ruleset is made of. Errors: there is no such ruleset.
    pub fn read(&self, ruleset: &str) -> Result<Files, Diagnostic> {
        let (mods, mut findings) = self.mods();
        let Some(own) = mods.iter().find(|one| one.name == ruleset) else {
            return Err(unknown_ruleset(ruleset, &self.rulesets()));
        };
        let library = mods
            .iter()
            .find(|one| one.name == LIBRARY && one.name != ruleset);
        let mut files = Files::default();
        for one in library.into_iter().chain([own]) {
            let mut budget = Budget::default();
            let mut read = |kind: &str, folder: &Option<PathBuf>| match folder {
                Some(folder) => {
                    let (tree, found) =
                        Tree::read(folder, &format!("{kind}/{}", one.name), &mut budget);
                    findings.extend(found);
                    tree.files
                }
                None => Vec::new(),
            };
            let scripts = read("scripts", &one.scripts);
            let content = read("content", &one.content);
            files.mods.push(ModFiles {
                name: one.name.clone(),
                scripts,
                content,
            });
        }
        files.hash = hash(&files.mods);
        files.findings = findings;
        Ok(files)
    }
}

/// Returns the refusal of a ruleset that is not there.
fn unknown_ruleset(name: &str, known: &[String]) -> Diagnostic {
    let listed = there_is(known, "there are none: is this the right --home?");
    Diagnostic::error(
        "content/unknown-ruleset",
        format!("there is no ruleset \"{name}\""),
    )
    .hint(near_hint(name, known.iter().map(String::as_str)))
    .hint(listed)
}

/// Tests beside the rules are no part of them: changing one changes nothing in play.
pub(super) fn hash(mods: &[ModFiles]) -> String {
    let mut hash = Sha256::new();
    for one in mods {
        for (kind, files) in [("scripts", &one.scripts), ("content", &one.content)] {
            for file in files.iter().filter(|file| !file.path.contains(".test.")) {
                hash.update(format!("{kind}/{}/{}\n", one.name, file.path).as_bytes());
                hash.update(file.hash);
            }
        }
    }
    let digest: [u8; 32] = hash.finalize().into();
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}
