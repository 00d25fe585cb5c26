//! Methods of `act` that send documents and end the command.

use std::cell::RefMut;

use mlua::{Lua, Table, Value as LuaValue};

use super::refusal_fields::{At, Hints};
use crate::diag::Diagnostic;
use crate::doc::{Audience, Document};
use crate::script::api::refusal_error;
use crate::script::border::stack_value::This;
use crate::script::border::value_conversion;
use crate::script::host::Host;
use crate::script::host::error_findings::HostError;
use crate::script::inquiry::audiences::{check_document_audiences, read_existing_audience};
use crate::script::run::Run;
use crate::script::run::trace::{self, Step};
use crate::value::Value;

pub(super) fn say_document(
    lua: &Lua,
    host: &Host,
    (act, audience, document, data): (This, String, LuaValue, Option<LuaValue>),
) -> mlua::Result<()> {
    let audience = read_existing_audience(host, &audience)?;
    send_document(lua, host, act, (audience, document, data))
}

/// Sends a document to an audience.
pub(super) fn send_document(
    lua: &Lua,
    host: &Host,
    act: This,
    (audience, document, data): (Audience, LuaValue, Option<LuaValue>),
) -> mlua::Result<()> {
    let document = read_document(host, document, data)?.limit_to_audience(audience);
    add_document_to_run(
        lua,
        host.ruling_outside_expressions(act, "cannot say anything")?,
        document,
    )
}

pub(super) fn done_result(
    lua: &Lua,
    host: &Host,
    (act, document, data, to): (This, Option<LuaValue>, Option<LuaValue>, Option<String>),
) -> mlua::Result<Table> {
    let to = to.map(|to| read_existing_audience(host, &to)).transpose()?;
    let by = host
        .ruling_outside_expressions(act, "cannot say anything")?
        .by
        .clone();
    let document = document.filter(|document| !document.is_nil());
    let document = match document {
        Some(document) => Some(document),
        None => take_unsent_lines(lua, &mut *host.ruling(act)?)?,
    };
    if document.is_some() || data.is_some() {
        let audience = to.unwrap_or_else(|| answer_audience(&by));
        let document = read_document(host, document.unwrap_or(LuaValue::Nil), data)?
            .limit_to_audience(audience);
        add_document_to_run(
            lua,
            host.ruling_outside_expressions(act, "cannot say anything")?,
            document,
        )?;
    }
    let result = lua.create_table_with_capacity(0, 1)?;
    result.set("ok", true)?;
    Ok(result)
}

/// Takes the added lines that were not sent yet, as one text, if there are any.
fn take_unsent_lines(lua: &Lua, run: &mut Run) -> mlua::Result<Option<LuaValue>> {
    let left = &run.lines[run.lines_said..];
    if left.is_empty() {
        return Ok(None);
    }
    let text = lua.create_string(left.join("\n"))?;
    run.lines_said = run.lines.len();
    Ok(Some(LuaValue::String(text)))
}

/// Sends the added lines that were not sent, at the end of a command or a step. Errors: as `act:done`.
pub(crate) fn send_unsent_lines(lua: &Lua, host: &Host, act: This) -> mlua::Result<()> {
    let (left, by) = {
        let mut run = host.ruling(act)?;
        (take_unsent_lines(lua, &mut run)?, run.by.clone())
    };
    let Some(text) = left else { return Ok(()) };
    let document = read_document(host, text, None)?.limit_to_audience(answer_audience(&by));
    add_document_to_run(
        lua,
        host.ruling_outside_expressions(act, "cannot say anything")?,
        document,
    )
}

/// Adds a line to the output at the end of the run. Errors: `limit/output`.
pub(super) fn add_line(_: &Lua, host: &Host, (act, line): (This, String)) -> mlua::Result<()> {
    host.charge(DOCUMENT + line.len() as u64 / 8)?;
    let mut run = host.ruling_outside_expressions(act, "cannot say anything")?;
    let Some(left) = run.output_left.checked_sub(line.len()) else {
        return Err(output_limit_error());
    };
    run.output_left = left;
    run.lines.push(line.into());
    Ok(())
}

