//! Changes cells and rows together with the data derived from cells: the order of records, the rows of a kind, the
//! modifiers by stat. All checks are done before.

use std::rc::Rc;

use crate::store::ends::Entry;
use crate::store::modifier::ByStat;
use crate::store::row::Row;
use crate::store::undo_log::Step;
use crate::store::{State, ends, row_check};
use crate::value::{Name, Value};

impl State {
    pub(super) fn write_logged(&mut self, row: Name, field: Name, value: Value) {
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
            self.watches.count_write(field);
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
        self.watches.count_write(field);
        if decides {
            self.add_listener(row);
        }
        if self
            .listener_rules
            .is_definition_field(self.kind(row), field)
        {
            self.forget_stored(row);
            self.note_stored(row);
        }
        if self.reserved.makes_modifiers(field) {
            self.follow_modifiers(row);
        } else if field == self.reserved.ends {
            self.follow_ends(row);
        } else if field == self.reserved.deadline {
            self.follow_deadline(row, &old);
        }
        old
    }

    fn follow_modifiers(&mut self, row: Name) {
        let list = self.reserved.modifiers;
        let new = self
            .modifiers_once_set(row, list, self.cell(row, list))
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
        self.forget_auras(number, &old.auras);
        self.note_auras(number, row, &new.auras);
    }

    /// Reads the expressions of all records again, because other rules give names another meaning.
    pub(super) fn follow_vocabulary(&mut self) {
        let speaks = |page: &Row| {
            page.modifiers
                .as_ref()
                .is_some_and(|all| all.has_expressions())
        };
        let rows = self.rows.iter().filter(|(_, page)| speaks(page));
        let rows: Vec<Name> = rows.map(|(row, _)| row).collect();
        rows.into_iter().for_each(|row| self.follow_modifiers(row));
    }

    /// Notes the auras of a record.
    fn note_auras(&mut self, number: u64, record: Name, auras: &ByStat) {
        if !auras.is_empty() {
            Rc::make_mut(self.auras.get_or_insert_default()).insert(number, record, auras);
        }
    }

    /// Forgets the auras of a record.
    fn forget_auras(&mut self, number: u64, auras: &ByStat) {
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

    fn follow_ends(&mut self, row: Name) {
        let value = self.cell(row, self.reserved.ends);
        let new = ends::read(value, &self.names).expect("invariant: ends are checked first");
        let entry = self.index_entry(row);
        let page = self
            .rows
            .get_mut(row)
            .expect("invariant: the caller found the row");
        let old = page.ends.replace(Rc::clone(&new));
        let index = Rc::make_mut(&mut self.ends);
        index.remove(&entry, old.as_deref().unwrap_or_default());
        index.insert(&entry, &new);
    }

    fn follow_deadline(&mut self, row: Name, old: &Value) {
        let entry = self.index_entry(row);
        let new = row_check::positive_count(self.cell(row, self.reserved.deadline));
        let index = Rc::make_mut(&mut self.ends);
        if let Some(second) = row_check::positive_count(old) {
            index.remove_deadline(&entry, second);
        }
        if let Some(second) = new {
            index.insert_deadline(&entry, second);
        }
    }

    fn index_entry(&self, row: Name) -> Entry {
        Entry {
            row,
            id: self.names.text(row),
            number: self.rows.get(row).map_or(0, |page| page.number),
        }
    }

    /// Notes or forgets the ends and the deadline of a row.
    fn follow_row(&mut self, row: Name, page: &Row, is_there: bool) {
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
            ..self.index_entry(row)
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

    pub(super) fn add_row(&mut self, row: Name, page: Rc<Row>) {
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
                owner.add_influence(page.number, row, page.own_modifiers());
                self.records += 1;
            }
            None => self.entities += usize::from(counted),
        }
        self.follow_row(row, &page, true);
        self.note_auras(page.number, row, page.auras());
        if let Some(kind) = page.kind {
            self.watches.count_write(kind);
        }
        self.rows.insert(row, page);
        self.add_listener(row);
        self.note_stored(row);
    }

    pub(super) fn take_row(&mut self, row: Name) -> Rc<Row> {
        let counted = !self.is_host_row(row);
        if let Some(kind) = self.kind(row) {
            self.watches.count_write(kind);
            if self.listener_rules.stores_definitions_in(kind) {
                self.forget_stored(row);
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
                owner.remove_influence(page.number, page.own_modifiers());
                self.records -= 1;
            }
            None => self.entities -= usize::from(counted),
        }
        self.follow_row(row, &page, false);
        self.forget_auras(page.number, page.auras());
        self.forget_listening(&page);
        page
    }
}
