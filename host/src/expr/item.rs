//! The value that an expression calculates with: a number, a bool, a text or nothing.

use std::fmt;
use std::sync::Arc;

use super::Fraction;
use super::error::Fault;
use crate::value::{Text, Value};

/// One value of an expression.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Item {
    /// Nothing; counts as 0.
    #[default]
    Nil,
    /// True counts as 1, false as 0.
    Bool(bool),
    /// An exact number.
    Number(Fraction),
    /// A text, or the id of a row.
    Text(Text),
    /// A value that also equals others: the newest of several makers, a weapon with its name, a set.
    Several(Arc<Several>),
}

/// A value that equals others too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Several {
    /// The value that is shown and used in calculations.
    pub shown: Item,
    /// The other values that it equals.
    pub also: Vec<Item>,
}

impl Item {
    /// Converts a value of the game. Errors: the word for the value, if it is a list or a map.
    #[inline]
    pub fn from_value(value: &Value) -> Result<Item, &'static str> {
        match value {
            Value::Nil => Ok(Item::Nil),
            Value::Bool(value) => Ok(Item::Bool(*value)),
            Value::Number(number) => Ok(Item::Number(Fraction::from(*number))),
            Value::Text(text) => Ok(Item::Text(Text::clone(text))),
            Value::List(_) | Value::Map(_) => Err(value.kind()),
        }
    }

    /// Returns the result of [`Item::equals`] for a value of the game, without making an item of it; `None` for a list
    /// or a map.
    #[inline]
    pub fn equals_value(&self, value: &Value) -> Option<bool> {
        match (self, value) {
            (Item::Text(own), Value::Text(text)) => Some(own == text),
            (Item::Number(own), Value::Number(number)) if let Some(whole) = number.to_i64() => {
                Some(own.numerator_and_denominator() == (i128::from(whole), 1))
            }
            _ => Item::from_value(value)
                .ok()
                .map(|other| self.equals(&other)),
        }
    }

    /// Returns the value of the game: a finite decimal exactly, else rounded to 15 significant digits.
    ///
    /// `None` for a number of more than 28 digits.
    pub fn to_value(&self) -> Option<Value> {
        match self {
            Item::Nil => Some(Value::Nil),
            Item::Bool(value) => Some(Value::Bool(*value)),
            Item::Number(number) => number.to_number().map(Value::Number),
            Item::Text(text) => Some(Value::Text(Text::clone(text))),
            Item::Several(several) => several.shown.to_value(),
        }
    }

    /// Returns whether a condition with this value holds: nothing, false and 0 do not.
    pub fn is_true(&self) -> bool {
        match self {
            Item::Nil => false,
            Item::Bool(value) => *value,
            Item::Number(number) => !number.is_zero(),
            Item::Text(_) => true,
            Item::Several(several) => several.shown.is_true(),
        }
    }

    /// Returns the number for calculations; a text is not a number.
    pub(super) fn to_fraction(&self) -> Result<Fraction, Fault> {
        match self {
            Item::Nil | Item::Bool(false) => Ok(Fraction::ZERO),
            Item::Bool(true) => Ok(Fraction::ONE),
            Item::Number(number) => Ok(*number),
            Item::Text(text) => {
                let start: String = text.chars().take(40).collect();
                Err(Fault::NotANumber(format!("the text \"{start}\"")))
            }
            Item::Several(several) => several.shown.to_fraction(),
        }
    }

    /// Returns whether two values count as the same. Texts are compared by their letters, all others by number. Of
    /// several values, one equal value is enough.
    pub fn equals(&self, other: &Item) -> bool {
        match (self, other) {
            (Item::Text(a), Item::Text(b)) => a == b,
            (Item::Several(several), one) | (one, Item::Several(several)) => {
                one.equals(&several.shown) || several.also.iter().any(|other| one.equals(other))
            }
            (Item::Text(_), _) | (_, Item::Text(_)) => false,
            _ => self.to_fraction() == other.to_fraction(),
        }
    }

    /// Returns the token for this value in an expression.
    pub(super) fn to_token(&self) -> String {
        match self {
            Item::Text(text) => {
                let escaped = text.replace('\\', "\\\\").replace('"', "\\\"");
                format!("\"{escaped}\"")
            }
            Item::Several(several) => several.shown.to_token(),
            Item::Nil | Item::Bool(_) | Item::Number(_) => self.to_string(),
        }
    }
}

/// Prints a text bare, a number as decimal or `n/d`.
impl fmt::Display for Item {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Item::Nil => out.write_str("nil"),
            Item::Bool(value) => write!(out, "{value}"),
            Item::Number(number) => write!(out, "{number}"),
            Item::Text(text) => out.write_str(text),
            Item::Several(several) => write!(out, "{}", several.shown),
        }
    }
}
