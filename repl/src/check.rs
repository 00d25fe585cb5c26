//! This module reports everything that is wrong with scripts and content, in one pass.

use std::collections::BTreeSet;
use std::fmt;
use std::path::PathBuf;

use host::diag::Diagnostic;
use host::doc::Format;
use host::game::{Home, Structure, check_ruleset};
use host::script::LIBRARY;
use serde_json::json;

use crate::answer;
use crate::arguments::Common;
use crate::commands::COMMANDS;
use crate::exit::Exit;
use crate::fix;
use crate::output::Output;
use crate::place;
use crate::scope::{Scope, real_paths};

/// Times that fixes are written: one may uncover the next.
const ROUNDS: usize = 8;

/// What a check does beside telling.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Wanted {
    /// Writes what is certain into the files.
    pub(crate) fix: bool,
    /// Writes the structure of what was loaded as the result.
    pub(crate) structure: bool,
    /// Warnings fail it too.
    pub(crate) deny_warnings: bool,
}

/// Checks the rulesets that lie under the paths; the library is part of each.
pub(crate) fn check(
    common: &Common,
    paths: &[PathBuf],
    wanted: Wanted,
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
    let targets = match wanted_of(targets(&home, &scope), &home, common.ruleset.as_deref()) {
        Ok(targets) => targets,
        Err(refusal) => {
            answer::refused(output, &refusal);
            return Exit::Usage;
        }
    };
    let refusals = nothing_here(&home, &scope, paths, targets.is_empty());
    for refusal in &refusals {
        answer::refused(output, refusal);
    }
    if !refusals.is_empty() {
        return Exit::Usage;
    }
    let mut checked = checked(&home, &scope, &targets);
    let mut fixed = 0;
    if wanted.fix {
        (checked, fixed) = mended(&home, &scope, &targets, checked, output);
    }
    tell(&checked, wanted, output);
    let findings = &checked.findings;
    let errors = findings.iter().filter(|found| found.is_error()).count();
    let fixable = findings.iter().filter(|found| found.fix.is_some()).count();
    let count = Count {
        errors,
        warnings: findings.len() - errors,
        files: files(&home, &scope, &targets),
        fixed: wanted.fix.then_some(fixed),
        fixable: if wanted.fix { 0 } else { fixable },
    };
    output.talk(&count.to_string());
    if errors > 0 || (wanted.deny_warnings && count.warnings > 0) {
        Exit::Refused
    } else {
        Exit::Ok
    }
}

/// Writes the findings, as the result or beside the structure.
fn tell(checked: &AllChecked, wanted: Wanted, output: &mut Output) {
    if wanted.structure {
        output.json(&json!({ "rulesets": checked.structures }));
    }
    for found in &checked.findings {
        match (output.format == Format::Json, wanted.structure) {
            (true, false) => output.json(&found.to_check_json()),
            (true, true) => output.complain_json(&found.to_check_json()),
            (false, true) => output.complain(found),
            (false, false) => {
                output.finding(found);
                output.own("");
            }
        }
    }
}

/// Writes fixes into the files and checks again, until nothing certain is left to fix; returns how many there were.
fn mended(
    home: &Home,
    scope: &Scope,
    targets: &[String],
    mut checked: AllChecked,
    output: &mut Output,
) -> (AllChecked, usize) {
    let mut fixed = 0;
    for _ in 0..ROUNDS {
        let round = fix::write(scope, &checked.findings);
        for refusal in &round.refusals {
            output.complain(refusal);
        }
        for line in &round.fixed {
            output.talk(line);
        }
        fixed += round.fixed.len();
        if round.fixed.is_empty() {
            break;
        }
        checked = self::checked(home, scope, targets);
    }
    (checked, fixed)
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

/// Returns the targets that are wanted: all of them, or the one that was named. Errors: there is no such ruleset.
fn wanted_of(
    targets: Vec<String>,
    home: &Home,
    named: Option<&str>,
) -> Result<Vec<String>, Box<Diagnostic>> {
    let Some(named) = named else {
        return Ok(targets);
    };
    place::ruleset(home, Some(named))?;
    Ok(targets.into_iter().filter(|one| one == named).collect())
}

/// What was found in all targets, and what they are made of.
#[derive(Debug, Default)]
struct AllChecked {
    findings: Vec<Diagnostic>,
    structures: Vec<Structure>,
}

fn checked(home: &Home, scope: &Scope, targets: &[String]) -> AllChecked {
    let mut all = AllChecked::default();
    for target in targets {
        match check_ruleset(home, target, &COMMANDS) {
            Ok(checked) => {
                all.findings.extend(checked.findings);
                all.structures.push(within(scope, checked.structure));
            }
            Err(findings) => all.findings.extend(findings),
        }
    }
    // The library is no ruleset and needs none of its own.
    all.findings
        .retain(|found| targets != [LIBRARY] || found.code != "script/no-ruleset");
    all.findings.retain(|found| {
        found
            .place
            .as_ref()
            .is_none_or(|place| scope.holds(place.source.name()))
    });
    all.findings.sort_by_key(Diagnostic::sort_key);
    all.findings.dedup();
    all
}

/// Leaves out the definitions that do not lie under the paths.
fn within(scope: &Scope, mut structure: Structure) -> Structure {
    for collection in structure.collections.values_mut() {
        collection
            .definitions
            .retain(|definition| scope.holds(&definition.path));
    }
    structure
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

/// What the last line tells.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    errors: usize,
    warnings: usize,
    files: usize,
    /// Fixes that were written, if they were asked for.
    fixed: Option<usize>,
    /// Fixes that could be.
    fixable: usize,
}

impl fmt::Display for Count {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counted = |count: usize, word: &str| {
            format!("{count} {word}{}", if count == 1 { "" } else { "s" })
        };
        if let Some(fixed) = self.fixed {
            write!(out, "{fixed} fixed, ")?;
        }
        let (errors, warnings) = (
            counted(self.errors, "error"),
            counted(self.warnings, "warning"),
        );
        write!(
            out,
            "{errors}, {warnings} in {}",
            counted(self.files, "file")
        )?;
        if self.fixable > 0 {
            write!(out, "; --fix mends {} of them", self.fixable)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Toy;

    fn codes(toy: &Toy, path: &str) -> Vec<String> {
        let scope = Scope::new(&toy.home(), &[toy.path(path)]).unwrap();
        let targets = targets(&toy.home(), &scope);
        let found = checked(&toy.home(), &scope, &targets).findings;
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
        let count = Count {
            errors: 3,
            warnings: 1,
            files: 57,
            ..Count::default()
        };
        assert_eq!(count.to_string(), "3 errors, 1 warning in 57 files");
        let fixable = Count {
            fixable: 2,
            ..count
        };
        assert_eq!(
            fixable.to_string(),
            "3 errors, 1 warning in 57 files; --fix mends 2 of them"
        );
        let clean = Count {
            files: 1,
            fixed: Some(2),
            ..Count::default()
        };
        assert_eq!(clean.to_string(), "2 fixed, 0 errors, 0 warnings in 1 file");
    }
}
