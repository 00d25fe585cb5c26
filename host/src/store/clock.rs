//! The clock of a game: phase, round, turn and time.
//!
//! The clock is the row `@clock`. Before its first move the game has no such row, and the clock is the one declared
//! by the ruleset. A move is a pure function from clock to clock; `write_to_state` writes the result.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::end_conditions::{Moment, count_value};
use super::{State, StoreError, Write, row_check};
use crate::value::{Name, Text, Value};

mod moves;
mod phases;
pub mod step;
#[cfg(test)]
mod tests;
mod time_text;

pub use phases::Phases;
pub use time_text::Times;

/// The values of the clock.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// The present phase; none in a game without phases.
    pub phase: Option<Text>,
    /// Its number among the phases of its kind, from 1 or from the first number of the ruleset.
    pub number: u64,
    /// Its number among all phases, from 1.
    pub serial: u64,
    /// The number of begun phases of each kind.
    pub counts: BTreeMap<Text, u64>,
    /// The present round, from 1; none outside of rounds.
    pub round: Option<u64>,
    /// The number of all ended rounds of the game.
    pub rounds_ended: u64,
    /// The rows that take turns, in order.
    pub order: Vec<Text>,
    /// The number of places of the order that had their turn in this round, including the present one.
    pub place: u64,
    /// The present turn.
    pub turn: Option<Turn>,
    /// Seconds since the game began.
    pub time: u64,
}

/// A turn that is being taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The row that has the turn.
    pub row: Text,
    /// Its number among the turns of that row, from 1.
    pub number: u64,
}

impl Clock {
    /// Returns the clock of a state.
    pub fn from_state(state: &State, phases: &Phases) -> Clock {
        let row = state.reserved().clock;
        let number =
            |field: &str| row_check::positive_count(state.cell_of(row, field)).unwrap_or(0);
        let text = |field: &str| match state.cell_of(row, field) {
            Value::Text(text) => Some(Text::clone(text)),
            _ => None,
        };
        if !state.exists(row) {
            return Clock::at_game_start(phases);
        }
        let counts = state.cell_of(row, "counts").as_map().into_iter().flatten();
        let counts = counts.filter_map(|(kind, value)| {
            Some((Text::clone(kind), row_check::positive_count(value)?))
        });
        let clock = Clock {
            phase: text("phase"),
            number: number("number"),
            serial: number("serial"),
            counts: counts.collect(),
            round: Some(number("round")).filter(|round| *round > 0),
            rounds_ended: number("rounds_ended"),
            order: texts_of_list(state.cell_of(row, "order")),
            place: number("place"),
            turn: text("turn").map(|row| Turn {
                row,
                number: number("turn_number"),
            }),
            time: number("time"),
        };
        // Phases may have been declared since.
        match clock.phase {
            Some(_) => clock,
            None => clock.with_first_phase(phases),
        }
    }

    /// Returns how many phases of a kind began.
    pub fn phases_begun(&self, phase: &str) -> u64 {
        self.counts.get(phase).copied().unwrap_or(0)
    }

    /// Writes the fields that differ from the clock of a state, and counts a turn that is new.
    ///
    /// Errors: the errors of the store, such as an order that does not fit into a field.
    pub fn write_to_state(&self, state: &mut State) -> Result<(), StoreError> {
        let names = Rc::clone(state.names());
        let (row, turns) = (state.reserved().clock, state.reserved().turns);
        state.ensure_host_row(row)?;
        for (field, value) in self.row_fields() {
            let field = names.intern(field);
            if *state.get(row, field) != value {
                state.apply(Write::Set { row, field, value })?;
            }
        }
        let taking = self.turn.as_ref();
        let taking = taking.map(|turn| (names.intern(&turn.row), count_value(turn.number)));
        if let Some((row, value)) = taking
            && state.exists(row)
        {
            let field = turns;
            state.apply(Write::Set { row, field, value })?;
        }
        Ok(())
    }

    /// Returns the moment in which the present phase ends.
    pub fn phase_end_moment(&self) -> Option<Moment<'_>> {
        let phase = self.phase.as_deref()?;
        Some(Moment::PhaseEnd {
            phase,
            number: self.number,
            times: self.phases_begun(phase),
            serial: self.serial,
        })
    }

    fn row_fields(&self) -> [(&'static str, Value); 11] {
        let text =
            |text: Option<&Text>| text.map_or(Value::Nil, |text| Value::Text(Text::clone(text)));
        let number = |number: u64| match number {
            0 => Value::Nil,
            some => count_value(some),
        };
        let turn = self.turn.as_ref();
        let order = self.order.iter().map(|row| text(Some(row)));
        let counts = self.counts.iter();
        let counts = counts.map(|(kind, times)| (Text::clone(kind), count_value(*times)));
        let present = |is_empty: bool, value: Value| if is_empty { Value::Nil } else { value };
        [
            ("phase", text(self.phase.as_ref())),
            (
                "number",
                present(self.phase.is_none(), count_value(self.number)),
            ),
            ("serial", number(self.serial)),
            (
                "counts",
                present(self.counts.is_empty(), Value::map(counts)),
            ),
            ("round", number(self.round.unwrap_or(0))),
            ("rounds_ended", number(self.rounds_ended)),
            ("order", present(self.order.is_empty(), Value::list(order))),
            ("place", number(self.place)),
            ("turn", text(turn.map(|turn| &turn.row))),
            ("turn_number", number(turn.map_or(0, |turn| turn.number))),
            ("time", count_value(self.time)),
        ]
    }
}

impl State {
    /// Returns how many turns a row began; `None` where it is not there.
    pub fn turns_begun(&self, row: Name) -> Option<u64> {
        let begun = self.get(row, self.reserved.turns);
        self.exists(row)
            .then(|| row_check::positive_count(begun).unwrap_or(0))
    }

    /// Returns how many turns a row began, by its id; `None` where it is not there.
    pub fn turns_begun_by_id(&self, row: &str) -> Option<u64> {
        self.turns_begun(self.names.find(row)?)
    }

    fn cell_of(&self, row: Name, field: &str) -> &Value {
        match self.names.find(field) {
            Some(field) => self.get(row, field),
            None => &Value::Nil,
        }
    }
}

fn texts_of_list(value: &Value) -> Vec<Text> {
    let texts = value.items().iter().filter_map(|item| match item {
        Value::Text(text) => Some(Text::clone(text)),
        _ => None,
    });
    texts.collect()
}
