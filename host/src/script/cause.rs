//! This module is what led to the changes of a ruling: a tree of causes, and which of them was at work at each write.
//!
//! Costs nothing per write: it notes where in the log of the state another cause takes over.

use std::collections::{BTreeSet, HashSet};
use std::rc::Rc;

use super::trace::Trace;
use crate::store::{Mark, State};
use crate::value::{Name, Names, Value};

/// The cause that everything else hangs below: the command.
pub(crate) const ROOT: u32 = 0;

/// One cause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    /// The command itself.
    Command,
    /// A handler of a rule that heard an event.
    Handler {
        rule: Name,
        element: Name,
        event: Rc<str>,
    },
    /// A step of a plan.
    Step { name: Rc<str> },
    /// Rows taken from a queue.
    Batch { queue: Name, first: Name },
}

/// The causes of one ruling.
#[derive(Clone, Debug)]
pub(crate) struct Causes {
    nodes: Vec<(u32, Cause)>,
    current: u32,
    /// From which position of the log on a cause was at work.
    segments: Vec<(usize, u32)>,
    /// What happened, if the run is traced.
    pub(crate) trace: Option<Box<Trace>>,
}

impl Default for Causes {
    fn default() -> Causes {
        Causes {
            nodes: vec![(ROOT, Cause::Command)],
            current: ROOT,
            segments: Vec::new(),
            trace: None,
        }
    }
}

impl Causes {
    /// Returns the cause at work.
    pub(crate) fn current(&self) -> u32 {
        self.current
    }

    /// Returns the rule whose handler is at work, if one is.
    pub(crate) fn rule(&self) -> Option<Name> {
        let mut at = self.current;
        loop {
            let (parent, cause) = &self.nodes[at as usize];
            match cause {
                Cause::Handler { rule, .. } => return Some(*rule),
                Cause::Command => return None,
                Cause::Batch { .. } | Cause::Step { .. } => at = *parent,
            }
        }
    }

    /// Lets a new cause work from now on, below another one.
    pub(crate) fn begin(&mut self, parent: u32, cause: Cause, state: &State) {
        let number = u32::try_from(self.nodes.len()).expect("invariant: firings are counted");
        if let Some(trace) = &mut self.trace {
            trace.follow(state, &[]);
            let is_handler = matches!(cause, Cause::Handler { .. });
            let mut parts = cause.parts("", state.names());
            parts.retain(|(_, value)| value.as_str() != Some(""));
            let parts = Value::map(parts);
            trace.begin(parent, (parts, is_handler));
        }
        self.nodes.push((parent, cause));
        self.resume(number, state);
    }

    /// Lets a handler work from now on that hears the event at a depth.
    pub(crate) fn begin_in_event(
        &mut self,
        depth: usize,
        (parent, cause): (u32, Cause),
        state: &State,
    ) {
        if let Some(trace) = &mut self.trace {
            trace.keep_events(depth);
        }
        self.begin(parent, cause, state);
    }

    /// Lets a known cause work from now on.
    pub(crate) fn resume(&mut self, cause: u32, state: &State) {
        if self.current == cause {
            return;
        }
        if let Some(trace) = &mut self.trace {
            trace.follow(state, &[]);
            trace.resume(cause);
        }
        self.current = cause;
        let position = state.mark().position();
        match self.segments.last_mut() {
            Some(last) if last.0 >= position => *last = (position, cause),
            _ => self.segments.push((position, cause)),
        }
    }

    /// Forgets what happened behind a mark that was rolled back to.
    pub(crate) fn rolled_back(&mut self, mark: Mark) {
        let position = mark.position();
        if let Some(trace) = &mut self.trace {
            trace.rolled_back(mark);
        }
        while self.segments.last().is_some_and(|(at, _)| *at > position) {
            self.segments.pop();
        }
    }

    /// Returns the causes that wrote something, and those above them, with the cells that each of them wrote:
    /// `{n, parent, rule?, step?, event?, element?, queue?, row?, cells, before?}`. A cell stands in `cells` of the cause
    /// that wrote it last, and in `before` of the others.
    pub(crate) fn to_values(&self, rule: &str, state: &State, mark: Mark) -> Vec<Value> {
        let mut wrote = self.wrote(state, mark);
        let needed = self.needed(&wrote);
        let value = |number: u32| {
            let (parent, cause) = &self.nodes[number as usize];
            let Wrote { last, before } = std::mem::take(&mut wrote[number as usize]);
            let before = match before.is_empty() {
                true => Value::Nil,
                false => Value::list(before),
            };
            let known = [
                ("n", Value::from(i64::from(number))),
                ("parent", Value::from(i64::from(*parent))),
                ("cells", Value::list(last)),
                ("before", before),
            ];
            let own = cause.parts(rule, state.names());
            let all = known.into_iter().chain(own);
            Value::map(all.filter(|(_, value)| !value.is_nil()))
        };
        needed.into_iter().map(value).collect()
    }

    /// Returns what each cause wrote, in the order of its last writes.
    fn wrote(&self, state: &State, mark: Mark) -> Vec<Wrote> {
        let mut wrote = vec![Wrote::default(); self.nodes.len()];
        let (mut seen, mut seen_of_cause) = (HashSet::new(), HashSet::new());
        for (position, cell) in state.cells_since(mark).rev() {
            let at = self.segments.partition_point(|(from, _)| *from <= position);
            let cause = at.checked_sub(1).map_or(ROOT, |at| self.segments[at].1);
            if !seen_of_cause.insert((cause, cell)) {
                continue;
            }
            let row = state.names().text(cell.0);
            let text = match cell.1 {
                Some(field) => format!("{row}.{}", state.names().text(field)).into(),
                None => Value::Text(row),
            };
            let Wrote { last, before } = &mut wrote[cause as usize];
            match seen.insert(cell) {
                true => last.push(text),
                false => before.push(text),
            }
        }
        for Wrote { last, before } in &mut wrote {
            last.reverse();
            before.reverse();
        }
        wrote
    }

    /// Returns the causes that wrote something, and those above them.
    fn needed(&self, wrote: &[Wrote]) -> BTreeSet<u32> {
        let mut needed = BTreeSet::from([ROOT]);
        for (number, Wrote { last, before }) in wrote.iter().enumerate() {
            if last.is_empty() && before.is_empty() {
                continue;
            }
            let mut up = u32::try_from(number).unwrap_or(ROOT);
            while needed.insert(up) {
                up = self.nodes[up as usize].0;
            }
        }
        needed
    }
}

/// The cells that one cause wrote: those that it wrote last, and those that others wrote again.
#[derive(Clone, Default)]
struct Wrote {
    last: Vec<Value>,
    before: Vec<Value>,
}

impl Cause {
    fn parts(&self, rule: &str, names: &Names) -> Vec<(&'static str, Value)> {
        let text = |name: Name| Value::Text(names.text(name));
        match self {
            Cause::Command => vec![("rule", rule.into())],
            Cause::Handler {
                rule,
                element,
                event,
            } => vec![
                ("rule", text(*rule)),
                ("element", text(*element)),
                ("event", (&**event).into()),
            ],
            Cause::Step { name } => vec![("rule", rule.into()), ("step", (&**name).into())],
            Cause::Batch { queue, first } => vec![("queue", text(*queue)), ("row", text(*first))],
        }
    }
}
