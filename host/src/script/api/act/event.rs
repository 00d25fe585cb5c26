//! This module tells events: who hears one, whose turn it is, and which events lie around what happens.

use std::rc::Rc;

use mlua::{Lua, LuaString, MultiValue, Table, Value as LuaValue};

use super::rows::existing;
use crate::diag::Diagnostic;
use crate::script::api::refused;
use crate::script::border::stack_value::{Argument, NameArgument, This};
use crate::script::border::type_in_words;
use crate::script::host::error::HostError;
use crate::script::host::{Heard, Host};
use crate::script::run::Run;
use crate::script::run::cause::Cause;
use crate::script::run::dispatch::{self, Address, Frame};
use crate::script::run::listeners::Event;
use crate::script::run::recipient::Recipient;
use crate::script::run::trace::{self, Step};
use crate::value::{Name, Value};

/// Fuel of looking whether one row that an event is addressed to hears it.
const LOOK: u64 = 6;

/// The event that tells of a record that ended.
const ENDED: &str = "ended";

/// Begins to tell an event: returns the handlers, elements and bearers of its recipients in order; nil if nobody hears.
/// The second result is whether records may end when it is told, the third whether each recipient is to be
/// announced with `present`, as in a run that is traced.
pub(super) fn recipients(
    lua: &Lua,
    host: &Host,
    (act, name, to, fields, at): (This, NameArgument, LuaValue, Table, LuaValue),
) -> mlua::Result<(Option<Table>, bool, bool)> {
    let mut run = host.speaking(act, "emits nothing")?;
    let may_end = run.state.ends_after_events();
    let event = host.event(&name)?;
    let traced = run.is_traced();
    if event.listeners.is_empty() && !traced {
        return Ok((None, may_end, traced));
    }
    let address = address(host, to, at)?;
    if traced {
        noted(lua, &mut run, (&event, &address), &fields)?;
    }
    if event.listeners.is_empty() {
        return Ok((None, may_end, traced));
    }
    check_depth(host, &run)?;
    let heard = heard(lua, host, &mut run, (&event, &address), &fields)?;
    if heard.recipients.is_empty() {
        return Ok((None, may_end, traced));
    }
    count_firings(host, &mut run, heard.recipients.len())?;
    host.meter.begin_callback();
    let frame = Frame {
        event,
        recipients: heard.recipients,
        shape: run.state.shape(),
        from: 0,
        at: None,
        savepoint: None,
        parent: run.motion.causes.current(),
    };
    run.motion.frames.push(frame);
    Ok((Some(heard.table), may_end, traced))
}

/// Begins to tell an event again to those who heard it last, if that is known: nil, it is not.
pub(super) fn told_again(_: &Lua, _: &Host, _: MultiValue) -> mlua::Result<()> {
    Ok(())
}

/// Errors: `limit/depth`, with the chain of events.
fn check_depth(host: &Host, run: &Run) -> mlua::Result<()> {
    let most = host.meter.limits().event_depth;
    if run.motion.frames.len() < most {
        return Ok(());
    }
    let message = format!("events lie more than {most} deep inside each other");
    let finding = chained(run, Diagnostic::error("limit/depth", message));
    Err(host.stop_command(finding))
}

/// Errors: `limit/events`, with the chain of events.
pub(super) fn count_firings(host: &Host, run: &mut Run, more: usize) -> mlua::Result<()> {
    let more = u32::try_from(more).unwrap_or(u32::MAX);
    run.motion.firings = run.motion.firings.saturating_add(more);
    let most = host.meter.limits().firings;
    if run.motion.firings <= most {
        return Ok(());
    }
    let message = format!("one command ran more than {most} handlers and works of rules");
    let finding = chained(run, Diagnostic::error("limit/events", message));
    Err(host.stop_command(finding))
}

/// Returns who hears an event. Where neither addressees nor fields decide it, that is kept until rows of the game change.
fn heard(
    lua: &Lua,
    host: &Host,
    run: &mut Run,
    (event, address): (&Rc<Event>, &Address),
    fields: &Table,
) -> mlua::Result<Heard> {
    let shape = run.state.shape();
    let name = host.names.intern(&event.name);
    let is_general = *address == Address::All && event.is_lasting;
    if let Some(known) = is_general.then(|| host.heard(name, shape)).flatten() {
        // A machine that knows them charges no less than one that finds them.
        host.charge(known.recipients.len() as u64)?;
        return Ok(known);
    }
    let found = found(host, run, event, address, fields)?;
    let heard = Heard {
        table: told(lua, host, event, &found)?,
        recipients: found.into(),
    };
    if is_general {
        host.hear(name, shape, heard.clone())?;
    }
    Ok(heard)
}

