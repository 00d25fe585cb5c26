//! Reads the modifiers of a record: a list of `{stat, op, value, layer?, guard?, over?}`, and its guard.
//! A guard may be called `while` too.
//!
//! An unknown key is refused. An expression that cannot be read is no error here: it sleeps until rules come that
//! know what it speaks of.

use std::rc::Rc;

use super::{Modifier, Modifiers, Operator, Over, bad};
use crate::store::expression::{Expression, Role};
use crate::store::stat::Stats;
use crate::store::{StoreError, check};
use crate::value::{Name, Names, Text, Value};

/// The key of the expression that must hold.
const GUARD: &str = "guard";
/// The same; a word of scripts, so that they have to write it in brackets.
const WHILE: &str = "while";

/// Reads the values of `@modifiers` and `@while`. Errors: `BadModifiers`, `BadName`.
pub(in crate::store) fn read(
    list: &Value,
    guard: &Value,
    stats: &Stats,
    names: &Names,
) -> Result<Rc<Modifiers>, StoreError> {
    let items = match list {
        Value::Nil => &[],
        Value::List(items) => items.as_slice(),
        other => return bad(format!("modifiers are a list, not a {}", other.kind())),
    };
    let reader = Reader {
        stats,
        names,
        guard: expression(guard, "the \"guard\" of a record", stats, names)?.map(Rc::new),
    };
    let (mut own, mut auras) = (Vec::new(), Vec::new());
    for (place, item) in (0..).zip(items) {
        let (stat, modifier) = reader.modifier(item, place)?;
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
    fn modifier(&self, item: &Value, place: u16) -> Result<(Name, Modifier), StoreError> {
        let stat = stat_of(item)?;
        let operator = operator_of(item, stat)?;
        let what = format!("the \"guard\" of a modifier of \"{stat}\"");
        let guard = match (item.get(GUARD), item.get(WHILE)) {
            (Value::Nil, guard) | (guard, Value::Nil) => guard,
            _ => {
                return bad(format!(
                    "{what} is given twice: it is the same as \"while\""
                ));
            }
        };
        let guard = expression(guard, &what, self.stats, self.names)?;
        let modifier = Modifier {
            operator,
            operand: operand_of(item, operator, stat)?,
            layer: layer_of(item, stat)?,
            place,
            guard: guard.map(Rc::new),
            record_guard: self.guard.clone(),
            over: self.over(item.get("over"), stat)?.map(Rc::new),
        };
        Ok((self.names.intern(stat), modifier))
    }

    fn over(&self, over: &Value, stat: &str) -> Result<Option<Over>, StoreError> {
        let what = format!("the \"over\" of a modifier of \"{stat}\"");
        match over {
            Value::Nil => return Ok(None),
            Value::Map(_) => {}
            // A table without keys is an empty list for scripts.
            Value::List(items) if items.is_empty() => {}
            other => return bad(format!("{what} is a map, not a {}", other.kind())),
        }
        let mut keys = over.as_map().into_iter().flat_map(|map| map.keys());
        if let Some(key) = keys.find(|key| !["kind", "where"].contains(&&***key)) {
            return bad(format!("{what} has no \"{key}\""));
        }
        let kind = match over.get("kind") {
            Value::Nil => None,
            Value::Text(kind) => {
                check::field_name(kind)?;
                Some(self.names.intern(kind))
            }
            other => {
                return bad(format!(
                    "the \"kind\" in {what} is a text, not a {}",
                    other.kind()
                ));
            }
        };
        let place = expression(
            over.get("where"),
            &format!("the \"where\" in {what}"),
            self.stats,
            self.names,
        )?;
        Ok(Some(Over { kind, place }))
    }
}

fn expression(
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
        other => bad(format!("{what} is an expression, not a {}", other.kind())),
    }
}

fn stat_of(item: &Value) -> Result<&str, StoreError> {
    let Some(entries) = item.as_map() else {
        return bad(format!("a modifier is a map, not a {}", item.kind()));
    };
    let known = ["stat", "op", "value", "layer", GUARD, WHILE, "over"];
    if let Some(key) = entries.keys().find(|key| !known.contains(&&***key)) {
        return bad(format!("a modifier has no \"{key}\""));
    }
    let Some(stat) = item.get("stat").as_str() else {
        return bad("a modifier needs the name of a stat in \"stat\"".to_owned());
    };
    check::field_name(stat)?;
    Ok(stat)
}

fn operator_of(item: &Value, stat: &str) -> Result<Operator, StoreError> {
    let operator = item.get("op").as_str().and_then(Operator::parse);
    operator.ok_or_else(|| {
        let words = Operator::ALL.map(Operator::as_str).join(", ");
        StoreError::BadModifiers(format!(
            "the \"op\" of a modifier of \"{stat}\" is not one of {words}"
        ))
    })
}

fn operand_of(item: &Value, operator: Operator, stat: &str) -> Result<Value, StoreError> {
    let operand = item.get("value").clone();
    let calculates = operator != Operator::Set;
    if operand.is_nil() || (calculates && operand.as_number().is_none()) {
        let thing = if calculates { "number" } else { "value" };
        let word = operator.as_str();
        return bad(format!(
            "\"{word}\" of \"{stat}\" needs a {thing} in \"value\""
        ));
    }
    Ok(operand)
}

fn layer_of(item: &Value, stat: &str) -> Result<Option<Text>, StoreError> {
    match item.get("layer") {
        Value::Nil => Ok(None),
        Value::Text(layer) if !layer.is_empty() => Ok(Some(Text::clone(layer))),
        _ => bad(format!(
            "the \"layer\" of a modifier of \"{stat}\" is not a text"
        )),
    }
}
