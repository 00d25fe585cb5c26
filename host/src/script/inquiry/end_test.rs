//! Tests that decide whether records end: expressions of the host, and texts of the ruleset.
//!
//! In: questions, and the event after which they are asked, if one was emitted. Out: the records that are to end.
//! Functions that answer may only look. An end condition without an answer sleeps, and the game master gets a report.

use std::rc::Rc;

use mlua::{Function, Lua, Table, Value as LuaValue};

use super::expression_callbacks;
use crate::diag::Diagnostic;
use crate::doc::build::paragraph;
use crate::doc::{Audience, Document};
use crate::script::border::stack_value::This;
use crate::script::border::type_in_words;
use crate::script::border::value_conversion;
use crate::script::host::Host;
use crate::script::host::error_findings::{HostError, diagnose};
use crate::script::host::read_only_tables::seal_deeply;
use crate::store::Frame;
use crate::store::end_conditions::{Due, Question, due_by_answers};
use crate::value::Value;

/// Returns the records with questions that hold. Errors: a limit is passed.
pub(crate) fn records_due_to_end(
    lua: &Lua,
    host: &Host,
    act: This,
    questions: Vec<Question>,
    event: Option<&Table>,
) -> mlua::Result<Vec<Due>> {
    host.charge(questions.len() as u64)?;
    let mut answers = expressions_hold(lua, host, act, &questions)?.into_iter();
    let mut copy = None;
    due_by_answers(questions, |question| match &question.bound {
        None => Ok(answers.next().unwrap_or(false)),
        Some(bound) => {
            if copy.is_none() {
                copy = event
                    .map(|event| read_only_event_copy(lua, host, event))
                    .transpose()?;
            }
            let holds = ask_ruleset_holds(lua, host, question, bound, copy.as_ref());
            answer_or_sleep(host, act, question, holds)
        }
    })
}

/// Returns, for each question that is an expression of the host, whether it holds.
fn expressions_hold(
    lua: &Lua,
    host: &Host,
    act: This,
    questions: &[Question],
) -> mlua::Result<Vec<bool>> {
    let own = questions.iter().filter(|one| one.bound.is_none());
    let own: Vec<&Question> = own.collect();
    if own.is_empty() {
        return Ok(Vec::new());
    }
    match evaluate_expressions(lua, host, act, &own) {
        Err(_) if !host.is_stopped() => evaluate_one_by_one(lua, host, act, &own),
        answers => answers,
    }
}

/// Evaluates expressions. Errors: one cannot be tested.
fn evaluate_expressions(
    lua: &Lua,
    host: &Host,
    act: This,
    questions: &[&Question],
) -> mlua::Result<Vec<bool>> {
    let run = host.ruling(act)?;
    let frames: Vec<Frame> = questions
        .iter()
        .map(|one| Frame {
            itself: Some(run.state.bearer(one.record)),
            record: Some(one.record),
        })
        .collect();
    expression_callbacks::look_with_rules(lua, host, run, |look| {
        let asked = questions.iter().zip(frames);
        let answers = asked.map(|(one, frame)| {
            let value = look.evaluate(&host.parsed_condition(&one.text), frame)?;
            Ok(value.is_true())
        });
        answers.collect()
    })
}

#[cold]
fn evaluate_one_by_one(
    lua: &Lua,
    host: &Host,
    act: This,
    questions: &[&Question],
) -> mlua::Result<Vec<bool>> {
    let answers = questions.iter().map(|one| {
        let answer = evaluate_expressions(lua, host, act, &[one]);
        let holds = answer.map(|answers| answers.into_iter().any(|holds| holds));
        answer_or_sleep(host, act, one, holds)
    });
    answers.collect()
}

/// Asks the ruleset. Errors: it has no function for this, the function breaks, or returns neither true nor false.
fn ask_ruleset_holds(
    lua: &Lua,
    host: &Host,
    question: &Question,
    bound: &Value,
    event: Option<&Table>,
) -> mlua::Result<bool> {
    let (Some(test), Some(act)) = (
        host.rules.borrow().record_end_test_function(),
        host.live_act(),
    ) else {
        let finding =
            Diagnostic::error("script/expression", "the ruleset has no `expressions.test`");
        return Err(HostError::error_of_finding(finding));
    };
    host.charge(value_conversion::fuel_of_passing_value(bound))?;
    let bound = value_conversion::to_lua(bound, lua)?;
    let record = host.names.text(question.record);
    let answer =
        call_ruleset_end_test(host, &test, (act, &*question.text, bound, &*record, event))?;
    match answer {
        LuaValue::Boolean(holds) => Ok(holds),
        other => {
            let found = type_in_words(other.type_name());
            let message = format!("`expressions.test` returns true or false, not {found}");
            Err(HostError::error_of_finding(Diagnostic::error(
                "script/expression",
                message,
            )))
        }
    }
}

fn call_ruleset_end_test(
    host: &Host,
    test: &Function,
    given: (Table, &str, LuaValue, &str, Option<&Table>),
) -> mlua::Result<LuaValue> {
    let _looking = host.allow_looking_only();
    host.call_from_host_function(test, given)
}

/// Returns a read-only copy of the fields of an event. Values that are not plain data are left out.
fn read_only_event_copy(lua: &Lua, host: &Host, event: &Table) -> mlua::Result<Table> {
    let copy = lua.create_table()?;
    for entry in event.pairs::<LuaValue, LuaValue>() {
        let (key, held) = entry?;
        let (held, fuel) = value_conversion::from_lua_with_fuel(held);
        host.charge(fuel)?;
        if let Ok(held) = held {
            copy.raw_set(key, value_conversion::to_lua(&held, lua)?)?;
        }
    }
    seal_deeply(&copy)?;
    Ok(copy)
}

/// Returns an answer. If there is no answer, the end condition sleeps. Errors: a limit is passed.
fn answer_or_sleep(
    host: &Host,
    act: This,
    question: &Question,
    answer: mlua::Result<bool>,
) -> mlua::Result<bool> {
    match answer {
        Err(error) if !host.is_stopped() => {
            report_untestable_end_to_gm(host, act, question, &error)?;
            Ok(false)
        }
        answer => answer,
    }
}

/// Reports to the game master, once in a ruling, that an end condition of a record cannot be tested.
#[cold]
fn report_untestable_end_to_gm(
    host: &Host,
    act: This,
    question: &Question,
    error: &mlua::Error,
) -> mlua::Result<()> {
    let rules = Rc::clone(&host.rules.borrow());
    let finding = diagnose(error, None, &rules.sources);
    let (why, place) = (finding.message, finding.place);
    let place = place.map_or_else(String::new, |place| format!(", at {place}"));
    let mut run = host.ruling(act)?;
    let owner = run.state.owner(question.record).unwrap_or(question.record);
    let (record, owner) = (host.names.text(question.record), host.names.text(owner));
    // An end at an event needs no text: then the ruleset only compares the event with what the record has bound.
    let tested = match &*question.text {
        "" => "its event".to_owned(),
        text => format!("\"{text}\""),
    };
    let said = format!(
        "the end of {record} on {owner} is inactive, because {tested} cannot be tested: {why}{place}; why {record} shows who attached it, remove {record} removes it",
    );
    let told = Document::new([paragraph(said)]).limit_to_audience(Audience::Gm);
    if !run.documents.contains(&told) {
        run.documents.push(told);
    }
    Ok(())
}
