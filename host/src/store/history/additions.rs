//! Additions to a history: rulings, refusals, undo, redo, and the operations of a journal.

use std::rc::Rc;

use super::{FORK_EVERY, History};
use crate::diag::planted_mistakes::{self, Mistake};
use crate::store::{
    Change, Draft, HistoryError, Mark, Operation, Publication, State, StateHash, What,
};
use crate::value::Text;

impl History {
    /// Settles the writes of a ruling and records it; earlier undone rulings can no longer be redone.
    ///
    /// Shape: the ruling number of the draft, if present, is the number of the ruling that this operation continues.
    pub fn record_ruling(&mut self, state: &mut State, mark: Mark, draft: Draft) -> &Operation {
        assert!(
            draft
                .slot
                .is_none_or(|slot| slot < self.next_ruling_number()),
            "invariant: a ruling goes on in a slot that was given out"
        );
        let changes = state.commit(mark);
        let operation = self.operation_of_draft(state, draft, What::Ruling, changes);
        self.push_operation(state, operation)
    }

    /// Applies the net difference of a correction of the past and records it; `hash` is the expected hash of the
    /// result.
    ///
    /// Errors: `OtherState`, `OutOfOrder` if it does not correct a live ruling or correction, `HashDiffers`, `Store`.
    pub fn record_correction(
        &mut self,
        state: &mut State,
        (draft, what): (Draft, What),
        (changes, hash): (Vec<Change>, StateHash),
    ) -> Result<&Operation, HistoryError> {
        self.check_settled(state)?;
        if !what.corrected_number().is_some_and(|of| self.is_live(of)) {
            return Err(HistoryError::OutOfOrder(self.next_seq()));
        }
        settle_to_hash(state, self.next_seq(), &changes, hash)?;
        let operation = self.operation_of_draft(state, draft, what, changes);
        Ok(self.push_operation(state, operation))
    }

    /// Records a refused command; its writes are rolled back before.
    pub fn record_refused_command(
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
        let operation = self.operation_of_draft(state, draft, what, Vec::new());
        self.push_operation(state, operation)
    }

    /// Records a note about published messages. It has no ruling number and changes no state, so the dice of later
    /// rulings are the same with and without it.
    ///
    /// Errors: `OtherState`, `OutOfOrder` if it is not a note, or about operations that are not there.
    pub fn record_note(
        &mut self,
        state: &State,
        draft: Draft,
        what: What,
    ) -> Result<&Operation, HistoryError> {
        self.check_settled(state)?;
        if !self.is_note_about_known_operations(&what) {
            return Err(HistoryError::OutOfOrder(self.next_seq()));
        }
        let operation = self.operation_of_draft(state, draft, what, Vec::new());
        Ok(self.push_operation(state, operation))
    }

    /// Returns whether a note is about earlier operations: ranges that are in order, or a note.
    fn is_note_about_known_operations(&self, what: &What) -> bool {
        match what {
            What::Posted { posts, after } => {
                let is_known =
                    |(first, last): &(u64, u64)| *first >= 1 && first <= last && last <= after;
                let is_known_part = |(of, _): &(u64, Vec<u64>)| is_known(&(*of, *of));
                let is_sound = |post: &Publication| {
                    !post.to.is_empty()
                        && post.lines.iter().all(is_known)
                        && post.parts.iter().all(is_known_part)
                };
                *after < self.next_seq() && !posts.is_empty() && posts.iter().all(is_sound)
            }
            What::Withdrawn { of } => {
                let note = self.operation(*of);
                note.is_some_and(|note| matches!(note.what, What::Posted { .. }))
            }
            What::Ruling
            | What::Undo { .. }
            | What::Redo { .. }
            | What::Refused { .. }
            | What::Revert { .. }
            | What::Replace { .. } => false,
        }
    }

    /// Undoes the last live ruling.
    ///
    /// Errors: `NothingToUndo`, `OtherState`.
    pub fn undo_last_ruling(
        &mut self,
        state: &mut State,
        by: impl Into<Text>,
    ) -> Result<&Operation, HistoryError> {
        let of = self
            .holding
            .live
            .last()
            .ok_or(HistoryError::NothingToUndo)?
            .seq;
        let changes = self.changes_of_operation(of).iter().map(Change::inverse);
        let left_out = usize::from(planted_mistakes::is_planted(Mistake::UndoneInPart));
        let changes = changes.skip(left_out).collect();
        let hash = self.hash_before(of);
        self.apply_and_record(state, ("undo", by.into()), What::Undo { of }, changes, hash)
    }

    /// Redoes the ruling that was undone last.
    ///
    /// Errors: `NothingToRedo`, `OtherState`.
    pub fn redo_last_undone(
        &mut self,
        state: &mut State,
        by: impl Into<Text>,
    ) -> Result<&Operation, HistoryError> {
        let of = self
            .holding
            .undone
            .last()
            .ok_or(HistoryError::NothingToRedo)?
            .seq;
        let left_out = usize::from(planted_mistakes::is_planted(Mistake::RedoneInPart));
        let changes = self.changes_of_operation(of).iter().skip(left_out);
        let changes = changes.cloned().collect();
        let hash = self.hash_before(of + 1);
        self.apply_and_record(state, ("redo", by.into()), What::Redo { of }, changes, hash)
    }

