//! This module runs the tests of one ruleset, which is loaded once for all of them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use host::diag::{Diagnostic, Source};
use host::game::{Seed, Session, SessionOptions, TestFile};
use host::script::EngineOptions;

use super::Wanted;
use super::find::{Suite, Tests};
use super::report::Report;
use crate::commands::COMMANDS;
use crate::output::Output;
use crate::scope::Scope;
use crate::transcript::{Edit, Problem, Transcript, blessed, hold, parse, play};

/// Loads the ruleset of a suite. Errors: what is wrong with rules that cannot be loaded at all.
pub(crate) fn open(suite: &Suite) -> Result<Session, Vec<Diagnostic>> {
    let options = SessionOptions {
        home: suite.home.clone(),
        ruleset: suite.ruleset.clone(),
        seed: Seed::from_text("tests"),
        engine: EngineOptions::default(),
    };
    Session::open(options, &COMMANDS)
}

/// Returns what is wrong with rules that were loaded as far as they go.
pub(crate) fn errors(session: &Session) -> Vec<Diagnostic> {
    let findings = session.findings().iter();
    findings.filter(|found| found.is_error()).cloned().collect()
}

/// Runs the files of a suite and notes what became of each case.
pub(crate) fn run(
    scope: &Scope,
    (suite, mut session): (&Suite, Session),
    wanted: Wanted,
    report: &mut Report,
    output: &mut Output,
) {
    for found in errors(&session) {
        output.complain(&found);
    }
    for tests in &suite.files {
        match tests {
            Tests::Transcript {
                source, findings, ..
            } if !findings.is_empty() => {
                report.broken_file(source.name(), findings, output);
            }
            Tests::Transcript {
                source, transcript, ..
            } => {
                session.read_files_from(folder_of(scope, source));
                let edits = cases(&mut session, source, (transcript, wanted), report, output);
                bless(scope, source, &edits, report, output);
            }
            Tests::Module(file) => functions(&mut session, file, report, output),
            Tests::Cases(name, path) => {
                elsewhere(&mut session, (name, path), wanted, report, output);
            }
        }
    }
}

/// Returns where the files lie that the lines of a transcript name: beside it.
fn folder_of(scope: &Scope, source: &Source) -> PathBuf {
    let file = scope.file(source.name());
    let folder = file.as_deref().and_then(Path::parent);
    folder.map(Path::to_owned).unwrap_or_default()
}

/// Plays the cases of a transcript and returns what may be written over it.
fn cases(
    session: &mut Session,
    source: &Arc<Source>,
    (transcript, wanted): (&Transcript, Wanted),
    report: &mut Report,
    output: &mut Output,
) -> Vec<Edit> {
    let mut edits = Vec::new();
    for case in &transcript.cases {
        let mut played = play(session, case);
        let mut failures = std::mem::take(&mut played.failures);
        if wanted.laws {
            let (broken, resumed) = hold(session, case, &played);
            failures.extend(broken);
            report.resumed(resumed);
        }
        if report.blesses() {
            for failure in &failures {
                if let Problem::Says {
                    expected, actual, ..
                } = &failure.problem
                {
                    let (expected, actual) = (expected.clone(), actual.clone());
                    edits.push(Edit {
                        command: failure.line,
                        expected,
                        actual,
                    });
                }
            }
            failures.retain(|failure| matches!(failure.problem, Problem::Broken(_)));
        }
        report.case(source.name(), &case.sentence, &failures, output);
    }
    edits
}

/// Plays the cases that the ruleset finds in a file; their lines are those of the transcript that it makes of it.
fn elsewhere(
    session: &mut Session,
    (name, path): (&str, &Path),
    wanted: Wanted,
    report: &mut Report,
    output: &mut Output,
) {
    session.read_files_from(path.parent().unwrap_or(Path::new("")));
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    let text = match session.transcript_of(&file) {
        Ok(text) => text,
        Err(finding) => return report.broken_file(name, &[finding], output),
    };
    let source = Source::new(format!("{name}, as a transcript"), text);
    let (transcript, findings) = parse(&source);
    if findings.is_empty() {
        cases(session, &source, (&transcript, wanted), report, output);
    } else {
        report.broken_file(name, &findings, output);
    }
}

/// Writes what commands say now into the file of a transcript.
fn bless(
    scope: &Scope,
    source: &Arc<Source>,
    edits: &[Edit],
    report: &mut Report,
    output: &mut Output,
) {
    if edits.is_empty() {
        return;
    }
    let file = scope.file(source.name());
    let file = file.expect("invariant: a test that was read has its file");
    match std::fs::write(&file, blessed(source.text(), edits)) {
        Ok(()) => report.blessed(edits.len()),
        Err(why) => {
            let message = format!("{} cannot be written: {}", file.display(), why.kind());
            report.broken_file(
                source.name(),
                &[Diagnostic::error("host/not-written", message)],
                output,
            );
        }
    }
}

fn functions(session: &mut Session, file: &TestFile, report: &mut Report, output: &mut Output) {
    let name = file.source.name();
    if let Some(refusal) = session.restart(Seed::from_text(name)).refusal {
        return report.broken_file(name, &[refusal], output);
    }
    match session.run_tests(file) {
        Ok(results) => {
            for (sentence, failure) in results {
                report.function(name, &sentence, failure.as_ref(), output);
            }
        }
        Err(finding) => report.broken_file(name, &[finding], output),
    }
}
