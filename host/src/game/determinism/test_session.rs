//! Game functions for tests: they run every command twice, set up test cases, and run the tests of modules.

use std::rc::Rc;
use std::sync::Arc;

use crate::diag::{Diagnostic, Source};
use crate::doc::Document;
use crate::game::attempt::line_parser::{bad_line_refusal, parse_command_line};
use crate::game::attempt::procedure::Procedure;
use crate::game::attempt::ruling_run::{attempt_procedure, run_ruling, take_state_into_run};
use crate::game::command::dispatch::{dispatch_line, prepare_rules_command, words_of_help_request};
use crate::game::past::run_difference::differing_parts_in_words;
use crate::game::ruling::input_source::{SharedInputs, WaitingQuestion};
use crate::game::ruling::named_files::read_named_file;
use crate::game::ruling::ruling_context::Ruling;
use crate::game::ruling::waiting_ruling::waiting_ruling_by_ruling_number;
use crate::game::session::Solo;
use crate::game::timeline::Timeline;
use crate::game::timeline::input::Input;
use crate::game::timeline::reply::Reply;
use crate::script::{self, Engine, GM, Owner, Run, owner_of_template, run_test, test_sentences};
use crate::store::Change;
use crate::value::Value;

/// A file `name.test.luau` with tests of a module.
#[derive(Clone, Debug)]
pub struct TestFile {
    /// The mod that contains it.
    pub mod_name: String,
    /// Its path below the scripts of the mod.
    pub path: String,
    /// Its text.
    pub source: Arc<Source>,
}

/// The result of one run of a command.
#[derive(Debug, Default, PartialEq)]
struct Outcome {
    changes: Vec<Change>,
    inputs: Vec<Value>,
    documents: Vec<Document>,
    /// The questions for which it waits.
    questions: Vec<WaitingQuestion>,
    refusal: Option<(String, String)>,
}

/// Gives the settings of a test case to the ruleset's function `test`, as a ruling.
pub fn set_up_test(solo: &mut Solo, settings: &Value) -> Reply {
    solo.run_as_line((GM, "test set-up"), |timeline, ruling| {
        run_ruling(timeline, ruling, Procedure::TestSetup(settings))
    })
}

/// Takes one line as [`Solo::submit`] does; a command of the rules is run twice from one state.
///
/// The finding `script/keeps-state` contains the difference.
pub fn submit_twice(solo: &mut Solo, by: &str, line: &str) -> (Reply, Option<Diagnostic>) {
    let mut finding = None;
    solo.client.change_seat(by);
    let give = |timeline: &mut Timeline, ruling: &Ruling<'_>| {
        let first = rehearse_command(timeline, ruling);
        let before = timeline.history.operations().len();
        let reply = dispatch_line(timeline, ruling);
        finding = first.and_then(|first| second_run_difference(timeline, &first, &reply, before));
        reply
    };
    let reply = solo.session.submit_with(&mut solo.client, line, give);
    (reply, finding)
}

/// Returns the part of a command's result that its first run did not have; its operations begin at a given index.
fn second_run_difference(
    timeline: &Timeline,
    first: &Outcome,
    reply: &Reply,
    before: usize,
) -> Option<Diagnostic> {
    let operation = timeline.history.operations().get(before);
    let waits = reply
        .waits
        .and_then(|number| waiting_ruling_by_ruling_number(&timeline.state, number));
    let second = match waits {
        Some(waiting) => Outcome {
            inputs: waiting.transcript.iter().map(Input::to_value).collect(),
            documents: reply.provisional.clone(),
            questions: waiting.open,
            ..Outcome::default()
        },
        None => Outcome {
            changes: operation.map_or_else(Vec::new, |one| one.changes.clone()),
            inputs: operation.map_or_else(Vec::new, |one| one.inputs.clone()),
            documents: reply.documents.clone(),
            refusal: reply.refusal.as_ref().map(code_and_message),
            ..Outcome::default()
        },
    };
    kept_state_finding(first, &second)
}

