//! Runs the tests of one ruleset, which is loaded once for all of them.

use host::game;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use host::diag::{Diagnostic, Source};
use host::game::{Machines, Seed, Session, SessionOptions, Solo, TestFile};
use host::script::{EngineOptions, Profiler};

use super::Wanted;
use super::suite_lookup::{Suite, Tests, is_unread_test_error};
use super::test_report::Told;
use super::thread_share::Share;
use crate::arguments::Determinism;
use crate::commands::COMMANDS;
use crate::path_scope::Scope;
use crate::transcript::{
    Edit, Failure, Problem, Transcript, parse_transcript, play_case, replay_case,
};

/// Loads the ruleset of a suite. Errors: the findings of rules that cannot be loaded at all.
pub(crate) fn load_suite_rules(
    suite: &Suite,
    profiler: Option<&Profiler>,
) -> Result<Solo, Vec<Diagnostic>> {
    let options = SessionOptions {
        home: suite.home.clone(),
        ruleset: suite.ruleset.clone(),
        seed: Seed::from_text("tests"),
        engine: EngineOptions {
            profiler: profiler.cloned(),
            ..EngineOptions::default()
        },
    };
    Session::open(options, &COMMANDS).map(Solo::from)
}

/// Returns the errors of rules that were loaded as far as possible. Test files that cannot be read are reported as tests.
pub(crate) fn rule_errors(solo: &Solo) -> Vec<Diagnostic> {
    let findings = solo.session.generations().live().findings().iter();
    let is_of_rules = |found: &&Diagnostic| found.is_error() && !is_unread_test_error(found);
    findings.filter(is_of_rules).cloned().collect()
}

/// Runner of tests: its options, and the receiver of the outcomes.
pub(crate) struct Runner<'a> {
    /// The place of the tests.
    pub(crate) scope: &'a Scope,
    /// Options of the tests.
    pub(crate) wanted: Wanted<'a>,
    /// The tests that are run here.
    pub(crate) share: Share,
    /// Receiver of the outcomes.
    pub(crate) tell: &'a mut dyn FnMut(Told),
}

