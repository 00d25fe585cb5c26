//! Secrecy of the seed: whether it was revealed, and whether dice may still be rolled from it.

use crate::game::timeline::Timeline;
use crate::store::State;

/// The row of the host that stores the reveal, and its kind.
pub(in crate::game) const ROW: &str = "@revealed";

pub(in crate::game) const FIELD: &str = "rolls_on";

/// Returns whether the seed was ever revealed, even if the reveal was undone.
pub fn is_seed_revealed(timeline: &Timeline) -> bool {
    let Some(row) = timeline.state.names().find(ROW) else {
        return false;
    };
    let mut operations = timeline.history.operations().iter();
    let mut changed = operations.by_ref().flat_map(|one| &one.changes);
    timeline.state.exists(row) || changed.any(|change| change.row == row)
}

/// Returns whether dice may not be rolled from the seed: it is revealed, and dice that everybody can compute are not
/// allowed.
pub(in crate::game) fn are_seed_draws_forbidden(timeline: &Timeline) -> bool {
    !are_dice_allowed_after_reveal(&timeline.state) && is_seed_revealed(timeline)
}

/// Returns whether the reveal is in force. Undo removes its row.
pub(in crate::game) fn has_reveal_row(state: &State) -> bool {
    let row = state.names().find(ROW);
    row.is_some_and(|row| state.exists(row))
}

/// Returns whether the reveal allows further dice from the seed.
pub(in crate::game) fn are_dice_allowed_after_reveal(state: &State) -> bool {
    let names = state.names();
    match (names.find(ROW), names.find(FIELD)) {
        (Some(row), Some(field)) => state.get(row, field).as_bool() == Some(true),
        (_, _) => false,
    }
}
