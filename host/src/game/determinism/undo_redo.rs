//! The law that undoing everything leads back to the beginning, and redoing it leads back to the end.

use crate::diag::Diagnostic;
use crate::game::past::undo::{redo_last_ruling, undo_last_ruling};
use crate::game::session::Solo;
use crate::store::StateHash;

/// Undoes all rulings after the setup and redoes them: the states must be `first`, and the present one.
pub fn undo_and_redo_all(game: &mut Solo, first: StateHash) -> Option<Diagnostic> {
    let last = game.timeline().state().hash();
    match undo_all(game, first) {
        Ok(undone) => redo_all(game, undone, last),
        Err(finding) => Some(finding),
    }
}

/// Undoes all rulings after the setup and returns their count. Errors: the state is not `first`.
pub fn undo_all(game: &mut Solo, first: StateHash) -> Result<usize, Diagnostic> {
    let mut undone = 0;
    while undo_last_ruling(game.timeline_mut(), "gm")
        .refusal
        .is_none()
    {
        undone += 1;
    }
    if game.timeline().state().hash() == first {
        return Ok(undone);
    }
    let message = "undoing everything does not give the first state again";
    Err(Diagnostic::error("law/undo", message))
}

/// Redoes all undone rulings: there must be `undone` of them, and the state must be `last`.
pub fn redo_all(game: &mut Solo, undone: usize, last: StateHash) -> Option<Diagnostic> {
    let redone = (0..undone).take_while(|_| {
        redo_last_ruling(game.timeline_mut(), "gm")
            .refusal
            .is_none()
    });
    let is_back = redone.count() == undone && game.timeline().state().hash() == last;
    let message = "redoing everything does not give the last state again";
    (!is_back).then(|| Diagnostic::error("law/redo", message))
}
