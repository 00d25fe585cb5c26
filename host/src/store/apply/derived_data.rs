//! Changes cells and rows together with the data derived from cells: the order of records, the rows of a kind, the
//! modifiers by stat. All checks are done before.

use std::rc::Rc;

use crate::store::end_conditions::Entry;
use crate::store::modifier::ByStat;
use crate::store::row::Row;
use crate::store::undo_log::Step;
use crate::store::{State, end_conditions, row_check};
use crate::value::{Name, Value};

impl State {
    pub(super) fn write_cell_with_undo_step(&mut self, row: Name, field: Name, value: Value) {
        let old = self.write_cell(row, field, value);
        self.log.push(Step::Set { row, field, old });
    }

    pub(super) fn restore_cell(&mut self, row: Name, field: Name, old: Value) {
        if !old.is_nil()
            && !self.reserved.needs_more_than_value(field)
            && !self.listener_rules.decides_listeners(field)
            && !self
                .listener_rules
                .is_definition_field(self.kind(row), field)
            && let Some(page) = self.rows.get_mut(row)
            && let Some(cell) = page.fields.get_mut(field)
        {
            *cell = old;
            self.watches.count_write_to(field);
        } else {
            self.write_cell(row, field, old);
        }
    }

    fn write_cell(&mut self, row: Name, field: Name, value: Value) -> Value {
        let decides = self.listener_rules.decides_listeners(field);
        if decides {
            self.remove_listener(row);
        }
        let page = self
            .rows
            .get_mut(row)
            .expect("invariant: a cell that is written has a row");
        let old = page.fields.replace(field, value);
        self.watches.count_write_to(field);
        if decides {
            self.add_listener(row);
        }
        if self
            .listener_rules
            .is_definition_field(self.kind(row), field)
        {
            self.forget_definition_handlers(row);
            self.mark_definition_unread(row);
        }
        if self.reserved.makes_modifiers(field) {
            self.update_modifiers_of_record(row);
        } else if field == self.reserved.ends {
            self.update_end_conditions_of_record(row);
        } else if field == self.reserved.deadline {
            self.update_deadline_of_row(row, &old);
        }
        old
    }

    fn update_modifiers_of_record(&mut self, row: Name) {
        let list = self.reserved.modifiers;
        let new = self
            .modifiers_after_write(row, list, self.cell(row, list))
            .expect("invariant: modifiers are checked first");
        let page = self
            .rows
            .get_mut(row)
            .expect("invariant: the caller found the row");
        let (owner, number) = (page.owner, page.number);
        let old = page.modifiers.replace(Rc::clone(&new)).unwrap_or_default();
        if let Some(owner) = owner.and_then(|owner| self.rows.get_mut(owner)) {
            owner.remove_influence(number, &old.own);
            owner.add_influence(number, row, &new.own);
        }
        self.remove_auras(number, &old.auras);
        self.add_auras(number, row, &new.auras);
    }

    /// Reads the expressions of all records again, because other rules give names another meaning.
    pub(super) fn recompile_record_expressions(&mut self) {
        let speaks = |page: &Row| {
            page.modifiers
                .as_ref()
                .is_some_and(|all| all.has_expressions())
        };
        let rows = self.rows.iter().filter(|(_, page)| speaks(page));
        let rows: Vec<Name> = rows.map(|(row, _)| row).collect();
        rows.into_iter()
            .for_each(|row| self.update_modifiers_of_record(row));
    }

    /// Notes the auras of a record.
    fn add_auras(&mut self, number: u64, record: Name, auras: &ByStat) {
        if !auras.is_empty() {
            Rc::make_mut(self.auras.get_or_insert_default()).insert(number, record, auras);
        }
    }

    /// Forgets the auras of a record.
    fn remove_auras(&mut self, number: u64, auras: &ByStat) {
        if let Some(all) = &mut self.auras
            && !auras.is_empty()
        {
            let all = Rc::make_mut(all);
            all.remove(number, auras);
            if all.is_empty() {
                self.auras = None;
            }
        }
    }

