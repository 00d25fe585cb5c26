//! The messages that a post shows, by operation: what a note about the post records.

use std::collections::{BTreeMap, BTreeSet};

use crate::game::timeline::post_notes::line_ranges;

/// Messages of operations to one reader.
#[derive(Default)]
pub(super) struct ShownMessages {
    /// By operation: the places of the shown messages, and the number of all its messages to the reader.
    by_operation: BTreeMap<u64, (BTreeSet<u64>, u64)>,
}

impl ShownMessages {
    /// Adds a message by its operation, its place there from 0, and the number of messages there.
    pub(super) fn add(&mut self, seq: u64, place: u64, count: u64) {
        let (places, all) = self.by_operation.entry(seq).or_default();
        places.insert(place);
        *all = count;
    }

    /// Adds an operation as a whole.
    pub(super) fn add_whole(&mut self, seq: u64) {
        self.by_operation.insert(seq, (BTreeSet::new(), 0));
    }

    /// Returns the operations that are shown as a whole, as first and last numbers.
    pub(super) fn lines(&self) -> Vec<(u64, u64)> {
        let shown = self.by_operation.iter();
        let whole = shown.filter(|(_, (places, all))| places.len() as u64 == *all);
        line_ranges(whole.map(|(seq, _)| *seq))
    }

    /// Returns the operations with only some shown messages, and the places of these.
    pub(super) fn parts(&self) -> Vec<(u64, Vec<u64>)> {
        let shown = self.by_operation.iter();
        let parts = shown.filter(|(_, (places, all))| places.len() as u64 != *all);
        parts
            .map(|(seq, (places, _))| (*seq, places.iter().copied().collect()))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_operation_is_shown_as_a_whole_or_in_part() {
        let mut shown = ShownMessages::default();
        for (seq, place, count) in [(3, 0, 1), (4, 0, 2), (4, 1, 2), (5, 1, 3), (7, 0, 1)] {
            shown.add(seq, place, count);
        }
        shown.add_whole(8);
        assert_eq!(shown.lines(), [(3, 4), (7, 8)]);
        assert_eq!(shown.parts(), [(5, vec![1])]);
    }
}
