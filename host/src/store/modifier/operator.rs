//! Operators of modifiers.

use crate::value::{Number, Value};

/// Operation of a modifier on the incoming value; `Nil` counts as 0 in calculations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// Adds a number.
    Add,
    /// Multiplies by a number.
    Multiply,
    /// Replaces any value.
    Set,
    /// Raises a smaller number to this one.
    AtLeast,
    /// Lowers a larger number to this one.
    AtMost,
}

/// Reason why an operator gives no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::store) enum Failure {
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

    pub(in crate::store) fn apply_to_value(
        self,
        before: &Value,
        operand: &Value,
    ) -> Result<Value, Failure> {
        let numbers = || Ok((number_of_value(before)?, number_of_value(operand)?));
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

fn number_of_value(value: &Value) -> Result<Number, Failure> {
    match value {
        Value::Nil => Ok(Number::ZERO),
        other => other.as_number().copied().ok_or(Failure::NotANumber),
    }
}
