//! This module is who hears an event: recipients in order, fixed when it is emitted and checked again at their turn.
//!
//! It reads state and rules and changes neither; the handlers are called by the frame in `api/motion.luau`.

use std::rc::Rc;

use super::chance::Chance;
use super::listeners::{Event, Key, Listener, ORDER, Wanted};
use super::trace::Step;
use crate::diag::Diagnostic;
use crate::store::{Mark, State};
use crate::value::{Name, Names, Text, Value};

/// One handler that hears an event.
#[derive(Clone, Debug)]
pub(crate) struct Recipient {
    /// The handler, by its place among those of the event.
    pub(crate) listener: usize,
    /// The element: a row, or `collection/id` of a definition of the game.
    pub(crate) element: Name,
    /// The entity that bears it; the element itself for the game.
    pub(crate) bearer: Name,
    /// Whether it is the very record that ended, which is no element any more.
    pub(crate) is_gone: bool,
}

/// A record that ended.
pub(crate) struct Gone<'a> {
    pub(crate) record: Name,
    pub(crate) kind: Name,
    pub(crate) bearer: Name,
    pub(crate) values: &'a Value,
}

/// An event that is being told.
pub(crate) struct Frame {
    pub(crate) event: Rc<Event>,
    pub(crate) recipients: Rc<[Recipient]>,
    /// The shape of the state when the recipients were found.
    pub(crate) shape: u64,
    /// The first recipient that has its turn: those before it had theirs when a handler broke.
    pub(crate) from: usize,
    /// Which recipient did something last; handlers that only look are passed over.
    pub(crate) at: Option<usize>,
    /// What a handler that breaks is rolled back to.
    pub(crate) savepoint: Option<Savepoint>,
    /// The cause that the handlers of this event hang below.
    pub(crate) parent: u32,
}

/// Where a ruling stood before a handler ran.
#[derive(Clone, Copy)]
pub(crate) struct Savepoint {
    pub(crate) mark: Mark,
    pub(crate) documents: usize,
    pub(crate) output_left: usize,
    /// The handler, as a cause.
    pub(crate) cause: u32,
}

/// Returns who hears an event; `to` narrows it to the elements of these entities.
///
/// Errors: chance that cannot be drawn.
pub(crate) fn recipients(
    state: &State,
    event: &Event,
    to: Option<&[Name]>,
    fields: &Value,
    chance: &mut dyn Chance,
) -> Result<Vec<Recipient>, Box<Diagnostic>> {
    let mut found = Vec::new();
    each_element(state, event, to, |listener, recipient, is_meant| {
        if is_meant && passes(state.names(), listener, &recipient, fields) {
            found.push(recipient);
        }
    });
    if found.len() > 1 {
        sort(state, event, &mut found, chance)?;
    }
    Ok(found)
}

/// Returns the handlers of the definition that a record was an element of.
pub(crate) fn of_ended(
    names: &Names,
    event: &Event,
    gone: &Gone<'_>,
    fields: &Value,
) -> Vec<Recipient> {
    let was_element = |listener: &Listener| {
        let of_kind = listener.kind.is_none_or(|wanted| wanted == gone.kind);
        let names_it = match listener.field {
            None => gone.kind == listener.id,
            Some(field) => {
                let text = gone.values.get(&names.text(field)).as_str();
                text.is_some_and(|text| *text == *names.text(listener.id))
            }
        };
        !listener.is_game && of_kind && names_it
    };
    let own = event.listeners.iter().enumerate();
    let own = own.filter(|(_, listener)| was_element(listener));
    let own = own.map(|(at, listener)| {
        let recipient = Recipient {
            listener: at,
            element: gone.record,
            bearer: gone.bearer,
            is_gone: true,
        };
        passes(names, listener, &recipient, fields).then_some(recipient)
    });
    own.flatten().collect()
}

/// Returns whether an element is still one of a handler's.
pub(crate) fn is_element(state: &State, listener: &Listener, element: Name) -> bool {
    if listener.is_game {
        return true;
    }
    let Some(kind) = state.kind(element) else {
        return false;
    };
    let of_kind = listener.kind.is_none_or(|wanted| wanted == kind);
    let names_it = match listener.field {
        None => kind == listener.id,
        Some(field) => {
            let text = state.get(element, field).as_str();
            text.is_some_and(|text| *text == *state.names().text(listener.id))
        }
    };
    of_kind && names_it
}

