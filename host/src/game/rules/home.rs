//! Finds the mods of a home folder and reads the files of a ruleset.

use std::path::PathBuf;

use crate::content::{Budget, File, Mod, Tree, discover_mods};
use crate::diag::{Diagnostic, Source, near_hint, there_is_or_are_text};
use crate::game::rules::shipped_library;
use crate::script::{Checks, LIBRARY, ModFiles, RULESET, collections_that_stay};
use crate::store::archive::{RuleFile, generation_name_of_hashes, sha256};
use crate::words::LANGUAGES;

/// The source of rules and content.
#[derive(Clone, Debug)]
pub struct Home {
    /// The folder with `scripts/` and `content/`.
    pub folder: PathBuf,
    /// Further folders of the same layout.
    pub mods: Vec<PathBuf>,
    /// A folder outside the home with the content for the ruleset, in place of its own content. Content that belongs to
    /// the rules stays.
    pub content: Option<PathBuf>,
}

/// The files of one ruleset.
#[derive(Clone, Debug, Default)]
pub struct Files {
    /// The mods: the library first, the ruleset last.
    pub mods: Vec<ModFiles>,
    /// The findings from reading.
    pub findings: Vec<Diagnostic>,
    /// The name of the generation of these files: a SHA-256 in hex over all paths and contents.
    pub hash: String,
    /// The checks for these files; files stored with a game are checked with the checks of their time.
    pub checks: Checks,
}

impl Home {
    /// Returns the mods, and the errors in the folders.
    pub fn mods(&self) -> (Vec<Mod>, Vec<Diagnostic>) {
        discover_mods(&self.folder, &self.mods)
    }

    /// Returns the names of the rulesets: mods with a file `ruleset.luau`.
    pub fn rulesets(&self) -> Vec<String> {
        let (mods, _) = self.mods();
        let is_ruleset = |one: &Mod| one.name != LIBRARY && one.is_ruleset();
        mods.into_iter()
            .filter(is_ruleset)
            .map(|one| one.name)
            .collect()
    }

    /// Returns the folders that contain mods, for watching, because a mod may be put in its place again.
    pub fn folders(&self) -> Vec<PathBuf> {
        let homes = std::iter::once(&self.folder).chain(&self.mods);
        homes
            .flat_map(|home| ["scripts", "content"].map(|part| home.join(part)))
            .chain(self.content.clone())
            .collect()
    }

    /// Returns the prefix of file names in the external content folder: the folder as it was named.
    pub fn external_content_prefix(&self) -> Option<String> {
        let named = self.content.as_ref()?.to_string_lossy();
        let shown = named.trim_end_matches('/');
        Some(if shown.is_empty() { &named } else { shown }.to_owned())
    }

    /// Reads all files of a ruleset. Errors: the ruleset does not exist.
    pub fn read_ruleset(&self, ruleset: &str) -> Result<Files, Diagnostic> {
        let (mods, mut findings) = self.mods();
        let Some(own) = mods.iter().find(|one| one.name == ruleset) else {
            return Err(unknown_ruleset_refusal(ruleset, &self.rulesets()));
        };
        let library = mods
            .iter()
            .find(|one| one.name == LIBRARY && one.name != ruleset);
        let mut files = Files::default();
        // A home without its own library uses the library of the program.
        files.mods.extend(
            (library.is_none() && ruleset != LIBRARY).then(shipped_library::shipped_library),
        );
        for one in library.into_iter().chain([own]) {
            let mut budget = Budget::default();
            let mut read = |kind: &str, folder: &Option<PathBuf>| match folder {
                Some(folder) => {
                    let (tree, found) =
                        Tree::read_mod_folder(folder, &format!("{kind}/{}", one.name), &mut budget);
                    findings.extend(found);
                    tree.files
                }
                None => Vec::new(),
            };
            let scripts = read("scripts", &one.scripts);
            let is_elsewhere = one.name == own.name && one.name != LIBRARY;
            let elsewhere = self.content.as_ref().zip(self.external_content_prefix());
            let content = match elsewhere.filter(|_| is_elsewhere) {
                Some((folder, name)) => {
                    let (tree, found) = Tree::read_data_folder(folder, &name, &mut budget);
                    findings.extend(found);
                    let (staying, found) =
                        content_beside_external_folder(one, &scripts, &tree.files, &mut budget);
                    findings.extend(found);
                    [tree.files, staying].concat()
                }
                None => read("content", &one.content),
            };
            files.mods.push(ModFiles {
                name: one.name.clone(),
                scripts,
                content,
            });
        }
        let (languages, found) = language_mods(&mods, ruleset);
        findings.extend(found);
        // The ruleset stays the last mod.
        let own = files.mods.pop();
        files.mods.extend(languages.into_iter().chain(own));
        files.findings = findings;
        files.update_hash();
        Ok(files)
    }
}

