//! The steps of a traced run. Writes, dice, events, conditions and refusals are listed in order below their cause, each
//! with its line of a rule.
//!
//! A run that is not traced has no trace. A trace never changes the effects of a run.

use super::event_fields::TracedEmission;
use crate::store::{Mark, State};
use crate::value::{Name, Value};

mod step;
mod trace_notes;

pub use step::{Line, RulePlace, Step};
pub(crate) use trace_notes::{
    note_changed_fields, note_draw, note_emission, note_gone_element, note_step, note_writes,
};

/// Lines that are kept of one run.
const LINES: usize = 100_000;

/// The trace of one run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trace {
    lines: Vec<Line>,
    /// The place of each cause among the lines, by its number.
    causes: Vec<usize>,
    current: Option<usize>,
    /// The events that are being emitted, the outermost first.
    events: Vec<TracedEmission>,
    /// The position up to which the log of the state is in the lines.
    position: usize,
    /// The number of faces that are in the lines.
    faces: usize,
    /// The number of lines that were not kept.
    left_out: usize,
}

impl Trace {
    /// Returns the trace of a run that begins. `root` describes its command.
    pub(crate) fn new(root: Value, state: &State) -> Trace {
        let mut trace = Trace {
            position: state.mark().position(),
            ..Trace::default()
        };
        trace.current = trace.add_step(Step::Began(root), Vec::new());
        trace.causes.push(0);
        trace
    }

    /// Returns the steps, and the number of further lines.
    pub(crate) fn into_lines(self) -> (Vec<Line>, usize) {
        (self.lines, self.left_out)
    }

    /// Adds a line below the cause at work and returns its place.
    pub(crate) fn add_step(&mut self, step: Step, at: Vec<RulePlace>) -> Option<usize> {
        self.add_line(self.current, step, at)
    }

    fn add_line(&mut self, parent: Option<usize>, step: Step, at: Vec<RulePlace>) -> Option<usize> {
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

    /// Returns whether there was a write since the last time.
    pub(crate) fn has_new_writes(&self, state: &State) -> bool {
        state.mark().position() != self.position
    }

    /// Adds the writes since the last time.
    pub(crate) fn add_writes(&mut self, state: &State, at: &[RulePlace]) {
        let position = state.mark().position();
        if position <= self.position {
            self.position = position;
            return;
        }
        for written in state.writes_since_position(self.position) {
            let row = written.row;
            let step = match written.field {
                Some(field) => Step::Wrote {
                    row,
                    field,
                    old: written.old,
                    new: state.get(row, field).clone(),
                },
                None if written.old.is_nil() && state.is_host_row(row) => continue,
                None if written.old.is_nil() => made_step(state, row),
                None => Step::Removed {
                    row,
                    fields: written.old,
                },
            };
            self.add_step(step, at.to_vec());
        }
        self.position = position;
    }

    /// Makes a new cause the one at work. A handler hangs below the event that it handles, with the given depth.
    pub(crate) fn begin_cause(&mut self, parent: u32, step: Value, heard: Option<usize>) {
        let event = heard.and_then(|depth| self.innermost_event(depth));
        let event = event.map(|telling| telling.line);
        let above = event.or_else(|| self.causes.get(parent as usize).copied());
        let line = self.add_line(above, Step::Began(step), Vec::new());
        if let Some(telling) = heard.and_then(|depth| self.innermost_event(depth)) {
            telling.handler = line;
        }
        self.causes.push(line.or(above).unwrap_or(0));
    }

    /// Makes a known cause the one at work.
    pub(crate) fn resume_cause(&mut self, cause: u32) {
        self.current = self.causes.get(cause as usize).copied().or(self.current);
    }

    /// Marks the steps back to a savepoint as undone: the writes of the handler at work.
    pub(crate) fn mark_undone(&mut self, mark: Mark) {
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

    /// Keeps the events that are being emitted down to this depth: the others are over.
    pub(crate) fn drop_events_below(&mut self, depth: usize) {
        self.events.retain(|telling| telling.depth < depth);
    }

    /// Returns the innermost event, if it is noted. `depth` is the number of events.
    fn innermost_event(&mut self, depth: usize) -> Option<&mut TracedEmission> {
        self.drop_events_below(depth);
        let innermost = self.events.last_mut();
        innermost.filter(|telling| telling.depth + 1 == depth)
    }

    /// Adds the changes that the handler of the ended turn made to the fields of the event at a depth.
    fn add_changed_fields(&mut self, depth: usize, at: &[RulePlace]) {
        let mut steps = Vec::new();
        let mut handler = None;
        if let Some(telling) = self.innermost_event(depth) {
            (steps, handler) = (telling.take_changed_fields(), telling.handler);
        }
        for step in steps {
            self.add_line(handler, step, at.to_vec());
        }
    }
}

fn made_step(state: &State, row: Name) -> Step {
    let names = state.names();
    let own = |field: &Name| !names.text(*field).starts_with('@');
    let fields = state.field_names_of_row(row).into_iter().filter(own);
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
            assert!(trace.add_step(said(), Vec::new()).is_some());
        }
        for _ in 0..3 {
            assert!(trace.add_step(said(), Vec::new()).is_none());
        }
        let (lines, left_out) = trace.into_lines();
        assert_eq!((lines.len(), left_out), (LINES, 3));
    }
}
