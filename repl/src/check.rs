//! Reports all errors of scripts and content in one pass.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::PathBuf;

use host::diag::Diagnostic;
use host::doc::Format;
use host::game::host_phrases;
use host::game::{Structure, check_ruleset, check_ruleset_with_texts};
use host::script::LIBRARY;
use host::value::{Value, to_json};
use serde_json::{Value as Json, json};

use crate::arguments::Common;
use crate::commands::COMMANDS;
use crate::counted_noun::counted_noun;
use crate::exit_code::Exit;
use crate::file_fixes;
use crate::found_codes::{self, FoundCodes};
use crate::home_lookup;
use crate::output::Output;
use crate::path_scope::Scope;
use crate::path_target::{Target, find_target};

/// Number of rounds in which fixes are written: one fix may uncover the next.
const ROUNDS: usize = 8;

/// Options of a check besides reporting.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Wanted {
    /// Writes certain fixes into the files.
    pub(crate) fix: bool,
    /// Writes the structure of the loaded files as the result.
    pub(crate) structure: bool,
    /// Warnings fail it too.
    pub(crate) deny_warnings: bool,
    /// Notes are reported too.
    pub(crate) notes: bool,
}

/// Checks the rulesets under the paths; the library is part of each.
pub(crate) fn check_and_report(
    common: &Common,
    paths: &[PathBuf],
    wanted: Wanted,
    output: &mut Output,
) -> Exit {
    let target = match find_target(common, paths, output) {
        Ok(target) => target,
        Err(exit) => return exit,
    };
    if paths.is_empty() && home_lookup::is_home_of_program(common, &target.home) {
        let line = "no home folder found at or above this folder: checking the home of the program";
        output.write_stderr_unless_quiet(line);
    }
    let mut checked = check_target(&target, wanted);
    let mut fixed = 0;
    if wanted.fix {
        (checked, fixed) = fix_files_and_check_again(&target, wanted, checked, output);
    }
    print_findings(&checked, wanted, output);
    let findings = &checked.findings;
    let errors = findings.iter().filter(|found| found.is_error()).count();
    let notes = findings.iter().filter(|found| found.is_note()).count();
    let fixable = findings.iter().filter(|found| found.fix.is_some()).count();
    let count = Count {
        errors,
        warnings: findings.len() - errors - notes,
        notes: wanted.notes.then_some(notes),
        files: count_checked_files(&target),
        fixed: wanted.fix.then_some(fixed),
        fixable: if wanted.fix { 0 } else { fixable },
        home: paths
            .is_empty()
            .then(|| target.home.folder.display().to_string()),
    };
    if output.format != Format::Json {
        let line = FoundCodes::of(findings).help_line(found_codes::ON_COMMAND_LINE);
        output.write_line_to_stderr_unless_quiet(line);
    }
    output.write_stderr_unless_quiet(&count.to_string());
    if errors > 0 || (wanted.deny_warnings && count.warnings > 0) {
        Exit::Refused
    } else {
        Exit::Ok
    }
}

/// Writes the findings, as the result or beside the structure.
fn print_findings(checked: &AllChecked, wanted: Wanted, output: &mut Output) {
    match &checked.texts {
        Some(texts) => output.write_json_line(&json!(texts)),
        None if wanted.structure => {
            output.write_json_line(&json!({ "rulesets": checked.structures }));
        }
        None => {}
    }
    for found in &checked.findings {
        match (output.format == Format::Json, wanted.structure) {
            (true, false) => output.write_json_line(&found.to_check_json()),
            (true, true) => output.write_json_to_stderr(&found.to_check_json()),
            (false, true) => output.write_finding_to_stderr(found),
            (false, false) => {
                output.write_finding(found);
                output.write_safe_text("");
            }
        }
    }
}

/// Writes fixes into the files and checks again until no certain fix is left; returns the number of fixes.
fn fix_files_and_check_again(
    target: &Target,
    wanted: Wanted,
    mut checked: AllChecked,
    output: &mut Output,
) -> (AllChecked, usize) {
    let mut fixed = 0;
    for _ in 0..ROUNDS {
        let round = file_fixes::write_fixes_to_files(&target.scope, &checked.findings);
        for refusal in &round.refusals {
            output.write_finding_to_stderr(refusal);
        }
        for line in &round.fixed {
            output.write_stderr_unless_quiet(line);
        }
        fixed += round.fixed.len();
        if round.fixed.is_empty() {
            break;
        }
        checked = check_target(target, wanted);
    }
    (checked, fixed)
}

/// Findings and structures of all targets.
#[derive(Debug, Default)]
struct AllChecked {
    findings: Vec<Diagnostic>,
    structures: Vec<Structure>,
    /// Structures of the texts of a folder outside of all mods, by path, if the ruleset provides them.
    texts: Option<BTreeMap<String, Json>>,
}

