//! Says what happens behind an event, when all who hear it had their turns: records end by it or by an expression, and
//! `settled` is told; and when an event rests that is told until nothing is written any more.

use mlua::Lua;

use crate::script::border::stack_value::{NameArgument, This};
use crate::script::host::Host;
use crate::script::run::Run;
use crate::script::run::event::{Event, SETTLED};
use crate::script::run::event_frame::Frame;
use crate::script::run::listeners::Listeners;

/// Returns whether anything may happen behind an event, whatever those do who hear it.
pub(super) fn may_have_followup(run: &Run, listeners: &Listeners, event: &Event) -> bool {
    event.id.is_some_and(|event| run.state.ends_after(event)) || listeners.hears_settled
}

/// Returns whether anything happens behind an event that nobody hears: nothing that was looked at since the last write ends or is
/// told again.
pub(super) fn has_followup_unheard(run: &Run, listeners: &Listeners, event: &Event) -> bool {
    let ends = |event| {
        run.state.ends_by_event(event)
            || (run.state.ends_after(event) && run.ends_tested != Some(run.state.version()))
    };
    event.id.is_some_and(ends) || should_tell_settled(run, listeners)
}

/// Returns whether something was written since `settled` was told last, and somebody hears it. While it is told it is not told
/// again.
fn should_tell_settled(run: &Run, listeners: &Listeners) -> bool {
    let is_told = |frame: &Frame| *frame.event.name == *SETTLED;
    listeners.hears_settled
        && !run.query
        && run.settled != run.state.mark().position()
        && !run.motion.frames.iter().any(is_told)
}

/// Returns whether `settled` is told now.
pub(super) fn begin_settled(_: &Lua, host: &Host, act: This) -> mlua::Result<bool> {
    let mut run = host.ruling(act)?;
    let is_told = should_tell_settled(&run, &host.rules.borrow().listeners());
    if is_told {
        run.settled = run.state.mark().position();
    }
    Ok(is_told)
}

/// Returns whether an event is left out that is told until nothing is written: nothing was since it rested.
pub(super) fn is_event_at_rest(run: &Run, event: &Event) -> bool {
    event.settings.is_until_quiet()
        && run.quiet_events.get(&event.name) == Some(&run.state.version())
}

/// Notes that an event rests that is told until nothing is written: it is left out as long as nothing is.
pub(super) fn note_event_at_rest(
    _: &Lua,
    host: &Host,
    (act, name): (This, NameArgument),
) -> mlua::Result<()> {
    let event = host.event(&name)?;
    let mut run = host.ruling(act)?;
    let version = run.state.version();
    run.quiet_events.insert(event.name.clone(), version);
    Ok(())
}
