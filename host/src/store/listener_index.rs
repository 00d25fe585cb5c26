//! The index of listeners: the rows that handle each event, and the listening records below each row.
//!
//! All data here can be computed from the cells again; module `apply` updates it with each write.

use super::listener_rules::{Handled, Reach};
use crate::value::{Name, Names};

/// A row that handles an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listener {
    /// The row.
    pub row: Name,
    /// The entry that makes the row a listener, as its place among the entries of the rules.
    pub entry: usize,
    /// The number of its handlers in the rules.
    pub place: u32,
}

/// Listeners that an emission of an event reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Rows with a handler for events that are emitted to all rows.
    Broadcast,
    /// Rows with a handler for events that have the row or its bearer in a field.
    Named,
    /// Rows with a handler for events that are emitted to other rows.
    AllEvents,
}

/// The rows that handle one event, by the entry that makes them listeners.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Handlers(Vec<(usize, OfEntry)>);

#[derive(Clone, Debug, Default, PartialEq)]
struct OfEntry {
    broadcast: Rows,
    named: Rows,
    all_events: Rows,
}

/// Entities in the order of their ids, records in the order of application, each with the number of its handlers.
#[derive(Clone, Debug, Default, PartialEq)]
struct Rows {
    entities: Vec<(Name, u32)>,
    records: Vec<(u64, Name, u32)>,
}

impl Handlers {
    /// Adds a row with its definition's handling of the event; a record has a number above 0.
    pub(super) fn insert(
        &mut self,
        entry: usize,
        (row, number): (Name, u64),
        handled: &Handled,
        names: &Names,
    ) {
        let at = self.find(entry).unwrap_or_else(|at| {
            self.0.insert(at, (entry, OfEntry::default()));
            at
        });
        for rows in self.0[at].1.lists_reached(handled.reach) {
            rows.insert((row, number), handled.place, names);
        }
    }

    /// Removes a row; a record has a number above 0.
    pub(super) fn remove(
        &mut self,
        entry: usize,
        (row, number): (Name, u64),
        handled: &Handled,
        names: &Names,
    ) {
        let Ok(at) = self.find(entry) else { return };
        for rows in self.0[at].1.lists_reached(handled.reach) {
            rows.remove((row, number), names);
        }
    }

    fn find(&self, entry: usize) -> Result<usize, usize> {
        self.0.binary_search_by_key(&entry, |(other, _)| *other)
    }

    /// Returns whether it contains no row.
    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(|(_, of)| {
            let mut all = [&of.broadcast, &of.named, &of.all_events].into_iter();
            all.all(|rows| rows.entities.is_empty() && rows.records.is_empty())
        })
    }

    pub(super) fn listeners(&self, group: Group) -> impl Iterator<Item = Listener> {
        self.0.iter().flat_map(move |(entry, of)| {
            let rows = match group {
                Group::Broadcast => &of.broadcast,
                Group::Named => &of.named,
                Group::AllEvents => &of.all_events,
            };
            rows.iter().map(|(row, place)| Listener {
                row,
                entry: *entry,
                place,
            })
        })
    }
}

impl OfEntry {
    /// Returns the lists that contain a row with such handlers.
    fn lists_reached(&mut self, reach: Reach) -> impl Iterator<Item = &mut Rows> {
        let broadcast = reach.broadcast.then_some(&mut self.broadcast);
        let named = reach.named.then_some(&mut self.named);
        let all_events = reach.all_events.then_some(&mut self.all_events);
        broadcast.into_iter().chain(named).chain(all_events)
    }
}

impl Rows {
    fn iter(&self) -> impl Iterator<Item = (Name, u32)> {
        let records = self.records.iter().map(|(_, row, place)| (*row, *place));
        self.entities.iter().copied().chain(records)
    }

    fn insert(&mut self, (row, number): (Name, u64), place: u32, names: &Names) {
        if number == 0 {
            if let Err(at) = self.entity_position(row, names) {
                self.entities.insert(at, (row, place));
            }
        } else if let Err(at) = self.record_position(number) {
            self.records.insert(at, (number, row, place));
        }
    }

    fn remove(&mut self, (row, number): (Name, u64), names: &Names) {
        if number == 0 {
            if let Ok(at) = self.entity_position(row, names) {
                self.entities.remove(at);
            }
        } else if let Ok(at) = self.record_position(number) {
            self.records.remove(at);
        }
    }

    fn entity_position(&self, row: Name, names: &Names) -> Result<usize, usize> {
        let text = names.text(row);
        self.entities
            .binary_search_by(|(other, _)| names.text(*other).cmp(&text))
    }

    fn record_position(&self, number: u64) -> Result<usize, usize> {
        self.records
            .binary_search_by_key(&number, |(other, ..)| *other)
    }
}
