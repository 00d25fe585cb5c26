//! This module is queues: rows that wait until a rule drains them, in order.

use mlua::{Lua, Value as LuaValue};

use super::super::super::cause::Cause;
use super::super::super::convert::to_lua;
use super::super::super::host::Host;
use super::super::super::raw::{Argument, NameArgument, Returned, This};
use super::super::super::run::Run;
use super::super::refused;
use super::event::chained;
use super::row::row_value;
use super::{end, keep_record, named_fields, store_refusal};
use crate::diag::Diagnostic;
use crate::store::ends::Due;
use crate::value::{Name, Value};

/// The row that owns everything that waits in a queue, and its kind.
const QUEUES: &str = "@queues";

/// Puts a row into a queue and returns its id; nil if an equal one waits there and it is wanted once.
pub(super) fn defer(
    _: &Lua,
    host: &Host,
    (act, queue, values, options): (This, NameArgument, Option<Argument>, Option<Argument>),
) -> mlua::Result<Option<String>> {
    let mut run = host.changing(act)?;
    let queue = host.new_name(&queue)?;
    let fields = named_fields(host, values)?;
    let owner = host.names.intern(QUEUES);
    if is_once(options)? && waiting(&run, owner, queue).any(|row| equals(&run, row, &fields)) {
        return Ok(None);
    }
    let row = keep_record(host, &mut run, (QUEUES, queue), fields)?;
    Ok(Some(host.names.text(row).to_string()))
}

/// Reads the options of `act:defer`. Errors: any but `once`.
fn is_once(options: Option<Argument>) -> mlua::Result<bool> {
    let options = options.map_or(Value::Nil, |options| options.0);
    let unknown = options
        .as_map()
        .into_iter()
        .flatten()
        .find(|(key, _)| key.as_ref() != "once");
    match unknown {
        None => Ok(options.get("once").as_bool() == Some(true)),
        Some((key, _)) => Err(refused(
            "script/argument",
            format!("`act:defer` has no option \"{key}\", only `once`"),
        )),
    }
}

fn waiting(run: &Run, owner: Name, queue: Name) -> impl Iterator<Item = Name> {
    let rows = run.state.records(owner);
    rows.filter(move |row| run.state.kind(*row) == Some(queue))
}

/// Returns whether a row has these fields and no others of its own.
fn equals(run: &Run, row: Name, fields: &[(Name, Value)]) -> bool {
    let state = &run.state;
    let own = state.fields(row).into_iter();
    let own = own
        .filter(|field| !state.names().text(*field).starts_with('@'))
        .count();
    let given = fields.iter().filter(|(_, value)| !value.is_nil()).count();
    own == given
        && fields
            .iter()
            .all(|(field, value)| state.get(row, *field) == value)
}

/// Takes what waits in a queue, or the first of it, and returns the rows in order, and what ended with them; nil when
/// nothing waits.
pub(super) fn take(
    lua: &Lua,
    host: &Host,
    (act, queue, one, parent): (This, NameArgument, bool, u32),
) -> mlua::Result<(Option<Vec<LuaValue>>, Returned)> {
    let nothing = || Ok((None, Returned(Value::Nil)));
    let mut guard = host.changing(act)?;
    let run = &mut *guard;
    run.motion.causes.resume(parent, &run.state);
    let (Ok(queue), Some(owner)) = (host.name(&queue), host.names.find(QUEUES)) else {
        return nothing();
    };
    let rows: Vec<Name> = waiting(run, owner, queue)
        .take(if one { 1 } else { usize::MAX })
        .collect();
    let Some(first) = rows.first().copied() else {
        return nothing();
    };
    let mut taken = Vec::with_capacity(rows.len());
    for row in &rows {
        taken.push(to_lua(&row_value(host, run, *row)?, lua)?);
    }
    let taken_out = |record| Due {
        record,
        reason: "taken from its queue".to_owned(),
    };
    let ended = run.state.end(rows.into_iter().map(taken_out).collect());
    let ended = end::told(host, ended.map_err(store_refusal)?)?;
    run.motion
        .causes
        .begin(parent, Cause::Batch { queue, first }, &run.state);
    Ok((Some(taken), ended))
}

/// Returns the ids of the rows that wait in a queue, in order.
pub(super) fn queued(
    _: &Lua,
    host: &Host,
    (act, queue): (This, NameArgument),
) -> mlua::Result<Vec<String>> {
    let run = host.ruling(act)?;
    let (Ok(queue), Some(owner)) = (host.name(&queue), host.names.find(QUEUES)) else {
        return Ok(Vec::new());
    };
    Ok(waiting(&run, owner, queue)
        .map(|row| host.names.text(row).to_string())
        .collect())
}

/// Stops the command because a queue refills without end.
pub(super) fn endless(
    _: &Lua,
    host: &Host,
    (act, queue, again): (This, String, u32),
) -> mlua::Result<()> {
    let run = host.ruling(act)?;
    let message =
        format!("the queue \"{queue}\" was emptied {again} times and fills again and again");
    let finding = Diagnostic::error("limit/events", message)
        .hint("a rule that the queue runs puts something into it each time");
    Err(host.stop_command(chained(&run, finding)))
}
