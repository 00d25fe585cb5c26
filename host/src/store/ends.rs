//! This module is when a record ends: the list in its `@ends`, which is an *or*.
//!
//! In: the stored value. Everything in it is absolute, so that it and one moment decide. Out: ends.
//! What people and rules write is relative and becomes this form in `resolve`.

use std::rc::Rc;

use super::{StoreError, check};
use crate::value::{Name, Names, Text, Value};

mod due;
mod index;
mod moment;
mod resolve;
#[cfg(test)]
mod tests;
pub(super) mod words;

pub use due::{Due, Ended, How, due_by_expression};
pub(super) use index::{EndIndex, Entry};
pub use moment::Moment;
pub use resolve::{Setting, resolve};
pub use words::duration;

/// One of the two sides of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    /// Where it begins.
    Start,
    /// Where it is over.
    End,
}

/// One end of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// The end of the phase with this number among all phases.
    Phase {
        /// Number from 1.
        serial: u64,
    },
    /// The end of the n-th phase of a kind.
    PhaseOf {
        /// The kind.
        phase: Text,
        /// Number among those of its kind, from 1.
        number: u64,
    },
    /// One side of the n-th turn of a row.
    Turn {
        /// Which side.
        edge: Edge,
        /// Whose turn.
        of: Name,
        /// Number among the turns of that row, from 1.
        number: u64,
    },
    /// The end of the n-th round of the game.
    Rounds {
        /// Number among all rounds that end, from 1.
        number: u64,
    },
    /// A moment of game time.
    Time {
        /// Seconds since the game began.
        seconds: u64,
    },
    /// A number of uses.
    Uses {
        /// How many are left, 1 or more.
        left: u64,
        /// How many there were.
        of: u64,
    },
    /// With another row.
    With {
        /// That row.
        row: Name,
    },
    /// An event.
    Event {
        /// Its kind.
        kind: Name,
        /// What its fields must be.
        fields: Vec<(Text, Value)>,
    },
    /// An expression that turns true.
    When {
        /// Its text.
        expression: Text,
    },
}

/// The keys of each stored form; the first names it.
const FORMS: [&[&str]; 8] = [
    &["phase", "number"],
    &["turn", "of", "number"],
    &["rounds"],
    &["time"],
    &["uses", "of"],
    &["with"],
    &["event", "where"],
    &["when"],
];

/// Reads the value of `@ends`. Errors: `BadEnds`.
pub(super) fn read(value: &Value, names: &Names) -> Result<Rc<[End]>, StoreError> {
    match value {
        Value::Nil => Ok(Rc::default()),
        Value::List(items) => items.iter().map(|item| read_one(item, names)).collect(),
        other => bad(format!("ends are a list, not a {}", other.kind())),
    }
}

/// Returns the stored form of ends.
pub(super) fn to_value(ends: &[End], names: &Names) -> Value {
    Value::list(ends.iter().map(|end| end.to_value(names)))
}

fn read_one(item: &Value, names: &Names) -> Result<End, StoreError> {
    let Some(entries) = item.as_map() else {
        return bad(format!("an end is a map, not a {}", item.kind()));
    };
    let form = FORMS.into_iter().find(|keys| entries.contains_key(keys[0]));
    let Some(keys) = form else {
        let heads = FORMS.map(|keys| keys[0]).join(", ");
        return bad(format!("an end has one of the keys {heads}"));
    };
    if let Some(key) = entries.keys().find(|key| !keys.contains(&&***key)) {
        return bad(format!("an end with \"{}\" has no \"{key}\"", keys[0]));
    }
    let number = |key: &str| positive(item, key);
    let text = |key: &str| text_of(item, key);
    let row = |key: &str| text(key).map(|id| names.intern(id));
    Ok(match keys[0] {
        "phase" if item.get("phase").as_str().is_some() => End::PhaseOf {
            phase: text("phase")?.into(),
            number: number("number")?,
        },
        "phase" if item.get("number").is_nil() => End::Phase {
            serial: number("phase")?,
        },
        "phase" => return bad("an end with the number of a phase has no \"number\"".to_owned()),
        "turn" => End::Turn {
            edge: Edge::parse(text("turn")?)
                .ok_or_else(|| StoreError::BadEnds("\"turn\" is start or end".to_owned()))?,
            of: row("of")?,
            number: number("number")?,
        },
        "rounds" => End::Rounds {
            number: number("rounds")?,
        },
        "time" => End::Time {
            seconds: number("time")?,
        },
        "uses" => uses(number("uses")?, number("of")?)?,
        "with" => End::With { row: row("with")? },
        "event" => End::Event {
            kind: row("event")?,
            fields: fields(item.get("where"))?,
        },
        _ => End::When {
            expression: text("when")?.into(),
        },
    })
}

