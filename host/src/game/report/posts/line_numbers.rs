//! The numbers of log lines in posts.

use std::collections::{BTreeMap, BTreeSet};

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

/// Returns numbers as ranges without gaps, in order.
pub(super) fn line_ranges(numbers: impl IntoIterator<Item = u64>) -> Vec<(u64, u64)> {
    let numbers: BTreeSet<u64> = numbers.into_iter().collect();
    let mut ranges: Vec<(u64, u64)> = Vec::new();
    for number in numbers {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => ranges.push((number, number)),
        }
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_without_gaps_are_one_range() {
        assert_eq!(line_ranges([7, 3, 4, 5, 7]), [(3, 5), (7, 7)]);
        assert_eq!(line_ranges([]), []);
    }
}
