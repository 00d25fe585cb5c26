//! Writes since a savepoint, as cells, changes and writes.

use std::collections::{HashMap, HashSet};

use super::undo_log::{Mark, Step, Written};
use super::{Change, State};
use crate::value::{Name, Value};

impl State {
    /// Returns the cells with another value than at a mark, in the order of row and field texts.
    pub fn changes_since(&self, mark: Mark) -> Vec<Change> {
        let mut first = first_values(self, self.log.steps_since(mark));
        first.sort_by_key(|cell| (cell.row.index(), cell.field.index()));
        first.dedup_by_key(|cell| (cell.row, cell.field));
        let mut changes: Vec<Change> = first
            .into_iter()
            .filter_map(|Cell { row, field, old }| {
                let (old, new) = (old.clone(), self.cell(row, field).clone());
                (old != new).then_some(Change {
                    row,
                    field,
                    old,
                    new,
                })
            })
            .collect();
        // Each row is compared once, not once for each of its cells.
        let mut rows: Vec<Name> = changes.iter().map(|change| change.row).collect();
        rows.dedup();
        let rows = self.sort_by_text(rows);
        let places: HashMap<Name, usize> = rows.into_iter().zip(0..).collect();
        changes.sort_by_cached_key(|change| (places[&change.row], self.names.text(change.field)));
        changes
    }

    /// Returns the cells written since a mark, oldest first, each with its position in the log. An entry is a field
    /// of a row, or the row if it was added or removed.
    pub fn cells_since(
        &self,
        mark: Mark,
    ) -> impl DoubleEndedIterator<Item = (usize, (Name, Option<Name>))> {
        let from = mark.position();
        let steps = self.log.steps_since(mark).iter().enumerate();
        let cells = steps.map(move |(at, step)| match step {
            Step::Set { row, field, .. } => (from + at, (*row, Some(*field))),
            Step::Added { row } | Step::Removed { row, .. } => (from + at, (*row, None)),
        });
        cells.filter(|(_, (row, _))| *row != self.reserved.state)
    }

    /// Returns the writes since a position of the state's log, oldest first.
    pub fn writes_since_position(&self, position: usize) -> Vec<Written> {
        let steps = self.log.steps().iter().skip(position);
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
                        .map(|(field, value)| (self.names.text(field).to_string(), value.clone())),
                ),
            },
        });
        written
            .filter(|one| one.row != self.reserved.state)
            .collect()
    }
}

/// A cell and an earlier value; if a cell occurs several times, the first value is the one at the mark.
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
