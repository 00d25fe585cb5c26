//! This module is the law that undoing everything leads back to the beginning, and doing it again to the end.

use crate::diag::Diagnostic;
use crate::game::session::Session;
use crate::store::StateHash;

/// Undoes all rulings behind the set-up and does them again: the states must be `first`, and the one of now.
pub fn there_and_back(session: &mut Session, first: StateHash) -> Option<Diagnostic> {
    let last = session.state().hash();
    match back(session, first) {
        Ok(undone) => there(session, undone, last),
        Err(finding) => Some(finding),
    }
}

/// Undoes all rulings behind the set-up and returns how many they were. Errors: the state is not `first`.
pub fn back(session: &mut Session, first: StateHash) -> Result<usize, Diagnostic> {
    let mut undone = 0;
    while session.undo("gm").refusal.is_none() {
        undone += 1;
    }
    if session.state().hash() == first {
        return Ok(undone);
    }
    let message = "undoing everything does not lead back to the beginning";
    Err(Diagnostic::error("law/undo", message))
}

/// Does so many rulings again, all that there are: the state must be `last`.
pub fn there(session: &mut Session, undone: usize, last: StateHash) -> Option<Diagnostic> {
    let redone = (0..undone).take_while(|_| session.redo("gm").refusal.is_none());
    let is_back = redone.count() == undone && session.state().hash() == last;
    let message = "doing everything again does not lead to the same state";
    (!is_back).then(|| Diagnostic::error("law/redo", message))
}
