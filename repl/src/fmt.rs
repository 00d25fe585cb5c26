//! Writes content in its canonical form.
//!
//! Files that could not be read completely are reported and not changed. A file is replaced only if it still has the
//! text that was read.

use std::fmt;
use std::io;
use std::path::PathBuf;

use host::diag::Diagnostic;
use host::doc::Format;
use host::game::host_phrases;
use host::game::{Canonical, canonical_content};
use serde_json::json;

use crate::arguments::Common;
use crate::commands::COMMANDS;
use crate::exit_code::Exit;
use crate::file_replacement::replace_file;
use crate::output::Output;
use crate::path_target::{Target, find_target};

/// Writes the content under the paths in its canonical form, or only lists the files that are not in it.
pub(crate) fn write_canonical_form(
    common: &Common,
    paths: &[PathBuf],
    is_check: bool,
    output: &mut Output,
) -> Exit {
    let target = match find_target(common, paths, output) {
        Ok(target) => target,
        Err(exit) => return exit,
    };
    let found = find_canonical_files(&target);
    for finding in found.findings.iter().filter(|one| one.is_error()) {
        print_finding(finding, output);
    }
    let count = if is_check {
        list_noncanonical_files(&found, output)
    } else {
        write_noncanonical_files(&target, &found, output)
    };
    output.write_stderr_unless_quiet(&count.to_string());
    let is_told = found.findings.iter().any(Diagnostic::is_error);
    let is_broken = is_told || count.broken + count.refused > 0;
    if is_broken || (is_check && count.other > 0) {
        Exit::Refused
    } else {
        Exit::Ok
    }
}

/// Returns the files under the paths, each file once.
fn find_canonical_files(target: &Target) -> Canonical {
    let mut all = Canonical::default();
    for ruleset in &target.rulesets {
        match canonical_content(&target.home, ruleset, &host_phrases(&COMMANDS)) {
            Ok(found) => {
                all.findings.extend(found.findings);
                all.files.extend(found.files);
            }
            Err(findings) => all.findings.extend(findings),
        }
    }
    all.findings
        .retain(|one| target.scope.includes_finding(one));
    all.findings.sort_by_key(Diagnostic::sort_key);
    all.findings.dedup();
    let files = &mut all.files;
    files.retain(|file| target.scope.includes_file(file.source.name()));
    files.sort_by(|one, other| one.source.name().cmp(other.source.name()));
    files.dedup_by(|one, other| one.source.name() == other.source.name());
    all
}

/// Prints a finding beside the results.
fn print_finding(finding: &Diagnostic, output: &mut Output) {
    if output.format == Format::Json {
        output.write_json_to_stderr(&finding.to_check_json());
    } else {
        output.write_finding_to_stderr(finding);
    }
}

/// Lists the files that are not in their canonical form.
fn list_noncanonical_files(found: &Canonical, output: &mut Output) -> Count {
    let mut count = Count {
        is_check: true,
        ..Count::default()
    };
    for file in &found.files {
        let name = file.source.name();
        match &file.text {
            None => count.broken += 1,
            Some(text) if *text == file.source.text() => count.same += 1,
            Some(_) => {
                count.other += 1;
                match output.format {
                    Format::Json => output.write_json_line(&json!({ "path": name })),
                    _ => output.write_result(name),
                }
            }
        }
    }
    count
}

/// Writes the files that are not in their canonical form.
fn write_noncanonical_files(target: &Target, found: &Canonical, output: &mut Output) -> Count {
    let mut count = Count::default();
    for file in &found.files {
        let source = &file.source;
        match &file.text {
            None => count.broken += 1,
            Some(text) if *text == source.text() => count.same += 1,
            Some(text) => match replace_file(&target.scope, source, text) {
                Ok(()) => count.other += 1,
                Err(why) => {
                    count.refused += 1;
                    print_finding(&not_written_finding(source.name(), &why), output);
                }
            },
        }
    }
    count
}

fn not_written_finding(name: &str, why: &io::Error) -> Diagnostic {
    let message = format!("{name} cannot be written: {why}");
    Diagnostic::error("content/not-written", message).hint("the file was not changed")
}

/// Counts of files for the last line.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    is_check: bool,
    /// Not in their canonical form: written, or to be written.
    other: usize,
    /// In their canonical form.
    same: usize,
    /// With errors.
    broken: usize,
    /// That could not be written.
    refused: usize,
}

impl fmt::Display for Count {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let files = if self.other == 1 { "file" } else { "files" };
        let (other, same) = (self.other, self.same);
        if self.is_check {
            write!(out, "{other} {files} to format, {same} already formatted")?;
        } else {
            write!(out, "{other} {files} formatted, {same} already formatted")?;
        }
        if self.broken > 0 {
            write!(out, ", {} skipped because of errors", self.broken)?;
        }
        if self.refused > 0 {
            write!(out, ", {} could not be written", self.refused)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::path_target::target_of_paths;
    use crate::toy_game::Toy;

    fn run_fmt(toy: &Toy, path: &str, is_check: bool) -> (Exit, String) {
        let common = Common {
            home: Some(toy.path(".")),
            quiet: true,
            ..Common::default()
        };
        let mut output = Output::new(&common);
        let paths = [toy.path(path)];
        let found = find_canonical_files(&target_of_paths(&common, &paths).unwrap());
        let texts = found.files.iter().map(|file| match &file.text {
            None => "broken".to_owned(),
            Some(text) => text.clone(),
        });
        let texts = texts.collect::<Vec<_>>().join("|");
        (
            write_canonical_form(&common, &paths, is_check, &mut output),
            texts,
        )
    }

    #[test]
    fn blanks_at_the_ends_of_lines_go_and_broken_files_stay() {
        let toy = Toy::new();
        let (cy, di) = ("content/mini/people/cy.yaml", "content/mini/people/di.yaml");
        toy.write(cy, "\u{feff}source: x  \r\nname: Cy\r\n");
        let tidy = "source: x\nname: Cy\n".to_owned();
        assert_eq!(run_fmt(&toy, cy, true), (Exit::Refused, tidy.clone()));
        assert!(
            fs::read_to_string(toy.path(cy))
                .unwrap()
                .contains("x  \r\n")
        );
        assert_eq!(run_fmt(&toy, cy, false), (Exit::Ok, tidy.clone()));
        let text = fs::read_to_string(toy.path(cy)).unwrap();
        assert_eq!(text, "\u{feff}source: x\r\nname: Cy\r\n");
        assert_eq!(run_fmt(&toy, cy, true), (Exit::Ok, tidy.clone()));
        toy.write(di, "source: x  \nnmae: Di\n");
        let (exit, texts) = run_fmt(&toy, "content", false);
        assert!(exit == Exit::Refused && texts.contains("broken"), "{texts}");
        assert_eq!(
            fs::read_to_string(toy.path(di)).unwrap(),
            "source: x  \nnmae: Di\n"
        );
        assert_eq!(
            run_fmt(&toy, cy, false),
            (Exit::Ok, tidy),
            "what lies elsewhere is not told"
        );
    }

    #[test]
    fn the_last_line_counts_files() {
        let count = Count {
            other: 3,
            same: 165,
            ..Count::default()
        };
        assert_eq!(
            count.to_string(),
            "3 files formatted, 165 already formatted"
        );
        let check = Count {
            is_check: true,
            other: 1,
            same: 2,
            broken: 4,
            refused: 0,
        };
        assert_eq!(
            check.to_string(),
            "1 file to format, 2 already formatted, 4 skipped because of errors"
        );
    }
}
