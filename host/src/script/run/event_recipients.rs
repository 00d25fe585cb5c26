//! The recipients of an event in order: they are fixed when it is emitted and checked again at their turn.
//!
//! The search reads state and rules and changes neither. The frame in `api/events_and_queues.luau` calls the handlers.

use std::cmp::Ordering;
use std::collections::{BTreeSet, HashSet};

use mlua::Function;

use super::chance::Chance;
use super::event::{Event, Listener, Work};
use super::handler_filters::Filter;
use super::recipient::Recipient;
use super::recipient_order;
use crate::diag::Diagnostic;
use crate::script::declare::listener_order::Key;
use crate::store::{self, Group, State};
use crate::value::{Name, Names, Value, value_at_path};

/// A record that ended.
pub(crate) struct Gone<'a> {
    pub(crate) record: Name,
    pub(crate) kind: Name,
    pub(crate) bearer: Name,
    pub(crate) values: &'a Value,
}

/// The addressees of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Address {
    /// Everybody.
    All,
    /// These rows and the records directly on them.
    To(Vec<Name>),
    /// Exactly these rows.
    At(Vec<Name>),
}

/// A row that handles an event, and whether the event is addressed to it.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    listener: store::Listener,
    is_addressed: bool,
}

/// The recipients of an event, before they are in order.
#[derive(Default)]
pub(crate) struct Found {
    pub(crate) recipients: Vec<Recipient>,
    /// The random places of their listeners.
    shuffled: recipient_order::Shuffled,
}

/// Returns the recipients of an event, in order. Handlers that use the handlers of another definition are not replaced.
///
/// Errors: a random place that cannot be rolled.
#[cfg(feature = "measure")]
pub(crate) fn ordered_recipients(
    state: &State,
    event: &Event,
    address: &Address,
    fields: &Value,
    chance: &mut dyn Chance,
) -> Result<Vec<Recipient>, Box<Diagnostic>> {
    let mut found = find_recipients(state, event, address, fields, chance)?;
    keep_first_of_key(event, &mut found.recipients);
    found.recipients_in_order(state, event, fields, chance)
}

/// Returns the recipients of an event.
///
/// The time depends on the rows that are found: rows that handle the event, among the rows that it is addressed to. If
/// filters want a listener or its bearer in a field, the listeners of that row are added. Errors: a random place
/// that cannot be rolled.
pub(crate) fn find_recipients(
    state: &State,
    event: &Event,
    address: &Address,
    fields: &Value,
    chance: &mut dyn Chance,
) -> Result<Found, Box<Diagnostic>> {
    let mut found = game_recipients(event, address);
    let candidates = rows_with_handlers(state, event, address, fields);
    for one in &candidates {
        found.extend(handlers_of_row(state, event, one));
    }
    retain_recipients_passing_filters(state, event, &mut found, fields);
    let is_shuffled = *address == Address::All
        && event
            .order_keys()
            .iter()
            .any(|key| matches!(key, Key::Shuffle(_)));
    let shuffled = match is_shuffled {
        true => recipient_order::draw_random_places(
            state,
            event,
            &distinct_rows(state, &candidates),
            chance,
        )?,
        false => recipient_order::Shuffled::default(),
    };
    Ok(Found {
        recipients: found,
        shuffled,
    })
}

/// Keeps the recipients with filters that the fields of an event pass.
fn retain_recipients_passing_filters(
    state: &State,
    event: &Event,
    found: &mut Vec<Recipient>,
    fields: &Value,
) {
    found.retain(|one| {
        let filters = &event.listeners[one.listener].filters;
        filters.is_empty() || first_unmet_filter(state.names(), filters, one, fields).is_none()
    });
}

/// Keeps the first of the handlers of one key that a row handles the event with.
pub(crate) fn keep_first_of_key(event: &Event, found: &mut Vec<Recipient>) {
    if event.has_alternatives && found.len() > 1 {
        let mut told = HashSet::new();
        found.retain(|one| {
            // A row may have a handler of a definition twice: as its own, and for another definition that it stands
            // for.
            let stands_for = (one.by != one.listener).then_some(one.by);
            match event.listeners[one.listener].work.key() {
                Some(key) => told.insert((one.element, stands_for, key)),
                None => true,
            }
        });
    }
}

