//! Emission of events: finds the recipients, begins their turns and keeps the stack of events at work.

use std::rc::Rc;

use mlua::{Function, Lua, MultiValue, Table, Value as LuaValue};

use super::address::{ADDRESSES, check_address, read_address};
use super::endless_rules::stop_endless_rules;
use super::event_followup::{
    has_followup_without_recipients, may_have_followup, should_omit_event_at_rest,
};
use super::frame_values::{EmissionTuple, EmissionValues};
use super::handler_error::{Broken, decide_about_broken_rule};
use super::row_arguments::existing_row;
use super::stored_handlers::read_stored_handlers;
use crate::diag::Diagnostic;
use crate::script::api::refusal_error;
use crate::script::border::stack_value::{Argument, NameArgument, This};
use crate::script::border::type_in_words;
use crate::script::border::value_conversion::from_lua;
use crate::script::host::error_findings::HostError;
use crate::script::host::{CachedRecipients, Host};
use crate::script::run::Run;
use crate::script::run::event::Event;
use crate::script::run::event_frame::Frame;
use crate::script::run::event_recipients::{self, Address};
use crate::script::run::passed_over_handlers::passed_over_handlers;
use crate::script::run::recipient::Recipient;
use crate::script::run::trace::{self, Step};
use crate::value::{Name, Text, Value};

/// Fuel of checking whether one addressed row handles the event.
pub(in crate::script::api) const LOOK: u64 = 6;

/// Begins to emit an event. Returns the values with which the frame emits it.
pub(super) fn begin_emission_for_frame(
    lua: &Lua,
    host: &Host,
    given: (This, NameArgument, LuaValue, Table, LuaValue),
) -> mlua::Result<EmissionTuple> {
    begin_emission(lua, host, given).map(EmissionValues::into_frame_values)
}

/// Begins to emit an event: finds its recipients.
fn begin_emission(
    lua: &Lua,
    host: &Host,
    (act, name, to, fields, at): (This, NameArgument, LuaValue, Table, LuaValue),
) -> mlua::Result<EmissionValues> {
    read_stored_handlers(lua, host, act)?;
    let event = host.event(&name)?;
    let address = {
        let mut run = host.ruling_outside_expressions(act, "cannot emit events")?;
        let traced = run.is_traced();
        let is_handled = event_recipients::is_handled(&run.state, &event);
        let address = match is_handled {
            true => read_address(host, to, at)?,
            // The address of an event without handlers is not read, so traced runs and other runs give the same
            // refusals.
            false => {
                check_address(&to, &at)?;
                match traced {
                    true => read_address(host, to, at).unwrap_or(Address::All),
                    false => Address::All,
                }
            }
        };
        let is_at_rest = address == Address::All && should_omit_event_at_rest(&run, &event);
        if traced && event.is_noted_in_trace() && !is_at_rest {
            trace_event(lua, &mut run, (&event, &address), &fields)?;
        }
        if !is_handled {
            return Ok(emission_without_recipients(host, &run, &event));
        }
        if is_at_rest
            || (event.settings.max_repeat_emissions().is_some()
                && mark_for_repeat_if_being_emitted(&mut run, &event))
        {
            return Ok(EmissionValues {
                is_traced: traced,
                ..EmissionValues::default()
            });
        }
        check_event_depth(lua, host, &run)?;
        address
    };
    let heard = cached_or_found_recipients(lua, host, act, (&event, &address), &fields)?;
    let mut run = host.ruling(act)?;
    let traced = run.is_traced();
    if heard.recipients.is_empty() {
        return Ok(emission_without_recipients(host, &run, &event));
    }
    let is_followed = may_have_followup(&run, &host.rules.borrow().listeners(), &event);
    count_handler_runs(lua, host, &mut run, heard.recipients.len())?;
    host.meter.renew_callback_fuel();
    let settings = &event.settings;
    let depth = run.motion.frames.len();
    let telling = EmissionValues {
        places: Some(heard.places),
        rows: Some(heard.rows),
        is_followed,
        is_traced: traced,
        repeats: settings.max_repeat_emissions(),
        too_deep: settings.max_depth.filter(|most| depth >= *most),
        written_before: settings.is_until_quiet().then(|| run.valid_write_count()),
    };
    push_event_frame(&mut run, event, heard.recipients, false);
    Ok(telling)
}

