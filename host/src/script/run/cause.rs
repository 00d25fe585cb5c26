//! The causes of the changes of a ruling: a tree of causes, and the cause that was at work at each write.
//!
//! Costs nothing per write: only the places in the log of the state are noted where another cause takes over.

use std::collections::{BTreeSet, HashSet};
use std::rc::Rc;

use super::trace::Trace;
use crate::store::{Mark, State};
use crate::value::{Name, Names, Text, Value};

/// The cause that everything else hangs below: the command.
pub(crate) const ROOT: u32 = 0;

/// One cause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    /// The command itself.
    Command,
    /// A handler of a rule that handles an event.
    Handler {
        rule: Name,
        element: Name,
        event: Rc<str>,
    },
    /// A step of a plan.
    Step { name: Rc<str> },
    /// Rows taken from a queue.
    Batch { queue: Name, first: Name },
    /// Work that a rule names itself, such as a line of content.
    Work { what: Text, row: Option<Name> },
}

/// One cause, and its place.
#[derive(Clone, Debug)]
struct Node {
    parent: u32,
    cause: Cause,
    /// The number of works around it, itself included.
    works: usize,
}

/// The causes of one ruling.
#[derive(Clone, Debug)]
pub(crate) struct Causes {
    nodes: Vec<Node>,
    current: u32,
    /// The positions of the log from which on each cause was at work.
    segments: Vec<(usize, u32)>,
    /// The steps of the run, if it is traced.
    pub(crate) trace: Option<Box<Trace>>,
}

impl Default for Causes {
    fn default() -> Causes {
        Causes {
            nodes: vec![Node {
                parent: ROOT,
                cause: Cause::Command,
                works: 0,
            }],
            current: ROOT,
            segments: Vec::new(),
            trace: None,
        }
    }
}

impl Causes {
    /// Returns the cause at work.
    pub(crate) fn cause_at_work(&self) -> u32 {
        self.current
    }

    /// Returns a cause by its number.
    pub(crate) fn cause_by_number(&self, number: u32) -> &Cause {
        &self.nodes[number as usize].cause
    }

    /// Returns the rule of the handler at work, if there is one.
    pub(crate) fn handler_rule(&self) -> Option<Name> {
        let mut at = self.current;
        loop {
            let Node { parent, cause, .. } = &self.nodes[at as usize];
            match cause {
                Cause::Handler { rule, .. } => return Some(*rule),
                Cause::Command => return None,
                Cause::Batch { .. } | Cause::Step { .. } | Cause::Work { .. } => at = *parent,
            }
        }
    }

    /// Returns the number of works around the present place.
    pub(crate) fn work_depth(&self) -> usize {
        self.nodes[self.current as usize].works
    }

    /// Returns the causes at work, the innermost first and without the command.
    pub(crate) fn causes_at_work(&self) -> impl Iterator<Item = &Cause> {
        self.cause_path().map(|at| &self.nodes[at as usize].cause)
    }

    /// Returns the numbers of the causes at work, the innermost first and without the command.
    fn cause_path(&self) -> impl Iterator<Item = u32> {
        let next = |at: u32| Some(at).filter(|at| *at != ROOT);
        std::iter::successors(next(self.current), move |at| {
            next(self.nodes[*at as usize].parent)
        })
    }

    /// Makes the cause at work again that was at work before a call that ended by an error. Works and batches begun
    /// inside of the call are over. `above` is the cause that was known then. The handler of that turn may have become
    /// a cause only since then.
    pub(crate) fn resume_after_error(&mut self, above: u32, state: &State) {
        let inside = self.cause_path().take_while(|at| *at != above);
        let is_over = |at: &u32| {
            matches!(
                self.nodes[*at as usize].cause,
                Cause::Work { .. } | Cause::Batch { .. }
            )
        };
        let outermost = inside.filter(is_over).last();
        if let Some(at) = outermost {
            self.resume_cause(self.nodes[at as usize].parent, state);
        }
    }

    /// Makes a new cause the one at work from now on, below another one.
    pub(crate) fn begin_cause(&mut self, parent: u32, cause: Cause, state: &State) {
        self.begin_cause_below_event(parent, cause, None, state);
    }

