//! This module runs an operation again as it ran then, and notes what happens.
//!
//! The state is the one before the operation, the history one that begins there, and the inputs are those that it used,
//! found by their addresses: neither seed nor people nor policies are asked. Only the rules are those of now, so it is
//! done where they are those of then. Nothing of it stays.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use super::does::Does;
use super::input::{Input, place};
use super::laws::{CAUSES, differing, in_words};
use super::oracle::{HandDie, REVEALED, SharedOracle};
use super::reply::Reply;
use super::resume::{Resume, typed};
use super::session::{Order, Session};
use super::steps::Extent;
use super::{hand, waiting};
use crate::diag::Diagnostic;
use crate::script::{BROKEN, Line, Owner, PLANS, PROMPT, Run, owner_of};
use crate::store::{History, Operation, State, What};
use crate::value::Value;

/// What an operation does when it runs again.
pub(super) struct Again {
    /// The rule that it ran.
    pub(super) rule: String,
    /// What happened, if it was traced.
    pub(super) lines: Vec<Line>,
    /// How many lines more there would be.
    pub(super) left_out: usize,
    /// How it ended.
    pub(super) result: Result<(), Diagnostic>,
    /// What it became this time.
    pub(super) operation: Option<Operation>,
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

/// What came of running an operation again from its recorded inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verified {
    /// It did the same.
    Same,
    /// It did something else: what, in words.
    Differs(String),
    /// It ran no rule, or the rules are others now.
    NotRun,
}

/// What came of something that was done in another state.
pub(super) struct Elsewhere {
    /// What was answered.
    pub(super) reply: Reply,
    /// The operations that it became there.
    pub(super) operations: Vec<Operation>,
    /// The state afterwards.
    pub(super) after: State,
    replay: Option<Replay>,
}

/// A ruling that runs with inputs of its own, beside the game.
pub(super) struct Replay {
    oracle: SharedOracle,
    is_traced: bool,
    /// The rule that ran.
    rule: Option<String>,
    lines: Vec<Line>,
    left_out: usize,
}

impl Replay {
    pub(super) fn new(oracle: SharedOracle, is_traced: bool) -> Replay {
        Replay {
            oracle,
            is_traced,
            rule: None,
            lines: Vec::new(),
            left_out: 0,
        }
    }

    /// Returns where the ruling gets its inputs.
    pub(super) fn oracle(&self) -> SharedOracle {
        self.oracle.clone()
    }

    /// Notes that a run begins.
    pub(super) fn begin(&mut self, order: &Order<'_>, run: &mut Run) {
        self.rule = Some(order.rule.to_owned());
        if self.is_traced {
            run.trace(order.rule);
        }
    }

    /// Notes that the run ended.
    pub(super) fn end(&mut self, run: &mut Run) {
        (self.lines, self.left_out) = run.take_trace();
    }
}

impl Session {
    /// Runs an operation again with tracing. Errors: why that cannot be.
    pub(super) fn again(&mut self, operation: &Operation) -> Result<Again, Never> {
        self.replayed(operation, true)
    }

    /// Runs an operation again from its recorded inputs and compares all that it did.
    pub fn verified(&mut self, number: u64) -> Verified {
        let Some(operation) = self.history.operation(number).cloned() else {
            return Verified::NotRun;
        };
        match self.replayed(&operation, false) {
            Ok(again) => difference(&again, &operation).map_or(Verified::Same, Verified::Differs),
            Err(Never::OtherRules | Never::NoRule) => Verified::NotRun,
        }
    }

