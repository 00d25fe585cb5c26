//! This module reads what a record does to the stats of its owner.
//!
//! In: the value of `@modifiers`, a list of `{stat, op, value, layer?}`. Out: modifiers by stat.
//! A guard and a set of owners will be further keys; today an unknown key is refused.

use std::rc::Rc;

use super::{StoreError, check, stat::Stats};
use crate::value::{Name, Names, Number, Text, Value};

/// What a modifier does with the value that reaches it; `Nil` counts as 0 in calculations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// Adds a number.
    Add,
    /// Multiplies by a number.
    Multiply,
    /// Replaces the value, whatever it was.
    Set,
    /// Raises a smaller number to this one.
    AtLeast,
    /// Lowers a larger number to this one.
    AtMost,
}

/// Why an operator gives no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    NotANumber,
    Overflow,
}

impl Operator {
    /// All operators, in the order of the documentation.
    pub const ALL: [Operator; 5] = [
        Operator::Add,
        Operator::Multiply,
        Operator::Set,
        Operator::AtLeast,
        Operator::AtMost,
    ];

    /// Returns the word in `op`.
    pub fn as_str(self) -> &'static str {
        match self {
            Operator::Add => "add",
            Operator::Multiply => "multiply",
            Operator::Set => "set",
            Operator::AtLeast => "at_least",
            Operator::AtMost => "at_most",
        }
    }

    /// Returns the operator of a word.
    pub fn parse(word: &str) -> Option<Operator> {
        Operator::ALL.into_iter().find(|op| op.as_str() == word)
    }

    pub(super) fn apply(self, before: &Value, operand: &Value) -> Result<Value, Failure> {
        let numbers = || Ok((number(before)?, number(operand)?));
        let after = match self {
            Operator::Set => return Ok(operand.clone()),
            Operator::Add => numbers().map(|(a, b)| a.checked_add(b))?,
            Operator::Multiply => numbers().map(|(a, b)| a.checked_mul(b))?,
            Operator::AtLeast => numbers().map(|(a, b)| Ok(a.max(b)))?,
            Operator::AtMost => numbers().map(|(a, b)| Ok(a.min(b)))?,
        };
        after.map(Value::from).map_err(|_| Failure::Overflow)
    }
}

fn number(value: &Value) -> Result<Number, Failure> {
    match value {
        Value::Nil => Ok(Number::ZERO),
        other => other.as_number().copied().ok_or(Failure::NotANumber),
    }
}

/// One modifier of one stat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Modifier {
    pub(super) operator: Operator,
    pub(super) operand: Value,
    pub(super) layer: Option<Text>,
}

/// The modifiers of one record by stat, each stat once; those of a stat in the order of the list.
pub(super) type Modifiers = [(Name, Rc<[Modifier]>)];

/// Reads the value of `@modifiers`. Errors: `BadModifiers`, `BadName`.
pub(super) fn read(value: &Value, names: &Names) -> Result<Rc<Modifiers>, StoreError> {
    let items = match value {
        Value::Nil => &[],
        Value::List(items) => items.as_slice(),
        other => return bad(format!("modifiers are a list, not a {}", other.kind())),
    };
    let mut stats: Vec<(Name, Vec<Modifier>)> = Vec::new();
    for item in items {
        let (stat, modifier) = read_one(item, names)?;
        match stats.iter_mut().find(|(name, _)| *name == stat) {
            Some((_, modifiers)) => modifiers.push(modifier),
            None => stats.push((stat, vec![modifier])),
        }
    }
    Ok(stats
        .into_iter()
        .map(|(stat, modifiers)| (stat, modifiers.into()))
        .collect())
}

/// Checks the layers of modifiers. Errors: `UnknownLayer`.
pub(super) fn check_layers(
    modifiers: &Modifiers,
    stats: &Stats,
    names: &Names,
) -> Result<(), StoreError> {
    for (stat, of_stat) in modifiers {
        let fold = &stats.get(*stat).fold;
        if let Some(asleep) = of_stat.iter().find(|one| !fold.takes(one.layer.as_ref())) {
            return Err(StoreError::UnknownLayer {
                stat: names.text(*stat),
                layer: asleep.layer.clone().unwrap_or_else(|| "".into()),
                known: fold.layers().to_vec(),
            });
        }
    }
    Ok(())
}

fn read_one(item: &Value, names: &Names) -> Result<(Name, Modifier), StoreError> {
    let Some(entries) = item.as_map() else {
        return bad(format!("a modifier is a map, not a {}", item.kind()));
    };
    let known = ["stat", "op", "value", "layer"];
    if let Some(key) = entries.keys().find(|key| !known.contains(&&***key)) {
        return bad(format!("a modifier has no \"{key}\""));
    }
    let Some(stat) = item.get("stat").as_str() else {
        return bad("a modifier needs the name of a stat in \"stat\"".to_owned());
    };
    check::field_name(stat)?;
    let Some(operator) = item.get("op").as_str().and_then(Operator::parse) else {
        let words = Operator::ALL.map(Operator::as_str).join(", ");
        return bad(format!(
            "the \"op\" of a modifier of \"{stat}\" is not one of {words}"
        ));
    };
    let operand = item.get("value").clone();
    let calculates = operator != Operator::Set;
    if operand.is_nil() || (calculates && operand.as_number().is_none()) {
        let (word, thing) = (
            operator.as_str(),
            if calculates { "number" } else { "value" },
        );
        return bad(format!(
            "\"{word}\" of \"{stat}\" needs a {thing} in \"value\""
        ));
    }
    let layer = match item.get("layer") {
        Value::Nil => None,
        Value::Text(layer) if !layer.is_empty() => Some(Text::clone(layer)),
        _ => {
            return bad(format!(
                "the \"layer\" of a modifier of \"{stat}\" is no text"
            ));
        }
    };
    let modifier = Modifier {
        operator,
        operand,
        layer,
    };
    Ok((names.intern(stat), modifier))
}

fn bad<T>(reason: String) -> Result<T, StoreError> {
    Err(StoreError::BadModifiers(reason))
}
