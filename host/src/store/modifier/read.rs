//! Reads the modifiers of a record: a list of `{stat, op, value, layer?, only_if?, aura?}`, and its guard. Keys of
//! older games are read too: `guard` and `while` for `only_if`, `over` for `aura`.
//!
//! An unknown key is refused. An unreadable expression is not an error here: it is inactive until the rules know its
//! names.

use std::rc::Rc;

use super::{Aura, Modifier, Modifiers, Operator, bad_modifiers_error};
use crate::store::expression::{Expression, Role};
use crate::store::stat::Stats;
use crate::store::{StoreError, row_check};
use crate::value::{Name, Names, Text, Value};

/// The keys of the expression that must hold, the present one first.
const ONLY_IF: [&str; 3] = ["only_if", "guard", "while"];
/// The keys that make a modifier an aura, the present one first.
const AURA: [&str; 2] = ["aura", "over"];

/// Reads the values of `@modifiers` and `@while`. Errors: `BadModifiers`, `BadName`.
pub(in crate::store) fn read_modifiers(
    list: &Value,
    guard: &Value,
    stats: &Stats,
    names: &Names,
) -> Result<Rc<Modifiers>, StoreError> {
    let items = match list {
        Value::Nil => &[],
        Value::List(items) => items.as_slice(),
        other => {
            return bad_modifiers_error(format!("modifiers are a list, not a {}", other.kind()));
        }
    };
    let reader = Reader {
        stats,
        names,
        guard: read_expression(guard, "the \"only_if\" of an attribute", stats, names)?
            .map(Rc::new),
    };
    let (mut own, mut auras) = (Vec::new(), Vec::new());
    for (place, item) in (0..).zip(items) {
        let (stat, modifier) = reader.read_modifier(item, place)?;
        let by_stat: &mut Vec<(Name, Vec<Modifier>)> = match modifier.over {
            Some(_) => &mut auras,
            None => &mut own,
        };
        match by_stat.iter_mut().find(|(name, _)| *name == stat) {
            Some((_, modifiers)) => modifiers.push(modifier),
            None => by_stat.push((stat, vec![modifier])),
        }
    }
    let shared = |by_stat: Vec<(Name, Vec<Modifier>)>| {
        let shared = by_stat
            .into_iter()
            .map(|(stat, modifiers)| (stat, modifiers.into()));
        shared.collect()
    };
    Ok(Rc::new(Modifiers {
        own: shared(own),
        auras: shared(auras),
        guard: reader.guard,
    }))
}

/// Reads the items of one list.
struct Reader<'a> {
    stats: &'a Stats,
    names: &'a Names,
    guard: Option<Rc<Expression>>,
}

impl Reader<'_> {
    fn read_modifier(&self, item: &Value, place: u16) -> Result<(Name, Modifier), StoreError> {
        let stat = stat_of_item(item)?;
        let operator = operator_of_item(item, stat)?;
        let what = format!("the \"only_if\" of a modifier of \"{stat}\"");
        let guard = value_of_one_key(item, &ONLY_IF, &what)?;
        let guard = read_expression(guard, &what, self.stats, self.names)?;
        let modifier = Modifier {
            operator,
            operand: operand_of_item(item, operator, stat)?,
            layer: layer_of_item(item, stat)?,
            place,
            guard: guard.map(Rc::new),
            record_guard: self.guard.clone(),
            over: self
                .read_aura(
                    value_of_one_key(
                        item,
                        &AURA,
                        &format!("the \"aura\" of a modifier of \"{stat}\""),
                    )?,
                    stat,
                )?
                .map(Rc::new),
        };
        Ok((self.names.intern(stat), modifier))
    }

    fn read_aura(&self, over: &Value, stat: &str) -> Result<Option<Aura>, StoreError> {
        let what = format!("the \"aura\" of a modifier of \"{stat}\"");
        match over {
            Value::Nil => return Ok(None),
            Value::Map(_) => {}
            // A table without keys is an empty list for scripts.
            Value::List(items) if items.is_empty() => {}
            other => {
                return bad_modifiers_error(format!("{what} is a map, not a {}", other.kind()));
            }
        }
        let mut keys = over.as_map().into_iter().flat_map(|map| map.keys());
        if let Some(key) = keys.find(|key| !["kind", "where"].contains(&&***key)) {
            return bad_modifiers_error(format!("{what} has no \"{key}\""));
        }
        let kind = match over.get("kind") {
            Value::Nil => None,
            Value::Text(kind) => {
                row_check::check_field_name(kind)?;
                Some(self.names.intern(kind))
            }
            other => {
                return bad_modifiers_error(format!(
                    "the \"kind\" in {what} is a text, not a {}",
                    other.kind()
                ));
            }
        };
        let place = read_expression(
            over.get("where"),
            &format!("the \"where\" in {what}"),
            self.stats,
            self.names,
        )?;
        Ok(Some(Aura { kind, place }))
    }
}

