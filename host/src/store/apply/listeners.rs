//! Updates the index of listeners with each write: the rows that handle each event, and the listening records below
//! each row. Undoing a write updates the index in the same way, so the index needs no undo steps.

use std::rc::Rc;

use crate::store::row::Row;
use crate::store::table::Table;
use crate::store::{Handled, ListenerRules, State};
use crate::value::{Name, Value};

impl State {
    /// Indexes the listeners of these rules from now on; they are not part of the hash.
    ///
    /// Passes once over all rows; does nothing if the rules are already known.
    pub fn index_listeners(&mut self, rules: Rc<ListenerRules>) {
        if Rc::ptr_eq(&self.base_rules, &rules) {
            return;
        }
        // Another machine read the handlers of rows that are definitions; its numbers for handlers differ from ours.
        let is_own = Rc::ptr_eq(&self.base_rules, &self.listener_rules);
        let is_known = is_own && *self.base_rules == *rules;
        self.base_rules = Rc::clone(&rules);
        if is_known {
            self.listener_rules = rules;
        } else {
            self.reindex_all_listeners(rules);
            self.unread.clear();
            let rows: Vec<Name> = self.rows.iter().map(|(row, _)| row).collect();
            rows.into_iter()
                .for_each(|row| self.mark_definition_unread(row));
        }
    }

    /// Returns the rows that are definitions with unread handlers. Each comes with its entry and with its content.
    pub fn unread_definitions(&self) -> Vec<(Name, usize, &Value)> {
        let entries = || self.listener_rules.entries().iter().enumerate();
        let of = |row: &Name| {
            let row = *row;
            let stored = entries().filter_map(move |(at, one)| Some((at, one.stored?)));
            let own = stored.filter(move |(_, (kind, _))| self.kind(row) == Some(*kind));
            own.map(move |(at, (_, field))| (row, at, self.cell(row, field)))
        };
        self.unread.iter().flat_map(of).collect()
    }

    /// Returns whether there are definitions with unread handlers.
    #[inline]
    pub fn has_unread_definitions(&self) -> bool {
        !self.unread.is_empty()
    }

    /// Takes the handlers of rows that are definitions, each for one entry. Afterwards no definition is unread.
    pub fn add_row_definitions(&mut self, read: Vec<(Name, usize, Vec<Handled>)>) {
        self.unread.clear();
        let mut rules = (*self.listener_rules).clone();
        rules.add_row_definitions(read);
        self.reindex_all_listeners(Rc::new(rules));
    }

    /// Notes a row that is a definition; its handlers must be read.
    pub(super) fn mark_definition_unread(&mut self, row: Name) {
        let is_stored = self
            .kind(row)
            .is_some_and(|kind| self.listener_rules.stores_definitions_in(kind));
        if is_stored && !self.unread.contains(&row) {
            self.unread.push(row);
        }
    }

    /// Forgets the handlers of a row that was a definition and is removed or changed.
    pub(super) fn forget_definition_handlers(&mut self, row: Name) {
        self.unread.retain(|other| *other != row);
        if let Some(rules) = self.listener_rules.without_row_definition(row) {
            self.reindex_all_listeners(Rc::new(rules));
        }
    }

    fn reindex_all_listeners(&mut self, rules: Rc<ListenerRules>) {
        self.listener_rules = rules;
        self.shape += 1;
        self.handlers = Table::default();
        let rows: Vec<Name> = self.rows.iter().map(|(row, _)| row).collect();
        for row in &rows {
            let page = self.rows.get(*row);
            if page.is_some_and(|page| page.listening.is_some())
                && let Some(page) = self.rows.get_mut(*row)
            {
                page.listening = None;
            }
        }
        rows.into_iter().for_each(|row| self.add_listener(row));
    }

    /// Enters a row under the events that it handles, and with its owners.
    pub(super) fn add_listener(&mut self, row: Name) {
        self.shape += 1;
        let listens = self.update_handlers_of_row(row, true);
        self.update_listening_of_owners(row, listens);
    }

    /// Removes a row from the events that it handles; its fields are still unchanged.
    pub(super) fn remove_listener(&mut self, row: Name) {
        self.update_handlers_of_row(row, false);
        self.shape += 1;
    }

    /// Forgets a record that was removed with its owner.
    pub(super) fn forget_listening_of_removed_row(&mut self, page: &Row) {
        let Some(owner) = page.owner else { return };
        let is_known = |owner: &Row| owner.has_listening_record(page.number);
        if !self.rows.get(owner).is_some_and(is_known) {
            return;
        }
        if let Some(above) = self.rows.get_mut(owner) {
            above.remove_listening_record(page.number);
            if above.listening.is_none() {
                let listens = self.handles_any_event(owner);
                self.update_listening_of_owners(owner, listens);
            }
        }
    }

    /// Enters a row under the events that it handles, or removes it; returns whether it handles any event.
    fn update_handlers_of_row(&mut self, row: Name, is_there: bool) -> bool {
        let rules = Rc::clone(&self.listener_rules);
        let number = self.record_number(row).unwrap_or(0);
        let mut listens = false;
        for (place, entry) in rules.entries().iter().enumerate() {
            let Some(definition) = self.definition_by_entry(row, place) else {
                continue;
            };
            for handled in entry.handled_events(definition) {
                listens = true;
                if self.handlers.get(handled.event).is_none() {
                    self.handlers.insert(handled.event, Rc::default());
                }
                let Some(handlers) = self.handlers.get_mut(handled.event) else {
                    continue;
                };
                let names = &self.names;
                match is_there {
                    true => handlers.insert(place, (row, number), handled, names),
                    false => handlers.remove(place, (row, number), handled, names),
                }
            }
        }
        listens
    }

    /// Notes with the owner of a row whether the row listens or has a listener below it, and continues with the
    /// owner's owner.
    fn update_listening_of_owners(&mut self, mut row: Name, mut listens: bool) {
        while let Some(page) = self.rows.get(row)
            && let Some(owner) = page.owner
        {
            let (number, counts) = (page.number, listens || page.listening.is_some());
            let above = self.rows.get(owner);
            if above.is_none_or(|above| above.has_listening_record(number) == counts) {
                return;
            }
            let Some(above) = self.rows.get_mut(owner) else {
                return;
            };
            let had_any = above.listening.is_some();
            match counts {
                true => above.add_listening_record(number, row),
                false => above.remove_listening_record(number),
            }
            if above.listening.is_some() == had_any {
                return;
            }
            (row, listens) = (owner, self.handles_any_event(owner));
        }
    }

    /// Returns whether a row handles any event.
    fn handles_any_event(&self, row: Name) -> bool {
        let entries = self.listener_rules.entries().iter().enumerate();
        let mut definitions = entries.filter_map(|(place, entry)| {
            let definition = self.definition_by_entry(row, place)?;
            Some(entry.handled_events(definition))
        });
        definitions.any(|handled| !handled.is_empty())
    }
}
