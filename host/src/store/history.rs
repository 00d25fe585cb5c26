//! This module is the history of a game: what was ruled, taken back and refused, one entry after the other.
//!
//! Undo, redo and corrections are entries themselves; nothing is rewritten. A ruling is *live* while it is not taken
//! back by undo; it *stands* while no correction leaves it out.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::{Change, Draft, HistoryError, Mark, Operation, State, StateHash, What};
use crate::value::Text;

mod changed;
mod standing;

pub use changed::Changed;

/// A fork of the state is kept each time so many operations were added.
const FORK_EVERY: usize = 200;

/// All operations of a game, with the states needed to go back to any of them.
#[derive(Debug)]
pub struct History {
    /// Shared with whoever looks back at them while the game goes on.
    operations: Rc<Vec<Operation>>,
    /// The rulings and corrections that hold, in order.
    live: Vec<Live>,
    /// The ones taken back since the last new one, the next to redo last.
    undone: Vec<Live>,
    /// The slot of the first ruling.
    first_slot: u64,
    /// States on the way, by how many operations lead to them: none, 200, 400 and so on, and where it was restored.
    forks: BTreeMap<usize, State>,
}

/// A ruling or correction that holds.
#[derive(Clone, Copy, Debug)]
struct Live {
    /// Its number.
    seq: u64,
    /// The highest slot of the rulings up to it.
    top: u64,
}

impl History {
    /// Returns a history without operations that begins with a state.
    pub fn new(first: &State) -> History {
        History::going_on(first, 1)
    }

    /// Returns a history without operations that begins in the middle of a game; `first_slot` is the next ruling's.
    pub fn going_on(first: &State, first_slot: u64) -> History {
        History {
            operations: Rc::default(),
            live: Vec::new(),
            undone: Vec::new(),
            first_slot,
            forks: BTreeMap::from([(0, first.fork())]),
        }
    }

    /// Returns the history of operations that were recorded elsewhere, with the state that they lead to; nothing is
    /// applied, so that going back before it takes the way from the first state.
    ///
    /// Errors: `OutOfOrder`, and `OtherState` if the last operation does not say that it leads to this state.
    pub fn restored(
        first: &State,
        operations: Vec<Operation>,
        last: &State,
    ) -> Result<History, HistoryError> {
        let mut history = History::new(first);
        for operation in operations {
            if !history.continues(&operation) {
                return Err(HistoryError::OutOfOrder(operation.seq));
            }
            history.turn_rulings(&operation);
            history.add(operation);
        }
        history.check_settled(last)?;
        history.forks.insert(history.operations.len(), last.fork());
        Ok(history)
    }

    /// Returns a history of its own that begins as this one.
    pub fn fork(&self) -> History {
        let forks = self.forks.iter().map(|(at, state)| (*at, state.fork()));
        History {
            operations: Rc::clone(&self.operations),
            live: self.live.clone(),
            undone: self.undone.clone(),
            first_slot: self.first_slot,
            forks: forks.collect(),
        }
    }

    /// Returns the history as it was after an operation, with the state of then.
    ///
    /// Errors: `UnknownOperation`.
    pub fn until(&self, seq: u64) -> Result<(History, State), HistoryError> {
        let count = usize::try_from(seq).ok();
        let count = count.filter(|count| (1..=self.operations.len()).contains(count));
        let count = count.ok_or(HistoryError::UnknownOperation(seq))?;
        let state = self.state_before(seq + 1)?;
        let kept = self.forks.range(..=count);
        let forks = kept.map(|(at, state)| (*at, state.fork()));
        let mut history = History {
            operations: Rc::new(Vec::with_capacity(count)),
            live: Vec::new(),
            undone: Vec::new(),
            first_slot: self.first_slot,
            forks: forks.collect(),
        };
        for operation in &self.operations[..count] {
            history.turn_rulings(operation);
            history.add(operation.clone());
        }
        Ok((history, state))
    }

    /// Returns all operations, oldest first.
    pub fn operations(&self) -> &[Operation] {
        &self.operations
    }

    /// Returns one operation by its number.
    pub fn operation(&self, seq: u64) -> Option<&Operation> {
        let at = usize::try_from(seq).ok()?.checked_sub(1)?;
        self.operations.get(at)
    }

