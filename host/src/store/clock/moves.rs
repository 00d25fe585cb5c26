//! The moves of the clock: each takes a clock and returns the next one, or the reason why it cannot move.

use std::collections::BTreeSet;

use super::{Clock, Phases, Turn};
use crate::diag::Diagnostic;
use crate::store::limits;
use crate::value::{Text, Value};

type Moved = Result<Clock, Box<Diagnostic>>;

impl Clock {
    /// Returns the clock at the start of a game.
    pub fn at_game_start(phases: &Phases) -> Clock {
        Clock::default().with_first_phase(phases)
    }

    pub(super) fn with_first_phase(self, phases: &Phases) -> Clock {
        match phases.first_phase() {
            Some(first) => self.begin_phase(phases, first),
            None => self,
        }
    }

    /// Moves to the phase that follows, or to a named one.
    ///
    /// Errors: `clock/no-phases`, `clock/unknown-phase`.
    pub fn next_phase(&self, phases: &Phases, name: Option<&str>) -> Moved {
        let present = self.phase.as_deref().unwrap_or_default();
        let Some(following) = phases.phase_after(present) else {
            return clock_refusal("clock/no-phases", "this game has no phases");
        };
        let next = match name {
            Some(name) => phases.find_phase(name, [])?,
            None => Text::clone(following),
        };
        Ok(self.clone().begin_phase(phases, &next))
    }

    fn begin_phase(mut self, phases: &Phases, phase: &Text) -> Clock {
        let times = self.counts.entry(Text::clone(phase)).or_default();
        *times += 1;
        self.number = phases.number_of_phase(phase, *times);
        self.serial += 1;
        self.phase = Some(Text::clone(phase));
        self
    }

    /// Begins the first round; no row has a turn yet.
    ///
    /// Errors: `clock/rounds` while rounds run, `clock/order` for an order without rows or with one twice.
    pub fn begin_rounds(&self, order: Vec<Text>) -> Moved {
        if self.round.is_some() {
            return clock_refusal("clock/rounds", "rounds are running already");
        }
        check_order(&order)?;
        Ok(Clock {
            round: Some(1),
            order,
            place: 0,
            turn: None,
            ..self.clone()
        })
    }

    /// Changes the order of turns while rounds run; the present turn stays with its row.
    ///
    /// Shape: if the present row is not in the new order, the row at its place is next.
    /// Errors: `clock/no-rounds`, `clock/order`.
    pub fn with_order(&self, order: Vec<Text>) -> Moved {
        self.check_rounds_running()?;
        check_order(&order)?;
        let last = usize::try_from(self.place).unwrap_or(usize::MAX);
        let last = last.checked_sub(1).and_then(|at| self.order.get(at));
        let at = last.and_then(|last| order.iter().position(|row| row == last));
        let place = match (at, last) {
            (Some(at), _) => at as u64 + 1,
            (None, Some(_)) => self.place - 1,
            (None, None) => self.place,
        };
        Ok(Clock {
            place: place.min(order.len() as u64),
            order,
            ..self.clone()
        })
    }

    /// Ends the present turn; the position in the order stays.
    pub fn without_turn(&self) -> Clock {
        Clock {
            turn: None,
            ..self.clone()
        }
    }

    /// Returns the next turn of this round; `None` after every existing row had one.
    ///
    /// `turns` returns the number of turns that a row began, nothing for a removed row.
    pub fn next_turn(&self, turns: impl Fn(&str) -> Option<u64>) -> Option<Clock> {
        let from = usize::try_from(self.place).unwrap_or(usize::MAX);
        let coming = self.order.iter().enumerate().skip(from);
        let mut coming = coming.filter_map(|(at, row)| Some((at, row, turns(row)?)));
        let (at, row, begun) = coming.next()?;
        Some(Clock {
            place: at as u64 + 1,
            turn: Some(Turn {
                row: Text::clone(row),
                number: begun + 1,
            }),
            ..self.clone()
        })
    }

    /// Checks that at least one row can have a turn. Errors: `clock/no-rounds`, `clock/nobody`.
    pub fn check_any_turn_possible(
        &self,
        turns: impl Fn(&str) -> Option<u64>,
    ) -> Result<(), Box<Diagnostic>> {
        self.check_rounds_running()?;
        if self.order.iter().any(|row| turns(row).is_some()) {
            return Ok(());
        }
        Err(Box::new(
            Diagnostic::error("clock/nobody", "all rows of the turn order are gone")
                .hint("end the rounds, or give a new order"),
        ))
    }

    /// Counts the present round as ended and begins the next one.
    pub fn next_round(&self) -> Clock {
        Clock {
            round: self.round.map(|round| round + 1),
            rounds_ended: self.rounds_ended + 1,
            place: 0,
            turn: None,
            ..self.clone()
        }
    }

    /// Counts the present round as ended and ends the rounds.
    pub fn without_rounds(&self) -> Clock {
        Clock {
            round: None,
            rounds_ended: self.rounds_ended + 1,
            order: Vec::new(),
            place: 0,
            turn: None,
            ..self.clone()
        }
    }

    /// Checks that rounds run. Errors: `clock/no-rounds`.
    pub fn check_rounds_running(&self) -> Result<(), Box<Diagnostic>> {
        if self.round.is_some() {
            return Ok(());
        }
        Err(Box::new(Diagnostic::error(
            "clock/no-rounds",
            "no rounds are running",
        )))
    }

    /// Returns the second that is so many seconds after the present time.
    ///
    /// Errors: `clock/time` for all values but a whole number of seconds from 0 up; time never goes back.
    pub fn second_after(&self, seconds: &Value) -> Result<u64, Box<Diagnostic>> {
        let Some(passing) = seconds.as_i64() else {
            return clock_refusal("clock/time", "time passes in whole seconds");
        };
        let Ok(passing) = u64::try_from(passing) else {
            let message = format!("time never goes back: {passing} seconds cannot pass");
            return clock_refusal("clock/time", &message);
        };
        let then = self.time.saturating_add(passing);
        if then > limits::RECORD_NUMBER.cast_unsigned() {
            return clock_refusal("clock/time", "the time of the game would be too large");
        }
        Ok(then)
    }

    /// Moves to a second. Errors: `clock/time` for a past second.
    pub fn moved_to_second(&self, time: u64) -> Moved {
        if time < self.time {
            return clock_refusal("clock/time", "time never goes back");
        }
        Ok(Clock {
            time,
            ..self.clone()
        })
    }
}

fn check_order(order: &[Text]) -> Result<(), Box<Diagnostic>> {
    if order.is_empty() {
        return clock_refusal("clock/order", "an order of turns needs at least one row");
    }
    let mut seen = BTreeSet::new();
    match order.iter().find(|row| !seen.insert(&***row)) {
        Some(twice) => clock_refusal(
            "clock/order",
            &format!("the order of turns names \"{twice}\" twice"),
        ),
        None => Ok(()),
    }
}

fn clock_refusal<T>(code: &'static str, message: &str) -> Result<T, Box<Diagnostic>> {
    Err(Box::new(Diagnostic::error(code, message)))
}
