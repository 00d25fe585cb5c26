//! The numbers of log lines in posts.

use std::collections::BTreeMap;

use crate::doc::Viewer;
use crate::game::timeline::Timeline;
use crate::game::timeline::log_entries::log_entries;

/// Returns the numbers that posts for a reader show, by operation: those of the reader's log. Readers without a log
/// read the numbers of the person who posts.
pub(super) fn numbers_in_posts(
    timeline: &Timeline,
    own: &Viewer,
    to: &Viewer,
) -> BTreeMap<u64, u64> {
    let has_log = *to != Viewer::Public && to.as_group().is_none();
    let entries = log_entries(timeline, if has_log { to } else { own });
    let numbers = entries.iter();
    numbers
        .map(|entry| (entry.operation.seq, entry.number))
        .collect()
}