/// Notes that an event is told, and whom its listeners pass over.
#[cold]
fn noted(
    lua: &Lua,
    run: &mut Run,
    (event, address): (&Event, &Address),
    fields: &Table,
) -> mlua::Result<()> {
    let wanted: Value = plain_fields(event, fields)?;
    let over = dispatch::passed_over(&run.state, event, address, &wanted);
    let to = match address {
        Address::All => None,
        Address::To(rows) | Address::At(rows) => Some(rows.clone()),
    };
    let told = Step::Emitted {
        event: (&*event.name).into(),
        to,
        reason: fields.raw_get::<Option<String>>("reason").ok().flatten(),
    };
    trace::emitted(lua, run, (told, fields), over);
    Ok(())
}

fn found(
    host: &Host,
    run: &mut Run,
    event: &Event,
    address: &Address,
    fields: &Table,
) -> mlua::Result<Vec<Recipient>> {
    host.charge(dispatch::addressed_count(&run.state, address) * LOOK)?;
    let wanted: Value = plain_fields(event, fields)?;
    let run = &mut *run;
    let found = dispatch::recipients(&run.state, event, address, &wanted, run.chance.as_mut());
    let mut found = found.map_err(HostError::raise)?;
    if *event.name == *ENDED {
        found.splice(0..0, of_ended(host, run, event, fields, &wanted)?);
    }
    host.charge(found.len() as u64)?;
    Ok(found)
}

/// Returns the handlers of the definition of the record that an event says has ended; they come first.
fn of_ended(
    host: &Host,
    run: &Run,
    event: &Event,
    fields: &Table,
    wanted: &Value,
) -> mlua::Result<Vec<Recipient>> {
    let name = |key: &str| {
        let text = fields.raw_get::<Option<String>>(key)?;
        Ok::<_, mlua::Error>(text.and_then(|text| host.names.find(&text)))
    };
    let (Some(record), Some(kind), Some(bearer)) =
        (name("record")?, name("kind")?, name("bearer")?)
    else {
        return Ok(Vec::new());
    };
    let values: Argument = fields.raw_get("values")?;
    let gone = dispatch::Gone {
        record,
        kind,
        bearer,
        values: &values.0,
    };
    Ok(dispatch::of_ended(&run.state, event, &gone, wanted))
}

/// Returns the fields of an event that filters look at.
fn plain_fields(event: &Event, fields: &Table) -> mlua::Result<Value> {
    let mut found = Vec::with_capacity(event.fields.len());
    for field in &event.fields {
        let value: Argument = fields.raw_get(field.as_str())?;
        found.push((field.clone(), value.0));
    }
    Ok(Value::map(found))
}

/// Returns whether anybody may hear an event, before filters are asked.
pub(super) fn has_listeners(
    _: &Lua,
    host: &Host,
    (act, name, options): (This, NameArgument, Option<Table>),
) -> mlua::Result<bool> {
    let run = host.ruling(act)?;
    let event = host.event(&name)?;
    let options = options.as_ref();
    for pair in options
        .into_iter()
        .flat_map(Table::pairs::<LuaValue, LuaValue>)
    {
        let key = pair?.0.to_string()?;
        if !["to", "at"].contains(&&*key) {
            let message = format!("`act:has_listeners` has no option \"{key}\"");
            return Err(refused("script/argument", message));
        }
    }
    let option = |key: &str| options.map_or(Ok(LuaValue::Nil), |options| options.raw_get(key));
    let address = address(host, option("to")?, option("at")?)?;
    let (is_heard, looked_at) = dispatch::has_listeners(&run.state, &event, &address);
    host.charge(looked_at * LOOK)?;
    Ok(is_heard)
}

/// Reads the `to` and the `at` of an event. Errors: both are there, or one is no row and no list of rows.
fn address(host: &Host, to: LuaValue, at: LuaValue) -> mlua::Result<Address> {
    match (to, at) {
        (LuaValue::Nil, LuaValue::Nil) => Ok(Address::All),
        (to, LuaValue::Nil) => Ok(Address::To(addressees(host, "to", to)?)),
        (LuaValue::Nil, at) => Ok(Address::At(addressees(host, "at", at)?)),
        _ => {
            let message = "an event goes `to` rows and the records on them, or it is `at` exactly these rows: not both";
            Err(refused("script/argument", message.to_owned()))
        }
    }
}