    /// Returns the rulings and corrections that hold, oldest first: what undo takes back, one by one.
    pub fn live(&self) -> impl DoubleEndedIterator<Item = &Operation> {
        self.live.iter().filter_map(|live| self.operation(live.seq))
    }

    /// Returns the slot of the next ruling: its number among those that hold, where the operations of one ruling
    /// count once. Undo gives it back.
    pub fn next_slot(&self) -> u64 {
        self.live
            .last()
            .map_or(self.first_slot, |live| live.top + 1)
    }

    /// Returns the slot that the next ruling had before an operation.
    pub fn next_slot_before(&self, seq: u64) -> u64 {
        let (mut live, mut undone): (Vec<u64>, Vec<u64>) = (Vec::new(), Vec::new());
        let next = |live: &[u64]| live.last().map_or(self.first_slot, |top| top + 1);
        let earlier = self.operations.iter();
        for operation in earlier.take_while(|operation| operation.seq < seq) {
            match operation.what {
                What::Ruling => {
                    let slot = operation.slot.unwrap_or_default();
                    live.push(slot.max(next(&live) - 1));
                    undone.clear();
                }
                What::Revert { .. } | What::Replace { .. } => {
                    live.push(next(&live) - 1);
                    undone.clear();
                }
                What::Undo { .. } => undone.extend(live.pop()),
                What::Redo { .. } => live.extend(undone.pop()),
                What::Refused { .. } => {}
            }
        }
        next(&live)
    }

    /// Settles the writes of a ruling and records it; what was taken back before is gone for good.
    ///
    /// Shape: the slot of the draft, if it has one, was given out: to the ruling that this operation goes on with.
    pub fn record(&mut self, state: &mut State, mark: Mark, draft: Draft) -> &Operation {
        assert!(
            draft.slot.is_none_or(|slot| slot < self.next_slot()),
            "invariant: a ruling goes on in a slot that was given out"
        );
        let changes = state.commit(mark);
        let operation = self.operation_from(state, draft, What::Ruling, changes);
        self.push(state, operation)
    }

    /// Applies the net difference of a correction of the past and records it; `hash` is where it must lead.
    ///
    /// Errors: `OtherState`, `OutOfOrder` if it corrects nothing that holds, `HashDiffers`, `Store`.
    pub fn correct(
        &mut self,
        state: &mut State,
        (draft, what): (Draft, What),
        (changes, hash): (Vec<Change>, StateHash),
    ) -> Result<&Operation, HistoryError> {
        self.check_settled(state)?;
        if !what.corrects().is_some_and(|of| self.is_live(of)) {
            return Err(HistoryError::OutOfOrder(self.next_seq()));
        }
        settle(state, self.next_seq(), &changes, hash)?;
        let operation = self.operation_from(state, draft, what, changes);
        Ok(self.push(state, operation))
    }

    /// Records a command that was refused; its writes are rolled back before.
    pub fn refuse(
        &mut self,
        state: &State,
        draft: Draft,
        code: impl Into<Text>,
        message: impl Into<Text>,
    ) -> &Operation {
        let what = What::Refused {
            code: code.into(),
            message: message.into(),
        };
        let operation = self.operation_from(state, draft, what, Vec::new());
        self.push(state, operation)
    }

    /// Takes back the last ruling that holds.
    ///
    /// Errors: `NothingToUndo`, `OtherState`.
    pub fn undo(
        &mut self,
        state: &mut State,
        by: impl Into<Text>,
    ) -> Result<&Operation, HistoryError> {
        let of = self.live.last().ok_or(HistoryError::NothingToUndo)?.seq;
        let changes = self.changes_of(of).iter().map(Change::inverse).collect();
        let hash = self.hash_before(of);
        self.turn(state, ("undo", by.into()), What::Undo { of }, changes, hash)
    }

