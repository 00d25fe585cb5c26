//! Applies data from files: recorded changes and whole states.
//!
//! No rule is asked, but the result is always a state that writes could have made.

use std::mem;
use std::rc::Rc;

use crate::store::fields::Fields;
use crate::store::limits::Room;
use crate::store::row::Row;
use crate::store::undo_log::Step;
use crate::store::{Change, State, StateHash, StoreError, row_check};
use crate::value::{Name, Names};

/// A row that is removed, added or replaced.
struct Turn {
    row: Name,
    /// Place in the order of removing and adding: entities first, records by number.
    number: u64,
    /// The row after the changes; `None` for a row that is removed.
    page: Option<Row>,
}

impl State {
    /// Applies recorded changes to the state that they were made from; on an error nothing changes.
    ///
    /// Shape: in the order of row and field texts, each cell once, as [`State::changes_since`] returns them.
    /// Errors: `OldDiffers`, `Malformed`, and all errors of new cells that do not form valid rows.
    pub fn apply_changes(&mut self, changes: &[Change]) -> Result<(), StoreError> {
        let mark = self.mark();
        // Recorded changes were within the limits when they were written.
        let room = mem::replace(&mut self.room, Room::ENDLESS);
        let done = self.replay_changes(changes);
        self.room = room;
        if done.is_err() {
            self.rollback(mark);
        }
        done
    }

    /// Applies recorded changes to a settled state and settles them if the result has the given hash. Otherwise
    /// returns false and changes nothing.
    ///
    /// Errors: as [`State::apply_changes`].
    pub(in crate::store) fn settle_changes(
        &mut self,
        changes: &[Change],
        expected: StateHash,
    ) -> Result<bool, StoreError> {
        let mark = self.mark();
        self.apply_changes(changes)?;
        let sum = self.sum_after(changes);
        if sum.hash == expected {
            self.settle_pending(sum);
        } else {
            self.rollback(mark);
        }
        Ok(sum.hash == expected)
    }

    /// Returns the state of the given rows. The `rows` are checked; `own` is the row of the state itself.
    pub(in crate::store) fn from_checked_rows(
        names: Rc<Names>,
        own: Row,
        mut rows: Vec<(Name, Row)>,
    ) -> Result<State, StoreError> {
        let mut state = State::new(names);
        state.rows.insert(state.reserved.state, Rc::new(own));
        rows.sort_by_key(|(_, page)| page.number);
        for (row, page) in rows {
            state.check_new_row(row, &page)?;
            state.add_row_with_derived_data(row, Rc::new(page));
        }
        for (row, page) in state.rows.iter() {
            state.check_end_partners(row, page.ends.as_deref().unwrap_or_default())?;
        }
        state.sum = state.recomputed_sum();
        Ok(state)
    }

    fn replay_changes(&mut self, changes: &[Change]) -> Result<(), StoreError> {
        let names = &self.names;
        if !changes.is_sorted_by(|a, b| a.is_before(b, names)) {
            return Err(StoreError::Malformed(
                "changes are in order, each cell once",
            ));
        }
        for change in changes {
            if *self.cell(change.row, change.field) != change.old {
                let (row, field) = change.row_and_field_texts(&self.names);
                return Err(StoreError::OldDiffers(row, field));
            }
        }
        let mut turns = Vec::new();
        for of_row in changes.chunk_by(|a, b| a.row == b.row) {
            if self.replaces_row(of_row) {
                turns.push(self.row_replacement(of_row)?);
            } else {
                self.replay_sets(of_row)?;
            }
        }
        self.replace_rows(turns)?;
        self.check_replayed_partners(changes)?;
        self.check_next_record_number(changes)
    }

    /// Checks that no record remains that ends with a removed row.
    fn check_replayed_partners(&self, changes: &[Change]) -> Result<(), StoreError> {
        for change in changes {
            if change.field == self.reserved.ends {
                self.check_end_partners(change.row, self.end_conditions_of_record(change.row))?;
            }
            let went = change.field == self.reserved.kind && change.new.is_nil();
            if went && self.ends.has_dependants(change.row) {
                return Err(StoreError::Malformed(
                    "records go with the row they end with",
                ));
            }
        }
        Ok(())
    }

