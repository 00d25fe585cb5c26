//! Handlers that a schema read: how one begins at its turn, how one runs outside of an event, and what becomes of those that
//! are too many.

use std::rc::Rc;

use mlua::{Function, Lua, MultiValue, Table};

use super::endless_rules::stop_endless_rules;
use super::event_emission::{check_event_depth, count_firings, push_event_frame, recipient_tables};
use super::named_work::cut_cause_name;
use super::stored_handlers::read_stored_handlers;
use crate::diag::Diagnostic;
use crate::script::border::stack_value::{NameArgument, This};
use crate::script::host::Host;
use crate::script::run::cause::Cause;
use crate::script::run::cause_chain::cause_link;
use crate::script::run::keyed_handler::keyed_handler;
use crate::script::run::recipient::Recipient;
use crate::value::Text;

/// What the frame runs one handler by: as of an event, and the name of that.
type Late = (Option<Table>, Option<Table>, Option<String>, bool);

/// Begins to run one handler of an element outside of an emission, by its key: returns what it is called by, its event, and whether
/// it is to be announced; nil if the element is gone, or its definition has no such handler. Of a definition that stands for another
/// one, any of the collection counts: which one it stands for may have changed since.
pub(super) fn begin_late_handler(
    lua: &Lua,
    host: &Host,
    (act, element, key): (This, NameArgument, String),
) -> mlua::Result<Late> {
    read_stored_handlers(lua, host, act)?;
    let mut run = host.ruling_to_speak(act, "cannot run rules")?;
    let rules = Rc::clone(&host.rules.borrow());
    let element = host.existing_name(&element).ok();
    let element = element.filter(|row| run.state.exists(*row));
    let listeners = rules.listeners();
    let found = element.and_then(|element| {
        let found = keyed_handler(&run.state, &listeners, (element, &key))?;
        Some((element, found))
    });
    let Some((element, (event, at))) = found else {
        return Ok((None, None, None, false));
    };
    check_event_depth(lua, host, &run)?;
    count_firings(lua, host, &mut run, 1)?;
    host.meter.renew_callback_fuel();
    let recipient = Recipient {
        listener: at,
        by: at,
        element,
        bearer: run.state.bearer(element),
        is_gone: true,
    };
    let (places, rows) = recipient_tables(lua, host, &event, std::slice::from_ref(&recipient))?;
    let name = event.name.to_string();
    push_event_frame(&mut run, event, [recipient].into(), true);
    Ok((Some(places), Some(rows), Some(name), run.is_traced()))
}

/// Returns whether a handler of an element is at work around the present one: that with a key, any without, and without an element
/// any of any.
pub(super) fn is_handler_running(
    _: &Lua,
    host: &Host,
    (act, element, key): (This, Option<NameArgument>, Option<String>),
) -> mlua::Result<bool> {
    let run = host.ruling(act)?;
    let element = match element {
        None => return Ok(run.motion.frames.len() > 1),
        Some(element) => host.existing_name(&element).ok(),
    };
    let Some(element) = element else {
        return Ok(false);
    };
    let around = run
        .motion
        .frames
        .split_last()
        .map_or(&[][..], |(_, around)| around);
    Ok(around.iter().any(|frame| {
        let at_work = frame.at.and_then(|at| frame.recipients.get(at));
        at_work.is_some_and(|one| {
            let own = frame.event.listeners[one.listener].work.key();
            let is_it = key
                .as_ref()
                .is_none_or(|key| own.is_some_and(|own| **own == **key));
            one.element == element && is_it
        })
    }))
}