/// Runs a command of the rules and rolls everything back; returns nothing for a command of the host and for a request
/// for help.
fn rehearse_command(timeline: &mut Timeline, ruling: &Ruling<'_>) -> Option<Outcome> {
    let (by, line) = (ruling.by(), ruling.line.trim());
    let ruling = &Ruling { line, ..*ruling };
    if bad_line_refusal(line).is_some() || words_of_help_request(timeline, by, line).is_some() {
        return None;
    }
    let (phrase, _) = parse_command_line(timeline, by, line).ok()?;
    let owner = owner_of_template(&phrase.template)?;
    if matches!(owner, Owner::Host(_)) {
        return None;
    }
    let ready = prepare_rules_command(timeline, ruling, &owner, &phrase).ok()?;
    let attempt = attempt_procedure(timeline, ruling, Procedure::Command(&ready));
    let changes = timeline.state.changes_since(attempt.mark);
    timeline.state.rollback(attempt.mark);
    let inputs = attempt
        .input_source
        .used_inputs()
        .iter()
        .map(Input::to_value)
        .collect();
    let open = attempt.input_source.questions_at_stop();
    Some(match attempt.result {
        Ok(()) if open.is_some() => Outcome {
            inputs,
            documents: attempt.documents,
            questions: open
                .into_iter()
                .flatten()
                .map(WaitingQuestion::into_stored)
                .collect(),
            ..Outcome::default()
        },
        Ok(()) => Outcome {
            changes,
            inputs,
            documents: attempt.documents,
            ..Outcome::default()
        },
        Err(finding) => Outcome {
            inputs,
            refusal: Some(code_and_message(&finding)),
            ..Outcome::default()
        },
    })
}

/// Runs the tests of a file, each in a ruling that is rolled back: sentences in order, with the reason of a failure.
///
/// Errors: the file cannot be run.
pub fn run_tests(
    solo: &mut Solo,
    file: &TestFile,
) -> Result<Vec<(String, Option<Diagnostic>)>, Diagnostic> {
    let place = (file.mod_name.as_str(), file.path.as_str());
    let sentences = run_and_take_back(solo, "tests", |machine, run| {
        test_sentences(machine, run, place, &file.source)
    })?;
    let mut results = Vec::new();
    for sentence in sentences {
        let result = run_and_take_back(solo, &sentence, |machine, run| {
            run_test(machine, run, place, &file.source, &sentence)
        });
        results.push((sentence, result.err()));
    }
    Ok(results)
}

/// Returns the transcript of the cases that a file contains in a form of the ruleset.
///
/// Errors: the errors of the file, and the errors of the function `cases` of the ruleset.
pub fn transcript_of_file(solo: &Solo, path: &str) -> Result<String, Diagnostic> {
    let file = read_named_file(solo.client.file_folder(), path).map_err(|finding| *finding)?;
    let timeline = solo.timeline();
    let machine = timeline.generation().machine();
    script::transcript_of_case_file(&machine, &timeline.state, Rc::new(file))
}

/// Runs a function with its own dice and rolls back its changes.
fn run_and_take_back<R>(
    solo: &mut Solo,
    address_start: &str,
    body: impl FnOnce(&Engine, Run) -> (Run, R),
) -> R {
    solo.run_as_line((GM, "test"), |timeline, ruling| {
        let input_source =
            SharedInputs::with_seeded_dice(&timeline.dice.seed, address_start, Vec::new());
        let run = take_state_into_run(
            &mut timeline.scratch_copy(),
            ruling,
            ("test", false),
            &input_source,
        );
        let machine = timeline.generation().machine();
        let (_, result) = body(&machine, run);
        drop(machine.take_printed());
        result
    })
}

fn code_and_message(finding: &Diagnostic) -> (String, String) {
    (finding.code.to_string(), finding.message.clone())
}

fn kept_state_finding(first: &Outcome, second: &Outcome) -> Option<Diagnostic> {
    let parts = [
        ("the refusal", first.refusal != second.refusal),
        ("the questions", first.questions != second.questions),
        ("what is said", first.documents != second.documents),
        ("the dice", first.inputs != second.inputs),
        ("the changes", first.changes != second.changes),
    ];
    let named = differing_parts_in_words(&parts)?;
    let verb = match named.as_str() {
        "the refusal" | "what is said" => "differs",
        _ => "differ",
    };
    let message = format!("the command was run twice from the same state, and {named} {verb}");
    Some(
        Diagnostic::error("script/keeps-state", message)
            .hint("a script probably keeps a value in a local variable; store it with act:set")
            .hint(
                "look for a local variable of a file that a function changes; `check` lists them",
            ),
    )
}
