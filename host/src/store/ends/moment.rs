//! This module decides whether a moment ends a record.
//!
//! In: the ends of the record and the moment. Out: the first end of the list that the moment brings, or none.
//! Uses, rows that go and expressions have no moment of their own: who counts, removes or tests knows.

use std::fmt;

use super::{Edge, End, How};
use crate::value::{Name, Value};

/// Something that happens and may end records.
pub enum Moment<'a> {
    /// A phase ends.
    PhaseEnd {
        /// Its kind.
        phase: &'a str,
        /// Its number among those of its kind, as the clock shows it.
        number: u64,
        /// How many of its kind began.
        times: u64,
        /// Its number among all phases.
        serial: u64,
    },
    /// A turn begins or ends.
    Turn {
        /// Which of the two.
        edge: Edge,
        /// Whose turn.
        of: Name,
        /// Its number among the turns of that row.
        number: u64,
    },
    /// A round ends.
    RoundEnd {
        /// Its number since rounds began.
        round: u64,
        /// Its number among all rounds of the game.
        number: u64,
    },
    /// Game time is reached.
    Time {
        /// Seconds since the game began.
        now: u64,
    },
    /// An event was told.
    Event {
        /// Its kind.
        kind: Name,
        /// Returns what one of its fields holds.
        field: &'a dyn Fn(&str) -> Value,
    },
}

impl Moment<'_> {
    /// Returns what it is for a record that it ends.
    pub(super) fn how(&self) -> How {
        match self {
            Moment::PhaseEnd { .. } => How::Phase,
            Moment::Turn { .. } => How::Turn,
            Moment::RoundEnd { .. } => How::Rounds,
            Moment::Time { .. } => How::Time,
            Moment::Event { .. } => How::Event,
        }
    }

    /// Returns the first end that this moment brings.
    pub fn ends<'e>(&self, ends: &'e [End]) -> Option<&'e End> {
        ends.iter().find(|end| self.brings(end))
    }

    /// Numbers are compared by *not below*: a moment that was missed is made up for at the next one.
    fn brings(&self, end: &End) -> bool {
        match (self, end) {
            (Moment::PhaseEnd { serial: now, .. }, End::Phase { serial }) => now >= serial,
            (
                Moment::PhaseEnd { phase, times, .. },
                End::PhaseOf {
                    phase: wanted,
                    number: from,
                },
            ) => **phase == **wanted && times >= from,
            (
                Moment::Turn { edge, of, number },
                End::Turn {
                    edge: side,
                    of: row,
                    number: from,
                },
            ) => edge == side && of == row && number >= from,
            (Moment::RoundEnd { number, .. }, End::Rounds { number: from }) => number >= from,
            (Moment::Time { now }, End::Time { seconds }) => now >= seconds,
            (
                Moment::Event { kind, field },
                End::Event {
                    kind: wanted,
                    fields,
                },
            ) => kind == wanted && fields.iter().all(|(name, value)| field(name) == *value),
            (
                Moment::PhaseEnd { .. }
                | Moment::Turn { .. }
                | Moment::RoundEnd { .. }
                | Moment::Time { .. }
                | Moment::Event { .. },
                _,
            ) => false,
        }
    }
}

impl fmt::Debug for Moment<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Moment::PhaseEnd { phase, number, .. } => write!(out, "PhaseEnd({phase} {number})"),
            Moment::Turn { edge, of, number } => write!(out, "Turn({edge:?} {of:?} {number})"),
            Moment::RoundEnd { round, number } => write!(out, "RoundEnd({round}, {number})"),
            Moment::Time { now } => write!(out, "Time({now})"),
            Moment::Event { kind, .. } => write!(out, "Event({kind:?})"),
        }
    }
}
