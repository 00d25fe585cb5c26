//! Runs code on a line of a game under the rules of an earlier command, which may not be live.

use std::rc::Rc;

use crate::diag::Diagnostic;
use crate::game::ruling::caller::Caller;
use crate::game::timeline::Timeline;

/// Returns a copy of the line under the rules of an earlier generation. Errors: they are not stored, or cannot be used.
pub(in crate::game) fn copy_under_recorded_rules(
    timeline: &Timeline,
    caller: &Caller<'_>,
    hash: &str,
) -> Result<Timeline, Box<Diagnostic>> {
    let rules = caller.generation_by_hash(hash).ok_or_else(|| {
        let message = "the rules that this ruling started with are no longer stored";
        let finding = Diagnostic::error("ask/old-rules", message);
        Box::new(finding.hint("`restart` runs it again from its start, `drop` cancels it"))
    })?;
    Ok(timeline.copy().with_rules(&rules))
}

/// Runs a function on the line under the rules of an earlier generation. Errors: they are not stored, or cannot be
/// used.
pub(in crate::game) fn run_under_recorded_rules<R>(
    timeline: &mut Timeline,
    caller: &Caller<'_>,
    hash: &str,
    body: impl FnOnce(&mut Timeline) -> R,
) -> Result<R, Box<Diagnostic>> {
    let live = Rc::clone(timeline.generation());
    if hash == live.hash() {
        return Ok(body(timeline));
    }
    let mut there = copy_under_recorded_rules(timeline, caller, hash)?;
    let done = body(&mut there);
    *timeline = there.with_rules(&live);
    Ok(done)
}