    /// Adds an operation that was recorded elsewhere, for example when a game is opened, and applies its changes.
    ///
    /// Errors: `OtherState`, `OutOfOrder`, `HashDiffers`, `Store`.
    pub fn append_recorded_operation(
        &mut self,
        state: &mut State,
        operation: Operation,
    ) -> Result<&Operation, HistoryError> {
        self.check_settled(state)?;
        if !self.follows_last_operation(&operation) {
            return Err(HistoryError::OutOfOrder(operation.seq));
        }
        settle_to_hash(state, operation.seq, &operation.changes, operation.state)?;
        Ok(self.push_operation(state, operation))
    }

    /// Removes the last operation as if it had never been recorded, because the disk refused to save it.
    ///
    /// Errors: `UnknownOperation` if there is none, `OtherState`.
    pub fn remove_last_operation(&mut self, state: &mut State) -> Result<Operation, HistoryError> {
        self.check_settled(state)?;
        let count = self.operations.len();
        let last = self.operations.last();
        let last = last.ok_or(HistoryError::UnknownOperation(0))?;
        let changes: Vec<Change> = last.changes.iter().map(Change::inverse).collect();
        settle_to_hash(state, last.seq, &changes, self.hash_before(last.seq))?;
        let last = Rc::make_mut(&mut self.operations).remove(count - 1);
        self.forks.remove(&count);
        // Undone rulings that the removed ruling made final can be redone again.
        let operations = self.operations.iter().map(|one| &**one);
        self.holding = self.holding.after_operations(operations);
        Ok(Rc::unwrap_or_clone(last))
    }

    /// Applies changes of an earlier ruling and records them; `hash` is the expected hash of the result.
    fn apply_and_record(
        &mut self,
        state: &mut State,
        (command, by): (&str, Text),
        what: What,
        changes: Vec<Change>,
        hash: StateHash,
    ) -> Result<&Operation, HistoryError> {
        self.check_settled(state)?;
        settle_to_hash(state, self.next_seq(), &changes, hash)?;
        let rules = self.operations.last().map(|last| last.rules.clone());
        let draft = Draft {
            by,
            command: command.into(),
            rules: rules.unwrap_or_default(),
            ..Draft::default()
        };
        let operation = self.operation_of_draft(state, draft, what, changes);
        Ok(self.push_operation(state, operation))
    }

    fn changes_of_operation(&self, seq: u64) -> &[Change] {
        self.operation(seq)
            .map_or(&[], |operation| &operation.changes)
    }

    pub(super) fn check_settled(&self, state: &State) -> Result<(), HistoryError> {
        if state.has_pending_writes() || state.hash() != self.hash_before(self.next_seq()) {
            return Err(HistoryError::OtherState);
        }
        Ok(())
    }

    fn hash_before(&self, seq: u64) -> StateHash {
        let before = seq.checked_sub(1).and_then(|seq| self.operation(seq));
        before.map_or_else(|| self.forks[&0].hash(), |operation| operation.state)
    }

    pub(super) fn follows_last_operation(&self, operation: &Operation) -> bool {
        let fits = match &operation.what {
            What::Ruling => operation
                .slot
                .is_some_and(|slot| (1..=self.next_ruling_number()).contains(&slot)),
            What::Undo { of } => self.holding.live.last().is_some_and(|live| live.seq == *of),
            What::Redo { of } => self
                .holding
                .undone
                .last()
                .is_some_and(|live| live.seq == *of),
            What::Refused { .. } => operation.changes.is_empty(),
            What::Posted { .. } | What::Withdrawn { .. } => {
                operation.changes.is_empty() && self.is_note_about_known_operations(&operation.what)
            }
            What::Revert { of, .. } | What::Replace { of, .. } => self.is_live(*of),
        };
        let has_slot = match operation.what {
            What::Ruling => operation.slot.is_some(),
            // A correction that waited has a ruling number that was given out.
            What::Revert { .. } | What::Replace { .. } => {
                let given_out = 1..self.next_ruling_number();
                operation.slot.is_none_or(|slot| given_out.contains(&slot))
            }
            What::Undo { .. }
            | What::Redo { .. }
            | What::Refused { .. }
            | What::Posted { .. }
            | What::Withdrawn { .. } => operation.slot.is_none(),
        };
        fits && has_slot && operation.seq == self.next_seq()
    }

    pub(super) fn next_seq(&self) -> u64 {
        self.operations.len() as u64 + 1
    }

    fn operation_of_draft(
        &self,
        state: &State,
        draft: Draft,
        what: What,
        changes: Vec<Change>,
    ) -> Operation {
        let slot = match what {
            What::Ruling => Some(draft.slot.unwrap_or_else(|| self.next_ruling_number())),
            What::Revert { .. } | What::Replace { .. } => draft.slot,
            What::Undo { .. }
            | What::Redo { .. }
            | What::Refused { .. }
            | What::Posted { .. }
            | What::Withdrawn { .. } => None,
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

    fn push_operation(&mut self, state: &State, operation: Operation) -> &Operation {
        self.holding.note_operation(&operation);
        self.add_operation(Rc::new(operation));
        let count = self.operations.len();
        if count.is_multiple_of(FORK_EVERY) {
            self.forks.insert(count, state.fork());
        }
        &self.operations[count - 1]
    }

    pub(super) fn add_operation(&mut self, operation: Rc<Operation>) {
        Rc::make_mut(&mut self.operations).push(operation);
    }
}

fn settle_to_hash(
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