fn check_target(target: &Target, wanted: Wanted) -> AllChecked {
    let (scope, rulesets) = (&target.scope, &target.rulesets);
    let mut all = AllChecked::default();
    for ruleset in rulesets {
        let check = if wanted.structure && scope.is_outside_content_only() {
            check_ruleset_with_texts
        } else {
            check_ruleset
        };
        match check(&target.home, ruleset, &host_phrases(&COMMANDS)) {
            Ok(checked) => {
                all.findings.extend(checked.findings);
                all.structures
                    .push(limit_structure_to_scope(scope, checked.structure));
                all.texts = checked.texts.map(|texts| json_by_path(&texts));
            }
            Err(findings) => all.findings.extend(findings),
        }
    }
    // The library is not a ruleset and needs none of its own.
    all.findings
        .retain(|found| rulesets != &[LIBRARY] || found.code != "script/no-ruleset");
    all.findings.retain(|found| scope.includes_finding(found));
    all.findings
        .retain(|found| wanted.notes || !found.is_optional_note());
    all.findings.sort_by_key(Diagnostic::sort_key);
    all.findings.dedup();
    all
}

fn json_by_path(texts: &BTreeMap<String, Value>) -> BTreeMap<String, Json> {
    let texts = texts.iter();
    texts
        .map(|(path, structure)| (path.clone(), to_json(structure)))
        .collect()
}

/// Leaves out the definitions that are not under the paths.
fn limit_structure_to_scope(scope: &Scope, mut structure: Structure) -> Structure {
    for collection in structure.collections.values_mut() {
        collection
            .definitions
            .retain(|definition| scope.includes_file(&definition.path));
    }
    structure
}

/// Returns how many files under the paths were read.
fn count_checked_files(target: &Target) -> usize {
    let mut names = BTreeSet::new();
    for ruleset in &target.rulesets {
        let mods = target
            .home
            .read_ruleset(ruleset)
            .map(|files| files.mods)
            .unwrap_or_default();
        let files = mods
            .iter()
            .flat_map(|one| one.scripts.iter().chain(&one.content));
        names.extend(
            files
                .map(|file| file.source.name().to_owned())
                .filter(|name| target.scope.includes_file(name)),
        );
    }
    names.len()
}

/// Counts for the last line.
#[derive(Clone, Debug, Default)]
struct Count {
    errors: usize,
    warnings: usize,
    /// Notes, if they were requested.
    notes: Option<usize>,
    files: usize,
    /// Written fixes, if they were requested.
    fixed: Option<usize>,
    /// Fixes that could be written.
    fixable: usize,
    /// The home folder, if no paths in it were named.
    home: Option<String>,
}

impl fmt::Display for Count {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(fixed) = self.fixed {
            write!(out, "{fixed} fixed, ")?;
        }
        let (errors, warnings) = (
            counted_noun(self.errors, "error"),
            counted_noun(self.warnings, "warning"),
        );
        write!(out, "{errors}, {warnings}")?;
        if let Some(notes) = self.notes {
            write!(out, ", {}", counted_noun(notes, "note"))?;
        }
        write!(out, " in {}", counted_noun(self.files, "file"))?;
        if let Some(home) = &self.home {
            write!(out, " of {home}")?;
        }
        if self.fixable > 0 {
            write!(out, "; --fix can fix {} of them", self.fixable)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::path_target::target_of_paths;
    use crate::toy_game::Toy;

    fn finding_codes(toy: &Toy, path: &str) -> Vec<String> {
        let common = Common {
            home: Some(toy.path(".")),
            ..Common::default()
        };
        let target = target_of_paths(&common, &[toy.path(path)]).unwrap();
        let found = check_target(&target, Wanted::default()).findings;
        found.iter().map(|one| one.code.to_string()).collect()
    }

    #[test]
    fn only_what_lies_under_the_paths_is_reported() {
        let toy = Toy::new();
        assert_eq!(finding_codes(&toy, "."), Vec::<String>::new());
        toy.write(
            "scripts/mini/commands/bad.luau",
            "return command { source = 'x' }\n",
        );
        toy.write("scripts/mini/commands/worse.luau", "return command {\n");
        assert_eq!(
            finding_codes(&toy, "scripts/mini/commands/worse.luau"),
            ["script/syntax"]
        );
        assert!(finding_codes(&toy, "scripts").len() > 1);
        assert_eq!(finding_codes(&toy, "scripts/library"), Vec::<String>::new());
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
        let of_home = Count {
            home: Some("games/home".to_owned()),
            ..count.clone()
        };
        assert_eq!(
            of_home.to_string(),
            "3 errors, 1 warning in 57 files of games/home"
        );
        let fixable = Count {
            fixable: 2,
            ..count
        };
        assert_eq!(
            fixable.to_string(),
            "3 errors, 1 warning in 57 files; --fix can fix 2 of them"
        );
        let noted = Count {
            warnings: 2,
            notes: Some(3),
            files: 9,
            ..Count::default()
        };
        assert_eq!(
            noted.to_string(),
            "0 errors, 2 warnings, 3 notes in 9 files"
        );
        let clean = Count {
            files: 1,
            fixed: Some(2),
            ..Count::default()
        };
        assert_eq!(clean.to_string(), "2 fixed, 0 errors, 0 warnings in 1 file");
    }
}