    /// Runs a command in a ruling that is taken back, as if it were given now; its dice are others.
    ///
    /// Errors: the line is no command of the rules.
    pub(super) fn rehearsed(&mut self, by: &str, line: &str) -> Result<Again, Diagnostic> {
        let (phrase, _) = self.read(by, line)?;
        if !matches!(owner_of(&phrase.template), Some(Owner::Definition { .. })) {
            let message = format!("\"{line}\" is a command of the host");
            let hint = "why not explains what the rules refuse";
            return Err(Diagnostic::error("why/no-rule", message).hint(hint));
        }
        let slot = self.history.next_slot();
        let hand = hand::waiting(&self.state);
        let oracle = SharedOracle::seeded(&self.options.seed, &format!("preview/{slot}"), hand);
        let replay = Replay::new(oracle.waiting(), true);
        let state = self.state.fork();
        let again = self.beside((state, slot), replay, |session| session.taken(by, line));
        again.map_err(|reply| {
            let nothing = || Diagnostic::error("why/no-rule", "no rule ran");
            reply.refusal.unwrap_or_else(nothing)
        })
    }

    fn replayed(&mut self, operation: &Operation, is_traced: bool) -> Result<Again, Never> {
        if rule_of(operation).is_none() {
            return Err(Never::NoRule);
        }
        if *operation.rules != *self.rules_hash {
            return Err(Never::OtherRules);
        }
        let before = self.history.state_before(operation.seq);
        let before = before.map_err(|_| Never::NoRule)?;
        let next_slot = self.history.next_slot_before(operation.seq);
        self.replayed_from((before, next_slot), operation, is_traced)
    }

    /// Runs an operation of these rules again from the state before it; `next_slot` is the next ruling's there.
    pub(super) fn replayed_from(
        &mut self,
        (before, next_slot): (State, u64),
        operation: &Operation,
        is_traced: bool,
    ) -> Result<Again, Never> {
        let rule = rule_of(operation).ok_or(Never::NoRule)?.to_owned();
        let inputs = operation.inputs.iter().filter_map(Input::from_value);
        let inputs: Vec<Input> = inputs.collect();
        let said = slot_of(operation, &inputs);
        let waited = said.and_then(|slot| waiting::in_slot(&before, slot));
        let slot = waited.as_ref().map_or(next_slot, |waited| waited.slot);
        let earlier = waited.as_ref().map(|waited| typed(&waited.transcript));
        let mut hand = earlier.unwrap_or_default();
        hand.extend(hand::waiting(&before));
        let hand: Vec<HandDie> = hand.into_iter().skip(typed(&inputs).len()).collect();
        let place = self.recorded_slot_text(slot, operation);
        let oracle = SharedOracle::recorded(&place, &inputs).with_hand(hand);
        let replay = Replay::new(oracle.waiting(), is_traced);
        // The operation of a ruling that waited stands in a slot that was given out.
        let next_slot = next_slot.max(slot + u64::from(waited.is_some()));
        let is_attended = std::mem::replace(&mut self.is_attended, was_attended(operation));
        let typed_by = operation.through.as_deref().map(str::to_owned);
        let through = std::mem::replace(&mut self.through, typed_by);
        let again = self.beside((before, next_slot), replay, |session| match waited {
            Some(waited) => session.gone_on(waited, operation),
            None => session.given_again(&rule, operation),
        });
        (self.is_attended, self.through) = (is_attended, through);
        again.map_err(|_| Never::NoRule)
    }

    /// Does again what a command of the host did without any rule, behind the history of now, and returns what it
    /// became; nothing of it stays.
    ///
    /// Some of these commands name lines of a log: what was done before is asked as it was then.
    pub(super) fn host_again(&mut self, operation: &Operation) -> Option<Operation> {
        let given = (&*operation.by, &*operation.command);
        let given_up = given_up(&self.state, operation);
        let is_again = |does: Does| does.is_without_rule();
        if given_up.is_none() && !self.does(given).is_some_and(is_again) {
            return None;
        }
        let before = self.history.operations().len();
        let typed_by = operation.through.as_deref().map(str::to_owned);
        let through = std::mem::replace(&mut self.through, typed_by);
        match given_up {
            Some(slot) => self.give_up(slot, given),
            None => self.taken(given.0, given.1),
        };
        self.through = through;
        let found = self.history.operations().get(before).cloned();
        while self.history.operations().len() > before {
            let withdrawn = self.history.withdraw(&mut self.state);
            withdrawn.expect("invariant: the last operation leads to the state of now");
        }
        found
    }

