//! Queries for the listeners of an event, answered from the index of listeners.

use super::State;
use super::listener_index::{Group, Listener};
use super::listener_rules::{self, ListenerRules};
use crate::value::Name;

impl State {
    /// Returns the rules that make rows listeners.
    pub fn listener_rules(&self) -> &ListenerRules {
        &self.listener_rules
    }

    /// Returns the rows that handle an event, by entry. In each entry, entities are first in the order of their ids,
    /// then records in order of application.
    pub fn listeners_of_event(&self, event: Name, group: Group) -> impl Iterator<Item = Listener> {
        let handlers = self.handlers.get(event).into_iter();
        handlers.flat_map(move |handlers| handlers.listeners(group))
    }

    /// Returns whether any row handles an event.
    #[inline]
    pub fn is_handled(&self, event: Name) -> bool {
        let handlers = self.handlers.get(event);
        handlers.is_some_and(|handlers| !handlers.is_empty())
    }

    /// Returns a row as a listener of an event, once for each entry that makes the row a listener.
    pub fn listeners_at_row(&self, row: Name, event: Name) -> impl Iterator<Item = Listener> {
        let entries = self.listener_rules.entries().iter().enumerate();
        entries.filter_map(move |(entry, one)| {
            let definition = self.definition_by_entry(row, entry)?;
            let place = one.handling_of_event(definition, event)?.place;
            Some(Listener { row, entry, place })
        })
    }

    /// Returns the definition of a row that is a listener by an entry of the rules.
    pub fn definition_by_entry(&self, row: Name, entry: usize) -> Option<Name> {
        let entry = self.listener_rules.entries().get(entry)?;
        let kind = self.kind(row)?;
        entry.definition_if_listening(&self.names, kind, |field| self.cell(row, field))
    }

    /// Returns the definition that a row names by an entry of the rules, whether or not it listens at present.
    pub fn definition_named_by_entry(&self, row: Name, entry: usize) -> Option<Name> {
        let entry = self.listener_rules.entries().get(entry)?;
        let kind = self.kind(row)?;
        entry.definition_named_by_row(&self.names, kind, |field| self.cell(row, field))
    }

    /// Returns whether events that are emitted to all rows reach a listener.
    pub fn is_broadcast_to(&self, listener: &Listener) -> bool {
        let entry = self.listener_rules.entries().get(listener.entry);
        let tests = entry.map_or(&[][..], |entry| &entry.broadcast_if);
        listener_rules::passes_tests(tests, |field| self.cell(listener.row, field))
    }

    /// Returns the records directly on a row that listen or have a listener below them, in order of application.
    pub fn listening_records_on(&self, row: Name) -> impl Iterator<Item = Name> {
        let listening = self.rows.get(row).and_then(|page| page.listening.as_ref());
        listening.into_iter().flat_map(|records| records.names())
    }

    /// Returns the listening records below a row at any depth, and the records that own them.
    pub fn listening_records_below(&self, row: Name) -> Vec<Name> {
        let mut found: Vec<Name> = self.listening_records_on(row).collect();
        let mut at = 0;
        while at < found.len() {
            let below: Vec<Name> = self.listening_records_on(found[at]).collect();
            found.extend(below);
            at += 1;
        }
        found
    }
}
