//! Phrases as scripts see them: the values of their slots, as plain data.

use std::collections::BTreeMap;

use super::template_owner::{Owner, owner_of_template};
use crate::text::{Filled, Parse};
use crate::value::Value;

/// Returns a phrase as scripts see it: `{ definition, template, text, slots }`, or `{ value, text }` of a plain type.
pub(crate) fn parse_value(parse: &Parse) -> Value {
    let slots = parse
        .slots
        .iter()
        .map(|slot| (slot.name.as_str(), filled_value(&slot.filled)));
    let slots: BTreeMap<&str, Value> = slots.collect();
    let text = Value::from(parse.text.as_str());
    match owner_of_template(&parse.template) {
        Some(Owner::Definition {
            collection,
            id,
            line,
        }) => Value::map([
            ("definition", Value::from(id)),
            ("collection", Value::from(collection)),
            ("template", Value::from(line as i64)),
            ("text", text),
            ("slots", Value::map(slots)),
        ]),
        Some(Owner::Host(_)) | None => {
            let operator = Value::from(parse.template.as_str());
            Value::map(
                slots
                    .into_iter()
                    .chain([("text", text), ("template", operator)]),
            )
        }
    }
}

/// Returns the slots of a phrase by name: the arguments of a command.
pub fn slots_value(parse: &Parse) -> Value {
    Value::map(
        parse
            .slots
            .iter()
            .map(|slot| (slot.name.as_str(), filled_value(&slot.filled))),
    )
}

/// Returns the result of reading a text, without the text: the value of a plain type or a name, else the slots.
pub(crate) fn value_without_text(parse: &Parse) -> Value {
    let value = parse_value(parse);
    let is_plain = parse.slots.len() == 1 && owner_of_template(&parse.template).is_none();
    match value.get("value") {
        plain if is_plain && !plain.is_nil() => plain.clone(),
        _ => value,
    }
}

/// Returns the value of a slot as scripts see it: a plain value, the value of a name, or a phrase of its own.
pub(crate) fn filled_value(filled: &Filled) -> Value {
    match filled {
        Filled::Parse(parse) => parse_value(parse),
        Filled::List(items) => Value::list(items.iter().map(filled_value)),
        Filled::Value(_) | Filled::Name { .. } | Filled::Ambiguous(_) => filled.to_value(),
    }
}
