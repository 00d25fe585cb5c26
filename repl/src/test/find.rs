//! This module finds the tests beside the scripts and the ruleset that each of them needs.

use std::collections::BTreeMap;
use std::sync::Arc;

use host::diag::{Diagnostic, Source, near_hint};
use host::game::{Home, TestFile};
use host::script::LIBRARY;

use crate::scope::Scope;
use crate::transcript::{Transcript, parse};

/// The tests that one ruleset is loaded for.
#[derive(Debug)]
pub(crate) struct Suite {
    /// The ruleset.
    pub(crate) ruleset: String,
    /// Its test files, in order of path.
    pub(crate) files: Vec<Tests>,
}

/// One test file.
#[derive(Debug)]
pub(crate) enum Tests {
    /// Commands and what they say.
    Transcript {
        /// Its text.
        source: Arc<Source>,
        /// Its cases.
        transcript: Transcript,
        /// What is wrong with it; then it is not run.
        findings: Vec<Diagnostic>,
    },
    /// Functions, each keyed by a sentence.
    Module(TestFile),
}

/// Returns the suites under the paths, in order of ruleset; `only` leaves the other rulesets out.
///
/// The library's tests run in the ruleset that their header names, else in the first one.
/// Errors: there is no ruleset of the name.
pub(crate) fn suites(
    home: &Home,
    scope: &Scope,
    only: Option<&str>,
) -> Result<Vec<Suite>, Box<Diagnostic>> {
    let rulesets = home.rulesets();
    if let Some(name) = only.filter(|name| !rulesets.iter().any(|one| one == name)) {
        return Err(Box::new(unknown(name, &rulesets)));
    }
    let mut suites: BTreeMap<String, Vec<Tests>> = BTreeMap::new();
    let first = only
        .map(str::to_owned)
        .or_else(|| rulesets.first().cloned());
    for mod_name in scope.mods() {
        let fallback = if mod_name == LIBRARY {
            first.clone()
        } else {
            Some(mod_name.to_owned())
        };
        let Some(fallback) = fallback else { continue };
        for tests in tests(home, scope, mod_name, &fallback) {
            let ruleset = place(tests, &fallback, &rulesets, &mut suites);
            debug_assert!(!ruleset.is_empty());
        }
    }
    suites.retain(|name, _| only.is_none_or(|only| only == name));
    Ok(suites
        .into_iter()
        .map(|(ruleset, files)| Suite { ruleset, files })
        .collect())
}

/// Puts a test file to the ruleset that it names and returns that.
fn place(
    mut tests: Tests,
    fallback: &str,
    rulesets: &[String],
    suites: &mut BTreeMap<String, Vec<Tests>>,
) -> String {
    let mut ruleset = fallback.to_owned();
    if let Tests::Transcript {
        source,
        transcript,
        findings,
    } = &mut tests
        && let Some(named) = &transcript.ruleset
    {
        if rulesets.contains(&named.value) {
            ruleset.clone_from(&named.value);
        } else {
            findings.push(unknown(&named.value, rulesets).at(source, source.line_span(named.line)));
        }
    }
    suites.entry(ruleset.clone()).or_default().push(tests);
    ruleset
}

/// Returns the test files of a mod that are meant.
fn tests(home: &Home, scope: &Scope, mod_name: &str, ruleset: &str) -> Vec<Tests> {
    let mods = home
        .read(ruleset)
        .map(|files| files.mods)
        .unwrap_or_default();
    let scripts = mods
        .into_iter()
        .filter(|one| one.name == mod_name)
        .flat_map(|one| one.scripts);
    let meant = scripts.filter(|file| scope.means_test(file.source.name()));
    let read = |file: host::content::File| {
        if file.path.ends_with(".test.txt") {
            let (transcript, findings) = parse(&file.source);
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
    meant.filter_map(read).collect()
}

fn unknown(name: &str, rulesets: &[String]) -> Diagnostic {
    Diagnostic::error(
        "content/unknown-ruleset",
        format!("there is no ruleset \"{name}\""),
    )
    .hint(near_hint(name, rulesets.iter().map(String::as_str)))
    .hint(format!("there are {}", rulesets.join(", ")))
}
