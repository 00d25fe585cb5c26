//! Methods of `act` that end records. The Luau frame emits events about the returned records.

use std::cell::RefCell;
use std::collections::BTreeMap;

use mlua::{Lua, Table};

use super::row_arguments::{existing_row, store_refusal};
use super::row_methods::note_gone_id;
use crate::script::api::refusal_error;
use crate::script::border::stack_value::{NameArgument, Returned, This};
use crate::script::border::value_conversion;
use crate::script::host::Host;
use crate::script::inquiry::end_test;
use crate::store::end_conditions::{Due, Ended, Found, How, Moment};
use crate::store::is_host_name;
use crate::value::{Name, Text, Value};

/// Fuel of a record that ends.
const ENDED: u64 = 16;

/// Removes a row and returns the records that ended with it.
pub(super) fn remove_row(
    _: &Lua,
    host: &Host,
    (act, row): (This, NameArgument),
) -> mlua::Result<Returned> {
    {
        let mut run = host.ruling_to_change(act)?;
        let row = existing_row(host, &run, &row)?;
        note_gone_id(host, &mut run, row)?;
    }
    end_record(host, act, &row, "removed".to_owned())
}

/// Ends a record and returns it with those that ended with it.
pub(super) fn detach_record(
    _: &Lua,
    host: &Host,
    (act, record, reason): (This, NameArgument, Option<String>),
) -> mlua::Result<Returned> {
    let run = host.ruling_to_change(act)?;
    let row = existing_row(host, &run, &record)?;
    if run.state.owner(row).is_none() {
        let message = format!(
            "\"{}\" is not an attribute: it has no owner",
            host.names.text(row)
        );
        return Err(refusal_error("script/argument", message));
    }
    drop(run);
    let reason = reason.unwrap_or_else(|| "detached".to_owned());
    end_record(host, act, &record, reason)
}

fn end_record(
    host: &Host,
    act: This,
    row: &NameArgument,
    reason: String,
) -> mlua::Result<Returned> {
    let mut run = host.ruling_to_change(act)?;
    let record = existing_row(host, &run, row)?;
    let ended = run.state.end_rows(vec![Due {
        record,
        how: How::Detached,
        reason,
    }]);
    ended_records_value(host, ended.map_err(store_refusal)?)
}

/// Fuel of taking one use off a record.
const USE: u64 = 48;

/// Counts a use. Returns the uses that are left and, after the last one, the records that ended.
pub(super) fn use_record_once(
    _: &Lua,
    host: &Host,
    (act, record): (This, NameArgument),
) -> mlua::Result<(Option<u64>, Returned)> {
    let mut run = host.ruling_to_change(act)?;
    let record = existing_row(host, &run, &record)?;
    host.charge(USE)?;
    let used = run.state.use_record_once(record).map_err(store_refusal)?;
    let ended = run.state.end_rows(used.due.into_iter().collect());
    Ok((
        used.left,
        ended_records_value(host, ended.map_err(store_refusal)?)?,
    ))
}

/// Ends the records that an event ends, and returns them. Only those fields of the event are read that an end condition
/// needs, unless the ruleset decides about the end.
pub(super) fn end_records_after_event(
    lua: &Lua,
    host: &Host,
    (act, kind, event): (This, NameArgument, Table),
) -> mlua::Result<Returned> {
    let run = host.ruling(act)?;
    let is_query = run.query;
    let ends = |kind: &Name| !is_query && run.state.may_end_by_event_kind(*kind);
    let Some(kind) = host.existing_name(&kind).ok().filter(ends) else {
        return Ok(Returned(Value::Nil));
    };
    drop(run);
    // Many records may need the same few fields.
    let read = RefCell::new(BTreeMap::new());
    let field = |name: &str| {
        let mut read = read.borrow_mut();
        if let Some(known) = read.get(name) {
            return Value::clone(known);
        }
        let held = event.raw_get(name).map(value_conversion::from_lua);
        let held = held.map_or(Value::Nil, |held| held.unwrap_or(Value::Nil));
        read.insert(name.to_owned(), held.clone());
        held
    };
    let moment = Moment::Event {
        kind,
        field: &field,
    };
    let Found { mut due, questions } = host
        .ruling_to_change(act)?
        .state
        .records_and_questions_at(&moment);
    if !questions.is_empty() {
        due.extend(end_test::records_due_to_end(
            lua,
            host,
            act,
            questions,
            Some(&event),
        )?);
    }
    let ended = host
        .ruling_to_change(act)?
        .state
        .end_rows(due)
        .map_err(store_refusal)?;
    ended_records_value(host, ended)
}

/// Ends the records with an expression that turned true, and returns them. Nothing is tested again in the same state.
///
/// `self` in an expression is the row at the top of the record's owners, `record` the record.
pub(super) fn end_records_turned_true(lua: &Lua, host: &Host, act: This) -> mlua::Result<Returned> {
    let mut run = host.ruling(act)?;
    let version = run.state.version();
    let questions = match run.query || run.ends_tested == Some(version) {
        true => Vec::new(),
        false => run.state.questions_of_expressions(),
    };
    if questions.is_empty() {
        return Ok(Returned(Value::Nil));
    }
    run.ends_tested = Some(version);
    drop(run);
    let due = end_test::records_due_to_end(lua, host, act, questions, None)?;
    let ended = host
        .ruling_to_change(act)?
        .state
        .end_rows(due)
        .map_err(store_refusal)?;
    ended_records_value(host, ended)
}

/// Returns records that ended as data for the event about them. Returns nothing if there is nothing to report.
///
/// The records of host rows end without an event: the code that keeps records there reports their end in its own way.
pub(super) fn ended_records_value(host: &Host, ended: Vec<Ended>) -> mlua::Result<Returned> {
    if ended.is_empty() {
        return Ok(Returned(Value::Nil));
    }
    host.charge(ENDED * ended.len() as u64)?;
    let ended = ended.into_iter().filter(|one| !is_host_name(&one.bearer));
    let text = |text: &Text| Value::Text(Text::clone(text));
    let told = ended.map(|one| {
        Value::map([
            ("record", text(&one.record)),
            ("kind", text(&one.kind)),
            ("owner", text(&one.owner)),
            ("bearer", text(&one.bearer)),
            ("how", Value::from(one.how.as_str())),
            ("reason", Value::from(one.reason.as_str())),
            ("values", one.values.clone()),
        ])
    });
    Ok(Returned(Value::list(told)))
}
