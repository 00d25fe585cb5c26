//! This module runs an operation again as it ran then, and notes what happens.
//!
//! The state is the one before the operation, the dice are those that it used, found by their addresses; only the
//! rules are those of now, so it is done where they are those of then. Nothing of it stays.

use super::hand;
use super::input::Input;
use super::oracle::SharedOracle;
use super::session::{Order, Session};
use super::waiting;
use crate::diag::Diagnostic;
use crate::script::{Engine, Line, Outcome, Owner, Run, owner_of, slots_value};
use crate::store::{Change, Operation, What};
use crate::value::Value;

/// What an operation does when it runs again.
pub(super) struct Again {
    /// The rule that it ran.
    pub(super) rule: String,
    /// What happened.
    pub(super) lines: Vec<Line>,
    /// How it ended.
    pub(super) result: Result<(), Diagnostic>,
    /// What it changed.
    pub(super) changes: Vec<Change>,
    /// Whether it ended where it asks somebody.
    pub(super) waits: bool,
}

/// Why an operation is not run again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Never {
    /// The rules are others now.
    OtherRules,
    /// It ran no rule: undo, redo, commands of the host.
    NoRule,
}

/// A rule that is called: collection, id and arguments, or the set-up of the game.
enum Called {
    SetUp,
    Command(String, String, Value),
}

impl Session {
    /// Runs an operation again in the state before it. Errors: why that cannot be.
    pub(super) fn again(&mut self, operation: &Operation) -> Result<Again, Never> {
        match operation.what {
            What::Ruling | What::Refused { .. } => {}
            What::Undo { .. } | What::Redo { .. } => return Err(Never::NoRule),
        }
        if *operation.rules != *self.rules_hash {
            return Err(Never::OtherRules);
        }
        let mut before = self
            .history
            .state_before(operation.seq)
            .map_err(|_| Never::NoRule)?;
        self.engine.rules().equip(&mut before);
        let now = std::mem::replace(&mut self.state, before);
        let again = self.again_here(operation);
        self.state = now;
        self.rebuild_if_spent();
        again
    }

    fn again_here(&mut self, operation: &Operation) -> Result<Again, Never> {
        let inputs: Vec<Input> = operation
            .inputs
            .iter()
            .filter_map(Input::from_value)
            .collect();
        let slot = slot_of(self.history.operations(), operation, &inputs);
        let waited = waiting::in_slot(&self.state, slot);
        let stored = operation.causes.first().map(|cause| cause.get("rule"));
        let rule = waited.as_ref().map(|waited| waited.rule.as_str());
        let (by, line) = match &waited {
            Some(waited) => (waited.by.clone(), waited.command.clone()),
            None => (operation.by.to_string(), operation.command.to_string()),
        };
        let called = match rule.or(stored.and_then(Value::as_str)) {
            Some("setup") => Called::SetUp,
            _ => self.called(&line).ok_or(Never::NoRule)?,
        };
        let oracle = SharedOracle::recorded(&slot.to_string(), &inputs).waiting();
        let traced = self.traced((&by, &line), slot, &oracle, called);
        let before = waited.map_or(0, |waited| typed(&waited.transcript));
        Ok(self.taken_back_again(traced, typed(&inputs).saturating_sub(before), slot))
    }

    /// Runs a command in a ruling that is taken back, as if it were given now; its dice are others.
    ///
    /// Errors: the line is no command of the rules.
    pub(super) fn rehearsed(&mut self, by: &str, line: &str) -> Result<Again, Diagnostic> {
        self.read(line)?;
        let Some(called) = self.called(line) else {
            let message = format!("\"{line}\" is a command of the host");
            let hint = "why not explains what the rules refuse";
            return Err(Diagnostic::error("why/no-rule", message).hint(hint));
        };
        let slot = self.history.next_slot();
        let address = format!("preview/{slot}");
        let hand = hand::waiting(&self.state);
        let oracle = SharedOracle::seeded(&self.options.seed, &address, hand).waiting();
        let traced = self.traced((by, line), slot, &oracle, called);
        let again = self.taken_back_again(traced, 0, slot);
        self.rebuild_if_spent();
        Ok(again)
    }

