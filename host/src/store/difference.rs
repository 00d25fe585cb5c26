//! Difference of two states of one game among given cells.

use super::{Change, State, row_check};
use crate::value::Name;

impl State {
    /// Returns the changes from this state to another one, in canonical order, if only these cells and the count of
    /// records differ.
    pub fn changes_among_cells(
        &self,
        other: &State,
        cells: impl IntoIterator<Item = (Name, Name)>,
    ) -> Vec<Change> {
        let count = (self.reserved.state, self.reserved.next);
        let cells = cells.into_iter().chain([count]);
        let changes = cells.filter_map(|(row, field)| {
            let (old, new) = (self.cell(row, field), other.cell(row, field));
            (old != new).then(|| Change {
                row,
                field,
                old: old.clone(),
                new: new.clone(),
            })
        });
        let mut changes: Vec<Change> = changes.collect();
        changes.sort_by_cached_key(|change| change.row_and_field_texts(&self.names));
        changes.dedup_by_key(|change| (change.row, change.field));
        changes
    }

    /// Returns the number of the next new record before these changes, if they count a new record.
    pub fn record_number_before(&self, changes: &[Change]) -> Option<u64> {
        let is_count =
            |one: &&Change| one.row == self.reserved.state && one.field == self.reserved.next;
        let count = changes.iter().find(is_count)?;
        Some(row_check::positive_count(&count.old).unwrap_or(1))
    }
}
