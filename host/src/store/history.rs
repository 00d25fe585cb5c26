//! This module is the history of a game: what was ruled, taken back and refused, one entry after the other.
//!
//! Undo, redo and corrections are entries themselves; nothing is rewritten. A ruling is *live* while it is not taken
//! back by undo; it *stands* while no correction leaves it out.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::{HistoryError, Operation, State, What};
use crate::diag::planted::{self, Mistake};

mod added;
mod changed;
mod standing;

pub use changed::Changed;

/// A fork of the state is kept each time so many operations were added.
const FORK_EVERY: usize = 200;

/// All operations of a game, with the states needed to go back to any of them.
#[derive(Debug)]
pub struct History {
    /// Shared with whoever looks back at them while the game goes on.
    operations: Rc<Vec<Rc<Operation>>>,
    /// The rulings and corrections that hold, in order; shared with what goes on from here.
    live: Rc<Vec<Live>>,
    /// The ones taken back since the last new one, the next to redo last.
    undone: Vec<Live>,
    /// Where it began.
    first: Next,
    /// States on the way, by how many operations lead to them: none, 200, 400 and so on, and where it was restored.
    forks: BTreeMap<usize, State>,
}

/// Where a history goes on: the numbers of the next ruling, and which rulings hold that were before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Next {
    /// The slot of the next ruling.
    pub slot: u64,
    /// The line of the game master's log that comes next.
    pub line: u64,
    /// What holds, each with its line.
    before: Rc<Vec<Live>>,
}

impl Next {
    /// Returns where a game begins.
    pub fn first() -> Next {
        Next {
            slot: 1,
            line: 1,
            before: Rc::default(),
        }
    }

    /// Returns the same in another slot.
    #[must_use]
    pub fn in_slot(self, slot: u64) -> Next {
        Next { slot, ..self }
    }
}

/// A ruling or correction that holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Live {
    /// Its number.
    seq: u64,
    /// The highest slot of the rulings up to it.
    top: u64,
}

impl History {
    /// Returns a history without operations that begins with a state.
    pub fn new(first: &State) -> History {
        History::going_on(first, Next::first())
    }

    /// Returns a history without operations that begins in the middle of a game.
    pub fn going_on(first: &State, next: Next) -> History {
        History {
            operations: Rc::default(),
            live: Rc::default(),
            undone: Vec::new(),
            first: next,
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
            history.add(Rc::new(operation));
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
            live: Rc::clone(&self.live),
            undone: self.undone.clone(),
            first: self.first.clone(),
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
            live: Rc::default(),
            undone: Vec::new(),
            first: self.first.clone(),
            forks: forks.collect(),
        };
        for operation in &self.operations[..count] {
            history.turn_rulings(operation);
            history.add(Rc::clone(operation));
        }
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

    /// Returns the rulings and corrections that hold, oldest first: what undo takes back, one by one.
    pub fn live(&self) -> impl DoubleEndedIterator<Item = &Operation> {
        self.live.iter().filter_map(|live| self.operation(live.seq))
    }

    /// Returns where it goes on.
    pub fn next(&self) -> Next {
        let before = match (self.live.is_empty(), self.first.before.is_empty()) {
            (true, _) => Rc::clone(&self.first.before),
            (false, true) if self.first.line == 1 => Rc::clone(&self.live),
            (false, _) => {
                let own = self.live.iter().map(|live| Live {
                    seq: self.line(live.seq),
                    ..*live
                });
                Rc::new(self.first.before.iter().copied().chain(own).collect())
            }
        };
        Next {
            slot: self.next_slot(),
            line: self.next_line(),
            before,
        }
    }

    /// Returns where it went on before an operation.
    pub fn next_before(&self, seq: u64) -> Next {
        Next {
            slot: self.next_slot_before(seq),
            line: self.line(seq),
            ..self.next()
        }
    }

    /// Returns the line of the game master's log that comes next.
    pub fn next_line(&self) -> u64 {
        self.line(self.operations.len() as u64 + 1)
    }

    /// Returns the line of the game master's log where the ruling of a slot began, if it holds.
    pub fn line_of(&self, slot: u64) -> Option<u64> {
        let began = |live: &[Live]| {
            let at = live.partition_point(|live| live.top < slot);
            live.get(at).map(|live| live.seq)
        };
        match slot < self.first.slot {
            true => began(&self.first.before),
            false => began(&self.live).map(|seq| self.line(seq)),
        }
    }

    fn line(&self, seq: u64) -> u64 {
        self.first.line + seq.saturating_sub(1)
    }

    /// Returns the slot of the next ruling: its number among those that hold, where the operations of one ruling
    /// count once. Undo gives it back.
    pub fn next_slot(&self) -> u64 {
        let dead = self.undone.first();
        self.live
            .last()
            .max(dead.filter(|_| planted::is(Mistake::SlotKept)))
            .map_or(self.first.slot, |live| live.top + 1)
    }

    /// Returns the slot that the next ruling had before an operation.
    fn next_slot_before(&self, seq: u64) -> u64 {
        let (mut live, mut undone): (Vec<u64>, Vec<u64>) = (Vec::new(), Vec::new());
        let next = |live: &[u64]| live.last().map_or(self.first.slot, |top| top + 1);
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

    fn is_live(&self, seq: u64) -> bool {
        let found = self.live.binary_search_by_key(&seq, |live| live.seq);
        found.is_ok()
    }
}