fn positive(item: &Value, key: &str) -> Result<u64, StoreError> {
    check::count(item.get(key)).ok_or_else(|| {
        StoreError::BadEnds(format!("\"{key}\" of an end is a whole number above 0"))
    })
}

fn text_of<'v>(item: &'v Value, key: &str) -> Result<&'v str, StoreError> {
    let text = item.get(key).as_str().filter(|text| !text.is_empty());
    text.ok_or_else(|| StoreError::BadEnds(format!("\"{key}\" of an end is a text")))
}

fn uses(left: u64, of: u64) -> Result<End, StoreError> {
    if left > of {
        return bad(format!("of {of} uses there cannot be {left} left"));
    }
    Ok(End::Uses { left, of })
}

fn fields(value: &Value) -> Result<Vec<(Text, Value)>, StoreError> {
    match value {
        Value::Nil => Ok(Vec::new()),
        Value::Map(fields) => Ok(fields
            .iter()
            .map(|(field, value)| (Text::clone(field), value.clone()))
            .collect()),
        other => bad(format!(
            "\"where\" of an end is a map of fields, not a {}",
            other.kind()
        )),
    }
}

fn bad<T>(reason: String) -> Result<T, StoreError> {
    Err(StoreError::BadEnds(reason))
}

impl Edge {
    /// Returns the word in `turn`.
    pub fn as_str(self) -> &'static str {
        match self {
            Edge::Start => "start",
            Edge::End => "end",
        }
    }

    /// Returns the side of a word.
    pub fn parse(word: &str) -> Option<Edge> {
        [Edge::Start, Edge::End]
            .into_iter()
            .find(|edge| edge.as_str() == word)
    }
}

impl End {
    /// Returns the stored form.
    fn to_value(&self, names: &Names) -> Value {
        let name = |name: &Name| Value::Text(names.text(*name));
        match self {
            End::Phase { serial } => Value::map([("phase", count(*serial))]),
            End::PhaseOf { phase, number } => Value::map([
                ("phase", Value::Text(Text::clone(phase))),
                ("number", count(*number)),
            ]),
            End::Turn { edge, of, number } => Value::map([
                ("turn", Value::from(edge.as_str())),
                ("of", name(of)),
                ("number", count(*number)),
            ]),
            End::Rounds { number } => Value::map([("rounds", count(*number))]),
            End::Time { seconds } => Value::map([("time", count(*seconds))]),
            End::Uses { left, of } => Value::map([("uses", count(*left)), ("of", count(*of))]),
            End::With { row } => Value::map([("with", name(row))]),
            End::Event { kind, fields } if fields.is_empty() => Value::map([("event", name(kind))]),
            End::Event { kind, fields } => Value::map([
                ("event", name(kind)),
                ("where", Value::map(fields.iter().cloned())),
            ]),
            End::When { expression } => {
                Value::map([("when", Value::Text(Text::clone(expression)))])
            }
        }
    }
}

/// Returns a count as a value; counts stay far below the highest integer.
pub(super) fn count(number: u64) -> Value {
    Value::from(number.cast_signed())
}
