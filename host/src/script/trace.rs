//! This module is what happened in a run that is traced: below each cause, in order, writes, dice, events, conditions
//! and refusals, each with the line of the rule that did it.
//!
//! A run that is not traced has none of it; nothing here changes what a run does.

use mlua::{Lua, Table};

use super::event_fields::Telling;
use super::host::Host;
use super::run::{Face, Run};
use crate::store::{Mark, State};
use crate::value::{Name, Text, Value};

/// Lines that are kept of one run.
const LINES: usize = 100_000;
/// Rule functions inside each other that a place names.
const FRAMES: usize = 4;

/// A line of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulePlace {
    /// The file, such as `mod/folder/file.luau`.
    pub chunk: Text,
    /// Its line, from 1.
    pub line: usize,
}

/// One thing that happened.
#[derive(Clone, Debug)]
pub struct Line {
    /// The line that it hangs below, by its place in the list.
    pub parent: Option<usize>,
    /// The rule functions at work, the innermost first.
    pub at: Vec<RulePlace>,
    /// What it was.
    pub step: Step,
    /// Whether it was taken back because a rule broke.
    pub is_undone: bool,
}

/// What happened.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// A cause began to work: `rule`, `element` and `event` of a handler, `queue` and `row` of a batch.
    Began(Value),
    /// A cell was written.
    Wrote {
        /// Its row.
        row: Name,
        /// Its field.
        field: Name,
        /// What it was.
        old: Value,
        /// What it became.
        new: Value,
    },
    /// A row came.
    Made {
        /// Its id.
        row: Name,
        /// What it is.
        kind: Text,
        /// Whom it belongs to, if it is a record.
        owner: Option<Name>,
        /// Its fields.
        fields: Value,
    },
    /// A row went.
    Removed {
        /// Its id.
        row: Name,
        /// All that it was, the host's fields too.
        fields: Value,
    },
    /// Chance decided.
    Drew {
        /// What was asked of it.
        what: String,
        /// What came of it.
        result: String,
        /// The faces behind it.
        faces: Vec<Face>,
    },
    /// An event was told; who heard it hangs below.
    Emitted {
        /// Its name.
        event: Text,
        /// To whom it was narrowed.
        to: Option<Vec<Name>>,
        /// Its field `reason`, if that is a text.
        reason: Option<String>,
    },
    /// A handler changed a field of the event that it heard.
    Turned {
        /// The field.
        field: String,
        /// What it was.
        old: Value,
        /// What it became.
        new: Value,
    },
    /// A handler did not hear an event.
    PassedOver {
        /// The definition, `collection/id`.
        rule: Name,
        /// The element.
        element: Name,
        /// Why not, in words.
        why: String,
    },
    /// A rule named a condition.
    Tested {
        /// What it asks.
        text: String,
        /// Whether it held.
        holds: bool,
        /// What it was.
        value: Value,
    },
    /// Somebody was asked.
    Asked {
        /// Who.
        to: String,
        /// What.
        text: String,
        /// What they answered; nothing while the ruling waits for it.
        answer: Option<Value>,
    },
    /// A rule made a refusal.
    Refused {
        /// Its code.
        code: String,
        /// What it says.
        message: String,
    },
    /// Something was said.
    Said {
        /// To whom.
        audience: String,
    },
}

/// The trace of one run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trace {
    lines: Vec<Line>,
    /// Where a cause stands among the lines, by its number.
    causes: Vec<usize>,
    current: Option<usize>,
    /// The events that are being told, the outermost first.
    events: Vec<Telling>,
    /// How much of the log of the state is in the lines.
    position: usize,
    /// How many faces are in the lines.
    faces: usize,
    /// How many lines were not kept.
    left_out: usize,
}

impl Trace {
    /// Returns the trace of a run that begins; `root` says what its command is.
    pub(crate) fn new(root: Value, state: &State) -> Trace {
        let mut trace = Trace {
            position: state.mark().position(),
            ..Trace::default()
        };
        trace.current = trace.note(Step::Began(root), Vec::new());
        trace.causes.push(0);
        trace
    }