/// Returns the language files of the mods that are not rulesets: they are for every ruleset that is played with them.
fn language_mods(mods: &[Mod], ruleset: &str) -> (Vec<ModFiles>, Vec<Diagnostic>) {
    let (mut read, mut findings) = (Vec::new(), Vec::new());
    let is_meant = |one: &&Mod| one.name != ruleset && one.name != LIBRARY && !one.is_ruleset();
    for one in mods.iter().filter(is_meant) {
        let Some(content) = &one.content else {
            continue;
        };
        let prefix = format!("content/{}", one.name);
        let folders = [LANGUAGES.to_owned()];
        let (tree, found) =
            Tree::read_subfolders(content, &folders, &prefix, &mut Budget::default());
        findings.extend(found);
        if !tree.files.is_empty() {
            read.push(ModFiles {
                name: one.name.clone(),
                scripts: Vec::new(),
                content: tree.files,
            });
        }
    }
    (read, findings)
}

/// Returns the content of a ruleset that stays beside an external content folder. These are the collections whose
/// schemas require it, without files that the folder contains too.
fn content_beside_external_folder(
    own: &Mod,
    scripts: &[File],
    elsewhere: &[File],
    budget: &mut Budget,
) -> (Vec<File>, Vec<Diagnostic>) {
    let Some(content) = &own.content else {
        return (Vec::new(), Vec::new());
    };
    let mut collections = collections_that_stay(scripts);
    collections.push(LANGUAGES.to_owned());
    let prefix = format!("content/{}", own.name);
    let (tree, findings) = Tree::read_subfolders(content, &collections, &prefix, budget);
    let mut files = tree.files;
    files.retain(|file| elsewhere.iter().all(|other| other.path != file.path));
    (files, findings)
}

/// Returns the refusal for an unknown ruleset.
fn unknown_ruleset_refusal(name: &str, known: &[String]) -> Diagnostic {
    let listed = there_is_or_are_text(known, "no rulesets found; check the folder in --home");
    Diagnostic::error(
        "content/unknown-ruleset",
        format!("unknown ruleset \"{name}\""),
    )
    .hint(near_hint(name, known.iter().map(String::as_str)))
    .hint(listed)
}

impl Files {
    /// Returns the files of a ruleset that is built into a program, each with its path in a home, and the library of
    /// the host.
    pub fn shipped(ruleset: &str, files: &[(&str, &str)]) -> Files {
        let is_own = |path: &str| path.split('/').nth(1) == Some(ruleset);
        let own = files.iter().filter(|(path, _)| is_own(path));
        let own = own.map(|(path, text)| RuleFile {
            path: (*path).to_owned(),
            bytes: text.as_bytes().to_vec(),
        });
        let mut files = Files {
            checks: Checks::Now,
            ..Files::of_stored_generation(&own.collect::<Vec<_>>())
        };
        files.mods.insert(0, shipped_library::shipped_library());
        files.update_hash();
        files
    }

    /// Returns the files of a stored generation; the library comes first, and the ruleset last.
    pub fn of_stored_generation(files: &[RuleFile]) -> Files {
        let mut mods: Vec<ModFiles> = Vec::new();
        for file in files {
            let mut parts = file.path.splitn(3, '/');
            let (Some(kind), Some(name), Some(path)) = (parts.next(), parts.next(), parts.next())
            else {
                continue;
            };
            let at = mods.iter().position(|one| one.name == name);
            let at = at.unwrap_or_else(|| {
                mods.push(ModFiles {
                    name: name.to_owned(),
                    scripts: Vec::new(),
                    content: Vec::new(),
                });
                mods.len() - 1
            });
            let source = Source::new(file.path.as_str(), String::from_utf8_lossy(&file.bytes));
            let read = File::new(path, source);
            match kind {
                "scripts" => mods[at].scripts.push(read),
                _ => mods[at].content.push(read),
            }
        }
        let is_ruleset = |one: &ModFiles| one.scripts.iter().any(|file| file.path == RULESET);
        mods.sort_by_key(|one| (one.name != LIBRARY, is_ruleset(one)));
        let mut files = Files {
            mods,
            checks: Checks::Then,
            ..Files::default()
        };
        files.update_hash();
        files
    }

    /// Returns the files in the form in which a game stores them. Tests beside the rules are not included, because
    /// changing one changes nothing in play.
    pub fn rule_files_without_tests(&self) -> Vec<RuleFile> {
        let files = self
            .files_without_tests_by_path()
            .map(|(path, file)| RuleFile {
                path,
                bytes: file.source.text().as_bytes().to_vec(),
            });
        files.collect()
    }

    fn files_without_tests_by_path(&self) -> impl Iterator<Item = (String, &File)> {
        self.mods.iter().flat_map(|one| {
            let kinds = [("scripts", &one.scripts), ("content", &one.content)].into_iter();
            kinds.flat_map(move |(kind, files)| {
                let rules = files.iter().filter(|file| !file.path.contains(".test."));
                rules.map(move |file| (format!("{kind}/{}/{}", one.name, file.path), file))
            })
        })
    }

