//! Runs rules: a command, the set-up, the continuation of an answered prompt; and reads their results.

use std::rc::Rc;

use mlua::{Function, Table};

use crate::diag::Diagnostic;
use crate::script::api::{
    diagnostic_of_refusal, end_records_by_expression, read_refusal_place, send_unsent_lines,
};
use crate::script::border::stack_value::{Returned, This};
use crate::script::border::type_in_words;
use crate::script::border::value_conversion;
use crate::script::engine::Engine;
use crate::script::fuel::Limit;
use crate::script::host::error_findings::HostError;
use crate::script::inquiry::open_prompts::Continuation;
use crate::script::inquiry::questions::ask_people;
use crate::script::run::question::Question;
use crate::script::run::{Outcome, Run};
use crate::store::clock::Clock;
use crate::value::Value;

/// Runs a function of a definition as a command: `f(act, argument)`.
///
/// Errors: a script error or a limit, as a finding with place and trace. The run comes back in its state at the error.
pub fn run_command(
    engine: &Engine,
    run: Run,
    (collection, id, key): (&str, &str, &str),
    argument: &Value,
) -> (Run, Result<Outcome, Diagnostic>) {
    let rules = engine.rules();
    let function = rules
        .tables
        .get(&(collection.to_owned(), id.to_owned()))
        .and_then(|table| table.raw_get::<Function>(key).ok());
    run_function(engine, run, function, argument)
}

/// Begins a game. Its clock shows the first phase, if it has phases. Then `setup` of `ruleset.luau` runs: `f(act)`.
pub fn run_setup(engine: &Engine, run: Run) -> (Run, Result<Outcome, Diagnostic>) {
    let mut run = run;
    let phases = Rc::clone(&engine.rules().phases);
    if !phases.names().is_empty()
        && let Err(error) = Clock::at_game_start(&phases).write_to_state(&mut run.state)
    {
        return (run, Err(error.to_diagnostic()));
    }
    match ruleset_function(engine, "setup") {
        Some(setup) => run_function(engine, run, Some(setup), &Value::Nil),
        None => (run, Ok(Outcome::Done)),
    }
}

/// Runs the function `test` of `ruleset.luau`: `f(act, settings)`, the settings of a test case as texts.
///
/// Errors: there is no such function, or as [`run_command`].
pub fn run_test_setup(
    engine: &Engine,
    run: Run,
    settings: &Value,
) -> (Run, Result<Outcome, Diagnostic>) {
    match ruleset_function(engine, "test") {
        Some(test) => run_function(engine, run, Some(test), settings),
        None => (run, Err(no_test_setup_finding(settings))),
    }
}

fn ruleset_function(engine: &Engine, name: &str) -> Option<Function> {
    let rules = engine.rules();
    let table = rules.ruleset_table.as_ref()?;
    table.raw_get::<Function>(name).ok()
}

fn run_function(
    engine: &Engine,
    run: Run,
    function: Option<Function>,
    argument: &Value,
) -> (Run, Result<Outcome, Diagnostic>) {
    let Some(function) = function else {
        let finding =
            Diagnostic::error("script/no-function", "the definition has no such function");
        return (run, Err(finding));
    };
    let ended = engine.with_act(run, |act| {
        let argument = Returned(argument.clone());
        let result: mlua::Value = engine.call_script_function(&function, (act, argument))?;
        finish_outcome(engine, act, (&function, result))
    });
    with_waiting_outcome(engine, ended)
}

/// Reads the result of the function of a rule, and tests which records end after it.
pub(in crate::script) fn finish_outcome(
    engine: &Engine,
    act: &Table,
    (function, result): (&Function, mlua::Value),
) -> mlua::Result<Outcome> {
    let outcome = read_outcome(result)?;
    let outcome = outcome.map_err(|found| no_result_error(engine, function, &found))?;
    if matches!(outcome, Outcome::Done) && engine.host.may_end_records() {
        end_records_by_expression(&engine.lua, act)?;
    }
    if matches!(outcome, Outcome::Done) {
        send_unsent_lines(&engine.lua, &engine.host, This(act.to_pointer() as usize))?;
    }
    Ok(outcome)
}