    /// Lets the ruling that was taken back last hold again.
    ///
    /// Errors: `NothingToRedo`, `OtherState`.
    pub fn redo(
        &mut self,
        state: &mut State,
        by: impl Into<Text>,
    ) -> Result<&Operation, HistoryError> {
        let of = self.undone.last().ok_or(HistoryError::NothingToRedo)?.seq;
        let changes = self.changes_of(of).to_vec();
        let hash = self.hash_before(of + 1);
        self.turn(state, ("redo", by.into()), What::Redo { of }, changes, hash)
    }

    /// Adds an operation that was recorded elsewhere, as when a game is opened, and applies its changes.
    ///
    /// Errors: `OtherState`, `OutOfOrder`, `HashDiffers`, `Store`.
    pub fn append(
        &mut self,
        state: &mut State,
        operation: Operation,
    ) -> Result<&Operation, HistoryError> {
        self.check_settled(state)?;
        if !self.continues(&operation) {
            return Err(HistoryError::OutOfOrder(operation.seq));
        }
        settle(state, operation.seq, &operation.changes, operation.state)?;
        Ok(self.push(state, operation))
    }

    /// Removes the last operation as if it had never been recorded: what the disk refused to keep.
    ///
    /// Errors: `UnknownOperation` if there is none, `OtherState`.
    pub fn withdraw(&mut self, state: &mut State) -> Result<Operation, HistoryError> {
        self.check_settled(state)?;
        let count = self.operations.len();
        let last = self.operations.last();
        let last = last.ok_or(HistoryError::UnknownOperation(0))?;
        let changes: Vec<Change> = last.changes.iter().map(Change::inverse).collect();
        settle(state, last.seq, &changes, self.hash_before(last.seq))?;
        let last = Rc::make_mut(&mut self.operations).remove(count - 1);
        self.forks.remove(&count);
        // What a ruling made final is open again.
        (self.live, self.undone) = (Vec::new(), Vec::new());
        for operation in Rc::clone(&self.operations).iter() {
            self.turn_rulings(operation);
        }
        Ok(last)
    }

    /// Returns the dice addresses that were drawn by rulings taken back or left out, and by refused commands.
    pub fn seen(&self) -> BTreeSet<&str> {
        let left_out = self.left_out();
        let dead = self
            .operations
            .iter()
            .filter(|operation| match operation.what {
                What::Ruling | What::Revert { .. } | What::Replace { .. } => {
                    !self.is_live(operation.seq) || left_out.contains_key(&operation.seq)
                }
                What::Refused { .. } => true,
                What::Undo { .. } | What::Redo { .. } => false,
            });
        let inputs = dead.flat_map(|operation| &operation.inputs);
        inputs
            .filter_map(|input| input.get("address").as_str())
            .collect()
    }

    /// Returns the state before an operation; the number after the last one gives the state of now.
    ///
    /// Errors: `UnknownOperation`.
    pub fn state_before(&self, seq: u64) -> Result<State, HistoryError> {
        let at = usize::try_from(seq).ok().and_then(|seq| seq.checked_sub(1));
        let at = at.filter(|at| *at <= self.operations.len());
        let at = at.ok_or(HistoryError::UnknownOperation(seq))?;
        let nearest = self.forks.range(..=at).next_back();
        let (from, nearest) = nearest.expect("invariant: the first state is kept");
        let mut state = nearest.fork();
        let mark = state.mark();
        for operation in &self.operations[*from..at] {
            state
                .apply_changes(&operation.changes)
                .map_err(|error| HistoryError::Store(operation.seq, error))?;
        }
        state.commit(mark);
        Ok(state)
    }

    /// Applies changes of an earlier ruling and records that; `hash` is where they must lead.
    fn turn(
        &mut self,
        state: &mut State,
        (command, by): (&str, Text),
        what: What,
        changes: Vec<Change>,
        hash: StateHash,
    ) -> Result<&Operation, HistoryError> {
        self.check_settled(state)?;
        settle(state, self.next_seq(), &changes, hash)?;
        let rules = self.operations.last().map(|last| last.rules.clone());
        let draft = Draft {
            by,
            command: command.into(),
            rules: rules.unwrap_or_default(),
            ..Draft::default()
        };
        let operation = self.operation_from(state, draft, what, changes);
        Ok(self.push(state, operation))
    }

