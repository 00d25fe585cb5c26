//! This module is the index of listeners: which rows handle which event, and which records below a row listen.
//!
//! Everything here can be computed from the cells again; `apply` keeps it with each write.

use super::listener_rules::{self, ListenerRules, Reach};
use super::{Handled, State};
use crate::value::{Name, Names};

/// A row that handles an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listener {
    /// The row.
    pub row: Name,
    /// The entry that makes it a listener, by its place among those of the rules.
    pub entry: usize,
    /// The number by which the rules know its handlers.
    pub place: u32,
}

/// What an emission of an event reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Rows with a handler that hears what is emitted to everybody.
    Broadcast,
    /// Rows with a handler that wants the row or its bearer in a field of the event.
    Named,
    /// Rows with a handler that hears what is emitted to others.
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

/// Entities in the order of their ids, records in the order of application, each with the place of its handlers.
#[derive(Clone, Debug, Default, PartialEq)]
struct Rows {
    entities: Vec<(Name, u32)>,
    records: Vec<(u64, Name, u32)>,
}

impl Handlers {
    /// Adds a row with how its definition handles the event; a record has a number above 0.
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
        for rows in self.0[at].1.reached(handled.reach) {
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
        for rows in self.0[at].1.reached(handled.reach) {
            rows.remove((row, number), names);
        }
    }

    fn find(&self, entry: usize) -> Result<usize, usize> {
        self.0.binary_search_by_key(&entry, |(other, _)| *other)
    }

    fn listeners(&self, group: Group) -> impl Iterator<Item = Listener> {
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
    /// Returns the lists that a row with such handlers stands in.
    fn reached(&mut self, reach: Reach) -> impl Iterator<Item = &mut Rows> {
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
            if let Err(at) = self.entity(row, names) {
                self.entities.insert(at, (row, place));
            }
        } else if let Err(at) = self.record(number) {
            self.records.insert(at, (number, row, place));
        }
    }

    fn remove(&mut self, (row, number): (Name, u64), names: &Names) {
        if number == 0 {
            if let Ok(at) = self.entity(row, names) {
                self.entities.remove(at);
            }
        } else if let Ok(at) = self.record(number) {
            self.records.remove(at);
        }
    }

    fn entity(&self, row: Name, names: &Names) -> Result<usize, usize> {
        let text = names.text(row);
        self.entities
            .binary_search_by(|(other, _)| names.text(*other).cmp(&text))
    }

    fn record(&self, number: u64) -> Result<usize, usize> {
        self.records
            .binary_search_by_key(&number, |(other, ..)| *other)
    }
}

impl State {
    /// Returns the rules by which rows are listeners.
    pub fn listener_rules(&self) -> &ListenerRules {
        &self.listener_rules
    }

    /// Returns the rows that handle an event, by entry; in each, entities in the order of their ids, then records in
    /// order of application.
    pub fn listeners(&self, event: Name, group: Group) -> impl Iterator<Item = Listener> {
        let handlers = self.handlers.get(event).into_iter();
        handlers.flat_map(move |handlers| handlers.listeners(group))
    }

    /// Returns a row that handles an event, once for each entry that makes it a listener.
    pub fn listener(&self, row: Name, event: Name) -> impl Iterator<Item = Listener> {
        let entries = self.listener_rules.entries().iter().enumerate();
        entries.filter_map(move |(entry, one)| {
            let definition = self.definition_by(row, entry)?;
            let place = one.handles(definition, event)?.place;
            Some(Listener { row, entry, place })
        })
    }

    /// Returns the definition that a row is a listener of by an entry of the rules.
    pub fn definition_by(&self, row: Name, entry: usize) -> Option<Name> {
        let entry = self.listener_rules.entries().get(entry)?;
        let kind = self.kind(row)?;
        entry.definition_of(&self.names, kind, |field| self.cell(row, field))
    }

    /// Returns whether what is emitted to everybody reaches a listener.
    pub fn is_broadcast_to(&self, listener: &Listener) -> bool {
        let entry = self.listener_rules.entries().get(listener.entry);
        let tests = entry.map_or(&[][..], |entry| &entry.broadcast_if);
        listener_rules::passes(tests, |field| self.cell(listener.row, field))
    }

    /// Returns the records directly on a row that listen or have a listener below them, in order of application.
    pub fn listening_on(&self, row: Name) -> impl Iterator<Item = Name> {
        let listening = self.rows.get(row).and_then(|page| page.listening.as_ref());
        listening.into_iter().flat_map(|records| records.names())
    }

    /// Returns the records that listen and belong to a row in the end, and those that they belong to.
    pub fn listening_below(&self, row: Name) -> Vec<Name> {
        let mut found: Vec<Name> = self.listening_on(row).collect();
        let mut at = 0;
        while at < found.len() {
            let below: Vec<Name> = self.listening_on(found[at]).collect();
            found.extend(below);
            at += 1;
        }
        found
    }
}