pub(super) fn push_event_frame(
    run: &mut Run,
    event: Rc<Event>,
    recipients: Rc<[Recipient]>,
    is_late: bool,
) {
    let depth = run.motion.frames.len();
    let is_noted = !is_late && event.is_noted_in_trace();
    if let Some(trace) = run.motion.causes.trace.as_deref_mut().filter(|_| !is_noted) {
        // Events that were emitted here before are over.
        trace.drop_events_below(depth);
    }
    let frame = Frame {
        event,
        recipients,
        shape: run.state.listening_version(),
        from: 0,
        at: None,
        savepoint: None,
        parent: run.motion.causes.cause_at_work(),
        is_late,
        repeats: false,
    };
    run.motion.frames.push(frame);
}

/// Returns the values with which the frame emits an event that has no recipients.
fn emission_without_recipients(host: &Host, run: &Run, event: &Event) -> EmissionValues {
    EmissionValues {
        is_followed: has_followup_without_recipients(run, &host.rules.borrow().listeners(), event),
        is_traced: run.is_traced(),
        ..EmissionValues::default()
    }
}

/// Notes that an event is emitted again after the present emission, if that event is being emitted. An event that is
/// emitted until nothing is written is emitted again only if something was written.
fn mark_for_repeat_if_being_emitted(run: &mut Run, event: &Event) -> bool {
    let repeats = !event.settings.is_until_quiet();
    let is_it = |frame: &&mut Frame| !frame.is_late && frame.event.name == event.name;
    let telling = run.motion.frames.iter_mut().find(is_it);
    telling.map(|frame| frame.repeats |= repeats).is_some()
}

/// Begins to emit an event again to its last recipients, if they are known. Returns nil: they are not known.
pub(super) fn repeat_emission_fallback(_: &Lua, _: &Host, _: MultiValue) -> mlua::Result<()> {
    Ok(())
}

/// Checks the depth of events. Errors: `limit/depth`, with the chain of events.
pub(super) fn check_event_depth(lua: &Lua, host: &Host, run: &Run) -> mlua::Result<()> {
    let most = host.meter.limits().event_depth;
    if run.motion.frames.len() < most {
        return Ok(());
    }
    let message = format!("events are nested more than {most} levels deep");
    let finding = Diagnostic::error("limit/depth", message);
    Err(stop_endless_rules(lua, host, run, finding))
}

/// Counts handlers that run. Errors: `limit/events`, with the chain of events.
pub(super) fn count_handler_runs(
    lua: &Lua,
    host: &Host,
    run: &mut Run,
    more: usize,
) -> mlua::Result<()> {
    let more = u32::try_from(more).unwrap_or(u32::MAX);
    run.motion.firings = run.motion.firings.saturating_add(more);
    let most = host.meter.limits().firings;
    if run.motion.firings <= most {
        return Ok(());
    }
    let message = format!("one command ran more than {most} handlers and `act:with_cause` blocks");
    let finding = Diagnostic::error("limit/events", message);
    Err(stop_endless_rules(lua, host, run, finding))
}

/// Returns the recipients of an event. If neither addressees nor fields decide them, the recipients are kept until rows
/// of the game change.
fn cached_or_found_recipients(
    lua: &Lua,
    host: &Host,
    act: This,
    (event, address): (&Rc<Event>, &Address),
    fields: &Table,
) -> mlua::Result<CachedRecipients> {
    let shape = host.ruling(act)?.state.listening_version();
    let name = host.names.intern(&event.name);
    let is_general = *address == Address::All && event.is_lasting;
    if let Some(known) = is_general
        .then(|| host.cached_recipients_with_tables(name, shape))
        .flatten()
    {
        // Cached recipients cost the same fuel as a search for them.
        host.charge(known.recipients.len() as u64)?;
        return Ok(known);
    }
    let found = find_recipients(lua, host, act, event, address, fields)?;
    let (places, rows) = recipient_tables(lua, host, event, &found)?;
    let heard = CachedRecipients {
        places,
        rows,
        recipients: found.into(),
    };
    if is_general {
        host.cache_recipients(name, shape, heard.clone())?;
    }
    Ok(heard)
}

/// Notes an emitted event and the handlers that its listeners pass over.
#[cold]
fn trace_event(
    lua: &Lua,
    run: &mut Run,
    (event, address): (&Event, &Address),
    fields: &Table,
) -> mlua::Result<()> {
    let wanted: Value = fields_for_filters(event, fields)?;
    let over = passed_over_handlers(&run.state, event, address, &wanted, &run.watching);
    let to = match address {
        Address::All => None,
        Address::To(rows) | Address::At(rows) => Some(rows.clone()),
    };
    let told = Step::Emitted {
        event: (&*event.name).into(),
        to,
        reason: fields.raw_get::<Option<String>>("reason").ok().flatten(),
    };
    trace::note_emission(lua, run, (told, fields), over);
    Ok(())
}