/// Runs the continuation of an answered prompt: asks its question, with the answer in the chance of the run. Then calls
/// `run(act, values, answer)`.
pub fn run_continuation(
    engine: &Engine,
    run: Run,
    (next, values): (&Continuation, &Value),
    question: Question,
) -> (Run, Result<Outcome, Diagnostic>) {
    let key = (next.collection.clone(), next.id.clone());
    let rules = engine.rules();
    let function = rules.tables.get(&key);
    let function = function.and_then(|table| table.raw_get::<Function>("run").ok());
    let Some(function) = function else {
        let message = format!("the definition \"{}\" has no function `run`", next.name());
        return (run, Err(Diagnostic::error("ask/no-continuation", message)));
    };
    let ended = engine.with_act(run, |act| {
        let this = This(act.to_pointer() as usize);
        let answer = ask_people(&engine.lua, &engine.host, this, vec![question])?.pop();
        let answer = value_conversion::to_lua(&answer.unwrap_or_default(), &engine.lua)?;
        let values = value_conversion::to_lua(values, &engine.lua)?;
        let result = engine.call_script_function(&function, (act, values, answer))?;
        finish_outcome(engine, act, (&function, result))
    });
    with_waiting_outcome(engine, ended)
}

/// Replaces the error of a waiting ruling by the outcome: the ruling unwound at its question.
pub(in crate::script) fn with_waiting_outcome(
    engine: &Engine,
    (run, result): (Run, Result<Outcome, Diagnostic>),
) -> (Run, Result<Outcome, Diagnostic>) {
    if engine.host.passed_limit() == Some(Limit::Waits) {
        return (run, Ok(Outcome::Waits));
    }
    (run, result)
}

/// Reads the result of a command: nothing, or the table of `act:done` and `act:fail`. The inner error is the kind of
/// any other result.
fn read_outcome(result: mlua::Value) -> mlua::Result<Result<Outcome, String>> {
    let table = match result {
        mlua::Value::Nil => return Ok(Ok(Outcome::Done)),
        mlua::Value::Table(table) => table,
        other => return Ok(Err(type_in_words(other.type_name()))),
    };
    match table.raw_get::<mlua::Value>("ok")?.as_boolean() {
        Some(true) => Ok(Ok(Outcome::Done)),
        Some(false) => {
            let mut finding = diagnostic_of_refusal(&table);
            finding.place = read_refusal_place(&table.raw_get("at")?).unwrap_or_default();
            Ok(Ok(Outcome::Refused(finding)))
        }
        None => Ok(Err("a table".to_owned())),
    }
}

fn no_test_setup_finding(settings: &Value) -> Diagnostic {
    let keys: Vec<&str> = settings
        .as_map()
        .into_iter()
        .flatten()
        .map(|(key, _)| &**key)
        .collect();
    let message = format!(
        "the ruleset has no function that reads the setting {} of this test",
        keys.join(", ")
    );
    Diagnostic::error("script/test-setting", message)
        .hint("write in ruleset.luau: test = function(act, settings) … end")
}

/// Returns the error of a function that returns an invalid result. Its place is the beginning of the function.
fn no_result_error(engine: &Engine, function: &Function, found: &str) -> mlua::Error {
    let finding = Diagnostic::error("script/no-result", format!("the function returns {found}"))
        .hint("return act:done(…), act:fail(…) or nothing");
    let (info, rules) = (function.info(), engine.rules());
    let source = info.short_src.and_then(|chunk| rules.sources.get(&*chunk));
    HostError::error_of_finding(match source {
        Some(source) => finding.at(source, source.line_span(info.line_defined.unwrap_or(1))),
        None => finding,
    })
}
