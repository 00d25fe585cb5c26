//! This module is what was done since the last commit, as the steps that take it back.

use std::collections::HashSet;
use std::rc::Rc;

use super::row::Row;
use super::{Change, State};
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

    fn check(&self, mark: Mark) {
        let holds = mark.commits == self.commits && mark.position <= self.steps.len();
        assert!(holds, "invariant: a mark is used while it holds");
    }
}

/// Returns the cells that are not what they were at a mark, in canonical order.
pub(super) fn changes_since(state: &State, mark: Mark) -> Vec<Change> {
    state.log.check(mark);
    let mut first = first_values(state, &state.log.steps[mark.position..]);
    first.sort_by_key(|cell| (cell.row.index(), cell.field.index()));
    first.dedup_by_key(|cell| (cell.row, cell.field));
    let mut changes: Vec<Change> = first
        .into_iter()
        .filter_map(|Cell { row, field, old }| {
            let (old, new) = (old.clone(), state.cell(row, field).clone());
            (old != new).then_some(Change {
                row,
                field,
                old,
                new,
            })
        })
        .collect();
    changes.sort_by_cached_key(|change| change.cell(&state.names));
    changes
}

/// Lists what steps wrote, oldest first, each with its position: a field of a row, or the row where it came or went.
pub(super) fn cells_since(
    state: &State,
    mark: Mark,
) -> impl DoubleEndedIterator<Item = (usize, (Name, Option<Name>))> {
    state.log.check(mark);
    let steps = state.log.steps.iter().enumerate().skip(mark.position);
    let cells = steps.map(|(position, step)| match step {
        Step::Set { row, field, .. } => (position, (*row, Some(*field))),
        Step::Added { row } | Step::Removed { row, .. } => (position, (*row, None)),
    });
    cells.filter(|(_, (row, _))| *row != state.reserved.state)
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

/// Lists the writes behind a position, oldest first.
pub(super) fn writes_since(state: &State, position: usize) -> Vec<Written> {
    let steps = state.log.steps.iter().skip(position);
    let written = steps.map(|step| match step {
        Step::Set { row, field, old } => Written {
            row: *row,
            field: Some(*field),
            old: old.clone(),
        },
        Step::Added { row } => Written {
            row: *row,
            field: None,
            old: Value::Nil,
        },
        Step::Removed { row, page } => Written {
            row: *row,
            field: None,
            old: Value::map(
                page.fields
                    .iter()
                    .map(|(field, value)| (state.names.text(field).to_string(), value.clone())),
            ),
        },
    });
    written
        .filter(|one| one.row != state.reserved.state)
        .collect()
}

/// A cell and a value it had; of several for one cell the first is what it was at the mark.
struct Cell<'a> {
    row: Name,
    field: Name,
    old: &'a Value,
}

/// Lists every cell that the steps may have touched.
///
/// Once a row was added or removed, cells not listed before did not exist at the mark.
fn first_values<'a>(state: &'a State, steps: &'a [Step]) -> Vec<Cell<'a>> {
    let mut cells = Vec::with_capacity(steps.len());
    let mut renewed = HashSet::new();
    let mut rows = Vec::new();
    for step in steps {
        match step {
            Step::Set { row, field, old } => {
                let old = if renewed.contains(row) {
                    &Value::Nil
                } else {
                    old
                };
                cells.push(Cell {
                    row: *row,
                    field: *field,
                    old,
                });
            }
            Step::Added { row } => {
                if renewed.insert(*row) {
                    rows.push(*row);
                }
            }
            Step::Removed { row, page } => {
                let is_first = renewed.insert(*row);
                if is_first {
                    rows.push(*row);
                }
                cells.extend(page.fields.iter().map(|(field, value)| Cell {
                    row: *row,
                    field,
                    old: if is_first { value } else { &Value::Nil },
                }));
            }
        }
    }
    for row in rows {
        let page = state.rows.get(row).into_iter();
        cells.extend(
            page.flat_map(|page| page.fields.iter())
                .map(|(field, _)| Cell {
                    row,
                    field,
                    old: &Value::Nil,
                }),
        );
    }
    cells
}
