//! Inputs of a ruling from outside: faces of dice, places of a random order, answers.

use std::fmt;

use crate::game::timeline::seed::encode_address_part;
use crate::script::{FILE, shown_answer};
use crate::value::Value;

/// One input of a ruling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A face, or a place in a random order.
    Die(Die),
    /// An answer to a question.
    Answer(Answer),
}

/// A face, or a place in a random order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Die {
    /// Its address: ruling number, purpose, who, count.
    pub address: String,
    /// Sides of the die; 0 for the word of a random order.
    pub sides: u32,
    /// The face, or the word.
    pub face: u32,
    /// Whether a person typed it.
    pub typed: bool,
}

/// An answer to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Its address: ruling number, key, who, count.
    pub address: String,
    /// The stakes of the question: `{to, type | options, default}`.
    pub stakes: Value,
    /// The answer itself.
    pub answer: Value,
    /// Its giver: a seat, `gm`, or `order`, `policy`, `deadline`.
    pub by: String,
}

impl Input {
    /// Returns whether two inputs have the same address and, for answers, the same value. The giver does not count.
    pub(in crate::game) fn is_same_input(&self, other: &Input) -> bool {
        let is_as_answered = match (self, other) {
            (Input::Answer(one), Input::Answer(other)) => one.answer == other.answer,
            (Input::Die(_), _) | (_, Input::Die(_)) => true,
        };
        self.address() == other.address() && is_as_answered
    }

    /// Returns its address.
    pub fn address(&self) -> &str {
        match self {
            Input::Die(die) => &die.address,
            Input::Answer(answer) => &answer.address,
        }
    }

    /// Returns whether the input is a file.
    pub(in crate::game) fn holds_file(&self) -> bool {
        match self {
            Input::Die(_) => false,
            Input::Answer(one) => one.stakes.get("type").as_str() == Some(FILE),
        }
    }

    /// Returns whether the input is the file of a path that a line names.
    pub(in crate::game) fn is_file_of_path(&self, path: &str) -> bool {
        is_file_address(self.address(), path)
    }

    /// Returns the ruling number in its address: as written, with the name of a fork before it, and as a number.
    pub(in crate::game) fn ruling_number_in_address(&self) -> Option<(&str, u64)> {
        ruling_number_of_address(self.address())
    }

    /// Returns the input as plain data for the history.
    pub fn to_value(&self) -> Value {
        match self {
            Input::Die(die) => die.to_value(),
            Input::Answer(answer) => answer.to_value(),
        }
    }

    /// Returns the input from plain data of the history.
    pub fn from_value(value: &Value) -> Option<Input> {
        if value.get("by").is_nil() {
            Die::from_value(value).map(Input::Die)
        } else {
            Answer::from_value(value).map(Input::Answer)
        }
    }
}

/// Returns the ruling number in an address: as written, with the name of a fork before it, and as a number.
pub(in crate::game) fn ruling_number_of_address(address: &str) -> Option<(&str, u64)> {
    let (text, _) = address.split_once('/')?;
    let (_, ruling_number) = text.rsplit_once(':').unwrap_or(("", text));
    Some((text, ruling_number.parse().ok()?))
}

/// Returns whether an address belongs to a file that a line names.
pub(in crate::game) fn is_file_address(address: &str, path: &str) -> bool {
    let inner = address
        .split_once('/')
        .and_then(|(_, inner)| inner.rsplit_once('/'));
    inner.is_some_and(|(inner, _)| inner == format!("{KEY}/{}", encode_address_part(path)))
}

/// Prints an input for comparisons by people.
impl fmt::Display for Input {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Input::Die(die) if die.sides == 0 => write!(out, "a random order at {}", die.address),
            Input::Die(die) => write!(out, "a d{} at {}", die.sides, die.address),
            Input::Answer(one) => write!(out, "{}", Asked(&one.address, &one.stakes)),
        }
    }
}