    /// Makes a new cause the one at work from now on, below another one. In a trace it hangs below the event that it
    /// handles, with the given depth.
    fn begin_cause_below_event(
        &mut self,
        parent: u32,
        cause: Cause,
        heard: Option<usize>,
        state: &State,
    ) {
        let number = u32::try_from(self.nodes.len()).expect("invariant: firings are counted");
        if let Some(trace) = &mut self.trace {
            trace.add_writes(state, &[]);
            let mut parts = cause.fields_of_cause("", state.names());
            parts.retain(|(_, value)| !value.is_nil() && value.as_str() != Some(""));
            let parts = Value::map(parts);
            trace.begin_cause(parent, parts, heard);
        }
        let own = usize::from(matches!(cause, Cause::Work { .. }));
        let works = self.nodes[parent as usize].works + own;
        self.nodes.push(Node {
            parent,
            cause,
            works,
        });
        self.resume_cause(number, state);
    }

    /// Makes a handler the cause at work from now on, for the event at a depth.
    pub(crate) fn begin_handler_in_event(
        &mut self,
        depth: usize,
        (parent, cause): (u32, Cause),
        state: &State,
    ) {
        self.begin_cause_below_event(parent, cause, Some(depth), state);
    }

    /// Makes a known cause the one at work from now on.
    pub(crate) fn resume_cause(&mut self, cause: u32, state: &State) {
        if self.current == cause {
            return;
        }
        if let Some(trace) = &mut self.trace {
            trace.add_writes(state, &[]);
            trace.resume_cause(cause);
        }
        self.current = cause;
        let position = state.mark().position();
        match self.segments.last_mut() {
            Some(last) if last.0 >= position => *last = (position, cause),
            _ => self.segments.push((position, cause)),
        }
    }

    /// Forgets the writes of a cause, and of all below it, after a mark that was rolled back to.
    pub(crate) fn forget_rolled_back(&mut self, (mark, cause): (Mark, u32)) {
        let position = mark.position();
        if let Some(trace) = &mut self.trace {
            trace.resume_cause(cause);
            trace.mark_undone(mark);
        }
        while self.segments.last().is_some_and(|(at, _)| *at > position) {
            self.segments.pop();
        }
    }

    /// Returns the causes with writes, and those above them, with the cells that each of them wrote: `{n, parent,
    /// rule?, step?, event?, element?, queue?, work?, row?, cells, before?}`. A cell is in `cells` of the cause that
    /// wrote it last, and in `before` of the others.
    pub(crate) fn written_causes_as_values(
        &self,
        rule: &str,
        state: &State,
        mark: Mark,
    ) -> Vec<Value> {
        let mut wrote = self.writes_by_cause(state, mark);
        let needed = self.causes_with_writes(&wrote);
        let value = |number: u32| {
            let Node { parent, cause, .. } = &self.nodes[number as usize];
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
            let own = cause.fields_of_cause(rule, state.names());
            let all = known.into_iter().chain(own);
            Value::map(all.filter(|(_, value)| !value.is_nil()))
        };
        needed.into_iter().map(value).collect()
    }

    /// Returns the writes of each cause, in the order of its last writes.
    fn writes_by_cause(&self, state: &State, mark: Mark) -> Vec<Wrote> {
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

    /// Returns the causes with writes, and those above them.
    fn causes_with_writes(&self, wrote: &[Wrote]) -> BTreeSet<u32> {
        let mut needed = BTreeSet::from([ROOT]);
        for (number, Wrote { last, before }) in wrote.iter().enumerate() {
            if last.is_empty() && before.is_empty() {
                continue;
            }
            let mut up = u32::try_from(number).unwrap_or(ROOT);
            while needed.insert(up) {
                up = self.nodes[up as usize].parent;
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
    fn fields_of_cause(&self, rule: &str, names: &Names) -> Vec<(&'static str, Value)> {
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
            Cause::Work { what, row } => {
                let row = row.map_or(Value::Nil, text);
                vec![("work", Value::Text(what.clone())), ("row", row)]
            }
        }
    }
}