impl Found {
    /// Puts the found recipients in order. Errors: a random place that cannot be rolled.
    pub(crate) fn recipients_in_order(
        mut self,
        state: &State,
        event: &Event,
        fields: &Value,
        chance: &mut dyn Chance,
    ) -> Result<Vec<Recipient>, Box<Diagnostic>> {
        let found = &mut self.recipients;
        if found.len() > 1 {
            recipient_order::sort_recipients(
                state,
                event,
                (found, fields),
                &self.shuffled,
                chance,
            )?;
        }
        Ok(self.recipients)
    }

    /// Returns the handlers that stand for the handlers of another definition, in the order of the event, each with its
    /// function. Errors: a random place that cannot be rolled.
    pub(crate) fn delegating_handlers(
        &self,
        state: &State,
        event: &Event,
        fields: &Value,
        chance: &mut dyn Chance,
    ) -> Result<Vec<(Recipient, Function)>, Box<Diagnostic>> {
        if !event.has_of {
            return Ok(Vec::new());
        }
        let is_open = |one: &&Recipient| matches!(event.listeners[one.listener].work, Work::Of(_));
        let mut open: Vec<Recipient> = self.recipients.iter().filter(is_open).cloned().collect();
        if open.len() > 1 {
            recipient_order::sort_recipients(
                state,
                event,
                (&mut open, fields),
                &self.shuffled,
                chance,
            )?;
        }
        let asked = open
            .into_iter()
            .filter_map(|one| match &event.listeners[one.listener].work {
                Work::Of(of) => Some((one, of.clone())),
                Work::Own(_) | Work::Read { .. } => None,
            });
        Ok(asked.collect())
    }

    /// Replaces the handlers that stand for others by the handlers of the definitions that were named.
    pub(crate) fn replace_delegating_handlers(
        &mut self,
        state: &State,
        event: &Event,
        named: &[(Recipient, Name)],
        fields: &Value,
    ) {
        let entries = state.listener_rules().entries();
        let is_open = |one: &Recipient| matches!(event.listeners[one.listener].work, Work::Of(_));
        self.recipients.retain(|one| !is_open(one));
        for (asked, id) in named {
            // The present handlers of that definition, also if it is a row.
            let own = event.id.and_then(|event_id| {
                let mut own = entries[event.listeners[asked.by].entries.clone()].iter();
                own.find_map(|entry| entry.handling_of_event(*id, event_id))
            });
            let own = own
                .into_iter()
                .flat_map(|own| event.handlers_of_definition_at(own.place as usize));
            let own = own.filter(|(_, one)| !matches!(one.work, Work::Of(_)));
            self.recipients.extend(own.map(|(listener, _)| Recipient {
                listener,
                ..asked.clone()
            }));
        }
        retain_recipients_passing_filters(state, event, &mut self.recipients, fields);
    }
}

/// Returns whether a row or the game handles an event. If not, it has no recipients at any address.
#[inline]
pub(crate) fn is_handled(state: &State, event: &Event) -> bool {
    let is_of_gone = event.tells_of_gone && !event.listeners.is_empty();
    is_of_gone || !event.of_game.is_empty() || event.id.is_some_and(|event| state.is_handled(event))
}