    /// Checks that no record has a number that will be given out again.
    fn check_next_record_number(&self, changes: &[Change]) -> Result<(), StoreError> {
        let next = changes
            .iter()
            .find(|change| change.row == self.reserved.state);
        let is_lower = next.is_some_and(|change| change.new < change.old);
        let numbers = || {
            self.kinds
                .iter()
                .filter_map(|(_, kind)| kind.last_record_number())
        };
        if is_lower && numbers().any(|number| number >= self.peek_record_number()) {
            return Err(StoreError::Malformed("the state counts all its records"));
        }
        Ok(())
    }

    fn replaces_row(&self, changes: &[Change]) -> bool {
        let fixed = self.reserved.put_only_fields();
        let is_own = changes
            .iter()
            .all(|change| change.row == self.reserved.state);
        !is_own
            && changes
                .iter()
                .any(|change| fixed.contains(&change.field) || !self.exists(change.row))
    }

    fn replay_sets(&mut self, changes: &[Change]) -> Result<(), StoreError> {
        // Removed fields make room for new ones.
        let gone = changes.iter().filter(|change| change.new.is_nil());
        let kept = changes.iter().filter(|change| !change.new.is_nil());
        gone.chain(kept)
            .try_for_each(|change| self.replay_set(change))
    }

    fn replay_set(&mut self, change: &Change) -> Result<(), StoreError> {
        let Change {
            row, field, new, ..
        } = change;
        if *row == self.reserved.state {
            let mut fields = Fields::default();
            fields.replace(*field, new.clone());
            row_check::make_state_row(&self.reserved, fields)?;
        } else if self.reserved.makes_modifiers(*field) || *field == self.reserved.ends {
            // Layers and expressions depend on rules; a modifier without its layer is inactive. The rows that a
            // record ends with may be added later.
            row_check::check_value(&self.names, *row, *field, new)?;
            self.check_field_write(*row, *field, new)?;
        } else {
            return self.set(*row, *field, new.clone());
        }
        self.write_cell_with_undo_step(*row, *field, new.clone());
        Ok(())
    }

    fn row_replacement(&self, changes: &[Change]) -> Result<Turn, StoreError> {
        let row = changes[0].row;
        let before = self.rows.get(row);
        let mut fields = before.map(|page| page.fields.clone()).unwrap_or_default();
        let (gone, kept): (Vec<_>, Vec<_>) = changes.iter().partition(|change| change.new.is_nil());
        row_check::check_cell_count(fields.len() - gone.len().min(fields.len()) + kept.len())?;
        for change in gone.into_iter().chain(kept) {
            fields.replace(change.field, change.new.clone());
        }
        let page = match fields.len() {
            0 => None,
            _ => Some(row_check::make_checked_row(
                &self.names,
                &self.reserved,
                &self.stats,
                row,
                fields,
            )?),
        };
        let number = page.as_ref().or(before).map_or(0, |page| page.number);
        Ok(Turn { row, number, page })
    }

    /// Removes all rows, the youngest first, before any row is added. So each owner exists when its records need it.
    fn replace_rows(&mut self, mut turns: Vec<Turn>) -> Result<(), StoreError> {
        turns.sort_by_key(|turn| turn.number);
        let mut orphaned = false;
        for Turn { row, page, .. } in turns.iter_mut().rev() {
            if self.exists(*row) {
                let gone = self.remove_row_with_derived_data(*row);
                match page {
                    Some(page) => {
                        page.records = gone.records.clone();
                        page.influences = gone.influences.clone();
                        page.listening = gone.listening.clone();
                    }
                    None => orphaned |= gone.records.is_some(),
                }
                self.log.push(Step::Removed {
                    row: *row,
                    page: gone,
                });
            }
        }
        if orphaned {
            return Err(StoreError::Malformed("records go with their owner"));
        }
        for Turn { row, page, .. } in turns {
            if let Some(page) = page {
                self.check_new_row(row, &page)?;
                self.add_row_with_derived_data(row, Rc::new(page));
                self.log.push(Step::Added { row });
            }
        }
        Ok(())
    }
}
