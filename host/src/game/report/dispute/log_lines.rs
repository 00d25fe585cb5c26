//! Lines of a viewer's log, by operation and by ruling number of a ruling that holds.

use std::collections::BTreeMap;

use crate::doc::Viewer;
use crate::game::timeline::Timeline;
use crate::game::timeline::log_entries::log_entries;

/// The lines of a viewer's log.
pub(super) struct LogLines {
    /// By operation.
    numbers: BTreeMap<u64, u64>,
    /// The operations that hold, by ruling number.
    by_ruling_number: BTreeMap<u64, u64>,
}

impl LogLines {
    /// Returns the line of an operation.
    pub(super) fn line_of_operation(&self, seq: u64) -> Option<u64> {
        self.numbers.get(&seq).copied()
    }

    /// Returns the line of the operation that holds under a ruling number.
    pub(super) fn line_of_ruling_number(&self, ruling_number: u64) -> Option<u64> {
        self.line_of_operation(*self.by_ruling_number.get(&ruling_number)?)
    }
}

/// Returns the lines of a viewer's log.
pub(super) fn log_lines_of_viewer(timeline: &Timeline, viewer: &Viewer) -> LogLines {
    let entries = log_entries(timeline, viewer).into_iter();
    let numbers = entries.map(|entry| (entry.operation.seq, entry.number));
    LogLines {
        numbers: numbers.collect(),
        by_ruling_number: standing_operations_by_ruling_number(timeline),
    }
}

/// Returns the operations that hold, by ruling number.
pub(super) fn standing_operations_by_ruling_number(timeline: &Timeline) -> BTreeMap<u64, u64> {
    let live = timeline.history.live_operations();
    live.filter_map(|one| Some((one.slot?, one.seq))).collect()
}
