//! This module changes cells and rows, and with them what is derived from cells: the order of records,
//! the rows of a kind, the modifiers by stat. It asks nothing; that is done before.

use std::rc::Rc;

use crate::store::log::Step;
use crate::store::row::Row;
use crate::store::{State, modifier};
use crate::value::{Name, Value};

impl State {
    pub(super) fn write_logged(&mut self, row: Name, field: Name, value: Value) {
        let old = self.write_cell(row, field, value);
        self.log.push(Step::Set { row, field, old });
    }

    pub(super) fn restore(&mut self, row: Name, field: Name, old: Value) {
        if !old.is_nil()
            && field != self.reserved.modifiers
            && !self.watched.has(field)
            && let Some(page) = self.rows.get_mut(row)
            && let Some(cell) = page.fields.get_mut(field)
        {
            *cell = old;
        } else {
            self.write_cell(row, field, old);
        }
    }

    fn write_cell(&mut self, row: Name, field: Name, value: Value) -> Value {
        let is_watched = self.watched.has(field);
        if is_watched {
            self.strike(row);
        }
        let page = self
            .rows
            .get_mut(row)
            .expect("invariant: a cell that is written has a row");
        let old = page.fields.replace(field, value);
        if is_watched {
            self.enlist(row);
        }
        if field == self.reserved.modifiers {
            self.follow_modifiers(row);
        }
        old
    }

    fn follow_modifiers(&mut self, row: Name) {
        let value = self.cell(row, self.reserved.modifiers);
        let new =
            modifier::read(value, &self.names).expect("invariant: modifiers are checked first");
        let page = self
            .rows
            .get_mut(row)
            .expect("invariant: the caller found the row");
        let (owner, number) = (page.owner, page.number);
        let old = page.modifiers.replace(Rc::clone(&new));
        if let Some(owner) = owner.and_then(|owner| self.rows.get_mut(owner)) {
            owner.recover(number, old.as_deref().unwrap_or_default());
            owner.suffer(number, row, &new);
        }
    }

    pub(super) fn add_row(&mut self, row: Name, page: Rc<Row>) {
        let kind = page.kind.expect("invariant: a row of the game has a kind");
        if self.kinds.get(kind).is_none() {
            self.kinds.insert(kind, Rc::default());
        }
        if let Some(index) = self.kinds.get_mut(kind) {
            index.insert(row, page.number, &self.names);
        }
        match page.owner.and_then(|owner| self.rows.get_mut(owner)) {
            Some(owner) => {
                owner.adopt(page.number, row);
                owner.suffer(
                    page.number,
                    row,
                    page.modifiers.as_deref().unwrap_or_default(),
                );
                self.records += 1;
            }
            None => self.entities += 1,
        }
        self.rows.insert(row, page);
        self.enlist(row);
    }

    /// Enters a row under the texts of its watched fields.
    pub(super) fn enlist(&mut self, row: Name) {
        self.shape += 1;
        let number = self.number(row).unwrap_or(0);
        for text in self.named_by(row) {
            if self.naming.get(text).is_none() {
                self.naming.insert(text, Rc::default());
            }
            if let Some(index) = self.naming.get_mut(text) {
                index.insert(row, number, &self.names);
            }
        }
    }

    /// Takes a row out from under the texts of its watched fields.
    fn strike(&mut self, row: Name) {
        let number = self.number(row).unwrap_or(0);
        for text in self.named_by(row) {
            if let Some(index) = self.naming.get_mut(text) {
                index.remove(row, number, &self.names);
            }
        }
        self.shape += 1;
    }

    pub(super) fn take_row(&mut self, row: Name) -> Rc<Row> {
        self.strike(row);
        let page = self
            .rows
            .remove(row)
            .expect("invariant: a row that goes was there");
        if let Some(index) = page.kind.and_then(|kind| self.kinds.get_mut(kind)) {
            index.remove(row, page.number, &self.names);
        }
        match page.owner.and_then(|owner| self.rows.get_mut(owner)) {
            Some(owner) => {
                owner.abandon(page.number);
                owner.recover(page.number, page.modifiers.as_deref().unwrap_or_default());
                self.records -= 1;
            }
            None => self.entities -= 1,
        }
        page
    }
}
