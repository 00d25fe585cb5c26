//! This module is what was done since the last commit, as the steps that take it back.

use std::rc::Rc;

use super::row::Row;
use crate::value::{Name, Value};

/// A savepoint of one state; it holds until an earlier one is rolled back to or the state commits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    position: usize,
    commits: u64,
}

impl Mark {
    /// Returns how many steps back lie before it.
    pub fn position(self) -> usize {
        self.position
    }
}

/// One step back.
pub(super) enum Step {
    /// The cell gets its old value again.
    Set { row: Name, field: Name, old: Value },
    /// The row was added and goes.
    Added { row: Name },
    /// The row was removed and comes back.
    Removed { row: Name, page: Rc<Row> },
}

/// The steps back, last one first.
#[derive(Default)]
pub(super) struct Log {
    steps: Vec<Step>,
    commits: u64,
    /// Grows with every step forth or back: what is computed holds as long as this is the same.
    version: u64,
}

impl Log {
    /// Returns a log without steps for what is never written to.
    pub(super) fn of_view(&self) -> Log {
        Log {
            version: self.version,
            ..Log::default()
        }
    }

    /// Returns which version of the state this is.
    #[inline]
    pub(super) fn version(&self) -> u64 {
        self.version
    }

    /// Makes it another version.
    pub(super) fn turn(&mut self) {
        self.version += 1;
    }

    #[inline]
    pub(super) fn push(&mut self, step: Step) {
        self.version += 1;
        self.steps.push(step);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    pub(super) fn mark(&self) -> Mark {
        Mark {
            position: self.steps.len(),
            commits: self.commits,
        }
    }

    /// Returns the mark before all steps.
    pub(super) fn start(&self) -> Mark {
        Mark {
            position: 0,
            commits: self.commits,
        }
    }

    /// Takes the last step after a mark.
    pub(super) fn pop_after(&mut self, mark: Mark) -> Option<Step> {
        self.check(mark);
        self.version += 1;
        if self.steps.len() == mark.position {
            return None;
        }
        self.steps.pop()
    }

    /// Forgets all steps and ends all marks.
    pub(super) fn clear(&mut self) {
        self.steps.clear();
        self.commits += 1;
    }

    /// Returns the steps behind a mark.
    pub(super) fn since(&self, mark: Mark) -> &[Step] {
        self.check(mark);
        &self.steps[mark.position..]
    }

    /// Returns all steps.
    pub(super) fn steps(&self) -> &[Step] {
        &self.steps
    }

    fn check(&self, mark: Mark) {
        let holds = mark.commits == self.commits && mark.position <= self.steps.len();
        assert!(holds, "invariant: a mark is used while it holds");
    }
}

/// One write of those since a moment: of a cell, or of a whole row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// Id of the row.
    pub row: Name,
    /// The field; `None` where the row came or went.
    pub field: Option<Name>,
    /// What the cell was before; of a row that went, all that it was.
    pub old: Value,
}
