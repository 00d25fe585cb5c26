//! Methods of `act` that ask people: now, several at once, or while the world goes on.

use mlua::Lua;

use super::clock_of_run;
use crate::diag::{Diagnostic, near_hint};
use crate::script::api::refusal_error;
use crate::script::border::stack_value::{Argument, Returned, This};
use crate::script::host::Host;
use crate::script::host::error_findings::HostError;
use crate::script::inquiry::open_prompts::{self, Continuation};
use crate::script::inquiry::questions::{ask_people as asked, check_questions};
use crate::script::run::deadline;
use crate::script::run::question::{Question, ReplyType};
use crate::value::Value;

/// Fields of a question.
const KEYS: [&str; 8] = [
    "to", "key", "who", "type", "options", "default", "deadline", "text",
];

pub(super) fn ask(
    lua: &Lua,
    host: &Host,
    (act, Argument(fields)): (This, Argument),
) -> mlua::Result<Returned> {
    let question = read_question("ask", &fields, &[])?;
    let mut answers = asked(lua, host, act, vec![question])?;
    Ok(Returned(answers.pop().unwrap_or_default()))
}

pub(super) fn ask_all(
    lua: &Lua,
    host: &Host,
    (act, Argument(list)): (This, Argument),
) -> mlua::Result<Returned> {
    if list.as_map().is_some_and(|map| !map.is_empty()) {
        let message = "`act:ask_all` takes a list of questions, found one table with named keys";
        return Err(refusal_error("script/argument", message));
    }
    let questions = list.items().iter();
    let questions: mlua::Result<Vec<Question>> = questions
        .map(|fields| read_question("ask_all", fields, &[]))
        .collect();
    let questions = questions?;
    if questions.is_empty() {
        return Ok(Returned(Value::list([])));
    }
    asked(lua, host, act, questions).map(|answers| Returned(Value::list(answers)))
}

pub(super) fn prompt(
    _: &Lua,
    host: &Host,
    (act, Argument(fields)): (This, Argument),
) -> mlua::Result<String> {
    let question = read_question("prompt", &fields, &["run", "values"])?;
    let Some(run) = fields.get("run").as_str() else {
        let message =
            "`act:prompt` needs `run`, the \"collection/id\" that continues with the answer";
        return Err(refusal_error("script/argument", message));
    };
    let question = check_questions(host, vec![question])?.remove(0);
    let rules = std::rc::Rc::clone(&host.rules.borrow());
    let next = Continuation::find_continuation(&rules, run).map_err(HostError::error_of_finding)?;
    let mut ruling = host.ruling_to_change(act)?;
    if let Some(due) = &question.deadline {
        let now = clock_of_run(host, &ruling).time;
        deadline::check_deadline(&question.label(), due, now)
            .map_err(HostError::error_of_finding)?;
    }
    let cause = ruling.cause.clone();
    let values = fields.get("values");
    let made = open_prompts::add_prompt(&mut ruling.state, &question, &next, values, &cause);
    made.map_err(HostError::error_of_finding)
}

/// Reads a question from the table of a script.
fn read_question(function: &str, fields: &Value, more: &[&str]) -> mlua::Result<Question> {
    let Some(map) = fields.as_map() else {
        let message = format!(
            "`act:{function}` takes a table with named keys, found a {}",
            fields.kind()
        );
        return Err(refusal_error("script/argument", message));
    };
    let known = || KEYS.iter().chain(more).copied();
    if let Some(key) = map.keys().find(|key| !known().any(|one| one == &***key)) {
        let finding = Diagnostic::error(
            "script/argument",
            format!("`act:{function}` has no option \"{key}\""),
        );
        return Err(HostError::error_of_finding(
            finding.hint(near_hint(key, known())),
        ));
    }
    let text = |key: &str| match fields.get(key) {
        Value::Text(text) if !text.trim().is_empty() => Ok(text.to_string()),
        other => Err(refusal_error(
            "script/argument",
            format!(
                "`act:{function}` needs `{key}`, a text, found {}",
                found_in_words(other)
            ),
        )),
    };
    let who = if fields.get("who").is_nil() {
        "-".to_owned()
    } else {
        text("who")?
    };
    Ok(Question {
        to: text("to")?,
        members: Vec::new(),
        key: read_question_key(function, text("key")?)?,
        who,
        reply: read_reply_type(function, fields)?,
        default: fields.get("default").clone(),
        deadline: read_deadline(function, fields)?,
        text: text("text")?,
    })
}

/// Checks a key, because people type keys: one word that is not a number.
fn read_question_key(function: &str, key: String) -> mlua::Result<String> {
    let is_number = key.starts_with(|c: char| c.is_ascii_digit());
    if is_number || key.chars().any(|c| c.is_whitespace() || c.is_control()) || key.len() > 200 {
        let message =
            format!("the `key` of `act:{function}` is one word and not a number, found {key:?}");
        return Err(refusal_error("script/argument", message));
    }
    Ok(key)
}

fn read_reply_type(function: &str, fields: &Value) -> mlua::Result<ReplyType> {
    let wrong = |message: String| Err(refusal_error("script/argument", message));
    match (fields.get("type"), fields.get("options")) {
        (Value::Text(name), Value::Nil) => Ok(ReplyType::Named(name.to_string())),
        (Value::Nil, Value::List(options)) if !options.is_empty() => {
            let texts = options
                .iter()
                .map(|one| one.as_str().map(|text| text.trim().to_owned()));
            let texts: Option<Vec<String>> = texts.collect();
            match texts {
                Some(texts) if texts.iter().all(|text| !text.is_empty()) => {
                    Ok(ReplyType::Options(texts))
                }
                _ => wrong(format!(
                    "the options of `act:{function}` are texts that are not empty"
                )),
            }
        }
        (Value::Nil, Value::Nil | Value::List(_)) => wrong(format!(
            "`act:{function}` needs a `type`, or `options` to choose from"
        )),
        (_, Value::Nil) => wrong(format!(
            "the `type` of `act:{function}` is the name of a slot type"
        )),
        (Value::Nil, _) => wrong(format!(
            "the `options` of `act:{function}` are a list of texts"
        )),
        (_, _) => wrong(format!(
            "`act:{function}` takes a `type` or `options`, not both"
        )),
    }
}

fn read_deadline(function: &str, fields: &Value) -> mlua::Result<Option<Value>> {
    match fields.get("deadline") {
        Value::Nil => Ok(None),
        number @ Value::Number(_) => Ok(Some(number.clone())),
        other => Err(refusal_error(
            "script/argument",
            format!(
                "the `deadline` of `act:{function}` is a game time, found {}",
                found_in_words(other)
            ),
        )),
    }
}

fn found_in_words(value: &Value) -> String {
    match value {
        Value::Nil => "nothing".to_owned(),
        Value::Text(_) => "an empty text".to_owned(),
        other => format!("a {}", other.kind()),
    }
}
