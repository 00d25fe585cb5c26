//! This module runs the tests beside the scripts: transcripts and tables of functions.

mod find;
mod report;
mod suite;

use std::path::PathBuf;

use host::diag::Diagnostic;

use crate::answer;
use crate::arguments::Common;
use crate::exit::Exit;
use crate::output::Output;
use crate::target::{Begun, begin};
use find::Suite;
use report::Report;

/// What is wanted of the tests besides a report.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted {
    /// Expected lines are written anew.
    pub(crate) bless: bool,
    /// The laws of every game are held over each transcript.
    pub(crate) laws: bool,
}

/// Runs the tests that lie under the paths.
pub(crate) fn test(
    common: &Common,
    paths: &[PathBuf],
    wanted: Wanted,
    output: &mut Output,
) -> Exit {
    let Begun { home, scope, only } = match begin(common, paths) {
        Ok(begun) => begun,
        Err(refusal) => {
            answer::refused(output, &refusal);
            return Exit::Usage;
        }
    };
    let suites = match find::suites(&home, &scope, only.as_deref()) {
        Ok(suites) => suites,
        Err(refusal) => {
            answer::refused(output, &refusal);
            return Exit::Usage;
        }
    };
    if suites.is_empty() && !paths.is_empty() {
        let refusal = Diagnostic::error("test/none", "no tests lie under these paths")
            .hint("a test is a file name.test.txt or name.test.luau in the scripts of a ruleset");
        answer::refused(output, &refusal);
        return Exit::Usage;
    }
    if wanted.bless && !all_load(&suites, output) {
        return Exit::NotLoaded;
    }
    let mut report = Report::new(wanted.bless);
    for suite in &suites {
        match suite::open(suite) {
            Ok(session) => suite::run(&scope, (suite, session), wanted, &mut report, output),
            Err(findings) => report.not_loaded(&findings, output),
        }
        if output.is_closed() {
            break;
        }
    }
    output.talk(&report.summary());
    report.exit()
}

/// Returns whether all rules load without an error; what is wrong is told. What broken rules say is never written as
/// what is expected.
fn all_load(suites: &[Suite], output: &mut Output) -> bool {
    let mut broken = Vec::new();
    for suite in suites {
        let errors = suite::open(suite).map_or_else(|findings| findings, |one| suite::errors(&one));
        if !errors.is_empty() {
            broken.push(suite.ruleset.as_str());
        }
        for found in &errors {
            output.complain(found);
        }
    }
    if broken.is_empty() {
        return true;
    }
    let message = format!(
        "no expected line is written: the rules of {} do not load",
        broken.join(", ")
    );
    let refusal = Diagnostic::error("test/not-blessed", message);
    answer::refused(
        output,
        &refusal.hint("mend what is told above, or name only tests of other rulesets"),
    );
    false
}
