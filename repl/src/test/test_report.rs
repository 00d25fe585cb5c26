//! Reports and counts the outcomes of the tests.

use std::collections::BTreeMap;
use std::sync::Arc;

use host::diag::{Diagnostic, Source};
use host::doc::Format;
use serde_json::{Value, json};

use crate::counted_noun::counted_noun;
use crate::exit_code::Exit;
use crate::file_replacement::replace_file;
use crate::found_codes::{self, FoundCodes};
use crate::io_error_words::io_error_words;
use crate::output::Output;
use crate::path_scope::Scope;
use crate::transcript::{Edit, Failure, Problem, bless_text};

/// Outcomes that a thread with tests reports.
pub(crate) enum Told {
    /// A case of a transcript: its path, its sentence, and its failures.
    Case(String, String, Vec<Failure>),
    /// A test of a module: its path, its sentence, and the reason for its failure.
    Function(String, String, Option<Diagnostic>),
    /// A file that cannot be run.
    BrokenFile(String, Vec<Diagnostic>),
    /// A ruleset that cannot be loaded.
    NotLoaded(Vec<Diagnostic>),
    /// An error of rules that were loaded as far as possible.
    Complaint(Diagnostic),
    /// New expected lines of commands in a file.
    Edits(Arc<Source>, Vec<Edit>),
    /// Number of lines that were submitted in fresh sessions too.
    Resumed(usize),
}

impl Told {
    /// Returns the sort key of the reports of several threads: errors of rules first, then tests by file and line.
    pub(crate) fn sort_key(&self) -> (&str, usize) {
        match self {
            Told::Case(path, _, failures) => (path, failures.first().map_or(0, |one| one.line)),
            Told::Function(path, ..) | Told::BrokenFile(path, _) => (path, 0),
            Told::NotLoaded(_) | Told::Complaint(_) | Told::Edits(..) | Told::Resumed(_) => ("", 0),
        }
    }

    /// Returns the findings that are reported for the outcome.
    fn findings(&self) -> Vec<&Diagnostic> {
        match self {
            Told::Case(_, _, failures) => failures.iter().filter_map(Failure::finding).collect(),
            Told::Function(_, _, finding) => finding.iter().collect(),
            Told::BrokenFile(_, findings) | Told::NotLoaded(findings) => findings.iter().collect(),
            Told::Complaint(finding) => vec![finding],
            Told::Edits(..) | Told::Resumed(_) => Vec::new(),
        }
    }
}

/// Outcomes of the tests so far.
#[derive(Debug, Default)]
pub(crate) struct Report {
    blesses: bool,
    passed: usize,
    failed: usize,
    /// New expected lines by file. Suites of several rulesets play the transcripts of one page.
    edits: BTreeMap<String, (Arc<Source>, Vec<Edit>)>,
    /// Number of commands with replaced expected lines.
    blessed: usize,
    /// Number of lines that were submitted in fresh sessions, if determinism is checked.
    resumed: Option<usize>,
    not_loaded: bool,
    /// The codes of all reported findings.
    codes: FoundCodes,
}

impl Report {
    /// Returns an empty report.
    pub(crate) fn new(blesses: bool) -> Report {
        Report {
            blesses,
            ..Report::default()
        }
    }

    /// Notes a reported outcome.
    pub(crate) fn note_outcome(&mut self, told: &Told, output: &mut Output) {
        for finding in told.findings() {
            self.codes.add(finding);
        }
        match told {
            Told::Case(path, sentence, failures) => {
                self.note_case(path, sentence, failures, output);
            }
            Told::Function(path, sentence, failure) => {
                self.note_module_test(path, sentence, failure.as_ref(), output);
            }
            Told::BrokenFile(path, findings) => self.note_broken_file(path, findings, output),
            Told::NotLoaded(findings) => self.note_not_loaded(findings, output),
            Told::Complaint(finding) => output.write_finding_to_stderr(finding),
            Told::Edits(source, edits) => self.note_edits(source, edits),
            Told::Resumed(lines) => self.note_resumed(*lines),
        }
    }

    /// Notes new expected lines of a file.
    fn note_edits(&mut self, source: &Arc<Source>, edits: &[Edit]) {
        let of_file = self.edits.entry(source.name().to_owned());
        let of_file = of_file.or_insert_with(|| (Arc::clone(source), Vec::new()));
        of_file.1.extend_from_slice(edits);
    }

