//! Decides whether a moment ends a record.
//!
//! In: the ends of the record and the moment. Out: the ends of the list that occur at the moment. Uses, removed rows
//! and expressions have no moment; the code that counts, removes or tests handles them. The fields of an event are
//! tested here; a further condition of an event is a question.

use std::fmt;

use super::{Edge, EndCondition};
use crate::store::Test;
use crate::value::{Name, Text, Value, split_first_key, value_at_path};

/// Something that happens and may end records.
pub enum Moment<'a> {
    /// A phase ends.
    PhaseEnd {
        /// Its kind.
        phase: &'a str,
        /// Its number among the phases of its kind, as the clock counts them.
        number: u64,
        /// Number of phases of this kind that began.
        times: u64,
        /// Its number among all phases.
        serial: u64,
    },
    /// A turn begins or ends.
    Turn {
        /// The side of the turn.
        edge: Edge,
        /// The row that has the turn.
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
    /// A time of the game is reached.
    Time {
        /// Seconds since the game began.
        now: u64,
    },
    /// An event was emitted.
    Event {
        /// Its kind.
        kind: Name,
        /// Returns the value of one of its fields.
        field: &'a dyn Fn(&str) -> Value,
    },
}

impl Moment<'_> {
    /// Returns the ends that occur at this moment.
    pub fn conditions_met<'e>(
        &self,
        ends: &'e [EndCondition],
    ) -> impl Iterator<Item = &'e EndCondition> {
        ends.iter().filter(|end| self.meets_condition(end))
    }

    /// Numbers are compared by *not below*: an end that was missed occurs at the next moment.
    fn meets_condition(&self, end: &EndCondition) -> bool {
        match (self, end) {
            (Moment::PhaseEnd { serial: now, .. }, EndCondition::Phase { serial }) => now >= serial,
            (
                Moment::PhaseEnd { phase, times, .. },
                EndCondition::PhaseOf {
                    phase: wanted,
                    number: from,
                },
            ) => **phase == **wanted && times >= from,
            (
                Moment::Turn { edge, of, number },
                EndCondition::Turn {
                    edge: side,
                    of: row,
                    number: from,
                },
            ) => edge == side && of == row && number >= from,
            (Moment::RoundEnd { number, .. }, EndCondition::Rounds { number: from }) => {
                number >= from
            }
            (Moment::Time { now }, EndCondition::Time { seconds }) => now >= seconds,
            (
                Moment::Event { kind, field },
                EndCondition::Event {
                    kind: wanted,
                    filters,
                    ..
                },
            ) => kind == wanted && filters.iter().all(|filter| passes_filter(filter, field)),
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

/// Returns whether an event has the wanted value at a path of its fields.
fn passes_filter((path, wanted): &(Text, Value), field: &dyn Fn(&str) -> Value) -> bool {
    let (first, rest) = split_first_key(path);
    let held = field(first);
    let found = rest.map_or(&held, |rest| value_at_path(&held, rest));
    Test::from_value(wanted).passes(found)
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