/// Returns the lines that were added so far.
pub(super) fn added_lines(_: &Lua, host: &Host, act: This) -> mlua::Result<Vec<String>> {
    let run = host.ruling(act)?;
    let bytes: usize = run.lines.iter().map(|line| line.len()).sum();
    host.charge((run.lines.len() * 12 + bytes / 8) as u64)?;
    Ok(run.lines.iter().map(ToString::to_string).collect())
}

fn output_limit_error() -> mlua::Error {
    refusal_error(
        "limit/output",
        "a command may produce 8 MiB of documents at most",
    )
}

/// Returns the audience of the answer of a command: everybody if the game master rules, otherwise the seat that gave
/// the command.
fn answer_audience(by: &str) -> Audience {
    if by == "gm" {
        Audience::Public
    } else {
        Audience::parse(by).unwrap_or_else(|_| Audience::Seat(by.to_owned()))
    }
}

fn add_document_to_run(
    lua: &Lua,
    mut run: RefMut<'_, Run>,
    document: Document,
) -> mlua::Result<()> {
    document
        .check_limits()
        .map_err(HostError::error_of_finding)?;
    let size = document.size_in_limit();
    let Some(left) = run.output_left.checked_sub(size) else {
        return Err(output_limit_error());
    };
    run.output_left = left;
    trace::note_step(lua, &mut run, || Step::Said {
        audience: document.audience.to_string(),
    });
    run.documents.push(document);
    Ok(())
}

/// Fuel of a document of any length.
const DOCUMENT: u64 = 24;

fn read_document(
    host: &Host,
    document: LuaValue,
    data: Option<LuaValue>,
) -> mlua::Result<Document> {
    let plain = |value| {
        let (made, work) = value_conversion::document_from_lua(value);
        host.charge(DOCUMENT + work)?;
        made.map_err(|reason| refusal_error("doc/not-data", reason.to_string()))
    };
    let made = match plain(document)? {
        Value::Nil => Document::new([]),
        blocks => Document::from_value(&blocks).map_err(HostError::error_of_finding)?,
    };
    let made = match data {
        Some(data) => made.data(plain(data)?),
        None => made,
    };
    check_document_audiences(host, &made)?;
    Ok(made)
}

/// Fuel of making a refusal.
const REFUSAL: u64 = 96;

pub(super) fn fail_result(
    lua: &Lua,
    host: &Host,
    (act, code, message, Hints(hint), At(at)): (This, String, String, Hints, At),
) -> mlua::Result<Table> {
    host.charge(REFUSAL + message.len() as u64 / 8)?;
    let mut run = host.ruling(act)?;
    let Some(code) = code_with_area(&code, &run.area) else {
        let message = format!("{code:?} is not a valid code of a refusal");
        let hint = "a code has only letters, digits, _ and -, for example E_BAD_SIZE or not-now";
        return Err(HostError::error_of_finding(
            Diagnostic::error("script/argument", message).hint(hint),
        ));
    };
    trace::note_step(lua, &mut run, || Step::Refused {
        code: code.clone(),
        message: message.clone(),
    });
    let result = lua.create_table_with_capacity(0, 5)?;
    result.set("ok", false)?;
    result.set("code", code)?;
    result.set("message", message)?;
    result.set("hint", hint)?;
    result.set("at", at)?;
    Ok(result)
}

/// Returns a code in the form that people see: a code without an area gets this one. Returns nothing for a text that is
/// not a code.
pub(in crate::script) fn code_with_area(code: &str, area: &str) -> Option<String> {
    let is_whole = code.contains('/') || code.starts_with("E_");
    is_refusal_code(code).then(|| match is_whole {
        true => code.to_owned(),
        false => format!("{area}/{code}"),
    })
}

/// Returns whether a text is valid as a code in journals and in the answers that programs read.
fn is_refusal_code(code: &str) -> bool {
    let letter = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'/');
    (1..=64).contains(&code.len()) && code.bytes().all(letter)
}

pub(super) fn ruling_number(_: &Lua, host: &Host, act: This) -> mlua::Result<u64> {
    Ok(host.ruling(act)?.slot)
}

pub(super) fn log_line_number(_: &Lua, host: &Host, act: This) -> mlua::Result<u64> {
    Ok(host.ruling(act)?.log_line)
}

pub(super) fn giver_of_command(_: &Lua, host: &Host, act: This) -> mlua::Result<String> {
    Ok(host.ruling(act)?.by.clone())
}
