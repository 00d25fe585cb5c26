//! Reads and writes ends in the form that records keep.
//!
//! In: the value of `@ends`, with absolute numbers only. Out: ends, and the same value again.

use std::rc::Rc;

use super::{Edge, EndCondition, Form};
use crate::store::{StoreError, row_check};
use crate::value::{Name, Names, Text, Value};

type Read<T> = Result<T, StoreError>;

/// Reads the value of `@ends`. Errors: `BadEnds`.
pub(in crate::store) fn read_stored(value: &Value, names: &Names) -> Read<Rc<[EndCondition]>> {
    match value {
        Value::Nil => Ok(Rc::default()),
        Value::List(items) => items.iter().map(|item| read_end(item, names)).collect(),
        other => bad_ends_error(format!("ends are a list, not a {}", other.kind())),
    }
}

/// Returns the stored form of ends.
pub(in crate::store) fn stored_value(ends: &[EndCondition], names: &Names) -> Value {
    Value::list(ends.iter().map(|end| end.to_value(names)))
}

fn read_end(item: &Value, names: &Names) -> Read<EndCondition> {
    let Some(entries) = item.as_map() else {
        return bad_ends_error(format!("an end is a map, not a {}", item.kind()));
    };
    let Some(form) = Form::named_by(item) else {
        let heads = Form::all().map(Form::as_str).collect::<Vec<_>>().join(", ");
        return bad_ends_error(format!("an end has one of the keys {heads}"));
    };
    if let Some(key) = entries.keys().find(|key| !form.is_stored_key(key)) {
        return bad_ends_error(format!(
            "an end with \"{}\" has no \"{key}\"",
            form.as_str()
        ));
    }
    Ok(match form {
        Form::Phase => return read_phase_end(item),
        Form::Turn => EndCondition::Turn {
            edge: match Edge::parse(read_text(item, "turn")?) {
                Some(edge) => edge,
                None => return bad_ends_error("\"turn\" is start or end".to_owned()),
            },
            of: read_name(item, "of", names)?,
            number: read_number(item, "number")?,
        },
        Form::Rounds => EndCondition::Rounds {
            number: read_number(item, "rounds")?,
        },
        Form::Time => EndCondition::Time {
            seconds: read_number(item, "time")?,
        },
        Form::Uses => return read_uses_end(read_number(item, "uses")?, read_number(item, "of")?),
        Form::With => EndCondition::With {
            row: read_name(item, "with", names)?,
        },
        Form::Event => EndCondition::Event {
            kind: read_name(item, "event", names)?,
            filters: read_filters(item.get("where"))?,
            test: match item.get("test") {
                Value::Nil => None,
                Value::Text(test) => Some(Text::clone(test)),
                _ => return bad_ends_error("\"test\" of an end is a text".to_owned()),
            },
            bound: bound_value(item),
        },
        Form::When => EndCondition::When {
            expression: read_text(item, "when")?.into(),
            bound: bound_value(item),
        },
    })
}

fn read_phase_end(item: &Value) -> Read<EndCondition> {
    if item.get("phase").as_str().is_some() {
        return Ok(EndCondition::PhaseOf {
            phase: read_text(item, "phase")?.into(),
            number: read_number(item, "number")?,
        });
    }
    if !item.get("number").is_nil() {
        return bad_ends_error("an end with the number of a phase has no \"number\"".to_owned());
    }
    let serial = read_number(item, "phase")?;
    Ok(EndCondition::Phase { serial })
}

fn read_uses_end(left: u64, of: u64) -> Read<EndCondition> {
    if left > of {
        return bad_ends_error(format!("of {of} uses there cannot be {left} left"));
    }
    Ok(EndCondition::Uses { left, of })
}

/// Returns the values passed to a text of the ruleset; nothing for an expression of the host.
pub(super) fn bound_value(item: &Value) -> Option<Value> {
    Some(item.get("bound").clone()).filter(|bound| !bound.is_nil())
}

fn read_number(item: &Value, key: &str) -> Read<u64> {
    row_check::positive_count(item.get(key)).ok_or_else(|| {
        StoreError::BadEnds(format!("\"{key}\" of an end is a whole number above 0"))
    })
}

fn read_text<'v>(item: &'v Value, key: &str) -> Read<&'v str> {
    let text = item.get(key).as_str().filter(|text| !text.is_empty());
    text.ok_or_else(|| StoreError::BadEnds(format!("\"{key}\" of an end is a text")))
}

fn read_name(item: &Value, key: &str, names: &Names) -> Read<Name> {
    read_text(item, key).map(|id| names.intern(id))
}

fn read_filters(value: &Value) -> Read<Vec<(Text, Value)>> {
    match value {
        Value::Nil => Ok(Vec::new()),
        Value::Map(filters) => Ok(filters
            .iter()
            .map(|(path, wanted)| (Text::clone(path), wanted.clone()))
            .collect()),
        other => bad_ends_error(format!(
            "\"where\" of an end is a map of fields, not a {}",
            other.kind()
        )),
    }
}

fn bad_ends_error<T>(reason: String) -> Read<T> {
    Err(StoreError::BadEnds(reason))
}

impl EndCondition {
    /// Returns the stored form.
    fn to_value(&self, names: &Names) -> Value {
        let name = |name: &Name| Value::Text(names.text(*name));
        let given = |bound: &Option<Value>| bound.clone().unwrap_or_default();
        match self {
            EndCondition::Phase { serial } => Value::map([("phase", count_value(*serial))]),
            EndCondition::PhaseOf { phase, number } => Value::map([
                ("phase", Value::Text(Text::clone(phase))),
                ("number", count_value(*number)),
            ]),
            EndCondition::Turn { edge, of, number } => Value::map([
                ("turn", Value::from(edge.as_str())),
                ("of", name(of)),
                ("number", count_value(*number)),
            ]),
            EndCondition::Rounds { number } => Value::map([("rounds", count_value(*number))]),
            EndCondition::Time { seconds } => Value::map([("time", count_value(*seconds))]),
            EndCondition::Uses { left, of } => {
                Value::map([("uses", count_value(*left)), ("of", count_value(*of))])
            }
            EndCondition::With { row } => Value::map([("with", name(row))]),
            EndCondition::Event {
                kind,
                filters,
                test,
                bound,
            } => {
                let test = test.as_ref().map(|test| Value::Text(Text::clone(test)));
                let filters = match filters.is_empty() {
                    true => Value::Nil,
                    false => Value::map(filters.iter().cloned()),
                };
                Value::map([
                    ("event", name(kind)),
                    ("where", filters),
                    ("test", test.unwrap_or_default()),
                    ("bound", given(bound)),
                ])
            }
            EndCondition::When { expression, bound } => Value::map([
                ("when", Value::Text(Text::clone(expression))),
                ("bound", given(bound)),
            ]),
        }
    }
}

/// Returns a count as a value; counts stay far below the highest integer.
pub(in crate::store) fn count_value(number: u64) -> Value {
    Value::from(number.cast_signed())
}