/// Lets a handler that a schema read begin at its turn: what it does hangs below what it is called, above a savepoint.
/// Returns nil, or the limit where as many lie around it as its event allows.
pub(super) fn begin_handler_turn(
    _: &Lua,
    host: &Host,
    (act, place, label, row): (This, usize, Option<String>, Option<NameArgument>),
) -> mlua::Result<Option<usize>> {
    let mut guard = host.ruling(act)?;
    let run = &mut *guard;
    let depth = run.motion.frames.len();
    let Some(frame) = run.motion.frames.last() else {
        return Ok(None);
    };
    if let Some(most) = frame.event.settings.max_depth.filter(|most| depth > *most) {
        return Ok(Some(most));
    }
    let Some(recipient) = frame.recipients.get(place.wrapping_sub(1)) else {
        return Ok(None);
    };
    let listener = &frame.event.listeners[recipient.listener];
    let key = || {
        listener
            .work
            .key()
            .map_or_else(|| "a handler".into(), Text::clone)
    };
    let cause = match label {
        Some(label) => Cause::Work {
            // Where nobody reads what it is called, it is known by its key.
            what: if label.is_empty() {
                key()
            } else {
                cut_cause_name(&label)
            },
            row: row.map(|row| host.new_name(&row)).transpose()?,
        },
        None => Cause::Handler {
            rule: listener.rule,
            element: recipient.element,
            event: Rc::clone(&frame.event.name),
        },
    };
    run.begin_turn(place - 1, cause);
    Ok(None)
}

/// Fuel of the call of `call_without_fuel` itself.
const UNCOUNTED: u64 = 1;

/// Calls a function for what only some runs do, such as those that somebody attends: it takes no fuel, so that any run of a command
/// takes as much. Errors: those of the function; the limits hold for it.
pub(super) fn call_without_fuel(
    _: &Lua,
    host: &Host,
    (function, given): (Function, MultiValue),
) -> mlua::Result<MultiValue> {
    host.meter
        .reset_fuel_used(host.meter.fuel_used().saturating_sub(UNCOUNTED));
    let _aside = host.meter.begin_uncharged_work();
    let made = host.note_place_at_limit(function.call(given))?;
    Ok(made)
}

/// What is done about a limit that was passed: the function of the ruleset that is told, if it is told, what is at work, the outermost
/// first, and whether the command goes on.
type Passed = (Option<Function>, Vec<String>, bool);

/// The limits that rulesets set.
const MAX_DEPTH: &str = "max_depth";
const AGAIN: &str = "again";

/// Returns what is done about a limit that was passed, of an event or a queue.
///
/// The function is told once in a run for each event and queue, and of the depth once for all: rules that set off one another without end
/// do so by several events. Errors: the ruleset has none, so the command stops; of a queue that fills again and again the queue says so.
pub(super) fn limit_reaction(
    lua: &Lua,
    host: &Host,
    (act, limit, of, most): (This, String, String, u32),
) -> mlua::Result<Passed> {
    let mut run = host.ruling(act)?;
    let rules = Rc::clone(&host.rules.borrow());
    let ruleset = rules.ruleset_table.as_ref();
    let function = |table: &Table| table.raw_get::<Option<Function>>("on_limit").ok().flatten();
    let Some(tell) = ruleset.and_then(function) else {
        let message = match &*limit {
            AGAIN => return Ok((None, Vec::new(), false)),
            MAX_DEPTH => {
                format!("handlers of \"{of}\" are nested more than {most} levels deep")
            }
            "max_repeats" => {
                format!("\"{of}\" was emitted again {most} times and still leads to itself")
            }
            _ => format!("the same queue entry comes back more than {most} times: {of}"),
        };
        let finding = Diagnostic::error("limit/events", message);
        let hint = "to let the command continue without the rest, write on_limit = function(act, passed) … end in ruleset.luau";
        return Err(stop_endless_rules(lua, host, &run, finding.hint(hint)));
    };
    let of = match &*limit {
        MAX_DEPTH => String::new(),
        _ => of,
    };
    let passed = (limit, of);
    if run.motion.limits_told.contains(&passed) {
        return Ok((None, Vec::new(), true));
    }
    run.motion.limits_told.push(passed);
    let causes = run.motion.causes.causes_at_work();
    let called = |cause: &Cause| match cause {
        Cause::Work { what, .. } => Some(what.to_string()),
        cause => cause_link(&run, cause),
    };
    let mut chain: Vec<String> = causes.filter_map(called).collect();
    chain.reverse();
    Ok((Some(tell), chain, true))
}
