//! The index of ends: the records that each moment may end.
//!
//! It is derived only from `@ends` and `@deadline`; module `apply` writes it. A moment reads only its own list.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::EndCondition;
use crate::store::row::Numbered;
use crate::store::table::Table;
use crate::value::{Name, Text};

/// Records in order of application, shared by two states until one state changes them.
type List = Rc<Numbered>;

/// Rows by the second that they wait for, then by number, then by id.
pub(super) type Calendar = BTreeMap<(u64, u64, Text), Name>;

/// Records by the kind of moment that may end them.
#[derive(Clone, Default)]
pub(in crate::store) struct EndIndex {
    /// By the row that they end with.
    pub(super) with: Table<Numbered>,
    /// By the kind of event.
    pub(super) events: Table<Numbered>,
    /// All records that end by events.
    pub(super) hearing: List,
    pub(super) phases: List,
    pub(super) turns: List,
    pub(super) rounds: List,
    pub(super) expressions: List,
    pub(super) times: Rc<Calendar>,
    pub(super) deadlines: Rc<Calendar>,
}

/// Data of one row in the index.
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
    pub(in crate::store) fn insert(&mut self, entry: &Entry, ends: &[EndCondition]) {
        self.edit_conditions(Edit::Note, entry, ends);
    }

    /// Forgets the ends of a record.
    pub(in crate::store) fn remove(&mut self, entry: &Entry, ends: &[EndCondition]) {
        self.edit_conditions(Edit::Forget, entry, ends);
    }

    /// Notes that a row waits for a second.
    pub(in crate::store) fn insert_deadline(&mut self, entry: &Entry, seconds: u64) {
        Edit::Note.edit_calendar(&mut self.deadlines, seconds, entry);
    }

    /// Forgets that a row waits for a second.
    pub(in crate::store) fn remove_deadline(&mut self, entry: &Entry, seconds: u64) {
        Edit::Forget.edit_calendar(&mut self.deadlines, seconds, entry);
    }

    fn edit_conditions(&mut self, edit: Edit, entry: &Entry, ends: &[EndCondition]) {
        for end in ends {
            match end {
                EndCondition::With { row } => edit.edit_table(&mut self.with, *row, entry),
                EndCondition::Event { kind, .. } => {
                    edit.edit_table(&mut self.events, *kind, entry);
                    edit.edit_list(&mut self.hearing, entry);
                }
                EndCondition::Time { seconds } => {
                    edit.edit_calendar(&mut self.times, *seconds, entry);
                }
                // A use ends such a record, never a moment.
                EndCondition::Uses { .. } => {}
                EndCondition::Phase { .. } | EndCondition::PhaseOf { .. } => {
                    edit.edit_list(&mut self.phases, entry);
                }
                EndCondition::Turn { .. } => edit.edit_list(&mut self.turns, entry),
                EndCondition::Rounds { .. } => edit.edit_list(&mut self.rounds, entry),
                EndCondition::When { .. } => edit.edit_list(&mut self.expressions, entry),
            }
        }
    }
}

/// Whether an entry is added to a part of the index or removed.
#[derive(Clone, Copy)]
enum Edit {
    Note,
    Forget,
}

impl Edit {
    fn edit_list(self, list: &mut List, entry: &Entry) {
        let list = Rc::make_mut(list);
        match self {
            Edit::Note => list.insert_unless_present(entry.number, entry.row),
            Edit::Forget => list.remove(entry.number),
        }
    }

    fn edit_calendar(self, calendar: &mut Rc<Calendar>, seconds: u64, entry: &Entry) {
        let calendar = Rc::make_mut(calendar);
        match self {
            Edit::Note => calendar.insert(entry.deadline_key(seconds), entry.row),
            Edit::Forget => calendar.remove(&entry.deadline_key(seconds)),
        };
    }

    fn edit_table(self, table: &mut Table<Numbered>, key: Name, entry: &Entry) {
        match self {
            Edit::Note => note_under_key(table, key, entry),
            Edit::Forget => forget_under_key(table, key, entry),
        }
    }
}

impl Entry {
    fn deadline_key(&self, seconds: u64) -> (u64, u64, Text) {
        (seconds, self.number, Text::clone(&self.id))
    }
}

fn note_under_key(table: &mut Table<Numbered>, key: Name, entry: &Entry) {
    if table.get(key).is_none() {
        table.insert(key, Rc::default());
    }
    if let Some(list) = table.get_mut(key) {
        list.insert_unless_present(entry.number, entry.row);
    }
}

fn forget_under_key(table: &mut Table<Numbered>, key: Name, entry: &Entry) {
    let Some(list) = table.get_mut(key) else {
        return;
    };
    list.remove(entry.number);
    if list.last_record_number().is_none() {
        table.remove(key);
    }
}
