//! This module reports everything that is wrong with scripts and content, in one pass.

use std::collections::BTreeSet;
use std::path::PathBuf;

use host::diag::Diagnostic;
use host::doc::Format;
use host::game::{Home, check_ruleset};
use host::script::LIBRARY;

use crate::answer;
use crate::arguments::Common;
use crate::commands::COMMANDS;
use crate::exit::Exit;
use crate::output::Output;
use crate::place;
use crate::scope::{Scope, real_paths};

/// Checks the rulesets that lie under the paths; the library is part of each.
pub(crate) fn check(
    common: &Common,
    paths: &[PathBuf],
    deny_warnings: bool,
    output: &mut Output,
) -> Exit {
    let begun = begin(common, paths);
    let (home, scope) = match begun {
        Ok(begun) => begun,
        Err(refusal) => {
            answer::refused(output, &refusal);
            return Exit::Usage;
        }
    };
    let targets = targets(&home, &scope);
    let refusals = nothing_here(&home, &scope, paths, targets.is_empty());
    for refusal in &refusals {
        answer::refused(output, refusal);
    }
    if !refusals.is_empty() {
        return Exit::Usage;
    }
    let findings = findings(&home, &scope, &targets);
    for found in &findings {
        match output.format {
            Format::Json => output.json(&found.to_check_json()),
            Format::Terminal | Format::Markdown => {
                output.finding(found);
                output.own("");
            }
        }
    }
    let errors = findings.iter().filter(|found| found.is_error()).count();
    let warnings = findings.len() - errors;
    output.talk(&summary(errors, warnings, files(&home, &scope, &targets)));
    if errors > 0 || (deny_warnings && warnings > 0) {
        Exit::Refused
    } else {
        Exit::Ok
    }
}

/// Returns the home that the paths lie in, and what they reach of it. Errors: a path that is not there, no home.
pub(crate) fn begin(common: &Common, paths: &[PathBuf]) -> Result<(Home, Scope), Box<Diagnostic>> {
    let named = real_paths(paths)?.into_iter().next();
    let start = named.unwrap_or_else(place::here);
    let home = place::home(common, &start).or_else(|refusal| {
        let here = place::here();
        if start.starts_with(&here) {
            Err(refusal)
        } else {
            place::home(common, &here)
        }
    })?;
    let scope = Scope::new(&home, paths)?;
    Ok((home, scope))
}

/// Returns a refusal for each path that reaches no mod, or for all of the home.
fn nothing_here(home: &Home, scope: &Scope, paths: &[PathBuf], is_empty: bool) -> Vec<Diagnostic> {
    let refusal = |message: String| {
        let hint = format!(
            "the mods of {} lie in its folders scripts and content",
            home.folder.display()
        );
        Diagnostic::error("content/nothing-here", message).hint(hint)
    };
    let lost: Vec<Diagnostic> = scope
        .unreached()
        .into_iter()
        .map(|number| refusal(format!("no mod lies under {}", paths[number].display())))
        .collect();
    if lost.is_empty() && is_empty {
        return vec![refusal("no mod lies here".to_owned())];
    }
    lost
}

/// Returns the rulesets to check: those that are reached, all of them if the library is.
fn targets(home: &Home, scope: &Scope) -> Vec<String> {
    let reached = scope.mods();
    let mut targets: BTreeSet<String> = reached.iter().map(|name| (*name).to_owned()).collect();
    if targets.remove(LIBRARY) {
        targets.extend(home.rulesets());
        if targets.is_empty() {
            targets.insert(LIBRARY.to_owned());
        }
    }
    targets.into_iter().collect()
}

fn findings(home: &Home, scope: &Scope, targets: &[String]) -> Vec<Diagnostic> {
    let mut all = Vec::new();
    for target in targets {
        match check_ruleset(home, target, &COMMANDS) {
            Ok(checked) => all.extend(checked.findings),
            Err(findings) => all.extend(findings),
        }
    }
    // The library is no ruleset and needs none of its own.
    all.retain(|found| targets != [LIBRARY] || found.code != "script/no-ruleset");
    all.retain(|found| {
        found
            .place
            .as_ref()
            .is_none_or(|place| scope.holds(place.source.name()))
    });
    all.sort_by_key(Diagnostic::sort_key);
    all.dedup();
    all
}

/// Returns how many files under the paths were read.
fn files(home: &Home, scope: &Scope, targets: &[String]) -> usize {
    let mut names = BTreeSet::new();
    for target in targets {
        let mods = home
            .read(target)
            .map(|files| files.mods)
            .unwrap_or_default();
        let files = mods
            .iter()
            .flat_map(|one| one.scripts.iter().chain(&one.content));
        names.extend(
            files
                .map(|file| file.source.name().to_owned())
                .filter(|name| scope.holds(name)),
        );
    }
    names.len()
}

fn summary(errors: usize, warnings: usize, files: usize) -> String {
    let counted =
        |count: usize, word: &str| format!("{count} {word}{}", if count == 1 { "" } else { "s" });
    let (errors, warnings, files) = (
        counted(errors, "error"),
        counted(warnings, "warning"),
        counted(files, "file"),
    );
    format!("{errors}, {warnings} in {files}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Toy;

    fn codes(toy: &Toy, path: &str) -> Vec<String> {
        let scope = Scope::new(&toy.home(), &[toy.path(path)]).unwrap();
        let targets = targets(&toy.home(), &scope);
        let found = findings(&toy.home(), &scope, &targets);
        found.iter().map(|one| one.code.to_string()).collect()
    }

    #[test]
    fn only_what_lies_under_the_paths_is_reported() {
        let toy = Toy::new();
        assert_eq!(codes(&toy, "."), Vec::<String>::new());
        toy.write(
            "scripts/mini/commands/bad.luau",
            "return command { source = 'x' }\n",
        );
        toy.write("scripts/mini/commands/worse.luau", "return command {\n");
        assert_eq!(
            codes(&toy, "scripts/mini/commands/worse.luau"),
            ["script/syntax"]
        );
        assert!(codes(&toy, "scripts").len() > 1);
        assert_eq!(codes(&toy, "scripts/library"), Vec::<String>::new());
    }

    #[test]
    fn each_path_that_reaches_nothing_is_refused_by_name() {
        let toy = Toy::new();
        toy.write("notes/a.txt", "x");
        let paths = ["notes", "scripts/mini", "notes/a.txt"].map(|path| toy.path(path));
        let scope = Scope::new(&toy.home(), &paths).unwrap();
        let refusals = nothing_here(&toy.home(), &scope, &paths, false);
        let messages: Vec<&str> = refusals.iter().map(|one| one.message.as_str()).collect();
        let expected =
            [&paths[0], &paths[2]].map(|path| format!("no mod lies under {}", path.display()));
        assert_eq!(messages, expected);
    }

    #[test]
    fn the_summary_counts() {
        assert_eq!(summary(3, 1, 57), "3 errors, 1 warning in 57 files");
        assert_eq!(summary(0, 0, 1), "0 errors, 0 warnings in 1 file");
    }
}
