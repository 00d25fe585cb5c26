//! This module is the order of those who hear an event: the keys that a ruleset declares, and chance where they ask it.

use std::collections::HashMap;

use rust_decimal::Decimal;

use super::chance::Chance;
use super::dispatch::Recipient;
use super::filters::at_path;
use super::listeners::Event;
use crate::content::{Kind, Node};
use crate::diag::Diagnostic;
use crate::store::State;
use crate::value::{Name, Text, Value};

/// What handlers are ordered by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Key {
    /// The number that the handler gives itself, small ones first.
    Priority,
    /// The round that the handler is told in: as the first key it makes rounds across all recipients.
    Round,
    /// The id of the entity that bears the element.
    Bearer,
    /// The order of application; entities before records.
    Age,
    /// A random place, drawn by the event and the element.
    Random,
    /// The place of the kind of the element in this list; others behind.
    Kinds(Vec<String>),
    /// A random place within each of these kinds that has two elements or more, where an event goes to everybody.
    Shuffle(Vec<String>),
    /// The place of the bearer in the list at this path of the event; others behind.
    Participants(String),
    /// A number in a field of the bearer; those without one behind.
    BearerField(String),
    /// A number in a field of the element; those without one behind.
    ElementField(String),
}

/// What handlers are ordered by where the ruleset does not say.
pub(crate) const ORDER: [Key; 2] = [Key::Priority, Key::Age];

impl Key {
    /// Reads one key of an `order`, which was checked.
    pub(crate) fn read(node: &Node) -> Option<Key> {
        if let Kind::Text(word) = &node.kind {
            return match &**word {
                "priority" => Some(Key::Priority),
                "round" => Some(Key::Round),
                "bearer" => Some(Key::Bearer),
                "age" => Some(Key::Age),
                "random" => Some(Key::Random),
                _ => None,
            };
        }
        let entry = node.entries().first()?;
        let text = || entry.node.as_str().map(str::to_owned);
        let texts = || {
            let texts = entry.node.items().iter().filter_map(Node::as_str);
            texts.map(str::to_owned).collect()
        };
        match &*entry.key {
            "kinds" => Some(Key::Kinds(texts())),
            "shuffle" => Some(Key::Shuffle(texts())),
            "participants" => Some(Key::Participants(text()?)),
            "bearer" => Some(Key::BearerField(text()?)),
            "element" => Some(Key::ElementField(text()?)),
            _ => None,
        }
    }

    /// Returns whether it gives one order as long as no row comes or goes, whatever the event says.
    pub(crate) fn is_lasting(&self) -> bool {
        match self {
            Key::Priority | Key::Round | Key::Bearer | Key::Age | Key::Random | Key::Kinds(_) => {
                true
            }
            Key::Shuffle(_) | Key::Participants(_) | Key::BearerField(_) | Key::ElementField(_) => {
                false
            }
        }
    }
}

/// Random places of elements, drawn kind by kind before anybody is sorted.
pub(crate) type Shuffled = HashMap<Name, u32>;

/// Returns the keys that an event is ordered by.
pub(crate) fn keys_of(event: &Event) -> &[Key] {
    match event.order.as_slice() {
        [] => &ORDER,
        order => order,
    }
}

/// Returns what random places of an event are drawn for.
fn purpose(event: &Event) -> String {
    format!("order of {}", event.name)
}

/// Draws the random places of elements: `rows` are all that hear the event, each once, entities in the order of their
/// ids, then records in order of application.
///
/// Errors: chance that cannot be drawn.
pub(crate) fn shuffle(
    state: &State,
    event: &Event,
    rows: &[Name],
    chance: &mut dyn Chance,
) -> Result<Shuffled, Box<Diagnostic>> {
    let (names, purpose) = (state.names(), purpose(event));
    let mut places = Shuffled::default();
    let kinds = keys_of(event).iter().flat_map(|key| match key {
        Key::Shuffle(kinds) => kinds.as_slice(),
        _ => &[],
    });
    for kind in kinds {
        let kind = names.find(kind);
        let of_kind = rows.iter().copied();
        let of_kind: Vec<Name> = of_kind
            .filter(|row| kind.is_some() && state.kind(*row) == kind)
            .collect();
        if of_kind.len() > 1 {
            for row in of_kind {
                places.insert(row, chance.order(&purpose, &names.text(row))?);
            }
        }
    }
    Ok(places)
}

