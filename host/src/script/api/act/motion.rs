//! This module is what the frames of `motion.luau` ask of the host: who hears an event, whose turn it is, what
//! becomes of a handler that breaks, and what waits in a queue.

use std::rc::Rc;

use mlua::{Lua, Table, Value as LuaValue};

use super::super::super::ask::ask;
use super::super::super::cause::Cause;
use super::super::super::dispatch::{self, Frame, Recipient};
use super::super::super::error::{HostError, diagnose, shortened};
use super::super::super::host::{Heard, Host};
use super::super::super::listen::Event;
use super::super::super::question::{BROKEN, Question, ReplyType};
use super::super::super::raw::{Argument, NameArgument, Returned, This};
use super::super::super::run::Run;
use super::super::super::seats::GM;
use super::super::super::trace::{self, Step};
use super::super::refused;
use super::row::row_value;
use super::{end, existing, keep_record, named_fields, store_refusal};
use crate::diag::Diagnostic;
use crate::store::ends::Due;
use crate::value::{Name, Value};

/// The event that tells of a record that ended.
const ENDED: &str = "ended";

/// The answers to what becomes of a command in which a rule breaks.
const SKIP: &str = "skip this rule";
const STOP: &str = "stop";

/// The row that owns everything that waits in a queue, and its kind.
const QUEUES: &str = "@queues";

/// Begins to tell an event: returns handler, element and bearer of each recipient in order, flat; nil if nobody hears.
/// The second result is whether records may end when it is told, the third 1 where each recipient is to be announced
/// with `present`, as in a run that is traced, else 0.
pub(super) fn recipients(
    lua: &Lua,
    host: &Host,
    (act, name, to, fields): (This, NameArgument, LuaValue, Table),
) -> mlua::Result<(Option<Table>, bool, u32)> {
    let mut run = host.speaking(act, "emits nothing")?;
    let may_end = run.state.ends_after_events();
    let event = host.event(&name)?;
    let traced = u32::from(run.is_traced());
    if run.is_traced() {
        noted(lua, host, &mut run, (&event, &to), &fields)?;
    }
    if event.listeners.is_empty() {
        return Ok((None, may_end, traced));
    }
    let most = host.meter.limits().event_depth;
    if run.motion.frames.len() >= most {
        let message = format!("events lie more than {most} deep inside each other");
        let finding = chained(&run, Diagnostic::error("limit/depth", message));
        return Err(host.stop_command(finding));
    }
    let shape = run.state.shape();
    let is_general = to.is_nil() && !event.has_filters();
    let known = is_general.then(|| host.heard(&event, shape)).flatten();
    let heard = match known {
        Some(heard) => heard,
        None => {
            let found = found(host, &mut run, &event, to, &fields)?;
            let table = told(lua, host, &event, &found)?;
            let recipients = found.into();
            let heard = Heard { table, recipients };
            if is_general {
                host.hear(&event, shape, heard.clone());
            }
            heard
        }
    };
    if heard.recipients.is_empty() {
        return Ok((None, may_end, traced));
    }
    let firings = u32::try_from(heard.recipients.len()).unwrap_or(u32::MAX);
    run.motion.firings = run.motion.firings.saturating_add(firings);
    if run.motion.firings > host.meter.limits().firings {
        let most = host.meter.limits().firings;
        let message = format!("one command ran more than {most} handlers");
        let finding = chained(&run, Diagnostic::error("limit/events", message));
        return Err(host.stop_command(finding));
    }
    host.meter.begin_callback();
    let parent = run.motion.causes.current();
    run.motion.frames.push(Frame {
        event,
        recipients: heard.recipients,
        shape,
        at: None,
        savepoint: None,
        parent,
    });
    Ok((Some(heard.table), may_end, traced))
}

/// Notes that an event is told, and whom its listeners pass over.
#[cold]
fn noted(
    lua: &Lua,
    host: &Host,
    run: &mut Run,
    (event, to): (&Event, &LuaValue),
    fields: &Table,
) -> mlua::Result<()> {
    let to = addressees(host, to.clone())?;
    let wanted: Value = plain_fields(event, fields)?;
    let over = dispatch::passed_over(&run.state, event, to.as_deref(), &wanted);
    let told = Step::Emitted {
        event: (&*event.name).into(),
        to,
        reason: fields.raw_get::<Option<String>>("reason").ok().flatten(),
    };
    trace::emitted(lua, run, told, over);
    Ok(())
}

