//! Finds the operations that belong to rulings that wait for an answer.

use crate::game::ruling::waiting_ruling;
use crate::game::timeline::Timeline;
use crate::store::Operation;

/// Returns whether an operation belongs to a ruling that waits now.
pub(in crate::game) fn is_of_waiting_ruling(timeline: &Timeline, operation: &Operation) -> bool {
    operation.slot.is_some_and(|ruling_number| {
        waiting_ruling::changes_suspend_ruling(
            &operation.changes,
            timeline.state.names(),
            ruling_number,
        ) && waiting_ruling::waiting_ruling_by_ruling_number(&timeline.state, ruling_number)
            .is_some()
    })
}
