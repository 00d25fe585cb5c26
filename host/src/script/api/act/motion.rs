//! This module is what the frames of `motion.luau` ask of the host: who hears an event, whose turn it is, what
//! becomes of a handler that breaks, and what waits in a queue.

use std::rc::Rc;

use mlua::{Lua, Table, Value as LuaValue};

use super::super::super::cause::Cause;
use super::super::super::dispatch::{self, Frame, Recipient, Savepoint};
use super::super::super::error::{HostError, diagnose};
use super::super::super::host::{Heard, Host};
use super::super::super::listen::Event;
use super::super::super::raw::{Argument, NameArgument, This};
use super::super::super::rules::Rules;
use super::super::super::run::Run;
use super::super::super::trace;
use super::super::refused;
use super::row::row_value;
use super::{existing, named_fields, store_refusal};
use crate::diag::{Diagnostic, near_hint};
use crate::store::Write;
use crate::value::{Name, Value};

/// The row that owns everything that waits in a queue, and its kind.
const QUEUES: &str = "@queues";

/// Begins to tell an event: returns handler, element and bearer of each recipient in order, flat; nil if nobody hears.
pub(super) fn recipients(
    lua: &Lua,
    host: &Host,
    (act, event, fields): (This, mlua::LuaString, Table),
) -> mlua::Result<Option<Table>> {
    let mut run = host.ruling(act)?;
    let name = event.to_str()?;
    let rules = Rc::clone(&host.rules.borrow());
    let event = rules.listeners.events.get(&*name);
    let event = event.ok_or_else(|| unknown_event(&rules, &name))?;
    if run.is_traced() {
        traced(lua, host, &mut run, (&name, event), &fields)?;
    }
    if event.listeners.is_empty() {
        return Ok(None);
    }
    if run.motion.frames.len() >= dispatch::DEPTH {
        let message = format!(
            "events lie more than {} deep inside each other",
            dispatch::DEPTH
        );
        return Err(host.stop_command(chained(
            &run,
            &rules,
            Diagnostic::error("limit/depth", message),
        )));
    }
    let to: LuaValue = fields.raw_get("to")?;
    let narrowed = !to.is_nil() || event.listeners.iter().any(|one| !one.filters.is_empty());
    let heard = match narrowed {
        false => host.heard(&name, run.state.shape()),
        true => None,
    };
    let heard = match heard {
        Some(heard) => heard,
        None => {
            let found = found(host, &mut run, (&name, event), to, &fields)?;
            let heard = Heard {
                table: told(lua, host, event, &found)?,
                recipients: found.into(),
            };
            if !narrowed {
                host.hear(&name, run.state.shape(), heard.clone());
            }
            heard
        }
    };
    if heard.recipients.is_empty() {
        return Ok(None);
    }
    let frame = Frame {
        event: Rc::from(&*name),
        recipients: heard.recipients,
        shape: run.state.shape(),
        at: 0,
        savepoint: None,
        parent: run.motion.causes.current(),
    };
    run.motion.frames.push(frame);
    Ok(Some(heard.table))
}

/// Notes that an event is told, and whom its listeners pass over.
#[cold]
fn traced(
    lua: &Lua,
    host: &Host,
    run: &mut Run,
    (name, event): (&str, &Event),
    fields: &Table,
) -> mlua::Result<()> {
    let to = addressees(host, fields.raw_get("to")?)?;
    let wanted: Value = plain_fields(event, fields)?;
    let over = dispatch::passed_over(&run.state, event, to.as_deref(), &wanted);
    trace::emitted(lua, run, name, (to, over));
    Ok(())
}

fn found(
    host: &Host,
    run: &mut Run,
    (name, event): (&str, &Event),
    to: LuaValue,
    fields: &Table,
) -> mlua::Result<Vec<Recipient>> {
    let to = addressees(host, to)?;
    let wanted: Value = plain_fields(event, fields)?;
    let run = &mut *run;
    let found = dispatch::recipients(
        &run.state,
        (name, event),
        to.as_deref(),
        &wanted,
        run.chance.as_mut(),
    );
    let found = found.map_err(HostError::raise)?;
    host.charge(found.len() as u64)?;
    Ok(found)
}

/// Returns the fields of an event that filters look at.
fn plain_fields(event: &Event, fields: &Table) -> mlua::Result<Value> {
    let filters = event.listeners.iter().flat_map(|one| &one.filters);
    let mut found = Vec::new();
    for (field, _) in filters {
        let value: Argument = fields.raw_get(field.as_str())?;
        found.push((field.clone(), value.0));
    }
    Ok(Value::map(found))
}

