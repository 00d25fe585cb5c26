//! The keys by which a ruleset orders the listeners of an event.

use crate::value::Value;

/// A key by which handlers are ordered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Key {
    /// The number that the handler gives itself, small ones first.
    Priority,
    /// The round in which the handler runs: as the first key it makes rounds across all recipients.
    Round,
    /// The id of the entity that bears the listener.
    Bearer,
    /// The order of application. Entities come before records.
    Age,
    /// A random place, rolled for the event and the listener.
    Random,
    /// The place of the kind of the listener in this list. Other kinds come last.
    Kinds(Vec<String>),
    /// A random place within each of these kinds that has two listeners or more, where an event goes to everybody.
    Shuffle(Vec<String>),
    /// The place of the bearer in the list at this path of the event. Other bearers come last.
    Participants(String),
    /// A number in a field of the bearer. Bearers without a number come last.
    BearerField(String),
    /// A number in a field of the listener. Listeners without a number come last.
    ElementField(String),
}

/// The order of handlers if the ruleset declares none.
pub(crate) const ORDER: [Key; 2] = [Key::Priority, Key::Age];

impl Key {
    /// Reads one key of an `order`, which was checked.
    pub(crate) fn read_order_key(said: &Value) -> Option<Key> {
        if let Some(word) = said.as_str() {
            return match word {
                "priority" => Some(Key::Priority),
                "round" => Some(Key::Round),
                "bearer" => Some(Key::Bearer),
                "age" => Some(Key::Age),
                "random" => Some(Key::Random),
                _ => None,
            };
        }
        let (key, value) = said.as_map()?.iter().next()?;
        let text = || value.as_str().map(str::to_owned);
        let texts = || {
            let texts = value.items().iter().filter_map(Value::as_str);
            texts.map(str::to_owned).collect()
        };
        match &**key {
            "kinds" => Some(Key::Kinds(texts())),
            "shuffle" => Some(Key::Shuffle(texts())),
            "participants" => Some(Key::Participants(text()?)),
            "bearer" => Some(Key::BearerField(text()?)),
            "listener" => Some(Key::ElementField(text()?)),
            _ => None,
        }
    }

    /// Returns whether the order by this key depends only on the existing rows, and not on the event.
    pub(crate) fn is_independent_of_event(&self) -> bool {
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
