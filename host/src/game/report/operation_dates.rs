//! Game time at the end of each operation, for games that show game time as dates.

use std::collections::BTreeMap;

use crate::game::timeline::Timeline;
use crate::store::clock::{Clock, Times};

/// The field of the clock's row with the game time.
const TIME: &str = "time";

/// Returns the date at the end of each operation, by its number; nothing if game time has no dates.
pub fn dates_of_operations(timeline: &Timeline) -> Option<BTreeMap<u64, String>> {
    let times = timeline.state.times();
    let field = timeline.state.names().find(TIME);
    if times != Times::Dates {
        return None;
    }
    let row = timeline.state.reserved().clock;
    let mut now = Clock::from_state(&timeline.state, &timeline.rules().phases).time;
    let operations = timeline.history().operations().iter().rev();
    let dates = operations.map(|operation| {
        let date = times.view_time_text(now);
        let mut changes = operation.changes.iter();
        let moved = changes.find(|one| one.row == row && Some(one.field) == field);
        if let Some(moved) = moved {
            now = moved.old.as_i64().map_or(0, i64::unsigned_abs);
        }
        (operation.seq, date)
    });
    Some(dates.collect())
}