fn elements(state: &State, listener: &Listener) -> Vec<Name> {
    if listener.is_game {
        return vec![listener.rule];
    }
    match listener.field {
        None => state.of_kind(listener.id).collect(),
        Some(_) => {
            let rows = state.rows_naming(listener.id);
            rows.filter(|row| is_element(state, listener, *row))
                .collect()
        }
    }
}

fn passes(names: &Names, listener: &Listener, recipient: &Recipient, fields: &Value) -> bool {
    unmet(names, listener, recipient, fields).is_none()
}

/// Returns the first filter that an event does not meet.
fn unmet<'a>(
    names: &Names,
    listener: &'a Listener,
    recipient: &Recipient,
    fields: &Value,
) -> Option<&'a (String, Wanted)> {
    let is_name = |value: &Value, name: Name| {
        value
            .as_str()
            .is_some_and(|text| *text == *names.text(name))
    };
    listener.filters.iter().find(|(field, wanted)| {
        let found = fields.get(field);
        !match wanted {
            Wanted::Is(value) => found == value,
            Wanted::Itself => is_name(found, recipient.element),
            Wanted::Bearer => is_name(found, recipient.bearer),
        }
    })
}

/// Returns the elements whose handlers do not hear an event, each with the reason.
pub(crate) fn passed_over(
    state: &State,
    event: &Event,
    to: Option<&[Name]>,
    fields: &Value,
) -> Vec<Step> {
    let mut found = Vec::new();
    let names = state.names();
    each_element(state, event, to, |listener, recipient, is_meant| {
        let why = if is_meant {
            unmet(names, listener, &recipient, fields)
                .map(|unmet| differs(names, unmet, &recipient, fields))
        } else {
            Some("the event is for others".to_owned())
        };
        let (rule, element) = (listener.rule, recipient.element);
        found.extend(why.map(|why| Step::PassedOver { rule, element, why }));
    });
    found
}

/// Calls `visit` for each element of each listener of an event, with whether the event is meant for it.
fn each_element<'a>(
    state: &State,
    event: &'a Event,
    to: Option<&[Name]>,
    mut visit: impl FnMut(&'a Listener, Recipient, bool),
) {
    for (at, listener) in event.listeners.iter().enumerate() {
        for element in elements(state, listener) {
            let bearer = if listener.is_game {
                element
            } else {
                state.bearer(element)
            };
            let is_meant = listener.is_game
                || listener.hears_all
                || to.is_none_or(|to| to.contains(&bearer) || to.contains(&element));
            let recipient = Recipient {
                listener: at,
                element,
                bearer,
                is_gone: false,
            };
            visit(listener, recipient, is_meant);
        }
    }
}

/// Says which field was to be what, and what it is.
fn differs(
    names: &Names,
    (field, wanted): &(String, Wanted),
    recipient: &Recipient,
    fields: &Value,
) -> String {
    let wanted = match wanted {
        Wanted::Is(value) => value.to_string(),
        Wanted::Itself => names.text(recipient.element).to_string(),
        Wanted::Bearer => names.text(recipient.bearer).to_string(),
    };
    format!("{field} was to be {wanted} and is {}", fields.get(field))
}

/// Puts recipients in the order that the ruleset gives the event; ties by the id of the element.
fn sort(
    state: &State,
    event: &Event,
    found: &mut [Recipient],
    chance: &mut dyn Chance,
) -> Result<(), Box<Diagnostic>> {
    let order = if event.order.is_empty() {
        &ORDER[..]
    } else {
        &event.order
    };
    let text = |name: Name| state.names().text(name);
    let purpose = format!("order of {}", event.name);
    let mut places = Vec::with_capacity(found.len());
    for recipient in found.iter() {
        let mut place = Vec::with_capacity(order.len() + 1);
        for key in order {
            place.push(match key {
                Key::Priority => Place::Number(event.listeners[recipient.listener].priority),
                Key::Age => {
                    let age = state.number(recipient.element).unwrap_or(0);
                    Place::Number(age.cast_signed())
                }
                Key::Bearer => Place::Text(text(recipient.bearer)),
                Key::Random => {
                    let element = text(recipient.element);
                    Place::Number(i64::from(chance.order(&purpose, &element)?))
                }
            });
        }
        place.push(Place::Text(text(recipient.element)));
        places.push((place, recipient.clone()));
    }
    places.sort_by(|one, other| one.0.cmp(&other.0));
    for (slot, (_, recipient)) in found.iter_mut().zip(places) {
        *slot = recipient;
    }
    Ok(())
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Number(i64),
    Text(Text),
}