fn read_expression(
    value: &Value,
    what: &str,
    stats: &Stats,
    names: &Names,
) -> Result<Option<Expression>, StoreError> {
    match value {
        Value::Nil => Ok(None),
        Value::Text(text) => {
            let vocabulary = stats.vocabulary();
            Ok(Some(Expression::new(text, Role::Record, vocabulary, names)))
        }
        other => bad_modifiers_error(format!("{what} is an expression, not a {}", other.kind())),
    }
}

/// Returns the value of a modifier under one of several equivalent keys. Errors: two of these keys are present.
fn value_of_one_key<'a>(
    item: &'a Value,
    keys: &[&str],
    what: &str,
) -> Result<&'a Value, StoreError> {
    let mut said = keys.iter().filter(|key| !item.get(key).is_nil());
    let (first, second) = (said.next(), said.next());
    if let (Some(first), Some(second)) = (first, second) {
        return bad_modifiers_error(format!(
            "{what} is given twice, as \"{first}\" and as \"{second}\""
        ));
    }
    Ok(first.map_or(&Value::Nil, |key| item.get(key)))
}

fn stat_of_item(item: &Value) -> Result<&str, StoreError> {
    let Some(entries) = item.as_map() else {
        return bad_modifiers_error(format!("a modifier is a map, not a {}", item.kind()));
    };
    let is_known = |key: &str| {
        ["stat", "op", "value", "layer"].contains(&key)
            || ONLY_IF.contains(&key)
            || AURA.contains(&key)
    };
    if let Some(key) = entries.keys().find(|key| !is_known(key)) {
        return bad_modifiers_error(format!("a modifier has no \"{key}\""));
    }
    let Some(stat) = item.get("stat").as_str() else {
        return bad_modifiers_error("a modifier needs the name of a stat in \"stat\"".to_owned());
    };
    row_check::check_field_name(stat)?;
    Ok(stat)
}

fn operator_of_item(item: &Value, stat: &str) -> Result<Operator, StoreError> {
    let Some(word) = item.get("op").as_str() else {
        let words = Operator::ALL.map(Operator::as_str).join(", ");
        return bad_modifiers_error(format!(
            "a modifier of \"{stat}\" needs an \"op\", one of {words}"
        ));
    };
    Operator::parse(word).ok_or_else(|| StoreError::UnknownOperator {
        stat: stat.into(),
        word: word.into(),
        known: Operator::ALL.map(Operator::as_str).to_vec(),
    })
}

fn operand_of_item(item: &Value, operator: Operator, stat: &str) -> Result<Value, StoreError> {
    let operand = item.get("value").clone();
    let calculates = operator != Operator::Set;
    if operand.is_nil() || (calculates && operand.as_number().is_none()) {
        let thing = if calculates { "number" } else { "value" };
        let word = operator.as_str();
        return bad_modifiers_error(format!(
            "\"{word}\" of \"{stat}\" needs a {thing} in \"value\""
        ));
    }
    Ok(operand)
}

fn layer_of_item(item: &Value, stat: &str) -> Result<Option<Text>, StoreError> {
    match item.get("layer") {
        Value::Nil => Ok(None),
        Value::Text(layer) if !layer.is_empty() => Ok(Some(Text::clone(layer))),
        _ => bad_modifiers_error(format!(
            "the \"layer\" of a modifier of \"{stat}\" is not a text"
        )),
    }
}
