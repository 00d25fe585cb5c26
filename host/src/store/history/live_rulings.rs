//! The live rulings, in a history that begins anywhere in a game, and the numbers for the next one.

use std::rc::Rc;

use crate::diag::planted_mistakes::{self, Mistake};
use crate::store::{Operation, What};

/// A live ruling or correction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Live {
    /// Its number.
    pub(super) seq: u64,
    /// The highest ruling number up to this ruling.
    top: u64,
}

/// The point where a history goes on: the numbers of the next ruling, and the live rulings before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Next {
    /// The ruling number of the next ruling.
    pub slot: u64,
    /// The next log line of the game master.
    pub line: u64,
    /// The live rulings, each with its log line.
    before: Rc<Vec<Live>>,
}

impl Next {
    /// Returns the start of a game.
    pub fn first() -> Next {
        Next {
            slot: 1,
            line: 1,
            before: Rc::default(),
        }
    }

    /// Returns the same point with another ruling number.
    #[must_use]
    pub fn with_ruling_number(self, slot: u64) -> Next {
        Next { slot, ..self }
    }
}

/// The live rulings and corrections.
#[derive(Clone, Debug)]
pub(super) struct LiveRulings {
    /// The point where the history began.
    first: Next,
    /// The live rulings in order, shared with histories that continue from here.
    pub(super) live: Rc<Vec<Live>>,
    /// The rulings undone since the last new one; the last of them is redone next.
    pub(super) undone: Vec<Live>,
}

impl LiveRulings {
    /// Returns the live rulings of a history without operations.
    pub(super) fn beginning(first: Next) -> LiveRulings {
        LiveRulings {
            first,
            live: Rc::default(),
            undone: Vec::new(),
        }
    }

    /// Returns the live rulings of the same history after its first operations.
    pub(super) fn after_operations<'a>(
        &self,
        operations: impl Iterator<Item = &'a Operation>,
    ) -> LiveRulings {
        let mut then = LiveRulings::beginning(self.first.clone());
        operations.for_each(|operation| then.note_operation(operation));
        then
    }

    /// Notes the live rulings after an operation.
    pub(super) fn note_operation(&mut self, operation: &Operation) {
        match operation.what {
            What::Ruling => {
                let slot = operation.slot.unwrap_or_default();
                self.add_live_ruling(operation.seq, slot.max(self.next_ruling_number() - 1));
            }
            What::Revert { .. } | What::Replace { .. } => {
                self.add_live_ruling(operation.seq, self.next_ruling_number() - 1);
            }
            What::Undo { .. } => self.undone.extend(Rc::make_mut(&mut self.live).pop()),
            What::Redo { .. } => Rc::make_mut(&mut self.live).extend(self.undone.pop()),
            What::Refused { .. } | What::Posted { .. } | What::Withdrawn { .. } => {}
        }
    }

    fn add_live_ruling(&mut self, seq: u64, top: u64) {
        Rc::make_mut(&mut self.live).push(Live { seq, top });
        self.undone.clear();
    }

    /// Returns the ruling number of the next ruling: its number among the live rulings. All operations of one ruling
    /// count once. Undo gives the number back.
    pub(super) fn next_ruling_number(&self) -> u64 {
        let dead = self.undone.first();
        self.live
            .last()
            .max(dead.filter(|_| planted_mistakes::is_planted(Mistake::SlotKept)))
            .map_or(self.first.slot, |live| live.top + 1)
    }

    /// Returns the point where the history goes on with an operation.
    pub(super) fn next(&self, seq: u64) -> Next {
        let before = match (self.live.is_empty(), self.first.before.is_empty()) {
            (true, _) => Rc::clone(&self.first.before),
            (false, true) if self.first.line == 1 => Rc::clone(&self.live),
            (false, _) => {
                let own = self.live.iter().map(|live| Live {
                    seq: self.log_line_of_operation(live.seq),
                    ..*live
                });
                Rc::new(self.first.before.iter().copied().chain(own).collect())
            }
        };
        Next {
            slot: self.next_ruling_number(),
            line: self.log_line_of_operation(seq),
            before,
        }
    }

    /// Returns the game master's log line of an operation.
    pub(super) fn log_line_of_operation(&self, seq: u64) -> u64 {
        self.first.line + seq.saturating_sub(1)
    }

    /// Returns the game master's log line where a ruling with this ruling number began, if it is live.
    pub(super) fn log_line_of_ruling(&self, slot: u64) -> Option<u64> {
        let began = |live: &[Live]| {
            let at = live.partition_point(|live| live.top < slot);
            live.get(at).map(|live| live.seq)
        };
        match slot < self.first.slot {
            true => began(&self.first.before),
            false => began(&self.live).map(|seq| self.log_line_of_operation(seq)),
        }
    }
}