/// Reads the `to` of an event: nobody in particular, one row, or a list of rows.
fn addressees(host: &Host, to: LuaValue) -> mlua::Result<Option<Vec<Name>>> {
    let texts = match to {
        LuaValue::Nil => return Ok(None),
        LuaValue::String(one) => vec![one.to_str()?.to_owned()],
        LuaValue::Table(list) => list.sequence_values::<String>().collect::<Result<_, _>>()?,
        other => {
            let message = format!(
                "`to` of an event is a row or a list of rows, found a {}",
                other.type_name()
            );
            return Err(refused("script/argument", message));
        }
    };
    Ok(Some(
        texts
            .iter()
            .filter_map(|text| host.names.find(text))
            .collect(),
    ))
}

fn told(lua: &Lua, host: &Host, event: &Event, found: &[Recipient]) -> mlua::Result<Table> {
    let table = lua.create_table_with_capacity(3 * found.len(), 0)?;
    for (at, one) in found.iter().enumerate() {
        table.raw_set(3 * at + 1, &event.listeners[one.listener].function)?;
        table.raw_set(3 * at + 2, &*host.names.text(one.element))?;
        table.raw_set(3 * at + 3, &*host.names.text(one.bearer))?;
    }
    Ok(table)
}

/// Sets the savepoint of the next recipient, by its place in the flat list; false if it is no element any more.
pub(super) fn enter(_: &Lua, host: &Host, (act, place): (This, usize)) -> mlua::Result<bool> {
    let mut guard = host.ruling(act)?;
    let run = &mut *guard;
    let rules = Rc::clone(&host.rules.borrow());
    run.motion.firings += 1;
    if run.motion.firings > dispatch::FIRINGS {
        let message = format!("one command ran more than {} handlers", dispatch::FIRINGS);
        let finding = chained(run, &rules, Diagnostic::error("limit/events", message));
        return Err(host.stop_command(finding));
    }
    let Some(frame) = run.motion.frames.last_mut() else {
        return Ok(false);
    };
    frame.at = place.saturating_sub(1) / 3;
    let Some(recipient) = frame.recipients.get(frame.at) else {
        return Ok(false);
    };
    let listener = &rules.listeners.events[&*frame.event].listeners[recipient.listener];
    if frame.shape != run.state.shape()
        && !dispatch::is_element(&run.state, listener, recipient.element)
    {
        let (rule, element) = (listener.rule, recipient.element);
        trace::gone(run, rule, element);
        return Ok(false);
    }
    frame.savepoint = Some(Savepoint {
        mark: run.state.mark(),
        documents: run.documents.len(),
        output_left: run.output_left,
    });
    let cause = Cause::Handler {
        rule: listener.rule,
        element: recipient.element,
        event: Rc::clone(&frame.event),
    };
    let (parent, depth) = (frame.parent, run.motion.frames.len());
    run.motion
        .causes
        .begin_in_event(depth, (parent, cause), &run.state);
    host.meter.begin_callback();
    Ok(true)
}

/// Decides about a handler that broke: rolls back to its savepoint and returns the place of the next recipient.
///
/// Errors: the command stops: a limit, a waiting ruling, a refusal, or nobody lets the game go on without the rule.
pub(super) fn failed(
    _: &Lua,
    host: &Host,
    (act, problem): (This, LuaValue),
) -> mlua::Result<usize> {
    let error = match problem {
        LuaValue::Error(error) => *error,
        other => mlua::Error::runtime(host.plain_text(&other)),
    };
    if host.is_stopped() {
        return Err(error);
    }
    let mut guard = host.ruling(act)?;
    let run = &mut *guard;
    let rules = Rc::clone(&host.rules.borrow());
    let finding = chained(run, &rules, diagnose(&error, None, &rules.sources));
    let Some((frame, savepoint)) = run.motion.frames.last_mut().and_then(|frame| {
        let savepoint = frame.savepoint?;
        Some((frame, savepoint))
    }) else {
        return Err(error);
    };
    let parent = frame.parent;
    run.state.rollback(savepoint.mark);
    run.documents.truncate(savepoint.documents);
    run.output_left = savepoint.output_left;
    run.motion.causes.rolled_back(savepoint.mark);
    run.motion.causes.resume(parent, &run.state);
    Err(host.stop_command(finding))
}

/// Ends the telling of an event.
pub(super) fn leave(_: &Lua, host: &Host, act: This) -> mlua::Result<()> {
    let mut run = host.ruling(act)?;
    let run = &mut *run;
    if let Some(frame) = run.motion.frames.pop() {
        run.motion.causes.resume(frame.parent, &run.state);
    }
    Ok(())
}

/// Refuses the whole command with what a handler returned.
pub(super) fn refuse(_: &Lua, host: &Host, (act, result): (This, Table)) -> mlua::Result<()> {
    drop(host.ruling(act)?);
    let text = |key: &str| {
        result
            .raw_get::<Option<String>>(key)
            .ok()
            .flatten()
            .unwrap_or_default()
    };
    let finding = Diagnostic::error(text("code"), text("message")).hint(text("hint"));
    Err(host.stop_command(finding))
}

