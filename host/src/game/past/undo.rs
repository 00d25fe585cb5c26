//! Undo and redo of rulings.

use crate::diag::Diagnostic;
use crate::game::timeline::Timeline;
use crate::game::timeline::gm_only::gm_only_refusal;
use crate::game::timeline::reply::Reply;
use crate::store::{HistoryError, What};

/// Takes back the last ruling of any player. Only the game master may do this. The first ruling, which set the game up,
/// stays.
pub fn undo_last_ruling(timeline: &mut Timeline, by: &str) -> Reply {
    if let Some(refusal) = not_gm_refusal(by) {
        return Reply::refused(refusal);
    }
    if timeline.history.live_operations().nth(1).is_none() {
        return Reply::refused(Diagnostic::error(
            HistoryError::NothingToUndo.code(),
            "there is nothing to undo",
        ));
    }
    let done = timeline
        .history
        .undo_last_ruling(&mut timeline.state, by)
        .cloned();
    history_step_reply(timeline, by, "undone", done)
}

/// Restores the last ruling that was taken back.
pub fn redo_last_ruling(timeline: &mut Timeline, by: &str) -> Reply {
    if let Some(refusal) = not_gm_refusal(by) {
        return Reply::refused(refusal);
    }
    let done = timeline
        .history
        .redo_last_undone(&mut timeline.state, by)
        .cloned();
    history_step_reply(timeline, by, "done again", done)
}

fn history_step_reply(
    timeline: &Timeline,
    by: &str,
    word: &str,
    done: Result<crate::store::Operation, HistoryError>,
) -> Reply {
    let operation = match done {
        Ok(operation) => operation,
        Err(error) => {
            return Reply::refused(error.to_diagnostic());
        }
    };
    let of = match operation.what {
        What::Undo { of } | What::Redo { of } => of,
        What::Ruling
        | What::Refused { .. }
        | What::Revert { .. }
        | What::Replace { .. }
        | What::Posted { .. }
        | What::Withdrawn { .. } => operation.seq,
    };
    let command = timeline
        .history
        .operation(of)
        .map_or("", |operation| &operation.command);
    let mut reply = Reply::line_to(by, format!("{word}: {of} {command}"));
    reply.op = Some(operation.seq);
    reply
}

/// Refuses undo, redo and corrections by a seat, because they would show the seat the last lines of others.
pub(in crate::game) fn not_gm_refusal(by: &str) -> Option<Diagnostic> {
    gm_only_refusal(by, "can undo and redo")
}