    /// Writes the noted expected lines into the files of their transcripts.
    pub(crate) fn write_edits(&mut self, scope: &Scope, output: &mut Output) {
        for (name, (source, edits)) in std::mem::take(&mut self.edits) {
            match replace_file(scope, &source, &bless_text(source.text(), &edits)) {
                Ok(()) => self.blessed += edits.len(),
                Err(why) => {
                    let why = io_error_words(&why);
                    let message = format!("{name} cannot be written: {why}");
                    let finding = Diagnostic::error("host/not-written", message);
                    self.note_broken_file(&name, &[finding], output);
                }
            }
        }
    }

    /// Notes the number of lines that were submitted in fresh sessions too.
    fn note_resumed(&mut self, lines: usize) {
        *self.resumed.get_or_insert(0) += lines;
    }

    /// Notes a case of a transcript.
    fn note_case(&mut self, path: &str, sentence: &str, failures: &[Failure], output: &mut Output) {
        for failure in failures {
            if output.format == Format::Json {
                output.write_json_line(&failure_json(path, sentence, failure));
            } else {
                output.write_result(&format!("{path}:{}: {sentence}", failure.line));
                print_failure(failure, output);
            }
        }
        self.count_test(failures.is_empty());
    }

    /// Notes a test of a module.
    fn note_module_test(
        &mut self,
        path: &str,
        sentence: &str,
        failure: Option<&Diagnostic>,
        output: &mut Output,
    ) {
        if let Some(finding) = failure {
            if output.format == Format::Json {
                output.write_json_line(&finding_json(path, sentence, finding));
            } else {
                output.write_result(&format!("{path}: {sentence}"));
                output.write_finding(finding);
            }
        }
        self.count_test(failure.is_none());
    }

    /// Notes a file that cannot be run; it counts as one failed test.
    fn note_broken_file(&mut self, path: &str, findings: &[Diagnostic], output: &mut Output) {
        for finding in findings {
            if output.format == Format::Json {
                output.write_json_line(&finding_json(path, "", finding));
            } else {
                output.write_finding(finding);
            }
        }
        self.count_test(false);
    }

    /// Notes a ruleset that cannot be loaded: none of its tests ran.
    fn note_not_loaded(&mut self, findings: &[Diagnostic], output: &mut Output) {
        for finding in findings {
            output.write_finding_to_stderr(finding);
        }
        self.not_loaded = true;
    }

    /// Returns the last line: numbers of passed and failed tests.
    pub(crate) fn summary(&self) -> String {
        let blessed = if self.blesses {
            format!(", {} blessed", self.blessed)
        } else {
            String::new()
        };
        let resumed = self.resumed.map_or_else(String::new, |lines| {
            let lines = counted_noun(lines, "line");
            format!(", {lines} repeated in fresh sessions")
        });
        let Report { passed, failed, .. } = self;
        format!("{passed} passed, {failed} failed{blessed}{resumed}")
    }

    /// Returns the line that says how to have the codes of the findings explained, if there is one.
    pub(crate) fn help_line(&self) -> Option<String> {
        self.codes.help_line(found_codes::ON_COMMAND_LINE)
    }

    /// Returns the exit code.
    pub(crate) fn exit(&self) -> Exit {
        match (self.not_loaded, self.failed) {
            (true, _) => Exit::NotLoaded,
            (false, 0) => Exit::Ok,
            (false, _) => Exit::Refused,
        }
    }

    fn count_test(&mut self, passed: bool) {
        if passed {
            self.passed += 1;
        } else {
            self.failed += 1;
        }
    }
}

fn print_failure(failure: &Failure, output: &mut Output) {
    if let Some(command) = &failure.command {
        output.write_result(&format!("  > {command}"));
    }
    match &failure.problem {
        Problem::Says {
            difference, fault, ..
        } => {
            let lines: Vec<String> = difference.iter().map(|line| format!("  {line}")).collect();
            output.write_result(&lines.join("\n"));
            if let Some(fault) = fault {
                output.write_finding(fault);
            }
        }
        Problem::Broken(finding) => output.write_finding(finding),
    }
}

fn failure_json(path: &str, sentence: &str, failure: &Failure) -> Value {
    let problem = match &failure.problem {
        Problem::Says {
            actual,
            difference,
            fault,
            ..
        } => {
            let mut problem = json!({ "actual": actual, "difference": difference });
            if let Some(fault) = fault {
                problem["error"] = fault.to_error_json();
            }
            problem
        }
        Problem::Broken(finding) => json!({ "error": finding.to_error_json() }),
    };
    let mut object =
        json!({ "path": path, "line": failure.line, "case": sentence, "command": failure.command });
    if let (Some(object), Some(problem)) = (object.as_object_mut(), problem.as_object()) {
        object.extend(problem.clone());
    }
    object
}

fn finding_json(path: &str, sentence: &str, finding: &Diagnostic) -> Value {
    json!({ "path": path, "case": sentence, "error": finding.to_error_json() })
}
