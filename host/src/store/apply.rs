//! The only code that changes a state.
//!
//! Every write is checked completely before its first cell changes. Each write leaves undo steps. Module `derived_data`
//! keeps the data that is derived from cells. Module `replay` applies data from files.

use std::mem;
use std::rc::Rc;

use super::clock::Times;
use super::fields::Fields;
use super::hash::Sum;
use super::limits::Room;
use super::row::Row;
use super::stat::Stats;
use super::table::Table;
use super::undo_log::{Log, Mark, Step, Weight};
use super::watches::Watches;
use super::{Change, Reserved, State, StoreError, Write, end_conditions, limits, row_check};
use crate::diag::planted_mistakes::{self, Mistake};
use crate::value::{Name, Names, Number, Value};

mod derived_data;
mod end;
mod listeners;
mod replay;
mod watches;
mod write_checks;

pub use end::Used;

impl State {
    /// Returns a state without rows.
    pub fn new(names: Rc<Names>) -> State {
        let reserved = Reserved::new(&names);
        let mut rows = Table::default();
        rows.insert(reserved.state, Rc::new(Row::default()));
        State {
            names,
            reserved,
            stats: Rc::default(),
            times: Times::default(),
            rows,
            kinds: Table::default(),
            ends: Rc::default(),
            auras: None,
            base_rules: Rc::default(),
            listener_rules: Rc::default(),
            unread: Vec::new(),
            handlers: Table::default(),
            watches: Watches::default(),
            shape: 0,
            entities: 0,
            records: 0,
            sum: Sum::default(),
            room: Room::ENDLESS,
            log: Log::default(),
            memo: Rc::default(),
        }
    }

    /// Returns an empty state to put in this state's place while this state is moved.
    pub(crate) fn empty_placeholder(&self) -> State {
        State {
            names: Rc::clone(&self.names),
            reserved: self.reserved,
            stats: Rc::clone(&self.stats),
            times: self.times,
            rows: Table::default(),
            kinds: Table::default(),
            ends: Rc::clone(&self.ends),
            auras: None,
            base_rules: Rc::clone(&self.base_rules),
            listener_rules: Rc::clone(&self.listener_rules),
            unread: self.unread.clone(),
            handlers: Table::default(),
            watches: Watches::default(),
            shape: 0,
            entities: 0,
            records: 0,
            sum: Sum::default(),
            room: Room::ENDLESS,
            log: Log::default(),
            memo: Rc::default(),
        }
    }

    /// Sets the form of game time for people; it is not part of the hash.
    pub fn set_time_display(&mut self, times: Times) {
        self.times = times;
    }

    /// Sets the limits of bytes that may be written from now on; they are not part of the hash.
    pub fn set_write_limits(&mut self, room: Room) {
        self.room = room;
    }

    /// Declares the stats of the live rules. They check new modifiers and are not part of the hash.
    pub fn declare_stats(&mut self, stats: Rc<Stats>) {
        let speaks_alike = self.stats.vocabulary() == stats.vocabulary();
        self.stats = stats;
        self.log.next_version();
        if !speaks_alike {
            self.recompile_record_expressions();
        }
    }

    /// Makes one write; on an error nothing changes.
    #[inline]
    pub fn apply(&mut self, write: Write) -> Result<(), StoreError> {
        match write {
            Write::Put {
                row,
                kind,
                owner,
                fields,
            } => self.create_row(row, kind, owner, fields),
            Write::Set { row, field, value } => self.set(row, field, value),
            Write::Remove { row } => self.remove_row(row),
        }
    }

    /// Adds a host row without fields, with a kind of its own; an existing row stays as it is.
    pub fn ensure_host_row(&mut self, row: Name) -> Result<(), StoreError> {
        if self.exists(row) {
            return Ok(());
        }
        self.create_row(row, row, None, Vec::new())
    }

