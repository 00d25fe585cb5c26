//! Finds the tests beside the scripts, and the ruleset that each test needs.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use host::diag::{Diagnostic, Source, near_hint};
use host::game::{Home, TestFile};
use host::script::LIBRARY;

use crate::path_scope::{PAGES, README, Scope};
use crate::transcript::{Transcript, parse_transcript, parse_transcripts_of_page};

/// Tests that share one loaded ruleset.
#[derive(Debug)]
pub(crate) struct Suite {
    /// The home of the ruleset.
    pub(crate) home: Home,
    /// The ruleset.
    pub(crate) ruleset: String,
    /// Its test files, in order of path.
    pub(crate) files: Vec<Tests>,
}

/// One test file.
#[derive(Debug)]
pub(crate) enum Tests {
    /// Commands and their output.
    Transcript {
        /// Its text.
        source: Arc<Source>,
        /// Its cases.
        transcript: Transcript,
        /// Errors of its form; if there are any, it is not run.
        findings: Vec<Diagnostic>,
    },
    /// Functions, each keyed by a sentence.
    Module(TestFile),
    /// A file of another form, in which the ruleset finds cases: its displayed name and its path.
    Cases(String, PathBuf),
}

/// Returns the suites under the paths, in order of ruleset; `only` leaves the other rulesets out.
///
/// A transcript runs in the ruleset that its header names, else in its own. Tests of the library run in a toy ruleset
/// (a home in a folder of `tests/`), if there is one, else in the first ruleset. Errors: there is no ruleset of the
/// name.
pub(crate) fn find_suites(
    home: &Home,
    scope: &Scope,
    only: Option<&str>,
) -> Result<Vec<Suite>, Box<Diagnostic>> {
    let known = Known::of_home(home);
    if let Some(name) = only.filter(|name| !known.homes.contains_key(*name)) {
        return Err(Box::new(known.unknown_ruleset_finding(name)));
    }
    let mut suites: BTreeMap<String, Vec<Tests>> = BTreeMap::new();
    for mod_name in scope.mod_names() {
        let fallback = if mod_name == LIBRARY {
            only.or(known.library_ruleset())
        } else {
            Some(mod_name)
        };
        let Some(fallback) = fallback else { continue };
        for mut tests in find_tests(
            known.home_of_ruleset(fallback).unwrap_or(home),
            scope,
            mod_name,
            fallback,
        ) {
            let ruleset = known
                .named_ruleset(&mut tests)
                .unwrap_or_else(|| fallback.to_owned());
            suites.entry(ruleset).or_default().push(tests);
        }
    }
    for mut tests in find_page_tests(home, scope) {
        let ruleset = known.named_ruleset(&mut tests);
        let ruleset = ruleset.as_deref().or(known.library_ruleset());
        if let Some(ruleset) = ruleset {
            suites.entry(ruleset.to_owned()).or_default().push(tests);
        }
    }
    suites.retain(|name, _| only.is_none_or(|only| only == name));
    if let Some(only) = only {
        let elsewhere = scope.files_outside_mods().into_iter();
        let cases = elsewhere.map(|(name, path)| Tests::Cases(name, path));
        let cases: Vec<Tests> = cases.collect();
        if !cases.is_empty() {
            suites.entry(only.to_owned()).or_default().extend(cases);
        }
    }
    let suite = |(ruleset, files): (String, Vec<Tests>)| Suite {
        home: known.home_of_ruleset(&ruleset).unwrap_or(home).clone(),
        ruleset,
        files,
    };
    Ok(suites.into_iter().map(suite).collect())
}

/// The rulesets in which tests can run.
struct Known {
    homes: BTreeMap<String, Home>,
    toys: Vec<String>,
}

impl Known {
    fn of_home(home: &Home) -> Known {
        let own = home.rulesets().into_iter().map(|name| (name, home.clone()));
        let mut known = Known {
            homes: own.collect(),
            toys: Vec::new(),
        };
        for folder in subfolders(&home.folder.join("tests")) {
            let mods = home.mods.iter().cloned().chain([folder.clone()]).collect();
            let toy = Home {
                folder: home.folder.clone(),
                mods,
                content: home.content.clone(),
            };
            let alone = Home {
                folder,
                mods: Vec::new(),
                content: None,
            };
            for name in alone.rulesets() {
                known
                    .homes
                    .entry(name.clone())
                    .or_insert_with(|| toy.clone());
                known.toys.push(name);
            }
        }
        known
    }