    /// Returns what the addresses of a slot began with: a game that is a fork kept the names in those of then.
    pub(super) fn recorded_slot_text(&self, slot: u64, operation: &Operation) -> String {
        let asked = operation.changes.iter().filter(|change| {
            waiting::slot_of_row(&self.state.names().text(change.row)) == Some(slot)
        });
        let asked = asked.filter_map(|change| address_in(&change.new));
        let used = operation.inputs.iter().filter_map(address_in);
        let said = used.chain(asked).filter_map(place);
        let mut said = said.filter(|(_, place)| *place == slot);
        let said = said.next().map(|(text, _)| text.to_owned());
        said.unwrap_or_else(|| self.slot_text(slot))
    }

    /// Lets a ruling that waited go on as it did then.
    pub(super) fn gone_on(
        &mut self,
        mut waiting: waiting::Waiting,
        operation: &Operation,
    ) -> Reply {
        // From the line that says so on it keeps the rules that it began with.
        let is_finished = self.did(&operation.command) == Some(Does::Finishes);
        waiting.is_pinned |= is_finished;
        waiting.is_pinned &= *waiting.rules == *operation.rules;
        self.resumed(Resume {
            waiting,
            by: operation.by.to_string(),
            line: operation.command.to_string(),
            given: std::collections::BTreeMap::new(),
            hand: Vec::new(),
            is_used: false,
        })
    }

    /// Returns how far a line of the past moved the game.
    fn moved(&self, line: &str) -> Extent {
        match self.did(line) {
            Some(Does::Moves(extent)) => extent,
            Some(_) | None => Extent::Rest,
        }
    }

    /// Runs the rule of an operation, as its line did.
    pub(super) fn given_again(&mut self, rule: &str, operation: &Operation) -> Reply {
        let given = (&*operation.by, &*operation.command);
        let plan = rule
            .strip_prefix(PLANS)
            .is_some_and(|id| id.starts_with('/'));
        let prompt = rule.strip_prefix(PROMPT).filter(|id| id.starts_with('#'));
        match rule {
            "setup" => self.set_up(),
            _ if prompt.is_some() => self.prompted_again(rule, given),
            _ if plan || rule == "clock" => self.move_on(self.moved(given.1), given),
            _ => self.taken(given.0, given.1),
        }
    }

    /// Does something in another state, with a history that begins there. Errors: the reply, if no ruling ran.
    fn beside(
        &mut self,
        place: (State, u64),
        replay: Replay,
        body: impl FnOnce(&mut Session) -> Reply,
    ) -> Result<Again, Box<Reply>> {
        let Elsewhere {
            reply,
            operations,
            replay,
            ..
        } = self.elsewhere(place, replay, body);
        let Some((rule, replay)) = replay.and_then(|mut one| Some((one.rule.take()?, one))) else {
            return Err(Box::new(reply));
        };
        Ok(Again {
            rule,
            lines: replay.lines,
            left_out: replay.left_out,
            result: reply.refusal.map_or(Ok(()), Err),
            operation: operations.last().cloned(),
            waits: reply.waits.is_some(),
        })
    }

    /// Does something in another state, with a history that begins there.
    pub(super) fn elsewhere(
        &mut self,
        (mut state, slot): (State, u64),
        replay: Replay,
        body: impl FnOnce(&mut Session) -> Reply,
    ) -> Elsewhere {
        self.engine.rules().equip(&mut state);
        let history = std::mem::replace(&mut self.history, History::going_on(&state, slot));
        let state = std::mem::replace(&mut self.state, state);
        let given = std::mem::take(&mut self.given);
        self.replay = Some(replay);
        let ended = catch_unwind(AssertUnwindSafe(|| body(self)));
        let replay = self.replay.take();
        let ran = std::mem::replace(&mut self.history, history);
        let after = std::mem::replace(&mut self.state, state);
        self.given = given;
        let reply = ended.unwrap_or_else(|panic| resume_unwind(panic));
        Elsewhere {
            reply,
            operations: ran.operations().to_vec(),
            after,
            replay,
        }
    }
}

