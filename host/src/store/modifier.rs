//! This module reads what a record does to the stats of its owner.
//!
//! In: the value of `@modifiers`, a list of `{stat, op, value, layer?, guard?, over?}`, and that of `@while`. A guard may be called `while` too. Out:
//! modifiers by stat, those of the owner and those of other rows (auras) apart. An unknown key is refused.

use std::rc::Rc;

use super::expression::{Expression, Role};
use super::row::Row;
use super::{State, StoreError, check, stat::Stats};
use crate::value::{Name, Names, Number, Text, Value};

/// The key of the expression that must hold.
const GUARD: &str = "guard";
/// The same; a word of scripts, so that they have to write it in brackets.
const WHILE: &str = "while";

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
    /// Its place in the list.
    pub(super) place: u16,
    /// When it takes part.
    pub(super) guard: Option<Rc<Expression>>,
    /// When anything of its record takes part.
    pub(super) record_guard: Option<Rc<Expression>>,
    /// For which rows it is, if not for the owner of its record alone.
    pub(super) over: Option<Rc<Over>>,
}

/// The rows that an aura is for: entities, or the rows of a kind, where an expression holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Over {
    kind: Option<Name>,
    pub(super) place: Option<Expression>,
}

impl Over {
    /// Returns whether a row is one of those that the expression is asked about.
    pub(super) fn may_cover(&self, state: &State, page: &Row, row: Name) -> bool {
        match self.kind {
            Some(kind) => page.kind == Some(kind),
            None => page.owner.is_none() && !check::is_host_name(&state.names().text(row)),
        }
    }
}

impl Modifier {
    /// Returns whether an expression decides if it takes part.
    pub(super) fn is_guarded(&self) -> bool {
        self.guard.is_some() || self.record_guard.is_some()
    }

    /// Returns whether its guards may hold for one reader and not for another.
    pub(super) fn asks_self(&self) -> bool {
        let guards = self.record_guard.iter().chain(&self.guard);
        guards
            .into_iter()
            .any(|guard| guard.made().is_some_and(|made| made.asks_self))
    }

    fn expressions(&self) -> impl Iterator<Item = &Expression> {
        let place = self.over.as_ref().and_then(|over| over.place.as_ref());
        let guards = self.record_guard.iter().chain(&self.guard);
        guards.map(|guard| &**guard).chain(place)
    }
}

/// Modifiers by stat, each stat once; those of a stat in the order of the list.
pub(super) type ByStat = [(Name, Rc<[Modifier]>)];

/// The modifiers of one record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Modifiers {
    /// Those for its owner.
    pub(super) own: Vec<(Name, Rc<[Modifier]>)>,
    /// Those for a set of rows.
    pub(super) auras: Vec<(Name, Rc<[Modifier]>)>,
    /// The guard of the record.
    pub(super) guard: Option<Rc<Expression>>,
}

impl Modifiers {
    fn expressions(&self) -> impl Iterator<Item = &Expression> {
        let modifiers = self
            .own
            .iter()
            .chain(&self.auras)
            .flat_map(|(_, of_stat)| of_stat.iter());
        let guard = self.guard.iter().map(|guard| &**guard);
        guard.chain(modifiers.flat_map(Modifier::expressions))
    }

    /// Returns whether anything here depends on what expressions may speak of.
    pub(super) fn has_expressions(&self) -> bool {
        self.expressions().next().is_some()
    }

    /// Checks what the live rules say about modifiers that a rule makes. Errors: `BadModifiers`, `UnknownLayer`.
    pub(super) fn check(&self, stats: &Stats, names: &Names) -> Result<(), StoreError> {
        if let Some((expression, error)) =
            self.expressions().find_map(|one| Some((one, one.error()?)))
        {
            return bad(format!(
                "in the expression \"{}\": {error}",
                expression.text()
            ));
        }
        check_layers(&self.own, stats, names)?;
        check_layers(&self.auras, stats, names)
    }
}

/// Reads the values of `@modifiers` and `@while`. Errors: `BadModifiers`, `BadName`.
///
/// An expression that cannot be read is no error here: it sleeps until rules come that know what it speaks of.
pub(super) fn read(
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

/// Checks the layers of modifiers. Errors: `UnknownLayer`.
fn check_layers(modifiers: &ByStat, stats: &Stats, names: &Names) -> Result<(), StoreError> {
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
                    "{what} is there twice: it is the same as \"while\""
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
            "the \"layer\" of a modifier of \"{stat}\" is no text"
        )),
    }
}

fn bad<T>(reason: String) -> Result<T, StoreError> {
    Err(StoreError::BadModifiers(reason))
}