fn find_recipients(
    lua: &Lua,
    host: &Host,
    act: This,
    event: &Event,
    address: &Address,
    fields: &Table,
) -> mlua::Result<Vec<Recipient>> {
    let wanted: Value = fields_for_filters(event, fields)?;
    let (mut found, open) = {
        let mut guard = host.ruling(act)?;
        let run = &mut *guard;
        host.charge(event_recipients::addressed_row_count(&run.state, address) * LOOK)?;
        let chance = run.chance.as_mut();
        let found = event_recipients::find_recipients(&run.state, event, address, &wanted, chance);
        let found = found.map_err(HostError::error_of_finding)?;
        let open = found.delegating_handlers(&run.state, event, &wanted, run.chance.as_mut());
        (found, open.map_err(HostError::error_of_finding)?)
    };
    let named = ask_substituted_definitions(lua, host, (act, event), open)?;
    let mut guard = host.ruling(act)?;
    let run = &mut *guard;
    if event.has_of {
        found.replace_delegating_handlers(&run.state, event, &named, &wanted);
    }
    let (watching, hear) = (&mut run.watching, &mut found.recipients);
    watching.retain_with_new_writes(&mut run.state, event, hear);
    event_recipients::keep_first_of_key(event, hear);
    watching.note_write_counts(&mut run.state, event, hear);
    let found = found.recipients_in_order(&run.state, event, &wanted, run.chance.as_mut());
    let mut found = found.map_err(HostError::error_of_finding)?;
    if event.tells_of_gone {
        // The handlers of the ended record come first.
        found.splice(
            0..0,
            recipients_of_ended_record(host, run, event, fields, &wanted)?,
        );
    }
    host.charge(found.len() as u64)?;
    Ok(found)
}

/// Asks each listener that uses the handlers of another definition for that definition. The function may look and roll.
/// A function that breaks names no definition, if the game goes on without it.
fn ask_substituted_definitions(
    lua: &Lua,
    host: &Host,
    (act, event): (This, &Event),
    open: Vec<(Recipient, Function)>,
) -> mlua::Result<Vec<(Recipient, Name)>> {
    let mut named = Vec::new();
    for (recipient, of) in open {
        let text = |name: Name| host.names.text(name);
        let (element, bearer) = (text(recipient.element), text(recipient.bearer));
        let given = (host.live_act(), &*element, &*bearer);
        let said = {
            let _choosing = host.allow_looking_and_drawing_only();
            of.call::<LuaValue>(given)
        };
        let wrong = match said {
            Ok(LuaValue::Nil) => continue,
            Ok(LuaValue::String(id)) => {
                let id = host.names.find(&id.to_string_lossy());
                named.extend(id.map(|id| (recipient, id)));
                continue;
            }
            Ok(other) => {
                let found = type_in_words(other.type_name());
                let message = format!(
                    "`of` of a handler returns {found} instead of the id of a definition, or nil"
                );
                refusal_error("script/handlers", message)
            }
            Err(error) => error,
        };
        let broken = Broken {
            rule: text(event.listeners[recipient.listener].rule),
            what: None,
            element: Some(element),
        };
        let problem = LuaValue::Error(Box::new(wrong));
        decide_about_broken_rule(lua, host, (act, problem), |_| Some(broken))?;
    }
    Ok(named)
}

/// Returns the handlers of the definition of the record that has ended according to an event.
fn recipients_of_ended_record(
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
    let gone = event_recipients::Gone {
        record,
        kind,
        bearer,
        values: &values.0,
    };
    Ok(event_recipients::recipients_of_ended(
        &run.state, event, &gone, wanted,
    ))
}

/// Returns the fields of an event that filters read.
fn fields_for_filters(event: &Event, fields: &Table) -> mlua::Result<Value> {
    let mut found = Vec::with_capacity(event.fields.len());
    for field in &event.fields {
        let value: LuaValue = fields.raw_get(field.as_str())?;
        // A filter reads a value that is not plain data as nothing.
        found.push((field.clone(), from_lua(value).unwrap_or(Value::Nil)));
    }
    Ok(Value::map(found))
}

