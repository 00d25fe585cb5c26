//! Notes the steps of the API and of events in a traced run. In any other run this costs one check.

use mlua::{Lua, Table};

use super::{RulePlace, Step};
use crate::script::run::Run;
use crate::script::run::event_fields::TracedEmission;
use crate::value::Name;

/// The number of nested rule functions that a place names.
const FRAMES: usize = 4;

/// Returns the rule functions at work, the innermost first, up to the handler or command.
fn rule_places(lua: &Lua) -> Vec<RulePlace> {
    let mut found = Vec::new();
    for level in 0.. {
        let place = lua.inspect_stack(level, |frame| {
            let source = frame.source();
            let chunk = source.short_src.as_deref().unwrap_or_default().to_owned();
            (chunk, frame.current_line())
        });
        let Some((chunk, line)) = place else { break };
        let is_rule = chunk.ends_with(".luau") && !chunk.starts_with("host/");
        match line {
            Some(line) if is_rule => found.push(RulePlace {
                chunk: chunk.into(),
                line,
            }),
            _ if !found.is_empty() => break,
            _ => {}
        }
        if found.len() == FRAMES {
            break;
        }
    }
    found
}

/// Adds the writes of a function of the API, in a run that is traced.
#[cold]
pub(crate) fn note_writes(lua: &Lua, run: &mut Run) {
    if run.has_untraced_writes() {
        note_writes_and_step(lua, run, || None);
    }
}

/// Adds a step of a rule, if the run is traced. The step is only made then.
#[inline]
pub(crate) fn note_step(lua: &Lua, run: &mut Run, made: impl FnOnce() -> Step) {
    if run.motion.causes.trace.is_some() {
        note_writes_and_step(lua, run, || Some(made()));
    }
}

#[cold]
fn note_writes_and_step(lua: &Lua, run: &mut Run, made: impl FnOnce() -> Option<Step>) {
    let at = rule_places(lua);
    if let Some(trace) = run.motion.causes.trace.as_deref_mut() {
        trace.add_writes(&run.state, &at);
        if let Some(step) = made() {
            trace.add_step(step, at);
        }
    }
}

/// Adds a result of chance, if the run is traced, with the faces that were rolled since the last time.
#[inline]
pub(crate) fn note_draw(lua: &Lua, run: &mut Run, made: impl FnOnce() -> (String, String)) {
    if run.motion.causes.trace.is_some() {
        note_drawn_faces(lua, run, made);
    }
}

#[cold]
fn note_drawn_faces(lua: &Lua, run: &mut Run, made: impl FnOnce() -> (String, String)) {
    let at = rule_places(lua);
    let Some(trace) = run.motion.causes.trace.as_deref_mut() else {
        return;
    };
    trace.add_writes(&run.state, &at);
    let faces = run.chance.drawn_since(trace.faces);
    trace.faces += faces.len();
    let (what, result) = made();
    let step = Step::Drew {
        what,
        result,
        faces,
    };
    trace.add_step(step, at);
}

/// Adds the changes that the handler of the ended turn made to the fields of the innermost event, if the run is traced.
#[cold]
pub(crate) fn note_changed_fields(run: &mut Run) {
    let Some(frame) = run.motion.frames.last() else {
        return;
    };
    let recipient = frame.at.and_then(|at| frame.recipients.get(at));
    let place = recipient.and_then(|one| {
        let info = frame.event.listeners[one.listener].work.function().info();
        let (chunk, line) = (info.short_src?.into(), info.line_defined?);
        Some(RulePlace { chunk, line })
    });
    let depth = run.motion.frames.len();
    if let Some(trace) = run.motion.causes.trace.as_deref_mut() {
        trace.add_changed_fields(depth, place.as_slice());
    }
}

/// Adds the emission of an event with such fields, and the handlers that are passed over, if the run is traced.
pub(crate) fn note_emission(
    lua: &Lua,
    run: &mut Run,
    (event, fields): (Step, &Table),
    passed_over: Vec<Step>,
) {
    let at = rule_places(lua);
    let depth = run.motion.frames.len();
    if let Some(trace) = run.motion.causes.trace.as_deref_mut() {
        trace.add_writes(&run.state, &at);
        trace.drop_events_below(depth);
        let line = trace.add_step(event, at);
        let Some(line) = line else { return };
        trace
            .events
            .push(TracedEmission::new((line, depth), fields.clone()));
        for step in passed_over {
            trace.add_line(Some(line), step, Vec::new());
        }
    }
}

/// Adds that a listener is passed over at its turn, if the run is traced.
#[cold]
pub(crate) fn note_gone_element(run: &mut Run, rule: Name, element: Name) {
    let depth = run.motion.frames.len();
    if let Some(trace) = run.motion.causes.trace.as_deref_mut() {
        let line = trace.innermost_event(depth).map(|telling| telling.line);
        let why = "it no longer listens when its turn comes".to_owned();
        let step = Step::PassedOver { rule, element, why };
        trace.add_line(line, step, Vec::new());
    }
}