/// Returns whether an event may have recipients, before filters are asked, and how many rows were looked at; rolls
/// nothing.
pub(crate) fn has_listeners(state: &State, event: &Event, address: &Address) -> (bool, u64) {
    let mut looked_at = addressed_row_count(state, address);
    if !game_recipients(event, address).is_empty() {
        return (true, looked_at);
    }
    let hears_all = |one: &store::Listener| {
        let mut handlers = event.handlers_of_definition_at(one.place as usize);
        handlers.any(|(_, handler)| handler.hears_all)
    };
    let others = || {
        listeners_in_group(state, event, Group::AllEvents).chain(listeners_in_group(
            state,
            event,
            Group::Named,
        ))
    };
    let mut any = |all: &mut dyn Iterator<Item = store::Listener>,
                   is_it: &dyn Fn(&store::Listener) -> bool| {
        all.inspect(|_| looked_at += 1).any(|one| is_it(&one))
    };
    let is_heard = match address {
        Address::All => any(&mut broadcast_listeners(state, event), &|one| {
            state.is_broadcast_to(one)
        }),
        Address::To(rows) => {
            !addressed_listeners(state, event, &rows_with_records(state, rows)).is_empty()
                || any(&mut others(), &hears_all)
        }
        Address::At(rows) => !addressed_listeners(state, event, rows).is_empty(),
    };
    (is_heard, looked_at)
}

/// Returns how many rows are looked at for an address.
pub(crate) fn addressed_row_count(state: &State, address: &Address) -> u64 {
    let count = match address {
        Address::All => 0,
        Address::To(rows) => rows_with_records(state, rows).len(),
        Address::At(rows) => rows.len(),
    };
    count as u64
}

/// Returns the handlers of the game: they handle every event that is not for exact rows alone.
pub(super) fn game_recipients(event: &Event, address: &Address) -> Vec<Recipient> {
    let places = match address {
        Address::All | Address::To(_) => event.of_game.as_slice(),
        Address::At(_) => &[],
    };
    let recipient = |at: &usize| {
        let element = event.listeners[*at].rule;
        Recipient {
            listener: *at,
            by: *at,
            element,
            bearer: element,
            is_gone: false,
        }
    };
    places.iter().map(recipient).collect()
}

/// Returns the rows with handlers that an event may be for, each once: filters are not asked yet.
fn rows_with_handlers(
    state: &State,
    event: &Event,
    address: &Address,
    fields: &Value,
) -> Vec<Candidate> {
    let (mut found, is_once): (Vec<Candidate>, bool) = match address {
        Address::All => {
            let all = listeners_in_group(state, event, Group::Broadcast);
            let named = listeners_named_in_fields(state, event, fields).into_iter();
            let all = all.chain(named).filter(|one| state.is_broadcast_to(one));
            (
                all.map(Candidate::addressed).collect(),
                event.named.is_empty(),
            )
        }
        Address::To(rows) => {
            let to = addressed_listeners(state, event, &rows_with_records(state, rows)).into_iter();
            let others = listeners_in_group(state, event, Group::AllEvents)
                .chain(listeners_named_in_fields(state, event, fields));
            let others = others.map(|listener| Candidate {
                listener,
                is_addressed: false,
            });
            (to.map(Candidate::addressed).chain(others).collect(), false)
        }
        Address::At(rows) => {
            let at = addressed_listeners(state, event, rows).into_iter();
            (at.map(Candidate::addressed).collect(), false)
        }
    };
    if !is_once || event.may_repeat {
        let mut seen = HashSet::new();
        found.retain(|one| seen.insert((one.listener.row, one.listener.place)));
    }
    found
}

impl Candidate {
    pub(super) fn addressed(listener: store::Listener) -> Candidate {
        Candidate {
            listener,
            is_addressed: true,
        }
    }
}

pub(super) fn listeners_in_group(
    state: &State,
    event: &Event,
    group: Group,
) -> impl Iterator<Item = store::Listener> {
    let name = event.id.into_iter();
    name.flat_map(move |name| state.listeners_of_event(name, group))
}

/// Returns all rows that an event to everybody may reach, before filters are asked.
fn broadcast_listeners(state: &State, event: &Event) -> impl Iterator<Item = store::Listener> {
    let named = listeners_in_group(state, event, Group::Named);
    listeners_in_group(state, event, Group::Broadcast).chain(named)
}

/// Returns rows and the records directly on them that may be listeners.
fn rows_with_records(state: &State, rows: &[Name]) -> Vec<Name> {
    let with_records = |row: &Name| std::iter::once(*row).chain(state.listening_records_on(*row));
    rows.iter().flat_map(with_records).collect()
}