    /// Names the generation of the files. Files that could not be stored in a game have a name too.
    pub(in crate::game) fn update_hash(&mut self) {
        let hashes = self
            .files_without_tests_by_path()
            .map(|(path, file)| (path, file.text_hash));
        let name = generation_name_of_hashes(hashes);
        self.hash = name.unwrap_or_else(|_| {
            sha256(format!("{:?}", self.rule_files_without_tests()).as_bytes())
        });
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    fn write_file(folder: &Path, path: &str, text: &str) {
        let place = folder.join(path);
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        fs::write(place, text).unwrap();
    }

    #[test]
    fn what_belongs_to_the_rules_stays_beside_content_that_lies_elsewhere() {
        let folder = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| write_file(folder.path(), path, text);
        write("scripts/toy/ruleset.luau", "");
        let schema = "return schema { folder = \"words\", stays = true }";
        write("scripts/toy/schemas/word.luau", schema);
        for path in ["words/a.yaml", "words/b.yaml", "people/ann.yaml"] {
            write(&format!("content/toy/{path}"), "shipped");
        }
        write("elsewhere/words/b.yaml", "own");
        write("elsewhere/people/bo.yaml", "own");
        let home = Home {
            folder: folder.path().to_path_buf(),
            mods: Vec::new(),
            content: Some(folder.path().join("elsewhere")),
        };
        let files = home.read_ruleset("toy").unwrap();
        assert!(files.findings.is_empty(), "{:?}", files.findings);
        let content = &files.mods.last().unwrap().content;
        let mut told: Vec<String> = content
            .iter()
            .map(|file| format!("{} {}", file.path, file.source.text()))
            .collect();
        told.sort();
        let expected = [
            "people/bo.yaml own",
            "words/a.yaml shipped",
            "words/b.yaml own",
        ];
        assert_eq!(told, expected);
        let kept = Files::of_stored_generation(&files.rule_files_without_tests());
        assert_eq!(kept.hash, files.hash);
        let shipped = content.iter().find(|file| file.path == "words/a.yaml");
        assert_eq!(shipped.unwrap().source.name(), "content/toy/words/a.yaml");
    }

    #[test]
    fn languages_of_mods_without_rules_belong_to_every_ruleset() {
        let folder = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| write_file(folder.path(), path, text);
        for ruleset in ["other", "toy"] {
            write(&format!("scripts/{ruleset}/ruleset.luau"), "");
            write(&format!("content/{ruleset}/languages/fr.yaml"), ruleset);
        }
        write("mods/content/words/languages/fr.yaml", "mod");
        write("mods/content/words/people/ann.yaml", "mod");
        write("mods/content/zebras/people/ann.yaml", "mod");
        let home = Home {
            folder: folder.path().to_path_buf(),
            mods: vec![folder.path().join("mods")],
            content: None,
        };
        let files = home.read_ruleset("toy").unwrap();
        let told = |files: &Files| {
            let mods = files.mods.iter().filter(|one| one.name != LIBRARY);
            let files = mods.flat_map(|one| &one.content);
            let told = files.map(|file| format!("{} {}", file.path, file.source.text()));
            told.collect::<Vec<_>>()
        };
        assert_eq!(
            told(&files),
            ["languages/fr.yaml mod", "languages/fr.yaml toy"]
        );
        let kept = Files::of_stored_generation(&files.rule_files_without_tests());
        assert_eq!((told(&kept), &kept.hash), (told(&files), &files.hash));
        assert_eq!(kept.mods.last().unwrap().name, "toy");
    }

    #[test]
    fn content_that_lies_elsewhere_is_kept_as_that_of_the_ruleset() {
        let folder = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| write_file(folder.path(), path, text);
        write("scripts/toy/ruleset.luau", "");
        write("content/toy/a/own.yaml", "");
        write("content/library/b/own.yaml", "");
        write("elsewhere/Two Words/Ann's", "x");
        let mut home = Home {
            folder: folder.path().to_path_buf(),
            mods: Vec::new(),
            content: None,
        };
        let paths = |files: &Files| {
            let files = files.rule_files_without_tests().into_iter();
            files.map(|file| file.path).collect::<Vec<_>>()
        };
        let common = ["content/library/b/own.yaml", "scripts/toy/ruleset.luau"];
        let own = home.read_ruleset("toy").unwrap();
        assert_eq!(
            paths(&own),
            [&common[..], &["content/toy/a/own.yaml"]].concat()
        );
        home.content = Some(folder.path().join("elsewhere/"));
        let other = home.read_ruleset("toy").unwrap();
        let kept = "content/toy/Two Words/Ann's";
        assert_eq!(paths(&other), [&common[..], &[kept]].concat());
        let name = other.mods[1].content[0].source.name();
        let typed = folder.path().join("elsewhere");
        assert_eq!(name, format!("{}/Two Words/Ann's", typed.display()));
        assert_eq!(home.folders().last(), home.content.as_ref());
        let again = Files::of_stored_generation(&other.rule_files_without_tests());
        assert_eq!(again.hash, other.hash);
        assert_eq!(again.mods[1].content[0].path, "Two Words/Ann's");
        assert_ne!(other.hash, own.hash);
    }
}
