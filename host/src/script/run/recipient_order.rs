//! Puts the recipients of an event in order: by the keys that the ruleset declares, and by chance where the keys ask
//! for it.

use std::collections::HashMap;

use rust_decimal::Decimal;

use super::chance::Chance;
use super::event::Event;
use super::recipient::Recipient;
use crate::diag::Diagnostic;
use crate::script::declare::listener_order::Key;
use crate::store::State;
use crate::value::{Name, Text, Value, value_at_path};

/// Random places of listeners, rolled kind by kind before the sorting.
pub(crate) type Shuffled = HashMap<Name, u32>;

/// Returns the purpose for which random places of an event are rolled.
fn random_purpose(event: &Event) -> String {
    format!("order of {}", event.name)
}

/// Rolls the random places of listeners. `rows` are all rows that handle the event, each once: entities by id, then
/// records by age.
///
/// Errors: a random place that cannot be rolled.
pub(crate) fn draw_random_places(
    state: &State,
    event: &Event,
    rows: &[Name],
    chance: &mut dyn Chance,
) -> Result<Shuffled, Box<Diagnostic>> {
    let (names, purpose) = (state.names(), random_purpose(event));
    let mut places = Shuffled::default();
    let kinds = event.order_keys().iter().flat_map(|key| match key {
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
                places.insert(row, chance.draw_order(&purpose, &names.text(row))?);
            }
        }
    }
    Ok(places)
}

/// Puts recipients in the order that the ruleset gives the event; ties by the id of the listener, then by the handler.
///
/// Errors: a random place that cannot be rolled.
pub(crate) fn sort_recipients(
    state: &State,
    event: &Event,
    (found, fields): (&mut [Recipient], &Value),
    shuffled: &Shuffled,
    chance: &mut dyn Chance,
) -> Result<(), Box<Diagnostic>> {
    let keys = event.order_keys();
    if keys.contains(&Key::Random) {
        sort_by_handler(state, found, |one| one);
    }
    let names = state.names();
    let purpose = match keys.contains(&Key::Random) {
        true => random_purpose(event),
        false => String::new(),
    };
    let kinds = |kinds: &[String]| {
        let kinds = kinds.iter().map(|kind| names.find(kind));
        kinds.collect::<Vec<Option<Name>>>()
    };
    let kinds: Vec<Vec<Option<Name>>> = keys
        .iter()
        .map(|key| match key {
            Key::Kinds(named) => kinds(named),
            _ => Vec::new(),
        })
        .collect();
    let mut places = Vec::with_capacity(found.len() * keys.len());
    for recipient in found.iter() {
        let (element, bearer) = (recipient.element, recipient.bearer);
        let listener = &event.listeners[recipient.listener];
        for (key, kinds) in keys.iter().zip(&kinds) {
            places.push(match key {
                Key::Priority => Place::Number(listener.priority),
                Key::Round => Place::Number(listener.round),
                Key::Age => Place::Number(state.record_number(element).unwrap_or(0).cast_signed()),
                Key::Bearer => Place::Text(names.text(bearer)),
                Key::Random => {
                    Place::from_random_word(chance.draw_order(&purpose, &names.text(element))?)
                }
                Key::Kinds(_) => {
                    let kind = state.kind(element);
                    Place::position_among(kinds.iter(), |one| one.is_some() && *one == kind)
                }
                Key::Shuffle(_) => {
                    Place::from_random_word(shuffled.get(&element).copied().unwrap_or(0))
                }
                Key::Participants(path) => {
                    let bearer = names.text(bearer);
                    let list = value_at_path(fields, path).items();
                    Place::position_among(list.iter(), |one| one.as_str() == Some(&*bearer))
                }
                Key::BearerField(field) => Place::from_field(state, bearer, field),
                Key::ElementField(field) => Place::from_field(state, element, field),
            });
        }
    }
    let places: Vec<&[Place]> = places.chunks(keys.len()).collect();
    let id = |at: usize| names.text(found[at].element);
    let mut order: Vec<usize> = (0..found.len()).collect();
    order.sort_unstable_by(|one, other| {
        let by_keys = places[*one].cmp(places[*other]);
        let by_id = by_keys.then_with(|| id(*one).cmp(&id(*other)));
        let handler = |at: usize| (found[at].by, found[at].listener);
        by_id.then_with(|| handler(*one).cmp(&handler(*other)))
    });
    let sorted: Vec<Recipient> = order.into_iter().map(|at| found[at].clone()).collect();
    found.clone_from_slice(&sorted);
    Ok(())
}

/// Puts recipients in the order in which chance is asked: by handler, entities by id, then records by age.
pub(crate) fn sort_by_handler<T>(
    state: &State,
    found: &mut [T],
    recipient: impl Fn(&T) -> &Recipient,
) {
    found.sort_by_cached_key(|one| {
        let one = recipient(one);
        let number = state.record_number(one.element).unwrap_or(0);
        let id = (number == 0).then(|| state.names().text(one.element));
        (one.listener, number, id)
    });
}

/// A place by one key. Those without one are after the others.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Number(i64),
    Exact(Decimal),
    Text(Text),
    Last,
}

impl Place {
    fn from_random_word(word: u32) -> Place {
        Place::Number(i64::from(word))
    }

    fn from_index(index: usize) -> Place {
        i64::try_from(index).map_or(Place::Last, Place::Number)
    }

    fn position_among<T>(mut list: impl Iterator<Item = T>, is_it: impl Fn(T) -> bool) -> Place {
        list.position(is_it).map_or(Place::Last, Place::from_index)
    }

    fn from_field(state: &State, row: Name, field: &str) -> Place {
        let field = state.names().find(field);
        let value = field.map(|field| state.get(row, field));
        let number = value.and_then(Value::as_number);
        number.map_or(Place::Last, |number| Place::Exact(number.to_decimal()))
    }
}