fn found(
    host: &Host,
    run: &mut Run,
    event: &Event,
    to: LuaValue,
    fields: &Table,
) -> mlua::Result<Vec<Recipient>> {
    let to = addressees(host, to)?;
    let wanted: Value = plain_fields(event, fields)?;
    let run = &mut *run;
    let found = dispatch::recipients(
        &run.state,
        event,
        to.as_deref(),
        &wanted,
        run.chance.as_mut(),
    );
    let mut found = found.map_err(HostError::raise)?;
    if *event.name == *ENDED {
        found.splice(0..0, of_ended(host, event, fields, &wanted)?);
    }
    host.charge(found.len() as u64)?;
    Ok(found)
}

/// Returns the handlers of the definition of the record that an event says has ended; they come first.
fn of_ended(
    host: &Host,
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
    Ok(dispatch::of_ended(&host.names, event, &gone, wanted))
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

/// Returns whether the recipient at a place of the flat list is still an element, after handlers did something.
pub(super) fn present(_: &Lua, host: &Host, (act, place): (This, usize)) -> mlua::Result<bool> {
    let mut guard = host.ruling(act)?;
    let run = &mut *guard;
    host.meter.begin_callback();
    let Some(frame) = run.motion.frames.last() else {
        return Ok(false);
    };
    if frame.shape == run.state.shape() && !run.is_traced() {
        host.is_untouched();
        return Ok(true);
    }
    let Some(recipient) = frame.recipients.get(place / 3) else {
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
            true => drop(run.enter(place / 3)),
            false => trace::gone(run, rule, element),
        }
    }
    Ok(is_element)
}

/// Decides about a handler that broke: rolls back to its savepoint and asks the game master whether the command goes
/// on without it; returns the place of the next recipient.
///
/// Errors: the command stops: a limit, a waiting ruling, a refusal, or the game does not go on without the rule.
pub(super) fn failed(
    lua: &Lua,
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
    let (finding, question, place) = {
        let mut run = host.speaking(act, "runs no rules")?;
        let rules = Rc::clone(&host.rules.borrow());
        let finding = chained(&run, diagnose(&error, None, &rules.sources));
        let Some((recipient, at)) = run.take_back() else {
            return Err(error);
        };
        let question = run.is_attended.then(|| broken(&run, &recipient, &finding));
        (finding, question, 3 * (at + 1) + 1)
    };
    let Some(question) = question else {
        return Err(host.stop_command(finding));
    };
    let answer = ask(lua, host, act, vec![question])?.pop();
    if answer.is_some_and(|answer| answer.as_str() == Some(SKIP)) {
        return Ok(place);
    }
    Err(host.stop_command(finding))
}

/// Returns the question what becomes of a command when a rule in it breaks.
fn broken(run: &Run, recipient: &(Name, Name), finding: &Diagnostic) -> Question {
    let names = run.state.names();
    let (rule, element) = (names.text(recipient.0), names.text(recipient.1));
    let place = finding.place.as_ref().map_or_else(String::new, |place| {
        let line = place.source.position(place.span.start).line;
        format!(" at {}:{line}", place.source.name())
    });
    let what = shortened(&finding.message);
    Question {
        to: GM.to_owned(),
        members: Vec::new(),
        key: format!("{BROKEN}{rule}"),
        who: element.to_string(),
        reply: ReplyType::Options(vec![SKIP.to_owned(), STOP.to_owned()]),
        default: STOP.into(),
        deadline: None,
        text: format!(
            "the rule {rule} of {element} breaks{place}: {what}. Go on without it (skip), or take the whole command back (stop)?"
        ),
    }
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
        let value = row_value(host, run, *row)?;
        taken.push(super::super::super::convert::to_lua(&value, lua)?);
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
    let message =
        format!("the queue \"{queue}\" was emptied {again} times and fills again and again");
    let finding = Diagnostic::error("limit/events", message)
        .hint("a rule that the queue runs puts something into it each time");
    Err(host.stop_command(chained(&run, finding)))
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
fn chained(run: &Run, finding: Diagnostic) -> Diagnostic {
    if run.motion.frames.is_empty() {
        return finding;
    }
    let names = run.state.names();
    let link = |frame: &Frame| {
        let recipient = frame.recipients.get(frame.at?)?;
        let rule = names.text(frame.event.listeners.get(recipient.listener)?.rule);
        Some(format!(
            "{} ({rule} of {})",
            frame.event.name,
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
