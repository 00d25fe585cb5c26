//! This module finds the rulings that wait for the game master and for no answer: those that could not go on with the
//! last one, since the game led them another way by then.
//!
//! It is read from the log: the answer was refused as stale, and since then the ruling did not go on, nothing was taken
//! back or corrected, and nothing was changed by fiat, which may have put it right.

use super::fiat::Fiat;
use super::session::Session;
use super::waiting::{Waiting, is_put_by, waiting};
use crate::script::GM;
use crate::store::{Operation, What};

/// The code of a ruling that cannot go on.
pub(super) const STALE: &str = "ask/stale";

/// A ruling that waits and could not go on with the last answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stale {
    /// Its slot.
    pub slot: u64,
    /// The line that it is.
    pub command: String,
    /// The operation that was to let it go on.
    pub op: u64,
    /// The line of that.
    pub answer: String,
    /// Who gave that.
    pub by: String,
    /// What the game master may do, in words.
    pub ways: String,
}

impl Session {
    /// Returns the rulings that could not go on with the last answer, by slot.
    pub fn stale_rulings(&self) -> Vec<Stale> {
        let waiting = waiting(&self.state).into_iter();
        let stale = waiting.filter_map(|one| {
            let refused = self.last_stale(one.slot)?;
            Some(Stale {
                slot: one.slot,
                op: refused.seq,
                answer: refused.command.to_string(),
                by: refused.by.to_string(),
                ways: self.ways_out(&one),
                command: one.command,
            })
        });
        stale.collect()
    }

    /// Returns the slots of those of them that somebody was told of: the game master of all, a seat of those that its
    /// own answer met.
    pub fn stale_slots(&self, by: &str) -> Vec<u64> {
        let mut stale = self.stale_rulings();
        if by != GM && !stale.is_empty() {
            let seat = self.seat_of(by);
            stale.retain(|one| one.by == seat);
        }
        stale.into_iter().map(|one| one.slot).collect()
    }

    /// Returns what the game master may do with a ruling that cannot go on.
    pub(super) fn ways_out(&self, waiting: &Waiting) -> String {
        let slot = waiting.slot;
        let finish = match waiting.is_pinned || waiting.rules == self.rules_hash {
            true => String::new(),
            false => format!("finish {slot} goes on under the rules it began with, "),
        };
        format!("restart {slot} begins it anew, {finish}drop {slot} gives it up")
    }

    /// Returns the operation that was to let the ruling of a slot go on and was stale, if nothing came of it since.
    fn last_stale(&self, slot: u64) -> Option<&Operation> {
        let names = self.state.names();
        for operation in self.history.operations().iter().rev() {
            match &operation.what {
                What::Refused { code, .. } if **code == *STALE && operation.slot == Some(slot) => {
                    return Some(operation);
                }
                What::Refused { .. } => {}
                What::Ruling
                    if is_put_by(&operation.changes, names, slot)
                        || Fiat::of(operation).is_some() =>
                {
                    return None;
                }
                What::Ruling => {}
                What::Undo { .. }
                | What::Redo { .. }
                | What::Revert { .. }
                | What::Replace { .. } => return None,
            }
        }
        None
    }
}
