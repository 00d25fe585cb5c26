//! The index of ends: which records a moment may end.
//!
//! It is derived from `@ends` and `@deadline` alone; `apply` writes it. A moment looks at its own list only.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::End;
use crate::store::row::Numbered;
use crate::store::table::Table;
use crate::value::{Name, Text};

/// Records in order of application, shared until one of two states changes them.
type List = Rc<Numbered>;

/// Rows by the second that they wait for, then by number, then by id.
pub(super) type Calendar = BTreeMap<(u64, u64, Text), Name>;

/// Records by what may end them.
#[derive(Clone, Default)]
pub(in crate::store) struct EndIndex {
    /// By the row that they end with.
    pub(super) with: Table<Numbered>,
    /// By the kind of event.
    pub(super) events: Table<Numbered>,
    /// All of those.
    pub(super) hearing: List,
    pub(super) phases: List,
    pub(super) turns: List,
    pub(super) rounds: List,
    pub(super) expressions: List,
    pub(super) times: Rc<Calendar>,
    pub(super) deadlines: Rc<Calendar>,
}

/// One row as the index knows it.
#[derive(Clone)]
pub(in crate::store) struct Entry {
    pub(in crate::store) row: Name,
    pub(in crate::store) id: Text,
    pub(in crate::store) number: u64,
}

impl EndIndex {
    /// Returns whether records may end with a row.
    pub(in crate::store) fn has_dependants(&self, row: Name) -> bool {
        self.with.get(row).is_some()
    }

    /// Notes the ends of a record.
    pub(in crate::store) fn insert(&mut self, entry: &Entry, ends: &[End]) {
        self.edit(Edit::Note, entry, ends);
    }

    /// Forgets the ends of a record.
    pub(in crate::store) fn remove(&mut self, entry: &Entry, ends: &[End]) {
        self.edit(Edit::Forget, entry, ends);
    }

    /// Notes that a row waits for a second.
    pub(in crate::store) fn insert_deadline(&mut self, entry: &Entry, seconds: u64) {
        Edit::Note.dated(&mut self.deadlines, seconds, entry);
    }

    /// Forgets that a row waits for a second.
    pub(in crate::store) fn remove_deadline(&mut self, entry: &Entry, seconds: u64) {
        Edit::Forget.dated(&mut self.deadlines, seconds, entry);
    }

    fn edit(&mut self, edit: Edit, entry: &Entry, ends: &[End]) {
        for end in ends {
            match end {
                End::With { row } => edit.keyed(&mut self.with, *row, entry),
                End::Event { kind, .. } => {
                    edit.keyed(&mut self.events, *kind, entry);
                    edit.listed(&mut self.hearing, entry);
                }
                End::Time { seconds } => edit.dated(&mut self.times, *seconds, entry),
                // Using a record is what ends it, no moment does.
                End::Uses { .. } => {}
                End::Phase { .. } | End::PhaseOf { .. } => edit.listed(&mut self.phases, entry),
                End::Turn { .. } => edit.listed(&mut self.turns, entry),
                End::Rounds { .. } => edit.listed(&mut self.rounds, entry),
                End::When { .. } => edit.listed(&mut self.expressions, entry),
            }
        }
    }
}

/// Whether an entry comes into a part of the index or leaves it.
#[derive(Clone, Copy)]
enum Edit {
    Note,
    Forget,
}

impl Edit {
    fn listed(self, list: &mut List, entry: &Entry) {
        let list = Rc::make_mut(list);
        match self {
            Edit::Note => list.note(entry.number, entry.row),
            Edit::Forget => list.remove(entry.number),
        }
    }

    fn dated(self, calendar: &mut Rc<Calendar>, seconds: u64, entry: &Entry) {
        let calendar = Rc::make_mut(calendar);
        match self {
            Edit::Note => calendar.insert(entry.at(seconds), entry.row),
            Edit::Forget => calendar.remove(&entry.at(seconds)),
        };
    }

    fn keyed(self, table: &mut Table<Numbered>, key: Name, entry: &Entry) {
        match self {
            Edit::Note => note(table, key, entry),
            Edit::Forget => forget(table, key, entry),
        }
    }
}

impl Entry {
    fn at(&self, seconds: u64) -> (u64, u64, Text) {
        (seconds, self.number, Text::clone(&self.id))
    }
}

fn note(table: &mut Table<Numbered>, key: Name, entry: &Entry) {
    if table.get(key).is_none() {
        table.insert(key, Rc::default());
    }
    if let Some(list) = table.get_mut(key) {
        list.note(entry.number, entry.row);
    }
}

fn forget(table: &mut Table<Numbered>, key: Name, entry: &Entry) {
    let Some(list) = table.get_mut(key) else {
        return;
    };
    list.remove(entry.number);
    if list.last_number().is_none() {
        table.remove(key);
    }
}