/// Puts a row into a queue and returns its id; nil if an equal one waits there and it is wanted once.
pub(super) fn defer(
    lua: &Lua,
    host: &Host,
    (act, queue, values, options): (This, NameArgument, Option<Argument>, Option<Argument>),
) -> mlua::Result<Option<String>> {
    let mut run = host.changing(act)?;
    let queue = host.new_name(&queue)?;
    let mut fields = named_fields(host, values)?;
    let owner = host.names.intern(QUEUES);
    if is_once(options)? && waiting(&run, owner, queue).any(|row| equals(&run, row, &fields)) {
        return Ok(None);
    }
    if !run.state.exists(owner) {
        let write = Write::Put {
            row: owner,
            kind: owner,
            owner: None,
            fields: Vec::new(),
        };
        run.state.apply(write).map_err(store_refusal)?;
    }
    if let Some(cause) = run.cause_of(&host.names) {
        fields.push((run.state.reserved().cause, cause));
    }
    let row = run.state.next_record_id(queue).map_err(store_refusal)?;
    let write = Write::Put {
        row,
        kind: queue,
        owner: Some(owner),
        fields,
    };
    run.state.apply(write).map_err(store_refusal)?;
    trace::wrote(lua, &mut run);
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

/// Takes what waits in a queue, or the first of it, and returns the rows in order; nil when nothing waits.
pub(super) fn take(
    lua: &Lua,
    host: &Host,
    (act, queue, one, parent): (This, NameArgument, bool, u32),
) -> mlua::Result<Option<Vec<LuaValue>>> {
    let mut guard = host.changing(act)?;
    let run = &mut *guard;
    run.motion.causes.resume(parent, &run.state);
    let (Ok(queue), Some(owner)) = (host.name(&queue), host.names.find(QUEUES)) else {
        return Ok(None);
    };
    let rows: Vec<Name> = waiting(run, owner, queue)
        .take(if one { 1 } else { usize::MAX })
        .collect();
    let Some(first) = rows.first().copied() else {
        return Ok(None);
    };
    let mut taken = Vec::with_capacity(rows.len());
    for row in rows {
        taken.push(super::super::super::convert::to_lua(
            &row_value(host, run, row)?,
            lua,
        )?);
        run.state
            .apply(Write::Remove { row })
            .map_err(store_refusal)?;
    }
    run.motion
        .causes
        .begin(parent, Cause::Batch { queue, first }, &run.state);
    Ok(Some(taken))
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

/// Returns the cause at work.
pub(super) fn cause(_: &Lua, host: &Host, act: This) -> mlua::Result<u32> {
    Ok(host.ruling(act)?.motion.causes.current())
}

/// Stops the command because a queue refills without end.
pub(super) fn endless(
    _: &Lua,
    host: &Host,
    (act, queue, again): (This, String, u32),
) -> mlua::Result<()> {
    let run = host.ruling(act)?;
    let rules = Rc::clone(&host.rules.borrow());
    let message =
        format!("the queue \"{queue}\" was emptied {again} times and fills again and again");
    let finding = Diagnostic::error("limit/events", message)
        .hint("a rule that the queue runs puts something into it each time");
    Err(host.stop_command(chained(&run, &rules, finding)))
}

/// Returns the row that a record belongs to in the end, or the row itself.
pub(super) fn bearer(
    _: &Lua,
    host: &Host,
    (act, row): (This, NameArgument),
) -> mlua::Result<String> {
    let run = host.ruling(act)?;
    let row = existing(host, &run, &row)?;
    Ok(host.names.text(run.state.bearer(row)).to_string())
}

/// Adds the events that lie around a finding, the outermost first.
fn chained(run: &Run, rules: &Rules, finding: Diagnostic) -> Diagnostic {
    if run.motion.frames.is_empty() {
        return finding;
    }
    let names = run.state.names();
    let link = |frame: &Frame| {
        let recipient = frame.recipients.get(frame.at)?;
        let event = rules.listeners.events.get(&*frame.event)?;
        let rule = names.text(event.listeners.get(recipient.listener)?.rule);
        Some(format!(
            "{} ({rule} of {})",
            frame.event,
            names.text(recipient.bearer)
        ))
    };
    let links: Vec<String> = run.motion.frames.iter().filter_map(link).collect();
    let shown = match links.as_slice() {
        [first, second, .., last] if links.len() > 6 => {
            format!("{first} -> {second} -> … -> {last}")
        }
        links => links.join(" -> "),
    };
    finding.hint(format!("chain of events: {shown}"))
}

#[cold]
fn unknown_event(rules: &Rules, name: &str) -> mlua::Error {
    let known = rules.listeners.events.keys().map(String::as_str);
    let finding = Diagnostic::error(
        "script/unknown-event",
        format!("no event is called \"{name}\""),
    )
    .hint(near_hint(name, known))
    .hint("events are declared in ruleset.luau under `events`");
    HostError::raise(finding)
}