    /// Returns what happened, and how many lines more there would be.
    pub(crate) fn into_lines(self) -> (Vec<Line>, usize) {
        (self.lines, self.left_out)
    }

    /// Adds a line below the cause at work and returns its place.
    pub(crate) fn note(&mut self, step: Step, at: Vec<RulePlace>) -> Option<usize> {
        self.add(self.current, step, at)
    }

    fn add(&mut self, parent: Option<usize>, step: Step, at: Vec<RulePlace>) -> Option<usize> {
        if self.lines.len() >= LINES {
            self.left_out += 1;
            return None;
        }
        self.lines.push(Line {
            parent,
            at,
            step,
            is_undone: false,
        });
        Some(self.lines.len() - 1)
    }

    /// Returns whether something was written since the last time.
    pub(crate) fn is_behind(&self, state: &State) -> bool {
        state.mark().position() != self.position
    }

    /// Adds what was written since the last time.
    pub(crate) fn follow(&mut self, state: &State, at: &[RulePlace]) {
        let position = state.mark().position();
        if position <= self.position {
            self.position = position;
            return;
        }
        for written in state.writes_since(self.position) {
            let row = written.row;
            let step = match written.field {
                Some(field) => Step::Wrote {
                    row,
                    field,
                    old: written.old,
                    new: state.get(row, field).clone(),
                },
                None if written.old.is_nil() && state.is_host_row(row) => continue,
                None if written.old.is_nil() => made(state, row),
                None => Step::Removed {
                    row,
                    fields: written.old,
                },
            };
            self.note(step, at.to_vec());
        }
        self.position = position;
    }

    /// Lets a new cause work; a handler hangs below the event that it hears.
    pub(crate) fn begin(&mut self, parent: u32, (step, is_handler): (Value, bool)) {
        let event = self.events.last().map(|telling| telling.line);
        let event = event.filter(|_| is_handler);
        let above = event.or_else(|| self.causes.get(parent as usize).copied());
        let line = self.add(above, Step::Began(step), Vec::new());
        if let Some(telling) = self.events.last_mut().filter(|_| is_handler) {
            telling.handler = line;
        }
        self.causes.push(line.or(above).unwrap_or(0));
    }

    /// Lets a known cause work.
    pub(crate) fn resume(&mut self, cause: u32) {
        self.current = self.causes.get(cause as usize).copied().or(self.current);
    }

    /// Marks what was taken back to a savepoint as undone: the writes of the handler at work.
    pub(crate) fn rolled_back(&mut self, mark: Mark) {
        self.position = self.position.min(mark.position());
        let Some(top) = self.current else { return };
        for at in top..self.lines.len() {
            let is_below = at == top
                || self.lines[at]
                    .parent
                    .is_some_and(|parent| parent >= top && self.lines[parent].is_undone);
            self.lines[at].is_undone |= is_below;
        }
    }

    /// Keeps so many events as being told.
    pub(crate) fn keep_events(&mut self, depth: usize) {
        self.events.truncate(depth);
    }

    /// Adds what the handler whose turn is over made of the fields of the event at a depth.
    fn turned(&mut self, depth: usize, at: &[RulePlace]) {
        self.keep_events(depth);
        let mut steps = Vec::new();
        let mut handler = None;
        if let Some(telling) = self.events.get_mut(depth.wrapping_sub(1)) {
            (steps, handler) = (telling.turned(), telling.handler);
        }
        for step in steps {
            self.add(handler, step, at.to_vec());
        }
    }
}

fn made(state: &State, row: Name) -> Step {
    let names = state.names();
    let own = |field: &Name| !names.text(*field).starts_with('@');
    let fields = state.fields(row).into_iter().filter(own);
    let fields = fields.map(|field| (names.text(field), state.get(row, field).clone()));
    Step::Made {
        row,
        kind: state
            .kind(row)
            .map_or_else(|| "".into(), |kind| names.text(kind)),
        owner: state.owner(row),
        fields: Value::map(fields),
    }
}