/// Returns the given rows that handle an event.
fn addressed_listeners(state: &State, event: &Event, rows: &[Name]) -> Vec<store::Listener> {
    let Some(name) = event.id else {
        return Vec::new();
    };
    let listeners = rows
        .iter()
        .flat_map(|row| state.listeners_at_row(*row, name));
    listeners.collect()
}

/// Returns the listeners that the fields of an event name for filters on a listener or its bearer.
fn listeners_named_in_fields(state: &State, event: &Event, fields: &Value) -> Vec<store::Listener> {
    let mut rows = Vec::new();
    for filter in &event.named {
        let text = value_at_path(fields, &filter.path).as_str();
        let Some(row) = text.and_then(|text| state.names().find(text)) else {
            continue;
        };
        rows.push(row);
        if filter.wants_bearer() {
            rows.extend(state.listening_records_below(row));
        }
    }
    addressed_listeners(state, event, &rows)
}

/// Returns the handlers of a row that an event is for.
pub(super) fn handlers_of_row<'a>(
    state: &State,
    event: &'a Event,
    candidate: &Candidate,
) -> impl Iterator<Item = Recipient> + use<'a> {
    let (row, is_addressed) = (candidate.listener.row, candidate.is_addressed);
    let bearer = state.bearer(row);
    let handlers = event.handlers_of_definition_at(candidate.listener.place as usize);
    let meant = handlers.filter(move |(_, one)| is_addressed || one.hears_all);
    meant.map(move |(listener, _)| Recipient {
        listener,
        by: listener,
        element: row,
        bearer,
        is_gone: false,
    })
}

/// Returns rows, each once, entities by id before records by age.
fn distinct_rows(state: &State, candidates: &[Candidate]) -> Vec<Name> {
    let mut rows: Vec<Name> = candidates.iter().map(|one| one.listener.row).collect();
    let number = |row: Name| state.record_number(row).unwrap_or(0);
    rows.sort_by(|one, other| {
        let by_number = number(*one).cmp(&number(*other));
        by_number.then_with(|| match number(*one) {
            0 => state.names().text(*one).cmp(&state.names().text(*other)),
            _ => Ordering::Equal,
        })
    });
    rows.dedup();
    rows
}

/// Returns the handlers of the definition that a record stored.
pub(crate) fn recipients_of_ended(
    state: &State,
    event: &Event,
    gone: &Gone<'_>,
    fields: &Value,
) -> Vec<Recipient> {
    let names = state.names();
    let value = |field: Name| gone.values.get(&names.text(field));
    let entries = state.listener_rules().entries().iter();
    let places = entries.filter_map(|entry| {
        let id = entry.definition_if_listening(names, gone.kind, value)?;
        Some(entry.handling_of_event(id, event.id?)?.place)
    });
    let places: BTreeSet<u32> = places.collect();
    let own = places
        .into_iter()
        .flat_map(|place| event.handlers_of_definition_at(place as usize));
    let own = own.filter(|(_, one)| !matches!(one.work, Work::Of(_)));
    let mut own: Vec<Recipient> = own
        .map(|(at, _)| Recipient {
            listener: at,
            by: at,
            element: gone.record,
            bearer: gone.bearer,
            is_gone: true,
        })
        .collect();
    retain_recipients_passing_filters(state, event, &mut own, fields);
    keep_first_of_key(event, &mut own);
    own
}

/// Returns whether a row is still a listener of a handler.
pub(crate) fn is_still_element_of_listener(
    state: &State,
    listener: &Listener,
    element: Name,
) -> bool {
    if listener.is_game {
        return true;
    }
    let mut entries = listener.entries.clone();
    entries.any(|entry| state.definition_by_entry(element, entry) == Some(listener.id))
}

/// Returns the first filter that an event does not meet.
pub(super) fn first_unmet_filter<'a>(
    names: &Names,
    filters: &'a [Filter],
    recipient: &Recipient,
    fields: &Value,
) -> Option<&'a Filter> {
    let element = (recipient.element, recipient.bearer);
    filters
        .iter()
        .find(|one| !one.passes(names, element, fields))
}
