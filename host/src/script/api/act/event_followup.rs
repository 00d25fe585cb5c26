//! Steps after an event, when all recipients had their turns. Records end by the event or by an expression, and
//! `settled` is emitted. Also notes when an event with `until_quiet` comes to rest.

use mlua::Lua;

use crate::script::border::stack_value::{NameArgument, This};
use crate::script::host::Host;
use crate::script::run::Run;
use crate::script::run::event::{Event, SETTLED};
use crate::script::run::event_frame::Frame;
use crate::script::run::listeners::Listeners;

/// Returns whether anything may happen after an event, regardless of the actions of its recipients.
pub(super) fn may_have_followup(run: &Run, listeners: &Listeners, event: &Event) -> bool {
    event
        .id
        .is_some_and(|event| run.state.may_end_after_event(event))
        || listeners.hears_settled
}

/// Returns whether anything happens after an event without recipients. After a test without a later write, nothing ends
/// and nothing is emitted again.
pub(super) fn has_followup_without_recipients(
    run: &Run,
    listeners: &Listeners,
    event: &Event,
) -> bool {
    let ends = |event| {
        run.state.may_end_by_event_kind(event)
            || (run.state.may_end_after_event(event)
                && run.ends_tested != Some(run.state.version()))
    };
    event.id.is_some_and(ends) || should_emit_settled(run, listeners)
}

/// Returns whether something was written since the last emission of `settled`, and a listener handles it. During its
/// emission, `settled` is not emitted again.
fn should_emit_settled(run: &Run, listeners: &Listeners) -> bool {
    let is_told = |frame: &Frame| *frame.event.name == *SETTLED;
    listeners.hears_settled
        && !run.query
        && run.settled != run.state.mark().position()
        && !run.motion.frames.iter().any(is_told)
}

/// Returns whether `settled` is emitted now.
pub(super) fn begin_settled_if_due(_: &Lua, host: &Host, act: This) -> mlua::Result<bool> {
    let mut run = host.ruling(act)?;
    let is_told = should_emit_settled(&run, &host.rules.borrow().listeners());
    if is_told {
        run.settled = run.state.mark().position();
    }
    Ok(is_told)
}

/// Returns whether to omit an event that is emitted until nothing is written: nothing was written since the event was
/// at rest.
pub(super) fn should_omit_event_at_rest(run: &Run, event: &Event) -> bool {
    event.settings.is_until_quiet()
        && run.quiet_events.get(&event.name) == Some(&run.state.version())
}

/// Notes that an event is at rest that is emitted until nothing is written. The event is omitted until the next write.
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
