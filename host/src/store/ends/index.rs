//! This module is the index of ends: which records a moment may end.
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
        for end in ends {
            match end {
                End::With { row } => note(&mut self.with, *row, entry),
                End::Event { kind, .. } => {
                    note(&mut self.events, *kind, entry);
                    Rc::make_mut(&mut self.hearing).note(entry.number, entry.row);
                }
                End::Time { seconds } => {
                    Rc::make_mut(&mut self.times).insert(entry.at(*seconds), entry.row);
                }
                End::Uses { .. } => {}
                End::Phase { .. }
                | End::PhaseOf { .. }
                | End::Turn { .. }
                | End::Rounds { .. }
                | End::When { .. } => {
                    if let Some(list) = self.list(end) {
                        Rc::make_mut(list).note(entry.number, entry.row);
                    }
                }
            }
        }
    }

    /// Forgets the ends of a record.
    pub(in crate::store) fn remove(&mut self, entry: &Entry, ends: &[End]) {
        for end in ends {
            match end {
                End::With { row } => forget(&mut self.with, *row, entry),
                End::Event { kind, .. } => {
                    forget(&mut self.events, *kind, entry);
                    Rc::make_mut(&mut self.hearing).remove(entry.number);
                }
                End::Time { seconds } => {
                    Rc::make_mut(&mut self.times).remove(&entry.at(*seconds));
                }
                End::Uses { .. } => {}
                End::Phase { .. }
                | End::PhaseOf { .. }
                | End::Turn { .. }
                | End::Rounds { .. }
                | End::When { .. } => {
                    if let Some(list) = self.list(end) {
                        Rc::make_mut(list).remove(entry.number);
                    }
                }
            }
        }
    }

    /// Notes that a row waits for a second.
    pub(in crate::store) fn insert_deadline(&mut self, entry: &Entry, seconds: u64) {
        Rc::make_mut(&mut self.deadlines).insert(entry.at(seconds), entry.row);
    }

    /// Forgets that a row waits for a second.
    pub(in crate::store) fn remove_deadline(&mut self, entry: &Entry, seconds: u64) {
        Rc::make_mut(&mut self.deadlines).remove(&entry.at(seconds));
    }

    fn list(&mut self, end: &End) -> Option<&mut List> {
        match end {
            End::Phase { .. } | End::PhaseOf { .. } => Some(&mut self.phases),
            End::Turn { .. } => Some(&mut self.turns),
            End::Rounds { .. } => Some(&mut self.rounds),
            End::When { .. } => Some(&mut self.expressions),
            End::Time { .. } | End::Uses { .. } | End::With { .. } | End::Event { .. } => None,
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