    fn update_end_conditions_of_record(&mut self, row: Name) {
        let value = self.cell(row, self.reserved.ends);
        let new = end_conditions::read_stored(value, &self.names)
            .expect("invariant: ends are checked first");
        let entry = self.end_index_entry(row);
        let page = self
            .rows
            .get_mut(row)
            .expect("invariant: the caller found the row");
        let old = page.ends.replace(Rc::clone(&new));
        let index = Rc::make_mut(&mut self.ends);
        index.remove(&entry, old.as_deref().unwrap_or_default());
        index.insert(&entry, &new);
    }

    fn update_deadline_of_row(&mut self, row: Name, old: &Value) {
        let entry = self.end_index_entry(row);
        let new = row_check::positive_count(self.cell(row, self.reserved.deadline));
        let index = Rc::make_mut(&mut self.ends);
        if let Some(second) = row_check::positive_count(old) {
            index.remove_deadline(&entry, second);
        }
        if let Some(second) = new {
            index.insert_deadline(&entry, second);
        }
    }

    fn end_index_entry(&self, row: Name) -> Entry {
        Entry {
            row,
            id: self.names.text(row),
            number: self.rows.get(row).map_or(0, |page| page.number),
        }
    }

    /// Notes or forgets the ends and the deadline of a row.
    fn update_row_in_end_index(&mut self, row: Name, page: &Row, is_there: bool) {
        let deadline = page
            .fields
            .get(self.reserved.deadline)
            .and_then(row_check::positive_count);
        let ends = page.ends.as_deref().unwrap_or_default();
        if ends.is_empty() && deadline.is_none() {
            return;
        }
        let entry = Entry {
            number: page.number,
            ..self.end_index_entry(row)
        };
        let index = Rc::make_mut(&mut self.ends);
        if is_there {
            index.insert(&entry, ends);
            deadline.inspect(|second| index.insert_deadline(&entry, *second));
        } else {
            index.remove(&entry, ends);
            deadline.inspect(|second| index.remove_deadline(&entry, *second));
        }
    }

    pub(super) fn add_row_with_derived_data(&mut self, row: Name, page: Rc<Row>) {
        let counted = !self.is_host_row(row);
        let kind = page.kind.expect("invariant: a row of the game has a kind");
        if self.kinds.get(kind).is_none() {
            self.kinds.insert(kind, Rc::default());
        }
        if let Some(index) = self.kinds.get_mut(kind) {
            index.insert(row, page.number, &self.names);
        }
        match page.owner.and_then(|owner| self.rows.get_mut(owner)) {
            Some(owner) => {
                owner.add_record(page.number, row);
                owner.add_influence(page.number, row, page.modifiers_on_owner());
                self.records += 1;
            }
            None => self.entities += usize::from(counted),
        }
        self.update_row_in_end_index(row, &page, true);
        self.add_auras(page.number, row, page.auras());
        if let Some(kind) = page.kind {
            self.watches.count_write_to(kind);
        }
        self.rows.insert(row, page);
        self.add_listener(row);
        self.mark_definition_unread(row);
    }

    pub(super) fn remove_row_with_derived_data(&mut self, row: Name) -> Rc<Row> {
        let counted = !self.is_host_row(row);
        if let Some(kind) = self.kind(row) {
            self.watches.count_write_to(kind);
            if self.listener_rules.stores_definitions_in(kind) {
                self.forget_definition_handlers(row);
            }
        }
        self.remove_listener(row);
        let page = self
            .rows
            .remove(row)
            .expect("invariant: a row that goes was there");
        if let Some(index) = page.kind.and_then(|kind| self.kinds.get_mut(kind)) {
            index.remove(row, page.number, &self.names);
        }
        match page.owner.and_then(|owner| self.rows.get_mut(owner)) {
            Some(owner) => {
                owner.remove_record(page.number);
                owner.remove_influence(page.number, page.modifiers_on_owner());
                self.records -= 1;
            }
            None => self.entities -= usize::from(counted),
        }
        self.update_row_in_end_index(row, &page, false);
        self.remove_auras(page.number, page.auras());
        self.forget_listening_of_removed_row(&page);
        page
    }
}