/// Returns whether an event may have a recipient, before filters are evaluated.
pub(super) fn has_listeners(
    lua: &Lua,
    host: &Host,
    (act, name, options): (This, NameArgument, Option<Table>),
) -> mlua::Result<bool> {
    read_stored_handlers(lua, host, act)?;
    let run = host.ruling(act)?;
    let event = host.event(&name)?;
    let options = options.as_ref();
    if let Some(options) = options {
        options.for_each(|key: String, _: This| match ADDRESSES.contains(&&*key) {
            true => Ok(()),
            false => {
                let message = format!("`act:has_listeners` has no option \"{key}\"");
                Err(refusal_error("script/argument", message))
            }
        })?;
    }
    let option = |key: &str| options.map_or(Ok(LuaValue::Nil), |options| options.raw_get(key));
    let (to, at) = (option("to")?, option("at")?);
    if !event_recipients::is_handled(&run.state, &event) {
        check_address(&to, &at)?;
        return Ok(false);
    }
    let address = read_address(host, to, at)?;
    let (is_heard, looked_at) = event_recipients::has_listeners(&run.state, &event, &address);
    host.charge(looked_at * LOOK)?;
    Ok(is_heard)
}

/// Returns the places of handlers, from 1, and the listener and the bearer of each, in order.
pub(super) fn recipient_tables(
    lua: &Lua,
    host: &Host,
    event: &Event,
    found: &[Recipient],
) -> mlua::Result<(Table, Table)> {
    host.share_handler_tables_with_frame(lua, event)?;
    let places = found.iter().map(|one| one.listener + 1);
    let rows: Vec<Text> = found
        .iter()
        .flat_map(|one| [one.element, one.bearer])
        .map(|row| host.names.text(row))
        .collect();
    let rows = rows.iter().map(|row| &**row);
    Ok((
        lua.create_sequence_from(places)?,
        lua.create_sequence_from(rows)?,
    ))
}

/// Returns whether the recipient at a place, from 1, is still a listener after other handlers ran.
pub(super) fn begin_recipient_turn(
    _: &Lua,
    host: &Host,
    (act, place): (This, usize),
) -> mlua::Result<bool> {
    let mut guard = host.ruling(act)?;
    let run = &mut *guard;
    if run.is_traced() {
        trace::note_changed_fields(run);
    }
    host.meter.renew_callback_fuel();
    let Some(frame) = run.motion.frames.last() else {
        return Ok(false);
    };
    if place - 1 < frame.from {
        return Ok(false);
    }
    if frame.shape == run.state.listening_version() && !run.is_traced() {
        host.set_changed_since_recipients(false);
        return Ok(true);
    }
    let Some(recipient) = frame.recipients.get(place - 1) else {
        return Ok(false);
    };
    let (listener, element) = (&frame.event.listeners[recipient.by], recipient.element);
    let is_read = frame.event.listeners[recipient.listener]
        .work
        .key()
        .is_some();
    let is_element = recipient.is_gone
        || frame.shape == run.state.listening_version()
        || event_recipients::is_still_element_of_listener(&run.state, listener, element);
    if run.is_traced() {
        let rule = listener.rule;
        match is_element {
            true if is_read || !frame.event.is_noted_in_trace() => {}
            true => drop(run.begin_recipient_turn(place - 1)),
            false => trace::note_gone_element(run, rule, element),
        }
    }
    Ok(is_element)
}

/// Ends the emission of an event. Returns whether the event is emitted again, because it was emitted in the meantime.
pub(super) fn end_emission(_: &Lua, host: &Host, act: This) -> mlua::Result<bool> {
    let mut run = host.ruling(act)?;
    if run.is_traced() {
        trace::note_changed_fields(&mut run);
    }
    Ok(run.end_innermost_event())
}

/// Returns the cause at work.
pub(super) fn current_cause(_: &Lua, host: &Host, act: This) -> mlua::Result<u32> {
    Ok(host.ruling_at_its_turn(act)?.motion.causes.cause_at_work())
}

/// Returns the row at the top of the owners of a record, or the row itself.
pub(super) fn bearer_of_row(
    _: &Lua,
    host: &Host,
    (act, row): (This, NameArgument),
) -> mlua::Result<String> {
    let run = host.ruling(act)?;
    let row = existing_row(host, &run, &row)?;
    Ok(host.names.text(run.state.bearer(row)).to_string())
}
