//! Fast way to emit an event again if its recipients did not change.

use std::rc::Rc;

use super::event_followup::{
    has_followup_without_recipients, may_have_followup, should_omit_event_at_rest,
};
use crate::script::api::library::ANSWER;
use crate::script::host::Host;
use crate::script::host::fast_call_arguments::Arguments as _;
use crate::script::profile::Work;
use crate::script::raw::{Call, Fast, Given};
use crate::script::run::event_frame::Frame;
use crate::script::run::event_recipients;
use crate::value::Value;

/// Fuel of finding the recipients of an event, without the fuel of each recipient: the fuel of the saved call with its
/// safe point.
const FOUND: u32 = ANSWER + 1;

/// Fuel of the two safe points in the frame's function that emits an event. No code calls that function if there are no
/// recipients.
const TELLING: u32 = 2;

/// Begins to emit an event without addressees. Returns true if its last recipients handle it again, false if nothing
/// listens, nil if the recipients must be found.
pub(super) struct FastEmitAgain;

/// Ends the emission of an event.
pub(super) struct FastEndEmission;

impl Fast for FastEmitAgain {
    type Owner = Host;

    const FUEL: u32 = ANSWER;

    const WORK: (Work, &'static str) = (Work::Events, "act:emit");

    const MOST: usize = usize::MAX;

    #[inline]
    fn answer(host: &Host, call: Call<'_>) -> Option<Given> {
        let (this, name) = (call.called_table()?, call.name_argument(host, 1)?);
        let mut run = host.free_ruling_outside_expressions(this)?;
        let rules = host.rules.borrow();
        let listeners = rules.listeners.borrow();
        let event = listeners.event(name)?;
        if run.state.has_unread_definitions() {
            return None;
        }
        if should_omit_event_at_rest(&run, event) {
            host.meter.spend_fuel(FOUND + TELLING);
            return Some(call.give_one(&Value::Bool(false)));
        }
        if !event_recipients::is_handled(&run.state, event) {
            if has_followup_without_recipients(&run, &listeners, event) {
                return None;
            }
            host.meter.spend_fuel(FOUND + TELLING);
            return Some(call.give_one(&Value::Bool(false)));
        }
        // The handlers of the event may write something.
        if may_have_followup(&run, &listeners, event) {
            return None;
        }
        if event.settings.max_repeat_emissions().is_some() || event.settings.max_depth.is_some() {
            return None;
        }
        let shape = run.state.listening_version();
        let recipients = host.cached_recipients(name, shape)?;
        let motion = &mut run.motion;
        let heard = u32::try_from(recipients.len()).ok()?;
        let firings = motion.firings.checked_add(heard)?;
        let limits = host.meter.limits();
        if firings > limits.firings || motion.frames.len() >= limits.event_depth {
            return None;
        }
        motion.firings = firings;
        host.meter.spend_fuel(FOUND.saturating_add(heard));
        host.meter.renew_callback_fuel();
        let parent = motion.causes.cause_at_work();
        motion.frames.push(Frame {
            event: Rc::clone(event),
            recipients,
            shape,
            from: 0,
            at: None,
            savepoint: None,
            parent,
            is_late: false,
            repeats: false,
        });
        Some(call.give_one(&Value::Bool(true)))
    }
}

impl Fast for FastEndEmission {
    type Owner = Host;

    const FUEL: u32 = ANSWER;

    const WORK: (Work, &'static str) = (Work::Events, "act:emit");

    const MOST: usize = usize::MAX;

    #[inline]
    fn answer(host: &Host, call: Call<'_>) -> Option<Given> {
        let repeats = host
            .free_ruling(call.called_table()?)?
            .end_innermost_event();
        Some(call.give_one(&Value::Bool(repeats)))
    }
}
