//! The history of a game: all rulings, undone rulings and refused commands, one entry after the other.
//!
//! Undo, redo and corrections are entries themselves; nothing is rewritten. A ruling is *live* while no undo takes it
//! back. A live ruling is *valid* while no correction leaves it out.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::{HistoryError, Operation, State, What};

mod additions;
mod computed_valid_rulings;
mod live_changes;
mod live_rulings;

pub use live_changes::Changed;
use live_rulings::LiveRulings;
pub use live_rulings::Next;

/// Number of operations after which the next fork of the state is kept.
const FORK_EVERY: usize = 200;

/// All operations of a game, with the states needed to go back to any of them.
#[derive(Debug)]
pub struct History {
    /// Shared with readers that look back while the game goes on.
    operations: Rc<Vec<Rc<Operation>>>,
    /// The live rulings and corrections.
    holding: LiveRulings,
    /// States in between, by the number of operations that lead to them: 0, 200, 400 and so on, and the number at a
    /// restore.
    forks: BTreeMap<usize, State>,
}

impl History {
    /// Returns a history without operations that begins with a state.
    pub fn new(first: &State) -> History {
        History::from_mid_game(first, Next::first())
    }

    /// Returns a history without operations that begins in the middle of a game.
    pub fn from_mid_game(first: &State, next: Next) -> History {
        History {
            operations: Rc::default(),
            holding: LiveRulings::beginning(next),
            forks: BTreeMap::from([(0, first.fork())]),
        }
    }

    /// Returns the history of operations that were recorded elsewhere, with their resulting state. No operation is
    /// applied, so going back starts from the first state.
    ///
    /// Errors: `OutOfOrder`, and `OtherState` if the last operation does not record this state.
    pub fn from_applied(
        first: &State,
        operations: Vec<Operation>,
        last: &State,
    ) -> Result<History, HistoryError> {
        let mut history = History::new(first);
        for operation in operations {
            if !history.follows_last_operation(&operation) {
                return Err(HistoryError::OutOfOrder(operation.seq));
            }
            history.holding.note_operation(&operation);
            history.add_operation(Rc::new(operation));
        }
        history.check_settled(last)?;
        history.forks.insert(history.operations.len(), last.fork());
        Ok(history)
    }

    /// Returns a separate history that begins as a copy of this one.
    pub fn fork(&self) -> History {
        let forks = self.forks.iter().map(|(at, state)| (*at, state.fork()));
        History {
            operations: Rc::clone(&self.operations),
            holding: self.holding.clone(),
            forks: forks.collect(),
        }
    }

    /// Returns the history as it was after an operation, with the state at that point.
    ///
    /// Errors: `UnknownOperation`.
    pub fn copy_until_operation(&self, seq: u64) -> Result<(History, State), HistoryError> {
        let count = usize::try_from(seq).ok();
        let count = count.filter(|count| (1..=self.operations.len()).contains(count));
        let count = count.ok_or(HistoryError::UnknownOperation(seq))?;
        let state = self.state_before(seq + 1)?;
        let kept = self.forks.range(..=count);
        let forks = kept.map(|(at, state)| (*at, state.fork()));
        let operations = self.operations[..count].to_vec();
        let history = History {
            holding: self
                .holding
                .after_operations(operations.iter().map(|one| &**one)),
            operations: Rc::new(operations),
            forks: forks.collect(),
        };
        Ok((history, state))
    }

    /// Returns all operations, oldest first.
    pub fn operations(&self) -> &[Rc<Operation>] {
        &self.operations
    }

    /// Returns one operation by its number.
    pub fn operation(&self, seq: u64) -> Option<&Operation> {
        let at = usize::try_from(seq).ok()?.checked_sub(1)?;
        self.operations.get(at).map(Rc::as_ref)
    }

    /// Returns the live rulings and corrections, oldest first; undo takes them back one by one.
    pub fn live_operations(&self) -> impl DoubleEndedIterator<Item = &Operation> {
        self.holding
            .live
            .iter()
            .filter_map(|live| self.operation(live.seq))
    }

    /// Returns the numbers for the next ruling.
    pub fn next_numbers(&self) -> Next {
        self.holding.next(self.operations.len() as u64 + 1)
    }

    /// Returns the numbers for the next ruling before an operation.
    pub fn next_numbers_before(&self, seq: u64) -> Next {
        let operations = self.operations.iter().map(|one| &**one);
        let then = operations.take_while(|operation| operation.seq < seq);
        self.holding.after_operations(then).next(seq)
    }

    /// Returns the next log line of the game master.
    pub fn next_log_line(&self) -> u64 {
        self.holding
            .log_line_of_operation(self.operations.len() as u64 + 1)
    }

    /// Returns the game master's log line where a ruling with this ruling number began, if it is live.
    pub fn log_line_of_ruling(&self, slot: u64) -> Option<u64> {
        self.holding.log_line_of_ruling(slot)
    }

    /// Returns the ruling number of the next ruling: its number among the live rulings. All operations of one ruling
    /// count once. Undo gives the number back.
    pub fn next_ruling_number(&self) -> u64 {
        self.holding.next_ruling_number()
    }

    /// Returns the dice addresses that were used by undone or left-out rulings and by refused commands.
    pub fn seen_dice_addresses(&self) -> BTreeSet<&str> {
        let left_out = self.ineffective_rulings();
        let dead = self
            .operations
            .iter()
            .filter(|operation| match operation.what {
                What::Ruling | What::Revert { .. } | What::Replace { .. } => {
                    !self.is_live(operation.seq) || left_out.contains_key(&operation.seq)
                }
                What::Refused { .. } => true,
                What::Undo { .. }
                | What::Redo { .. }
                | What::Posted { .. }
                | What::Withdrawn { .. } => false,
            });
        let inputs = dead.flat_map(|operation| &operation.inputs);
        inputs
            .filter_map(|input| input.get("address").as_str())
            .collect()
    }

    /// Returns the state before an operation; the number after the last operation gives the present state.
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

    fn is_live(&self, seq: u64) -> bool {
        let found = self
            .holding
            .live
            .binary_search_by_key(&seq, |live| live.seq);
        found.is_ok()
    }
}
