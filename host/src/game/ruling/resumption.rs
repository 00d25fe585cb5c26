//! The resumption of a ruling that waited: its line, answers and typed dice.

use std::collections::BTreeMap;

use crate::game::ruling::input_source::{GivenAnswer, HandDie};
use crate::game::ruling::ruling_context::{Giver, Ruling};
use crate::game::ruling::waiting_ruling::Waiting;

/// The resumption of a ruling that waited.
pub(in crate::game) struct Resumption {
    pub(in crate::game) waiting: Waiting,
    /// The seat that continues the ruling, the typist of its line for this seat, and the line.
    pub(in crate::game) by: String,
    pub(in crate::game) entered_by: Option<String>,
    pub(in crate::game) line: String,
    /// Answers by address; the recorded part is in `waiting`.
    pub(in crate::game) given: BTreeMap<String, GivenAnswer>,
    /// Typed dice that it returns before it runs.
    pub(in crate::game) hand: Vec<HandDie>,
}

impl Resumption {
    /// Returns the resumption of a ruling with a line and without an answer.
    pub(in crate::game) fn of(waiting: Waiting, ruling: &Ruling<'_>) -> Resumption {
        Resumption {
            waiting,
            by: ruling.by().to_owned(),
            entered_by: ruling.giver.entered_by.map(str::to_owned),
            line: ruling.line.to_owned(),
            given: BTreeMap::new(),
            hand: Vec::new(),
        }
    }

    /// Returns the giver of the resumption.
    pub(in crate::game) fn giver(&self) -> Giver<'_> {
        Giver {
            seat: &self.by,
            entered_by: self.entered_by.as_deref(),
        }
    }
}
