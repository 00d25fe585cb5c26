//! Finds one handler of a row by its key, outside of an emission: for an answer that comes late.

use std::rc::Rc;

use super::event::{Event, Work};
use super::listeners::Listeners;
use crate::store::State;
use crate::value::Name;

/// A handler by its event and its place there.
pub(crate) type Placed = (Rc<Event>, usize);

/// Returns the handler of a row with a key, from its own definition or from a definition that this one delegates to.
pub(crate) fn keyed_handler(
    state: &State,
    listeners: &Listeners,
    wanted: (Name, &str),
) -> Option<Placed> {
    let own = handler_of_row(state, listeners, wanted);
    own.or_else(|| handler_of_delegated_definition(state, listeners, wanted))
}

/// Returns the handler with a key from the definition of a row. The row need not be a listener any longer, because its
/// questions may be answered late. If there are several, returns the handler of the first event by name.
fn handler_of_row(
    state: &State,
    listeners: &Listeners,
    (element, key): (Name, &str),
) -> Option<Placed> {
    let entries = 0..state.listener_rules().entries().len();
    entries.into_iter().find_map(|entry| {
        let id = state.definition_named_by_entry(element, entry)?;
        handler_of_definition(state, listeners, (entry, id, key))
    })
}

/// Returns the handler with a key of a definition, by an entry.
fn handler_of_definition(
    state: &State,
    listeners: &Listeners,
    (entry, id, key): (usize, Name, &str),
) -> Option<Placed> {
    let handled = state.listener_rules().entries()[entry]
        .handled_events(id)
        .iter();
    let found = handled.filter_map(|handled| {
        let event = listeners.event(handled.event)?;
        let mut own = event.handlers_of_definition_at(handled.place as usize);
        let (at, _) = own.find(|(_, one)| one.work.key().is_some_and(|own| **own == *key))?;
        Some((Rc::clone(event), at))
    });
    found.min_by(|one, other| one.0.name.cmp(&other.0.name))
}

/// Returns the handler with a key of any definition of the collections of a row if its own definition stands for
/// another one. Of several it is the handler of the first definition by id.
fn handler_of_delegated_definition(
    state: &State,
    listeners: &Listeners,
    (element, key): (Name, &str),
) -> Option<Placed> {
    let names = state.names();
    let entries = state.listener_rules().entries().iter().enumerate();
    let stands_for = |entry: usize| {
        let id = state.definition_named_by_entry(element, entry)?;
        let handled = state.listener_rules().entries()[entry]
            .handled_events(id)
            .iter();
        let mut events = handled.filter_map(|handled| {
            let event = listeners.event(handled.event)?;
            Some((event, handled.place as usize))
        });
        let is_open = |(event, place): &(&Rc<Event>, usize)| {
            let mut own = event.handlers_of_definition_at(*place);
            own.any(|(_, one)| matches!(one.work, Work::Of(_)))
        };
        events.find(is_open)
    };
    let found = entries.filter(|(at, _)| stands_for(*at).is_some());
    let found = found.flat_map(|(at, entry)| entry.definitions().map(move |id| (at, id)));
    let found = found.filter_map(|(at, id)| {
        let placed = handler_of_definition(state, listeners, (at, id, key))?;
        Some((names.text(id), placed))
    });
    found
        .min_by(|one, other| one.0.cmp(&other.0))
        .map(|(_, placed)| placed)
}