    fn home_of_ruleset(&self, ruleset: &str) -> Option<&Home> {
        self.homes.get(ruleset)
    }

    /// Returns the ruleset for tests of the library.
    fn library_ruleset(&self) -> Option<&str> {
        let first = self.homes.keys().next();
        self.toys.first().or(first).map(String::as_str)
    }

    /// Returns the ruleset that the header of a transcript names; an unknown one is a finding.
    fn named_ruleset(&self, tests: &mut Tests) -> Option<String> {
        let Tests::Transcript {
            source,
            transcript,
            findings,
        } = tests
        else {
            return None;
        };
        let named = transcript.ruleset.as_ref()?;
        if self.homes.contains_key(&named.value) {
            return Some(named.value.clone());
        }
        findings.push(
            self.unknown_ruleset_finding(&named.value)
                .at(source, source.line_span(named.line)),
        );
        None
    }

    fn unknown_ruleset_finding(&self, name: &str) -> Diagnostic {
        let names: Vec<&str> = self.homes.keys().map(String::as_str).collect();
        Diagnostic::error(
            "content/unknown-ruleset",
            format!("unknown ruleset \"{name}\""),
        )
        .hint(near_hint(name, names.iter().copied()))
        .hint(format!("rulesets: {}", names.join(", ")))
    }
}

/// Returns the folders in a folder, in order of name.
fn subfolders(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| path.is_dir())
        .collect();
    found.sort();
    found
}

/// Returns the test files of a mod that the scope includes; one that cannot be read has its error as a finding.
fn find_tests(home: &Home, scope: &Scope, mod_name: &str, ruleset: &str) -> Vec<Tests> {
    let files = home.read_ruleset(ruleset).unwrap_or_default();
    let own = format!("scripts/{mod_name}/");
    let unread = files.findings.into_iter().filter_map(|finding| {
        let source = Arc::clone(&finding.place.as_ref()?.source);
        let name = source.name();
        let is_meant = name.starts_with(&own) && scope.includes_test(name);
        (is_meant && is_unread_test_error(&finding)).then(|| Tests::Transcript {
            source,
            transcript: Transcript::default(),
            findings: vec![finding],
        })
    });
    let scripts = files
        .mods
        .into_iter()
        .filter(|one| one.name == mod_name)
        .flat_map(|one| one.scripts);
    let meant = scripts.filter(|file| scope.includes_test(file.source.name()));
    let read = |file: host::content::File| {
        if file.path.ends_with(".test.txt") {
            let (transcript, findings) = parse_transcript(&file.source);
            return Some(Tests::Transcript {
                source: file.source,
                transcript,
                findings,
            });
        }
        let is_module = file.path.ends_with(".test.luau");
        is_module.then(|| {
            Tests::Module(TestFile {
                mod_name: mod_name.to_owned(),
                path: file.path,
                source: file.source,
            })
        })
    };
    meant.filter_map(read).chain(unread).collect()
}

/// Returns whether a finding is the error of a test file that could not be read, for example because of its size.
pub(crate) fn is_unread_test_error(finding: &Diagnostic) -> bool {
    let name = finding.place.as_ref().map_or("", |one| one.source.name());
    finding.is_error() && (name.ends_with(".test.txt") || name.ends_with(".test.luau"))
}

/// Returns the transcripts in the pages of a home that the scope includes.
fn find_page_tests(home: &Home, scope: &Scope) -> Vec<Tests> {
    let mut tests = Vec::new();
    let mut pages = pages_below(&home.folder.join(PAGES));
    pages.push(home.folder.join(README));
    for page in pages {
        let inner = page.strip_prefix(&home.folder);
        let name = inner.unwrap_or(&page).to_string_lossy().replace('\\', "/");
        let text = scope
            .includes_file(&name)
            .then(|| std::fs::read_to_string(&page));
        // A page that is missing or is no text has no transcripts.
        let Some(Ok(text)) = text else { continue };
        let source = Source::new(name, text);
        for (_, (transcript, findings)) in parse_transcripts_of_page(&source) {
            tests.push(Tests::Transcript {
                source: Arc::clone(&source),
                transcript,
                findings,
            });
        }
    }
    tests
}

