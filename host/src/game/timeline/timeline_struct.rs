//! The central value of a game: one line of it, which can be read, played on, forked and dropped.

use std::rc::Rc;
use std::sync::Arc;

use crate::game::rules::generation::Generation;
use crate::game::timeline::dice::Dice;
use crate::game::timeline::prefixes::Prefixes;
use crate::game::timeline::settings::Settings;
use crate::script::Rules;
use crate::store::{History, HistoryError, Next, State, StoreError};
use crate::words::Words;

/// One line of the game: a state, the history that led to it, and the rules under which it is played.
///
/// The state always has the stats, times and watched fields of the rules, and shares its names with their machine.
pub struct Timeline {
    pub(in crate::game) state: State,
    pub(in crate::game) history: History,
    rules: Rc<Generation>,
    pub(in crate::game) dice: Dice,
    pub(in crate::game) prefixes: Prefixes,
    pub(in crate::game) game: Rc<Settings>,
}

impl Timeline {
    /// Returns a line without a past.
    pub(in crate::game) fn without_past(
        game: Rc<Settings>,
        rules: Rc<Generation>,
        dice: Dice,
    ) -> Timeline {
        let mut state = State::new(Rc::clone(rules.names()));
        rules.add_declarations_to_state(&mut state);
        Timeline {
            history: History::new(&state),
            state,
            rules,
            dice,
            prefixes: Prefixes::default(),
            game,
        }
    }

    /// Returns the line that continues from the canonical bytes of a state, with the numbers of its next ruling.
    ///
    /// Errors: the bytes are not a state.
    pub(in crate::game) fn continued_from_bytes(
        &self,
        bytes: &[u8],
        next: Next,
    ) -> Result<Timeline, StoreError> {
        let state = State::from_bytes(bytes, Rc::clone(self.state.names()))?;
        Ok(self.beginning_with_state(state, next))
    }

    /// Returns the line of a stored state and the stored history that led to it.
    pub(in crate::game) fn of_stored_game(
        game: Rc<Settings>,
        rules: Rc<Generation>,
        dice: Dice,
        (mut state, history): (State, History),
    ) -> Timeline {
        rules.add_declarations_to_state(&mut state);
        Timeline {
            state,
            history,
            rules,
            dice,
            prefixes: Prefixes::default(),
            game,
        }
    }

    /// Returns a line that begins like this one and has its own dice, at addresses with its name.
    pub(in crate::game) fn fork(&self, name: &str) -> Timeline {
        Timeline {
            prefixes: self
                .prefixes
                .with_fork(self.history.next_ruling_number(), name),
            ..self.copy()
        }
    }

    /// Returns a copy of the line.
    pub(in crate::game) fn copy(&self) -> Timeline {
        Timeline {
            state: self.state.fork(),
            history: self.history.fork(),
            rules: Rc::clone(&self.rules),
            dice: self.dice.clone(),
            prefixes: self.prefixes.clone(),
            game: Rc::clone(&self.game),
        }
    }

    /// Returns a copy with a history that begins here; the caller drops the copy after use.
    pub fn scratch_copy(&self) -> Timeline {
        self.beginning_with_state(self.state.fork(), self.history.next_numbers())
    }

    /// Returns a line with another state of the same game, whose history begins there.
    pub(in crate::game) fn beginning_with_state(&self, mut state: State, next: Next) -> Timeline {
        self.rules.add_declarations_to_state(&mut state);
        Timeline {
            history: History::from_mid_game(&state, next),
            state,
            rules: Rc::clone(&self.rules),
            dice: self.dice.clone(),
            prefixes: self.prefixes.clone(),
            game: Rc::clone(&self.game),
        }
    }

    /// Returns the line as it was after an operation. Errors: there is no such operation.
    pub(in crate::game) fn at_operation(&self, seq: u64) -> Result<Timeline, HistoryError> {
        let (history, mut state) = self.history.copy_until_operation(seq)?;
        self.rules.add_declarations_to_state(&mut state);
        Ok(Timeline {
            history,
            ..self.beginning_with_state(state, Next::first())
        })
    }

    /// Returns the line under other rules.
    #[must_use]
    pub(in crate::game) fn with_rules(mut self, rules: &Rc<Generation>) -> Timeline {
        self.play_under_rules(rules);
        self
    }

    /// Plays under other rules from now on.
    pub(in crate::game) fn play_under_rules(&mut self, rules: &Rc<Generation>) {
        if Rc::ptr_eq(&self.rules, rules) {
            return;
        }
        debug_assert!(
            Rc::ptr_eq(rules.names(), self.state.names()),
            "a line and its rules share their names"
        );
        self.rules = Rc::clone(rules);
        self.rules.add_declarations_to_state(&mut self.state);
    }

    /// Sets the state to the state of the history, after any damage to the state.
    pub(in crate::game) fn restore_state_from_history(&mut self) {
        let now = self.history.operations().len() as u64 + 1;
        if let Ok(mut state) = self.history.state_before(now) {
            self.rules.add_declarations_to_state(&mut state);
            self.state = state;
        }
    }

    /// Returns the number by which people name a ruling: the game master's log line at which the ruling began. If that
    /// line is not known, returns the ruling number itself.
    pub(in crate::game) fn log_line_of_ruling(&self, ruling_number: u64) -> u64 {
        self.history
            .log_line_of_ruling(ruling_number)
            .unwrap_or(ruling_number)
    }

    /// Returns the state.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Counts the operations.
    pub(in crate::game) fn operation_count(&self) -> u64 {
        self.history.operations().len() as u64
    }

    /// Returns the history.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// Returns the rules under which it is played.
    pub fn rules(&self) -> Rc<Rules> {
        self.rules.rules()
    }

    /// Returns the words of the host in the language of these rules.
    pub fn words(&self) -> Arc<Words> {
        Arc::clone(&self.rules().words)
    }

    /// Returns the generation of these rules.
    pub(in crate::game) fn generation(&self) -> &Rc<Generation> {
        &self.rules
    }
}
