//! Runs the tests beside the scripts: transcripts and tables of functions.

mod suite_lookup;
mod suite_runner;
mod test_report;
mod thread_share;

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::mpsc::{Sender, channel};
use std::thread::{Builder, scope};

use crate::arguments::Determinism;
use host::diag::Diagnostic;
use host::doc::Format;
use host::game::Shard;
use host::script::Profiler;

use crate::arguments::Common;
use crate::exit_code::Exit;
use crate::game_thread::{STACK, no_thread_finding};
use crate::output::Output;
use crate::path_scope::Scope;
use crate::path_target::{Begun, home_and_scope};
use crate::reply_output;
use suite_lookup::Suite;
use suite_runner::Runner;
use test_report::{Report, Told};
use thread_share::Share;

/// Options of the tests besides a report.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted<'a> {
    /// Expected lines are replaced by the present output.
    pub(crate) bless: bool,
    /// Each transcript is also checked for determinism.
    pub(crate) determinism: Option<Determinism>,
    /// Number of threads that run them.
    pub(crate) jobs: NonZeroUsize,
    /// The part of them that is run.
    pub(crate) part: Shard,
    /// Profiler of processor time.
    pub(crate) profiler: Option<&'a Profiler>,
}

/// Runs the tests under the paths.
pub(crate) fn test_and_report(
    common: &Common,
    paths: &[PathBuf],
    wanted: Wanted<'_>,
    output: &mut Output,
) -> Exit {
    let Begun { home, scope, only } = match home_and_scope(common, paths) {
        Ok(begun) => begun,
        Err(refusal) => {
            reply_output::write_refusal(output, &refusal);
            return Exit::Usage;
        }
    };
    let suites = match suite_lookup::find_suites(&home, &scope, only.as_deref()) {
        Ok(suites) => suites,
        Err(refusal) => {
            reply_output::write_refusal(output, &refusal);
            return Exit::Usage;
        }
    };
    if suites.is_empty() && !paths.is_empty() {
        // Tests of an invalid mod are not read either.
        for found in home.mods().1.iter().filter(|found| found.is_error()) {
            output.write_finding_to_stderr(found);
        }
        let refusal = Diagnostic::error("test/none", "no tests found under these paths")
            .hint("a test is a file NAME.test.txt or NAME.test.luau in the scripts of a ruleset");
        reply_output::write_refusal(output, &refusal);
        return Exit::Usage;
    }
    if wanted.bless && !check_all_rules_load(&suites, output) {
        return Exit::NotLoaded;
    }
    let mut report = Report::new(wanted.bless);
    let ran = match wanted.jobs.get() {
        1 => {
            run_on_this_thread((&scope, &suites), wanted, &mut report, output);
            Ok(())
        }
        _ => run_on_threads((&scope, &suites), wanted, &mut report, output),
    };
    if let Err(refusal) = ran {
        reply_output::write_refusal(output, &refusal);
        return Exit::Bug;
    }
    report.write_edits(&scope, output);
    if output.format != Format::Json {
        output.write_line_to_stderr_unless_quiet(report.help_line());
    }
    output.write_stderr_unless_quiet(&report.summary());
    report.exit()
}

/// Runs the tests on this thread, and reports each outcome at once.
fn run_on_this_thread(
    (scope, suites): (&Scope, &[Suite]),
    wanted: Wanted<'_>,
    report: &mut Report,
    output: &mut Output,
) {
    let share = Share {
        part: wanted.part,
        thread: 0,
        threads: NonZeroUsize::MIN,
    };
    for suite in suites {
        let mut runner = Runner {
            scope,
            wanted,
            share,
            tell: &mut |told| report.note_outcome(&told, output),
        };
        runner.run_suite(suite);
        if output.is_closed() {
            break;
        }
    }
}

/// Runs the tests on several threads and reports the outcomes in order of file, when all are done.
///
/// Errors: a thread cannot be started.
fn run_on_threads(
    (tests, suites): (&Scope, &[Suite]),
    wanted: Wanted<'_>,
    report: &mut Report,
    output: &mut Output,
) -> Result<(), Box<Diagnostic>> {
    let (tell, told) = channel();
    let mut told: Vec<Told> = scope(|threads| {
        for thread in 0..wanted.jobs.get() {
            let share = Share {
                part: wanted.part,
                thread,
                threads: wanted.jobs,
            };
            let tell = tell.clone();
            let run = move || run_thread_share(tests, (suites, share), wanted, &tell);
            let named = Builder::new().name("tests".to_owned()).stack_size(STACK);
            let started = named.spawn_scoped(threads, run);
            started.map_err(|error| Box::new(no_thread_finding(&error.to_string())))?;
        }
        drop(tell);
        Ok::<_, Box<Diagnostic>>(told.into_iter().collect())
    })?;
    told.sort_by(|one, other| one.sort_key().cmp(&other.sort_key()));
    for one in &told {
        report.note_outcome(one, output);
    }
    Ok(())
}

/// Runs the tests of one thread.
fn run_thread_share(
    scope: &Scope,
    (suites, share): (&[Suite], Share),
    wanted: Wanted<'_>,
    tell: &Sender<Told>,
) {
    let mut tell = |told| {
        let heard = tell.send(told);
        heard.expect("invariant: the code that started the threads listens until they end");
    };
    let tell = &mut tell;
    let mut runner = Runner {
        scope,
        wanted,
        share,
        tell,
    };
    suites.iter().for_each(|suite| runner.run_suite(suite));
}

/// Returns whether all rules load without an error; errors are reported. Output of broken rules is never written as
/// expected output.
fn check_all_rules_load(suites: &[Suite], output: &mut Output) -> bool {
    let mut broken = Vec::new();
    for suite in suites {
        let errors = suite_runner::load_suite_rules(suite, None)
            .map_or_else(|findings| findings, |one| suite_runner::rule_errors(&one));
        if !errors.is_empty() {
            broken.push(suite.ruleset.as_str());
        }
        for found in &errors {
            output.write_finding_to_stderr(found);
        }
    }
    if broken.is_empty() {
        return true;
    }
    let message = format!(
        "no expected lines were written, because the rules of {} do not load",
        broken.join(", ")
    );
    let refusal = Diagnostic::error("test/not-blessed", message);
    reply_output::write_refusal(
        output,
        &refusal.hint("fix the errors above, or name only tests of other rulesets"),
    );
    false
}