    fn called(&self, line: &str) -> Option<Called> {
        let (phrase, _) = self.read(line).ok()?;
        let Owner::Definition { collection, id, .. } = owner_of(&phrase.template)? else {
            return None;
        };
        Some(Called::Command(collection, id, slots_value(&phrase)))
    }

    /// Runs a rule with tracing and leaves its writes pending.
    fn traced(
        &mut self,
        (by, line): (&str, &str),
        slot: u64,
        oracle: &SharedOracle,
        called: Called,
    ) -> Again {
        let rule = match &called {
            Called::SetUp => "setup".to_owned(),
            Called::Command(collection, id, _) => format!("{collection}/{id}"),
        };
        let query = match &called {
            Called::SetUp => false,
            Called::Command(collection, id, _) => self.is_query(collection, id),
        };
        let order = Order {
            by,
            line,
            rule: &rule,
            query,
        };
        let mut run = self.new_run(&order, oracle);
        let slot = i64::try_from(slot).unwrap_or(i64::MAX);
        run.cause = Value::map([
            ("ruling", Value::from(slot)),
            ("rule", rule.as_str().into()),
        ]);
        run.trace(&rule);
        let (mut run, result) = self.caught(|engine| call(engine, run, &called));
        let lines = run.take_trace();
        self.state = run.state;
        drop(self.engine.take_printed());
        let waits = matches!(result, Ok(Outcome::Waits));
        let result = match result {
            Ok(Outcome::Done | Outcome::Waits) => Ok(()),
            Ok(Outcome::Refused(finding)) | Err(finding) => Err(finding),
        };
        Again {
            rule,
            lines,
            result,
            changes: Vec::new(),
            waits,
        }
    }

    /// Notes what a run changed and takes it back; so many typed dice were used in it, and its slot waits no more.
    fn taken_back_again(&mut self, mut again: Again, typed: usize, slot: u64) -> Again {
        let start = self.state.start();
        let hand = hand::waiting(&self.state);
        if typed > 0 && again.result.is_ok() {
            // What cannot be kept shows as a difference, as it should.
            let _ = hand::keep(&mut self.state, hand.get(typed..).unwrap_or_default());
        }
        if again.result.is_ok() {
            let _ = waiting::remove(&mut self.state, slot);
            again.changes = self.state.changes_since(start);
        }
        self.state.rollback(start);
        again
    }
}

fn call(engine: &Engine, run: Run, called: &Called) -> (Run, Result<Outcome, Diagnostic>) {
    match called {
        Called::SetUp => engine.run_setup(run),
        Called::Command(collection, id, argument) => {
            engine.run(run, (collection, id, "run"), argument)
        }
    }
}

/// Returns how many dice people typed.
fn typed(inputs: &[Input]) -> usize {
    let typed = inputs.iter();
    typed
        .filter(|input| matches!(input, Input::Die(die) if die.typed))
        .count()
}

/// Returns the slot that the dice of an operation stand in: its own, or the one that a refused one would have had.
fn slot_of(operations: &[Operation], operation: &Operation, inputs: &[Input]) -> u64 {
    let drawn = inputs.first().and_then(|input| {
        let (slot, _) = input.address().split_once('/')?;
        slot.parse().ok()
    });
    let earlier = operations.iter().take_while(|one| one.seq < operation.seq);
    let next = || earlier.filter_map(|one| one.slot).max().unwrap_or(0) + 1;
    operation.slot.or(drawn).unwrap_or_else(next)
}

/// Returns whether two runs changed the same.
pub(super) fn is_same(again: &Again, operation: &Operation) -> bool {
    let code = again
        .result
        .as_ref()
        .err()
        .map(|finding| finding.code.to_string());
    let refused = match &operation.what {
        What::Refused { code } => Some(code.to_string()),
        What::Ruling | What::Undo { .. } | What::Redo { .. } => None,
    };
    again.waits || (code == refused && again.changes == operation.changes)
}
