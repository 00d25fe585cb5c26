//! Writes since the last commit, as undo steps.

use std::rc::Rc;

use super::row::Row;
use crate::value::{Name, Value};

/// A savepoint of one state; it is valid until an earlier one is rolled back to or the state commits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    position: usize,
    commits: u64,
    weight: Weight,
}

impl Mark {
    /// Returns the number of undo steps before it.
    pub fn position(self) -> usize {
        self.position
    }
}

/// One undo step.
pub(super) enum Step {
    /// Restores the old value of a cell.
    Set { row: Name, field: Name, old: Value },
    /// Removes a row that was added.
    Added { row: Name },
    /// Adds a row again that was removed.
    Removed { row: Name, page: Rc<Row> },
}

impl Step {
    /// Returns the row of the step.
    pub(super) fn row(&self) -> Name {
        match self {
            Step::Set { row, .. } | Step::Added { row } | Step::Removed { row, .. } => *row,
        }
    }
}

/// Bytes of the values that steps wrote, and of the earlier values; for added or removed rows also their names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Weight {
    pub(super) gone: u64,
    pub(super) came: u64,
}

impl Weight {
    pub(super) fn of_new_bytes(bytes: u64) -> Weight {
        Weight {
            came: bytes,
            gone: 0,
        }
    }

    pub(super) fn of_old_bytes(bytes: u64) -> Weight {
        Weight {
            came: 0,
            gone: bytes,
        }
    }

    pub(super) fn with_old_bytes(self, bytes: u64) -> Weight {
        Weight {
            gone: self.gone + bytes,
            ..self
        }
    }

    /// Returns the sum of both.
    pub(super) fn with(self, other: Weight) -> Weight {
        Weight {
            gone: self.gone + other.gone,
            came: self.came + other.came,
        }
    }
}

/// The undo steps, last one first.
#[derive(Default)]
pub(super) struct Log {
    steps: Vec<Step>,
    commits: u64,
    /// Zero if there are no steps.
    weight: Weight,
    /// Grows with every write and every undone write; computed values are valid while this number is the same.
    version: u64,
}

impl Log {
    /// Returns a log without steps for a state that is never written to.
    pub(super) fn for_view(&self) -> Log {
        Log {
            version: self.version,
            ..Log::default()
        }
    }

    /// Returns the version of the state.
    #[inline]
    pub(super) fn version(&self) -> u64 {
        self.version
    }

    /// Starts the next version.
    pub(super) fn next_version(&mut self) {
        self.version += 1;
    }

    #[inline]
    pub(super) fn push(&mut self, step: Step) {
        self.version += 1;
        self.steps.push(step);
    }

    /// Counts the bytes of a step.
    #[inline]
    pub(super) fn add_weight(&mut self, weight: Weight) {
        self.weight = self.weight.with(weight);
    }

    /// Returns the bytes of all steps.
    #[inline]
    pub(super) fn weight(&self) -> Weight {
        self.weight
    }

    pub(super) fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    pub(super) fn mark(&self) -> Mark {
        Mark {
            position: self.steps.len(),
            commits: self.commits,
            weight: self.weight,
        }
    }

    /// Returns the mark before all steps.
    pub(super) fn mark_before_all(&self) -> Mark {
        Mark {
            position: 0,
            commits: self.commits,
            weight: Weight::default(),
        }
    }

    /// Takes the last step after a mark.
    pub(super) fn pop_after(&mut self, mark: Mark) -> Option<Step> {
        self.check_mark(mark);
        self.version += 1;
        if self.steps.len() == mark.position {
            self.weight = mark.weight;
            return None;
        }
        self.steps.pop()
    }

    /// Forgets all steps and ends all marks.
    pub(super) fn clear(&mut self) {
        self.steps.clear();
        self.weight = Weight::default();
        self.commits += 1;
    }

    /// Returns the steps after a mark.
    pub(super) fn steps_since(&self, mark: Mark) -> &[Step] {
        self.check_mark(mark);
        &self.steps[mark.position..]
    }

    /// Returns all steps.
    pub(super) fn steps(&self) -> &[Step] {
        &self.steps
    }

    fn check_mark(&self, mark: Mark) {
        let holds = mark.commits == self.commits && mark.position <= self.steps.len();
        assert!(holds, "invariant: a mark is used while it holds");
    }
}

/// One of the writes since a mark: of a cell, or of a whole row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// Id of the row.
    pub row: Name,
    /// The field; `None` if the row was added or removed.
    pub field: Option<Name>,
    /// The old value of the cell; for a removed row, all its values.
    pub old: Value,
}
