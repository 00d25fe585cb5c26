//! Compares a value with a number, and finds the faces of a die that meet the comparison.

/// The kinds of comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Compare {
    Less,
    AtMost,
    Equal,
    AtLeast,
    More,
}

/// A comparison with a number, as in `>=8`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Test {
    pub(super) compare: Compare,
    pub(super) number: i64,
}

/// Whole numbers from `low` to `high`; empty if `low` is above `high`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Interval {
    pub(super) low: i64,
    pub(super) high: i64,
}

impl Test {
    pub(super) fn equal_to(number: i64) -> Test {
        Test {
            compare: Compare::Equal,
            number,
        }
    }

    #[inline]
    pub(super) fn matches(&self, value: i64) -> bool {
        match self.compare {
            Compare::Less => value < self.number,
            Compare::AtMost => value <= self.number,
            Compare::Equal => value == self.number,
            Compare::AtLeast => value >= self.number,
            Compare::More => value > self.number,
        }
    }

    /// Returns the faces that meet the test.
    pub(super) fn matching_faces(&self, faces: Interval) -> Interval {
        let (low, high) = match self.compare {
            Compare::Less => (faces.low, self.number.saturating_sub(1)),
            Compare::AtMost => (faces.low, self.number),
            Compare::Equal => (self.number, self.number),
            Compare::AtLeast => (self.number, faces.high),
            Compare::More => (self.number.saturating_add(1), faces.high),
        };
        Interval::new(low.max(faces.low), high.min(faces.high))
    }
}

impl Interval {
    pub(super) fn new(low: i64, high: i64) -> Interval {
        Interval { low, high }
    }

    pub(super) fn is_empty(self) -> bool {
        self.low > self.high
    }

    /// Returns the count of the numbers; bounds of dice are far below overflow.
    pub(super) fn number_count(self) -> u64 {
        u64::try_from(self.high - self.low + 1).unwrap_or(0)
    }

    /// Returns whether each number of this interval is in one of `others`.
    pub(super) fn is_covered_by(self, others: &[Interval]) -> bool {
        let mut next = self.low;
        while next <= self.high {
            let cover = others
                .iter()
                .find(|one| one.low <= next && next <= one.high);
            match cover {
                Some(one) => next = one.high + 1,
                None => return false,
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_covers_the_faces_it_matches() {
        let faces = Interval::new(1, 6);
        for compare in [
            Compare::Less,
            Compare::AtMost,
            Compare::Equal,
            Compare::AtLeast,
            Compare::More,
        ] {
            for number in [i64::MIN, -1, 0, 1, 3, 6, 7, i64::MAX] {
                let test = Test { compare, number };
                let within = test.matching_faces(faces);
                for face in 1..=6 {
                    let inside = within.low <= face && face <= within.high;
                    assert_eq!(inside, test.matches(face), "{test:?} of {face}");
                }
            }
        }
    }

    #[test]
    fn two_intervals_may_cover_a_die_together() {
        let low = Interval::new(1, 3);
        let high = Interval::new(4, 6);
        assert!(Interval::new(1, 6).is_covered_by(&[high, low]));
        assert!(!Interval::new(1, 7).is_covered_by(&[high, low]));
        assert!(Interval::new(1, 0).is_covered_by(&[]));
    }
}