/// Returns whether somebody was there to say what becomes of a command in which a rule breaks: where nobody was, it was
/// refused without an answer.
fn was_attended(operation: &Operation) -> bool {
    was_broken(operation) || operation.what == What::Ruling
}

/// Returns whether somebody said what becomes of a rule that broke in an operation.
pub(super) fn was_broken(operation: &Operation) -> bool {
    let is_asked = |address: &str| address.split('/').nth(1).is_some_and(is_broken);
    let mut inputs = operation.inputs.iter();
    inputs.any(|input| input.get("address").as_str().is_some_and(is_asked))
}

/// Returns whether the key of an address is that of the question about a rule that breaks.
fn is_broken(key: &str) -> bool {
    key.starts_with(&super::seed::encoded(BROKEN))
}

/// Returns the first address of an input or a question that plain data holds.
fn address_in(value: &Value) -> Option<&str> {
    let address = value.get("address").as_str();
    address.or_else(|| value.items().iter().find_map(address_in))
}

/// Returns the rule that an operation ran, if it ran one.
pub(super) fn rule_of(operation: &Operation) -> Option<&str> {
    match operation.what {
        What::Ruling | What::Refused { .. } => operation.causes.first()?.get("rule").as_str(),
        What::Undo { .. } | What::Redo { .. } | What::Revert { .. } | What::Replace { .. } => None,
    }
}

/// Returns the slot of the ruling that an operation gave up, if that is what it did.
fn given_up(before: &State, operation: &Operation) -> Option<u64> {
    let kind = before.reserved().kind;
    let mut ended = operation.changes.iter();
    let mut ended = ended
        .by_ref()
        .filter(|one| one.field == kind && one.new.is_nil());
    ended.find_map(|one| waiting::slot_of_row(&before.names().text(one.row)))
}

/// Returns the slot that an operation says: its own, or that of the inputs of a refused one.
fn slot_of(operation: &Operation, inputs: &[Input]) -> Option<u64> {
    let drawn = inputs.first().and_then(Input::place);
    operation.slot.or(drawn.map(|(_, slot)| slot))
}

/// Returns what an operation did that it does not do again, in words.
pub(super) fn difference(again: &Again, operation: &Operation) -> Option<String> {
    if is_fact(operation) {
        return None;
    }
    let Some(now) = &again.operation else {
        return Some("whether it rules at all".to_owned());
    };
    let mut parts = differing(now, operation);
    // Where a run is traced, each handler is a cause: their numbers are others.
    parts.retain(|(name, _)| *name != CAUSES || again.lines.is_empty());
    parts.push(("the changes", now.changes != operation.changes));
    in_words(&parts)
}

/// The codes of refusals that the inputs do not lead to: a way that it did not go on, a clock, a person, the memory of
/// that machine, a bug, a seed that was known.
const FACTS: [&str; 6] = [
    "ask/stale",
    "limit/time",
    "limit/interrupted",
    "limit/memory",
    "host/bug",
    REVEALED,
];

/// Returns whether an operation says what came from outside: a text that is no answer, a way that it did not go on, a
/// clock. Its inputs do not tell of it.
pub(super) fn is_fact(operation: &Operation) -> bool {
    match &operation.what {
        What::Refused { code, .. } => code.starts_with("answer/") || FACTS.contains(&&**code),
        What::Ruling
        | What::Undo { .. }
        | What::Redo { .. }
        | What::Revert { .. }
        | What::Replace { .. } => false,
    }
}
