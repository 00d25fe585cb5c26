//! Handlers that a schema read: the beginning of a turn, the run outside of an event, and the steps at a passed limit.

use std::rc::Rc;

use mlua::{Function, Lua, MultiValue, Table};

use super::endless_rules::stop_endless_rules;
use super::event_emission::{
    check_event_depth, count_handler_runs, push_event_frame, recipient_tables,
};
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

/// Values for the frame to run one handler: the values of an event, and its name.
type Late = (Option<Table>, Option<Table>, Option<String>, bool);

/// Begins to run one handler of a listener outside of an emission, by its key. Returns the places, the rows, the name
/// of its event, and whether to announce the handler. Returns nil if the listener is gone, or if its definition has no
/// such handler. For a definition that uses the handlers of another one, any definition of the collection counts. The
/// other definition may have changed since.
pub(super) fn begin_late_handler(
    lua: &Lua,
    host: &Host,
    (act, element, key): (This, NameArgument, String),
) -> mlua::Result<Late> {
    read_stored_handlers(lua, host, act)?;
    let mut run = host.ruling_outside_expressions(act, "cannot run rules")?;
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
    count_handler_runs(lua, host, &mut run, 1)?;
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

/// Returns whether a handler of a listener is running around the present one. With a key, only the handler with that
/// key counts. Without a listener, any handler of any listener counts.
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

/// Begins the turn of a handler that a schema read, with a savepoint. Its work is filed below its label. Returns nil,
/// or the nesting limit of its event if that is reached.
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
            // If nothing reads the label, the key of the handler names it.
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
    run.begin_turn_as_cause(place - 1, cause);
    Ok(None)
}

/// Fuel of the call of `call_without_fuel` itself.
const UNCOUNTED: u64 = 1;

/// Calls a function for work that only some runs do, for example runs that a person attends. The function takes no
/// fuel, so that all runs of a command take the same fuel. Its limits still apply. Errors: an error of the function.
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

/// Actions at a passed limit. First the function of the ruleset, if there is one. Then the causes at work, from the
/// outermost. Then whether the command goes on.
type Passed = (Option<Function>, Vec<String>, bool);

/// Names of the limits that rulesets set.
const MAX_DEPTH: &str = "max_depth";
const AGAIN: &str = "again";

/// Returns the actions at a passed limit of an event or a queue.
///
/// A run calls the function once for each event and queue, and only once for the depth: endless rules use several
/// events. Errors: the ruleset has no such function, so the command stops. For a queue that refills again and again,
/// the queue reports that itself.
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
