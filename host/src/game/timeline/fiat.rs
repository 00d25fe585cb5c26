//! Changes by fiat: a person decides, not a rule. The person's reason is stored with the operation.

use crate::store::{Operation, What};
use crate::value::Value;
use crate::words::Words;

/// A change by fiat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fiat {
    /// The reason for the decision; nothing if none was given.
    pub reason: Option<String>,
}

impl Fiat {
    /// Returns the fiat of an operation; a refused operation changed nothing.
    pub fn of(operation: &Operation) -> Option<Fiat> {
        match operation.what {
            What::Refused { .. } | What::Posted { .. } | What::Withdrawn { .. } => None,
            What::Ruling
            | What::Undo { .. }
            | What::Redo { .. }
            | What::Revert { .. }
            | What::Replace { .. } => fiat_in_first_cause(&operation.causes),
        }
    }

    /// Returns the fiat in words: `fiat`, or `fiat: the reason`.
    pub fn in_words(&self) -> String {
        self.in_language(&Words::english())
    }

    /// Returns the fiat in the words of a language.
    pub(in crate::game) fn in_language(&self, words: &Words) -> String {
        match &self.reason {
            Some(reason) => words.fill("fate.fiat_why", &[("reason", reason)]),
            None => words.text("fate.fiat"),
        }
    }

    /// Returns the fiat as a sentence after another sentence: ` It is a fiat: the reason.`
    pub(in crate::game) fn as_sentence(&self) -> String {
        match &self.reason {
            Some(reason) => format!(" It is a fiat: {reason}."),
            None => " It is a fiat without a reason.".to_owned(),
        }
    }

    /// Returns the fiat as the end of a sentence: `, by fiat: the reason`.
    pub(in crate::game) fn as_clause(&self) -> String {
        match &self.reason {
            Some(reason) => format!(", by fiat: {reason}"),
            None => ", by fiat without a reason".to_owned(),
        }
    }
}

/// Returns the fiat in the first of some causes.
pub(in crate::game) fn fiat_in_first_cause(causes: &[Value]) -> Option<Fiat> {
    match causes.first()?.get("fiat") {
        Value::Nil => None,
        said => Some(Fiat {
            reason: said.as_str().map(str::to_owned),
        }),
    }
}