    /// Returns the number for a new record; undoing the write gives the number back.
    ///
    /// Errors: `TooMany` after 2^53 records.
    pub fn take_record_number(&mut self) -> Result<u64, StoreError> {
        let number = self.peek_record_number();
        let next = number.cast_signed();
        if next > limits::RECORD_NUMBER {
            return Err(StoreError::TooMany {
                what: "records in the life of a game",
                limit: usize::try_from(limits::RECORD_NUMBER).unwrap_or(usize::MAX),
            });
        }
        let (row, field) = (self.reserved.state, self.reserved.next);
        self.write_cell_with_undo_step(row, field, Value::from(next + 1));
        Ok(number)
    }

    /// Returns the number of the next new record.
    pub fn peek_record_number(&self) -> u64 {
        row_check::positive_count(self.cell(self.reserved.state, self.reserved.next)).unwrap_or(1)
    }

    /// Raises the number of the next new record to at least this number, as if all lower numbers had been given out.
    pub fn skip_record_numbers(&mut self, next: u64) {
        let next = next.min(limits::RECORD_NUMBER.cast_unsigned());
        if next > self.peek_record_number() {
            let (row, field) = (self.reserved.state, self.reserved.next);
            self.write_cell_with_undo_step(row, field, Value::from(next.cast_signed()));
        }
    }

    /// Returns the id for a new record, `kind#number`.
    pub fn take_record_id(&mut self, kind: Name) -> Result<Name, StoreError> {
        let number = self.take_record_number()?;
        let id = format!("{}#{number}", self.names.text(kind));
        Ok(self.names.intern(&id))
    }

    /// Undoes all writes since a mark.
    pub fn rollback(&mut self, mark: Mark) {
        while let Some(step) = self.log.pop_after(mark) {
            match step {
                Step::Set { .. } if planted_mistakes::is_planted(Mistake::RollbackForgotten) => {}
                Step::Set { row, field, old } => self.restore_cell(row, field, old),
                Step::Added { row } => {
                    self.remove_row_with_derived_data(row);
                }
                Step::Removed { row, page } => self.add_row_with_derived_data(row, page),
            }
        }
    }

    /// Settles all writes since the outermost mark, ends all marks and returns the changes.
    ///
    /// Shape: `mark` was taken when nothing was pending.
    pub fn commit(&mut self, mark: Mark) -> Vec<Change> {
        assert!(
            mark == self.log.mark_before_all(),
            "invariant: the outermost mark commits"
        );
        let changes = self.changes_since(mark);
        self.settle_pending(self.sum_after(&changes));
        changes
    }

    fn settle_pending(&mut self, sum: Sum) {
        self.sum = sum;
        self.log.clear();
        // Whole states are hashed only where it is fast; a property test covers the others.
        debug_assert!(self.entities + self.records > 32 || sum == self.recomputed_sum());
    }

    fn create_row(
        &mut self,
        row: Name,
        kind: Name,
        owner: Option<Name>,
        given: Vec<(Name, Value)>,
    ) -> Result<(), StoreError> {
        if self.rows.get(row).is_some() {
            return Err(StoreError::RowExists(self.names.text(row)));
        }
        let mut fields = self.new_row_fields(given)?;
        fields.replace(self.reserved.kind, Value::Text(self.names.text(kind)));
        if let Some(owner) = owner {
            let id = self.names.text(row);
            let number = row_check::record_number_of_id(&self.names.text(kind), &id)
                .ok_or(StoreError::BadRecordId(id))?;
            fields.replace(self.reserved.owner, Value::Text(self.names.text(owner)));
            fields.replace(self.reserved.number, Value::from(number.cast_signed()));
        }
        let page =
            row_check::make_checked_row(&self.names, &self.reserved, &self.stats, row, fields)?;
        if let Some(modifiers) = &page.modifiers {
            modifiers.check(&self.stats, &self.names)?;
        }
        self.check_new_row(row, &page)?;
        self.check_end_partners(row, page.ends.as_deref().unwrap_or_default())?;
        let weight = Weight::of_new_bytes(self.row_bytes(row, &page));
        self.check_room_for_bytes(weight)?;
        self.add_row_with_derived_data(row, Rc::new(page));
        self.log.push(Step::Added { row });
        self.log.add_weight(weight);
        Ok(())
    }