/// Puts recipients in the order that the ruleset gives the event; ties by the id of the element, then by the handler.
///
/// Errors: chance that cannot be drawn.
pub(crate) fn sort(
    state: &State,
    event: &Event,
    (found, fields): (&mut [Recipient], &Value),
    shuffled: &Shuffled,
    chance: &mut dyn Chance,
) -> Result<(), Box<Diagnostic>> {
    let keys = keys_of(event);
    if keys.contains(&Key::Random) {
        by_handler(state, found, |one| one);
    }
    let names = state.names();
    let text = |name: Name| Place::Text(names.text(name));
    let purpose = purpose(event);
    let mut places = Vec::with_capacity(found.len());
    for recipient in found.iter() {
        let mut place = Vec::with_capacity(keys.len() + 2);
        let (element, bearer) = (recipient.element, recipient.bearer);
        let listener = &event.listeners[recipient.listener];
        for key in keys {
            place.push(match key {
                Key::Priority => Place::Number(listener.priority),
                Key::Round => Place::Number(listener.round),
                Key::Age => Place::Number(state.number(element).unwrap_or(0).cast_signed()),
                Key::Bearer => text(bearer),
                Key::Random => Place::word(chance.order(&purpose, &names.text(element))?),
                Key::Kinds(kinds) => {
                    let kind = state.kind(element).map(|kind| names.text(kind));
                    Place::among(kinds.iter(), |one| {
                        kind.as_ref().is_some_and(|kind| **one == **kind)
                    })
                }
                Key::Shuffle(_) => Place::word(shuffled.get(&element).copied().unwrap_or(0)),
                Key::Participants(path) => {
                    let bearer = names.text(bearer);
                    let list = at_path(fields, path).items();
                    Place::among(list.iter(), |one| one.as_str() == Some(&*bearer))
                }
                Key::BearerField(field) => Place::field(state, bearer, field),
                Key::ElementField(field) => Place::field(state, element, field),
            });
        }
        place.push(text(element));
        place.push(Place::index(recipient.listener));
        places.push((place, recipient.clone()));
    }
    places.sort_by(|one, other| one.0.cmp(&other.0));
    for (slot, (_, recipient)) in found.iter_mut().zip(places) {
        *slot = recipient;
    }
    Ok(())
}

/// Puts recipients in the order in which chance is asked: by handler, entities by id, then records by age.
pub(crate) fn by_handler<T>(state: &State, found: &mut [T], recipient: impl Fn(&T) -> &Recipient) {
    found.sort_by_cached_key(|one| {
        let one = recipient(one);
        let number = state.number(one.element).unwrap_or(0);
        let id = (number == 0).then(|| state.names().text(one.element));
        (one.listener, number, id)
    });
}

/// A place by one key; those without one are behind the others.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Number(i64),
    Exact(Decimal),
    Text(Text),
    Last,
}

impl Place {
    fn word(word: u32) -> Place {
        Place::Number(i64::from(word))
    }

    fn index(index: usize) -> Place {
        i64::try_from(index).map_or(Place::Last, Place::Number)
    }

    fn among<T>(mut list: impl Iterator<Item = T>, is_it: impl Fn(T) -> bool) -> Place {
        list.position(is_it).map_or(Place::Last, Place::index)
    }

    fn field(state: &State, row: Name, field: &str) -> Place {
        let field = state.names().find(field);
        let value = field.map(|field| state.get(row, field));
        let number = value.and_then(Value::as_number);
        number.map_or(Place::Last, |number| Place::Exact(number.to_decimal()))
    }
}