    fn changes_of(&self, seq: u64) -> &[Change] {
        self.operation(seq)
            .map_or(&[], |operation| &operation.changes)
    }

    fn check_settled(&self, state: &State) -> Result<(), HistoryError> {
        if state.is_pending() || state.hash() != self.hash_before(self.next_seq()) {
            return Err(HistoryError::OtherState);
        }
        Ok(())
    }

    fn hash_before(&self, seq: u64) -> StateHash {
        let before = seq.checked_sub(1).and_then(|seq| self.operation(seq));
        before.map_or_else(|| self.forks[&0].hash(), |operation| operation.state)
    }

    fn continues(&self, operation: &Operation) -> bool {
        let fits = match &operation.what {
            What::Ruling => operation
                .slot
                .is_some_and(|slot| (1..=self.next_slot()).contains(&slot)),
            What::Undo { of } => self.live.last().is_some_and(|live| live.seq == *of),
            What::Redo { of } => self.undone.last().is_some_and(|live| live.seq == *of),
            What::Refused { .. } => operation.changes.is_empty(),
            What::Revert { of, .. } | What::Replace { of, .. } => self.is_live(*of),
        };
        let has_slot = match operation.what {
            What::Ruling => operation.slot.is_some(),
            // One that waited has a slot that was given out.
            What::Revert { .. } | What::Replace { .. } => {
                let given_out = 1..self.next_slot();
                operation.slot.is_none_or(|slot| given_out.contains(&slot))
            }
            What::Undo { .. } | What::Redo { .. } | What::Refused { .. } => {
                operation.slot.is_none()
            }
        };
        fits && has_slot && operation.seq == self.next_seq()
    }

    fn is_live(&self, seq: u64) -> bool {
        let found = self.live.binary_search_by_key(&seq, |live| live.seq);
        found.is_ok()
    }

    fn next_seq(&self) -> u64 {
        self.operations.len() as u64 + 1
    }

    fn operation_from(
        &self,
        state: &State,
        draft: Draft,
        what: What,
        changes: Vec<Change>,
    ) -> Operation {
        let slot = match what {
            What::Ruling => Some(draft.slot.unwrap_or_else(|| self.next_slot())),
            What::Revert { .. } | What::Replace { .. } => draft.slot,
            What::Undo { .. } | What::Redo { .. } | What::Refused { .. } => None,
        };
        Operation {
            seq: self.next_seq(),
            slot,
            by: draft.by,
            through: draft.through,
            command: draft.command,
            rules: draft.rules,
            inputs: draft.inputs,
            changes,
            causes: draft.causes,
            documents: draft.documents,
            state: state.hash(),
            what,
        }
    }

    fn push(&mut self, state: &State, operation: Operation) -> &Operation {
        self.turn_rulings(&operation);
        self.add(operation);
        let count = self.operations.len();
        if count.is_multiple_of(FORK_EVERY) {
            self.forks.insert(count, state.fork());
        }
        &self.operations[count - 1]
    }

    fn add(&mut self, operation: Operation) {
        Rc::make_mut(&mut self.operations).push(operation);
    }

    /// Notes which rulings hold after an operation.
    fn turn_rulings(&mut self, operation: &Operation) {
        match operation.what {
            What::Ruling => {
                let slot = operation.slot.unwrap_or_default();
                self.live.push(Live {
                    seq: operation.seq,
                    top: slot.max(self.next_slot() - 1),
                });
                self.undone.clear();
            }
            What::Revert { .. } | What::Replace { .. } => {
                self.live.push(Live {
                    seq: operation.seq,
                    top: self.next_slot() - 1,
                });
                self.undone.clear();
            }
            What::Undo { .. } => self.undone.extend(self.live.pop()),
            What::Redo { .. } => self.live.extend(self.undone.pop()),
            What::Refused { .. } => {}
        }
    }
}

fn settle(
    state: &mut State,
    seq: u64,
    changes: &[Change],
    hash: StateHash,
) -> Result<(), HistoryError> {
    match state.settle_changes(changes, hash) {
        Ok(true) => Ok(()),
        Ok(false) => Err(HistoryError::HashDiffers(seq)),
        Err(error) => Err(HistoryError::Store(seq, error)),
    }
}