/// Returns the Markdown files in a folder and the folders in it, in order of path.
fn pages_below(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut pages: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| path.is_file() && path.extension().is_some_and(|one| one == "md"))
        .collect();
    pages.extend(subfolders(folder).iter().flat_map(|one| pages_below(one)));
    pages.sort();
    pages
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toy_game::Toy;

    fn found_suites(toy: &Toy, path: &str) -> Vec<(String, usize, usize)> {
        let scope = Scope::of_paths(&toy.home(), &[toy.path(path)], None).unwrap();
        let suites = find_suites(&toy.home(), &scope, None).unwrap();
        let wrong = |tests: &Tests| match tests {
            Tests::Transcript { findings, .. } => findings.len(),
            Tests::Module(_) | Tests::Cases(..) => 0,
        };
        suites
            .iter()
            .map(|one| {
                (
                    one.ruleset.clone(),
                    one.files.len(),
                    one.files.iter().map(wrong).sum(),
                )
            })
            .collect()
    }

    #[test]
    fn a_test_file_that_cannot_be_read_is_found_with_its_error() {
        let toy = Toy::new();
        let path = "scripts/mini/commands/long.test.txt";
        toy.write(path, &"# x\n".repeat(70_000));
        assert_eq!(found_suites(&toy, path), [("mini".to_owned(), 1, 1)]);
    }

    #[test]
    fn tests_run_in_their_ruleset_and_those_of_the_library_in_a_toy() {
        let toy = Toy::new();
        toy.write(
            "scripts/mini/commands/mood.test.txt",
            "--- one\n> mood ann\n",
        );
        toy.write("scripts/mini/pipeline/sum.test.luau", "return {}\n");
        toy.write("scripts/library/commands/a.test.txt", "--- one\n> help\n");
        let mini = |count| ("mini".to_owned(), count, 0);
        assert_eq!(found_suites(&toy, "scripts"), [mini(3)]);
        assert_eq!(
            found_suites(&toy, "scripts/mini/commands/mood.luau"),
            [mini(1)]
        );
        toy.write(
            "tests/tiny/scripts/tiny/ruleset.luau",
            "return ruleset {}\n",
        );
        assert_eq!(
            found_suites(&toy, "scripts/library"),
            [("tiny".to_owned(), 1, 0)]
        );
        toy.write(
            "scripts/library/commands/a.test.txt",
            "ruleset: mini\n--- one\n> help\n",
        );
        assert_eq!(found_suites(&toy, "scripts/library"), [mini(1)]);
        toy.write(
            "scripts/library/commands/a.test.txt",
            "ruleset: mni\n--- one\n> help\n",
        );
        assert_eq!(
            found_suites(&toy, "scripts/library"),
            [("tiny".to_owned(), 1, 1)]
        );
    }

    #[test]
    fn transcripts_of_pages_run_in_the_rulesets_that_they_name() {
        let toy = Toy::new();
        let block =
            |ruleset: &str| format!("```transcript {ruleset}\n--- {ruleset}\n> help\n```\n");
        toy.write(
            "docs/a.md",
            &format!("{}text\n{}", block("mini"), block("mni")),
        );
        toy.write("docs/b/c.md", &block("mini"));
        toy.write("docs/b/none.md", "# Nothing\n");
        toy.write("README.md", &block("mini"));
        let found = [("mini".to_owned(), 3, 1)];
        assert_eq!(found_suites(&toy, "docs"), found);
        let one = [("mini".to_owned(), 1, 0)];
        assert_eq!(found_suites(&toy, "docs/b/c.md"), one);
        assert_eq!(found_suites(&toy, "README.md"), one);
    }
}
