//! This module runs the tests beside the scripts: transcripts and tables of functions.

mod find;
mod report;
mod suite;

use std::path::PathBuf;

use host::diag::Diagnostic;

use crate::answer;
use crate::arguments::Common;
use crate::check::begin;
use crate::exit::Exit;
use crate::output::Output;
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
    let (home, scope) = match begin(common, paths) {
        Ok(begun) => begun,
        Err(refusal) => {
            answer::refused(output, &refusal);
            return Exit::Usage;
        }
    };
    let only = common.ruleset.as_deref();
    let suites = match find::suites(&home, &scope, only) {
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
    let mut report = Report::new(wanted.bless);
    for suite in &suites {
        suite::run(&scope, suite, wanted, &mut report, output);
        if output.is_closed() {
            break;
        }
    }
    output.talk(&report.summary());
    report.exit()
}