/// Returns the rule functions at work, the innermost first, up to the handler or command.
fn places(lua: &Lua) -> Vec<RulePlace> {
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

/// Adds what a function of the API wrote, in a run that is traced.
#[cold]
pub(crate) fn follow(lua: &Lua, host: &Host) {
    if let Some(mut run) = host.traced_ruling()
        && run.is_behind()
    {
        step(lua, &mut run, || None);
    }
}

/// Adds what a rule did, if the run is traced; what it is made of is only asked then.
#[inline]
pub(crate) fn note(lua: &Lua, run: &mut Run, made: impl FnOnce() -> Step) {
    if run.motion.causes.trace.is_some() {
        step(lua, run, || Some(made()));
    }
}

#[cold]
fn step(lua: &Lua, run: &mut Run, made: impl FnOnce() -> Option<Step>) {
    let at = places(lua);
    if let Some(trace) = run.motion.causes.trace.as_deref_mut() {
        trace.follow(&run.state, &at);
        if let Some(step) = made() {
            trace.note(step, at);
        }
    }
}

/// Adds what chance decided, if the run is traced, with the faces that were drawn since the last time.
#[inline]
pub(crate) fn drew(lua: &Lua, run: &mut Run, made: impl FnOnce() -> (String, String)) {
    if run.motion.causes.trace.is_some() {
        drew_faces(lua, run, made);
    }
}

#[cold]
fn drew_faces(lua: &Lua, run: &mut Run, made: impl FnOnce() -> (String, String)) {
    let at = places(lua);
    let Some(trace) = run.motion.causes.trace.as_deref_mut() else {
        return;
    };
    trace.follow(&run.state, &at);
    let faces = run.chance.drawn_since(trace.faces);
    trace.faces += faces.len();
    let (what, result) = made();
    let step = Step::Drew {
        what,
        result,
        faces,
    };
    trace.note(step, at);
}

/// Adds what the handler of the innermost event whose turn is over made of its fields, if the run is traced.
#[cold]
pub(crate) fn turned(run: &mut Run) {
    let Some(frame) = run.motion.frames.last() else {
        return;
    };
    let recipient = frame.at.and_then(|at| frame.recipients.get(at));
    let place = recipient.and_then(|one| {
        let info = frame.event.listeners[one.listener].function.info();
        let (chunk, line) = (info.short_src?.into(), info.line_defined?);
        Some(RulePlace { chunk, line })
    });
    let depth = run.motion.frames.len();
    if let Some(trace) = run.motion.causes.trace.as_deref_mut() {
        trace.turned(depth, place.as_slice());
    }
}

/// Adds that an event with such fields is told, and which handlers are passed over, if the run is traced.
pub(crate) fn emitted(
    lua: &Lua,
    run: &mut Run,
    (event, fields): (Step, &Table),
    passed_over: Vec<Step>,
) {
    let at = places(lua);
    let depth = run.motion.frames.len();
    if let Some(trace) = run.motion.causes.trace.as_deref_mut() {
        trace.follow(&run.state, &at);
        trace.keep_events(depth);
        let line = trace.note(event, at);
        let Some(line) = line else { return };
        trace.events.push(Telling::new(line, fields.clone()));
        for step in passed_over {
            trace.add(Some(line), step, Vec::new());
        }
    }
}

/// Adds that an element is passed over at its turn, if the run is traced.
#[cold]
pub(crate) fn gone(run: &mut Run, rule: Name, element: Name) {
    let depth = run.motion.frames.len();
    if let Some(trace) = run.motion.causes.trace.as_deref_mut() {
        trace.keep_events(depth);
        let line = trace.events.last().map(|telling| telling.line);
        let why = "at its turn it is no element any more".to_owned();
        let step = Step::PassedOver { rule, element, why };
        trace.add(line, step, Vec::new());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_line_any_more_is_counted() {
        let state = State::new(std::rc::Rc::default());
        let mut trace = Trace::new(Value::map([("rule", Value::from("a/b"))]), &state);
        let said = || Step::Said {
            audience: "public".to_owned(),
        };
        for _ in 1..LINES {
            assert!(trace.note(said(), Vec::new()).is_some());
        }
        for _ in 0..3 {
            assert!(trace.note(said(), Vec::new()).is_none());
        }
        let (lines, left_out) = trace.into_lines();
        assert_eq!((lines.len(), left_out), (LINES, 3));
    }
}