/// Reads a row or a list of rows that an event is for.
fn addressees(host: &Host, key: &str, rows: LuaValue) -> mlua::Result<Vec<Name>> {
    // A list may be long and of long texts: none is copied.
    let find = |row: LuaString| Ok(host.names.find(&row.to_str()?));
    let found: mlua::Result<Vec<Option<Name>>> = match rows {
        LuaValue::String(one) => Ok(vec![find(one)?]),
        LuaValue::Table(list) => {
            let rows = list.sequence_values::<LuaString>();
            rows.map(|row| find(row?))
                .filter(|found| !matches!(found, Ok(None)))
                .collect()
        }
        other => {
            let message = format!(
                "`{key}` of an event is a row or a list of rows, found {}",
                type_in_words(other.type_name())
            );
            return Err(refused("script/argument", message));
        }
    };
    Ok(found?.into_iter().flatten().collect())
}

/// Returns the lists that the frame calls handlers by, each in the order of the recipients.
fn told(lua: &Lua, host: &Host, event: &Event, found: &[Recipient]) -> mlua::Result<Table> {
    let handlers = found
        .iter()
        .map(|one| &event.listeners[one.listener].function);
    let text = |name: Name| lua.create_string(&*host.names.text(name));
    let texts = |of: fn(&Recipient) -> Name| {
        let texts = found.iter().map(|one| text(of(one)));
        lua.create_sequence_from(texts.collect::<mlua::Result<Vec<_>>>()?)
    };
    lua.create_table_from([
        ("handlers", lua.create_sequence_from(handlers)?),
        ("elements", texts(|one| one.element)?),
        ("bearers", texts(|one| one.bearer)?),
    ])
}

/// Returns whether the recipient at a place, from 1, is still an element, after handlers did something.
pub(super) fn present(_: &Lua, host: &Host, (act, place): (This, usize)) -> mlua::Result<bool> {
    let mut guard = host.ruling(act)?;
    let run = &mut *guard;
    if run.is_traced() {
        trace::turned(run);
    }
    host.meter.begin_callback();
    let Some(frame) = run.motion.frames.last() else {
        return Ok(false);
    };
    if place - 1 < frame.from {
        return Ok(false);
    }
    if frame.shape == run.state.shape() && !run.is_traced() {
        host.is_untouched();
        return Ok(true);
    }
    let Some(recipient) = frame.recipients.get(place - 1) else {
        return Ok(false);
    };
    let (listener, element) = (
        &frame.event.listeners[recipient.listener],
        recipient.element,
    );
    let is_element = recipient.is_gone
        || frame.shape == run.state.shape()
        || dispatch::is_element(&run.state, listener, element);
    if run.is_traced() {
        let rule = listener.rule;
        match is_element {
            true => drop(run.enter(place - 1)),
            false => trace::gone(run, rule, element),
        }
    }
    Ok(is_element)
}

/// Ends the telling of an event.
pub(super) fn leave(_: &Lua, host: &Host, act: This) -> mlua::Result<()> {
    let mut run = host.ruling(act)?;
    if run.is_traced() {
        trace::turned(&mut run);
    }
    run.leave();
    Ok(())
}

/// Returns the cause at work.
pub(super) fn cause(_: &Lua, host: &Host, act: This) -> mlua::Result<u32> {
    Ok(host.at_its_turn(act)?.motion.causes.current())
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

/// Adds the events and works that lie around a finding, the outermost first.
pub(super) fn chained(run: &Run, finding: Diagnostic) -> Diagnostic {
    let causes = || run.motion.causes.chain();
    let mut links: Vec<String> = causes().filter_map(|cause| link(run, cause)).collect();
    if links.is_empty() {
        return finding;
    }
    links.reverse();
    let shown = match links.as_slice() {
        [first, second, .., last] if links.len() > 6 => {
            format!("{first} -> {second} -> … -> {last}")
        }
        links => links.join(" -> "),
    };
    let what = match causes().any(|cause| matches!(cause, Cause::Work { .. })) {
        true => "causes",
        false => "events",
    };
    finding.hint(format!("chain of {what}: {shown}"))
}

fn link(run: &Run, cause: &Cause) -> Option<String> {
    let text = |name: Name| run.state.names().text(name);
    match cause {
        Cause::Handler {
            rule,
            element,
            event,
        } => {
            let bearer = run.state.bearer(*element);
            Some(format!("{event} ({} of {})", text(*rule), text(bearer)))
        }
        Cause::Work { what, row: None } => Some(what.to_string()),
        Cause::Work {
            what,
            row: Some(row),
        } => Some(format!("{what} (of {})", text(*row))),
        Cause::Command | Cause::Step { .. } | Cause::Batch { .. } => None,
    }
}