/// A question, printed for comparisons by people.
pub(in crate::game) struct Asked<'a>(pub(in crate::game) &'a str, pub(in crate::game) &'a Value);

impl fmt::Display for Asked<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Asked(address, stakes) = self;
        let (to, reply) = (stakes.get("to"), expected_reply(stakes));
        write!(out, "a question at {address} to {to} {reply}")
    }
}

/// Returns the answers that a question expects, in words.
pub(in crate::game) fn expected_reply(stakes: &Value) -> String {
    let reply = match (stakes.get("type"), stakes.get("options")) {
        (Value::Nil, options) => {
            let options: Vec<String> = options.items().iter().map(Value::to_string).collect();
            format!("with the options {}", options.join(", "))
        }
        (kind, _) => format!("for a {kind}"),
    };
    match stakes.get("default") {
        Value::Nil => reply,
        default => format!("{reply}, else {}", shown_answer(default)),
    }
}

impl Die {
    fn to_value(&self) -> Value {
        let typed = if self.typed {
            Value::Bool(true)
        } else {
            Value::Nil
        };
        Value::map([
            ("address", Value::from(self.address.as_str())),
            ("sides", Value::from(i64::from(self.sides))),
            ("face", Value::from(i64::from(self.face))),
            ("typed", typed),
        ])
    }

    fn from_value(value: &Value) -> Option<Die> {
        let number = |key: &str| {
            value
                .get(key)
                .as_i64()
                .and_then(|number| u32::try_from(number).ok())
        };
        Some(Die {
            address: value.get("address").as_str()?.to_owned(),
            sides: number("sides")?,
            face: number("face")?,
            typed: value.get("typed").as_bool().unwrap_or(false),
        })
    }
}

impl Answer {
    /// Returns the giver and the answer in the form for people: `ann: yes`; of a file only its name.
    pub fn in_words(&self) -> String {
        match self.stakes.get("type").as_str() {
            Some(FILE) => format!("file {}", self.answer.get("name")),
            _ => format!("{}: {}", self.by, shown_answer(&self.answer)),
        }
    }

    fn to_value(&self) -> Value {
        let mut entries = self.stakes.as_map().cloned().unwrap_or_default();
        entries.insert("address".into(), self.address.as_str().into());
        entries.insert("answer".into(), self.answer.clone());
        entries.insert("by".into(), self.by.as_str().into());
        Value::map(entries)
    }

    fn from_value(value: &Value) -> Option<Answer> {
        let mut stakes = value.as_map()?.clone();
        for key in ["address", "answer", "by"] {
            stakes.remove(key);
        }
        Some(Answer {
            address: value.get("address").as_str()?.to_owned(),
            stakes: Value::map(stakes),
            answer: Some(value.get("answer").clone()).filter(|answer| !answer.is_nil())?,
            by: value.get("by").as_str()?.to_owned(),
        })
    }
}

/// The key of a file in its address: `RULING/file/PATH/1`, with the ruling number first.
pub(in crate::game) const KEY: &str = "file";

/// The giver of answers that no person gives.
pub(in crate::game) const DEADLINE: &str = "deadline";

pub(in crate::game) const ORDER: &str = "order";

pub(in crate::game) const POLICY: &str = "policy";

/// Returns whether a giver is a standing answer, the policy or a deadline, and not a person.
pub(in crate::game) fn is_automatic_giver(by: &str) -> bool {
    [DEADLINE, ORDER, POLICY].contains(&by)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn inputs_round_trip(
            address in "\\PC{0,20}", sides: u32, face: u32, typed: bool, yes: bool, by in "[a-z]{1,5}",
        ) {
            let stakes = Value::map([("to", Value::from("ann")), ("type", "YesNo".into())]);
            let answer = Answer { address: address.clone(), stakes, answer: yes.into(), by };
            for input in [Input::Die(Die { address, sides, face, typed }), Input::Answer(answer)] {
                prop_assert_eq!(Input::from_value(&input.to_value()), Some(input));
            }
        }
    }
}