    /// Makes the write `Set`. Most writes replace the value of an existing field.
    #[inline]
    pub fn set(&mut self, row: Name, field: Name, value: Value) -> Result<(), StoreError> {
        let bytes = row_check::bytes_of_small_value(&value);
        if row_check::is_small_value(&value)
            && self.has_room_without_replacing(bytes)
            && let Some(cell) = self.replaceable_cell(row, field)
        {
            let old = mem::replace(cell, value);
            let gone = row_check::bytes_of_small_value(&old);
            self.log
                .add_weight(Weight::of_new_bytes(bytes).with_old_bytes(gone));
            self.log.push(Step::Set { row, field, old });
            self.memo
                .keep_across_cell_write(self.log.version(), row, field);
            self.watches.count_write_to(field);
            return Ok(());
        }
        self.set_with_checks(row, field, value)
    }

    /// Makes the write `Set` if an existing field gets a number; returns whether it did.
    #[inline]
    pub fn try_set_number(&mut self, row: Name, field: Name, number: Number) -> bool {
        let Some(cell) = self.replaceable_cell(row, field) else {
            return false;
        };
        let old = mem::replace(cell, Value::Number(number));
        self.log.push(Step::Set { row, field, old });
        self.memo
            .keep_across_cell_write(self.log.version(), row, field);
        self.watches.count_write_to(field);
        true
    }

    /// Returns the cell of a row of the game if the write only replaces its value.
    #[inline]
    fn replaceable_cell(&mut self, row: Name, field: Name) -> Option<&mut Value> {
        if self.reserved.needs_more_than_value(field)
            || self.listener_rules.decides_listeners(field)
        {
            return None;
        }
        let page = self.rows.get_mut(row)?;
        let kind = page.kind?;
        if self.listener_rules.is_definition_field(Some(kind), field) {
            return None;
        }
        page.fields.get_mut(field)
    }

    #[inline(never)]
    fn set_with_checks(&mut self, row: Name, field: Name, value: Value) -> Result<(), StoreError> {
        if !self.exists(row) {
            return Err(StoreError::UnknownRow(self.names.text(row)));
        }
        row_check::check_value(&self.names, row, field, &value)?;
        self.check_field_write(row, field, &value)?;
        if self.reserved.makes_modifiers(field) {
            self.modifiers_after_write(row, field, &value)?
                .check(&self.stats, &self.names)?;
        }
        if field == self.reserved.ends {
            self.check_end_partners(row, &end_conditions::read_stored(&value, &self.names)?)?;
        }
        let gone = row_check::value_bytes(self.cell(row, field));
        let weight = Weight::of_new_bytes(row_check::value_bytes(&value)).with_old_bytes(gone);
        self.check_room_for_bytes(weight)?;
        self.log.add_weight(weight);
        self.write_cell_with_undo_step(row, field, value);
        Ok(())
    }

    /// Removes the row and, before the row, all records that go with it; the youngest go first.
    fn remove_row(&mut self, row: Name) -> Result<(), StoreError> {
        if !self.exists(row) {
            return Err(StoreError::UnknownRow(self.names.text(row)));
        }
        let going = self.records_removed_with(&[row]).into_iter();
        let mut doomed: Vec<Name> = going.map(|(record, _)| record).chain([row]).collect();
        doomed.sort_by_key(|row| self.record_number(*row));
        let pages = doomed
            .iter()
            .filter_map(|row| Some((*row, self.rows.get(*row)?)));
        let gone = pages.map(|(row, page)| self.row_bytes(row, page)).sum();
        self.log.add_weight(Weight::of_old_bytes(gone));
        for row in doomed.into_iter().rev() {
            let page = self.remove_row_with_derived_data(row);
            self.log.push(Step::Removed { row, page });
        }
        Ok(())
    }

    fn new_row_fields(&self, given: Vec<(Name, Value)>) -> Result<Fields, StoreError> {
        row_check::check_cell_count(given.len())?;
        let mut fields = Fields::default();
        for (field, value) in given {
            if self.reserved.put_only_fields().contains(&field) {
                return Err(StoreError::ReservedField(self.names.text(field)));
            }
            if !fields.replace(field, value).is_nil() {
                return Err(StoreError::FieldTwice(self.names.text(field)));
            }
        }
        Ok(fields)
    }
}