impl Runner<'_> {
    /// Loads the ruleset of a suite and runs its files.
    pub(crate) fn run_suite(&mut self, suite: &Suite) {
        match load_suite_rules(suite, self.wanted.profiler) {
            Ok(solo) => self.run_files(suite, solo),
            Err(findings) if self.share.reports_rule_errors() => {
                (self.tell)(Told::NotLoaded(findings));
            }
            Err(_) => {}
        }
    }

    fn run_files(&mut self, suite: &Suite, mut solo: Solo) {
        if self.share.reports_rule_errors() {
            rule_errors(&solo)
                .into_iter()
                .for_each(|found| (self.tell)(Told::Complaint(found)));
        }
        let mut machines = Machines::default();
        for tests in &suite.files {
            let at = (&mut solo, &mut machines);
            match tests {
                Tests::Transcript {
                    source,
                    transcript,
                    findings,
                } => self.run_transcript(at, (source, transcript), findings),
                Tests::Module(file) => self.run_module_tests(at.0, file),
                Tests::Cases(name, path) => self.play_cases_of_file(at, (name, path)),
            }
        }
    }

    fn run_transcript(
        &mut self,
        (solo, machines): (&mut Solo, &mut Machines),
        (source, transcript): (&Arc<Source>, &Transcript),
        findings: &[Diagnostic],
    ) {
        if !findings.is_empty() {
            return self.report_broken_file(source.name(), findings.to_vec());
        }
        solo.client.set_file_folder(folder_of(self.scope, source));
        let edits = self.play_cases((solo, machines), source, transcript);
        if !edits.is_empty() {
            (self.tell)(Told::Edits(Arc::clone(source), edits));
        }
    }

    fn report_broken_file(&mut self, name: &str, findings: Vec<Diagnostic>) {
        if self.share.contains_test(name, "") {
            (self.tell)(Told::BrokenFile(name.to_owned(), findings));
        }
    }

    /// Plays the cases of a transcript and returns the edits for its expected lines.
    fn play_cases(
        &mut self,
        (solo, machines): (&mut Solo, &mut Machines),
        source: &Arc<Source>,
        transcript: &Transcript,
    ) -> Vec<Edit> {
        let (mut edits, name) = (Vec::new(), source.name());
        let cases = transcript.cases.iter();
        for case in cases.filter(|case| self.share.contains_test(name, &case.sentence)) {
            let mut played = play_case(solo, case);
            let mut failures = std::mem::take(&mut played.failures);
            let machines = match self.wanted.determinism {
                None => None,
                Some(Determinism::Short) => Some(Some(&mut *machines)),
                Some(Determinism::Full) => Some(None),
            };
            if let Some(machines) = machines {
                let (broken, resumed) = replay_case(solo, (case, &played), machines);
                failures.extend(broken);
                (self.tell)(Told::Resumed(resumed));
            }
            if self.wanted.bless {
                edits.extend(failures.iter().filter_map(edit_for_failure));
                failures.retain(|failure| edit_for_failure(failure).is_none());
                failures = failures.into_iter().map(with_not_blessed_note).collect();
            }
            let sentence = case.sentence.clone();
            (self.tell)(Told::Case(name.to_owned(), sentence, failures));
        }
        edits
    }

    /// Plays the cases that the ruleset finds in a file; their lines come from the transcript that it makes from
    /// the file.
    fn play_cases_of_file(
        &mut self,
        (solo, machines): (&mut Solo, &mut Machines),
        (name, path): (&str, &Path),
    ) {
        solo.client
            .set_file_folder(path.parent().unwrap_or(Path::new("")));
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        let text = match game::transcript_of_file(solo, &file) {
            Ok(text) => text,
            Err(finding) => return self.report_broken_file(name, vec![finding]),
        };
        let source = Source::new(format!("{name}, as a transcript"), text);
        let (transcript, findings) = parse_transcript(&source);
        if findings.is_empty() {
            self.play_cases((solo, machines), &source, &transcript);
        } else {
            self.report_broken_file(name, findings);
        }
    }

    fn run_module_tests(&mut self, solo: &mut Solo, file: &TestFile) {
        let name = file.source.name();
        if !self.share.contains_test(name, "") {
            return;
        }
        if let Some(refusal) = solo.restart(Seed::from_text(name)).refusal {
            return self.report_broken_file(name, vec![refusal]);
        }
        match game::run_tests(solo, file) {
            Ok(results) => {
                for (sentence, failure) in results {
                    (self.tell)(Told::Function(name.to_owned(), sentence, failure));
                }
            }
            Err(finding) => self.report_broken_file(name, vec![finding]),
        }
    }
}

/// Returns the edit for expected lines that a command does not print.
fn edit_for_failure(failure: &Failure) -> Option<Edit> {
    match &failure.problem {
        Problem::Says {
            expected,
            actual,
            fault: None,
            ..
        } => Some(Edit {
            command: failure.line,
            expected: expected.clone(),
            actual: actual.clone(),
        }),
        Problem::Says { fault: Some(_), .. } | Problem::Broken(_) => None,
    }
}

/// Notes in a failure that the error of a broken command is not written as expected output.
fn with_not_blessed_note(mut failure: Failure) -> Failure {
    if let Problem::Says {
        fault: Some(fault), ..
    } = failure.problem
    {
        let code = &fault.code;
        let hint = format!(
            "this error was not written as expected; if it is expected, write | error[{code}] below the command and \
             bless again"
        );
        failure.problem = Problem::Broken(Box::new(fault.hint(hint)));
    }
    failure
}

/// Returns the folder of the files that the lines of a transcript name: the folder of the transcript.
fn folder_of(scope: &Scope, source: &Source) -> PathBuf {
    let file = scope.file_of_shown_name(source.name());
    let folder = file.as_deref().and_then(Path::parent);
    folder.map(Path::to_owned).unwrap_or_default()
}
