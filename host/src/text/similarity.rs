//! Compares texts by their longest common parts, for names that are written nearly right.
//!
//! The ratio is `2·M / (len(a) + len(b))` with lengths in characters. `M` counts the longest common run (first in `a`,
//! then first in `b`, among equally long ones). In the same way, `M` counts the parts to the left and right of that
//! run. `a` is the candidate, `b` the text of the author: the ratio is not symmetric. Ratios are exact fractions, so
//! that a cut-off of 0.6 lets 6/10 pass on every machine.

use std::cmp::Ordering;

use super::letter_counts::{Comparison, Letters};
use crate::value::Number;

/// An exact share between 0 and 1.
#[derive(Clone, Copy, Debug)]
pub struct Ratio {
    part: u64,
    whole: u64,
}

impl Ratio {
    /// Returns `part / whole`; a `whole` of 0 counts as 1 / 1.
    pub fn new(part: u32, whole: u32) -> Ratio {
        if whole == 0 {
            Ratio { part: 1, whole: 1 }
        } else {
            let (part, whole) = (u64::from(part), u64::from(whole));
            Ratio { part, whole }
        }
    }

    /// Returns a number as a share; nothing if it is negative or has more than 19 digits or places.
    pub fn from_number(number: &Number) -> Option<Ratio> {
        let decimal = number.to_decimal();
        let whole = 10u64.checked_pow(decimal.scale())?;
        let part = u64::try_from(decimal.mantissa()).ok()?;
        Some(Ratio { part, whole })
    }

    /// Returns the nearest double, for display.
    pub fn to_f64(self) -> f64 {
        self.part as f64 / self.whole as f64
    }
}

impl Ord for Ratio {
    fn cmp(&self, other: &Ratio) -> Ordering {
        let cross = |a: u64, b: u64| u128::from(a) * u128::from(b);
        cross(self.part, other.whole).cmp(&cross(other.part, self.whole))
    }
}

impl PartialOrd for Ratio {
    fn partial_cmp(&self, other: &Ratio) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Ratio {
    fn eq(&self, other: &Ratio) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Ratio {}

/// Returns how close the author's text `b` is to the candidate `a`; both empty is 1.
///
/// Texts of more than 200 characters give 0 unless they are equal. Case counts: fold before.
pub fn similarity_ratio(a: &str, b: &str) -> Ratio {
    if a == b {
        return Ratio::new(1, 1);
    }
    match (Letters::prepare(a), Letters::prepare(b)) {
        (Some(a), Some(b)) => {
            matched_share(Comparison::new().common_length(&a, &b), a.len() + b.len())
        }
        _ => Ratio::new(0, 1),
    }
}

/// Returns at most `most` candidates whose ratio to `word` reaches `cutoff`, closest first.
///
/// Equal ratios: the alphabetically last candidate (by code point) comes first.
pub fn close_matches<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
    most: usize,
    cutoff: Ratio,
) -> Vec<&'a str> {
    let (letters, mut room) = (Letters::prepare(word), Comparison::new());
    let mut ratio = |name: &str| match (Letters::prepare(name), &letters) {
        (Some(name), Some(word)) => ratio_if_reached(&mut room, &name, word, cutoff),
        _ => Some(Ratio::new(1, 1)).filter(|one| name == word && *one >= cutoff),
    };
    let found = candidates.into_iter();
    let mut close: Vec<(Ratio, &str)> = found
        .filter_map(|name| Some((ratio(name)?, name)))
        .collect();
    close.sort_by(|left, right| right.cmp(left));
    close.truncate(most);
    close.into_iter().map(|(_, name)| name).collect()
}

/// Returns the share of matched characters in the characters of both texts.
pub(super) fn matched_share(matched: usize, total: usize) -> Ratio {
    let count = |n: usize| u32::try_from(n).expect("invariant: lengths are at most 400");
    Ratio::new(2 * count(matched), count(total))
}

/// Returns the ratio of two texts, unless an upper bound by their letters already shows that it is below `least`.
pub(super) fn ratio_if_reached(
    room: &mut Comparison,
    a: &Letters,
    b: &Letters,
    least: Ratio,
) -> Option<Ratio> {
    let (total, shorter) = (a.len() + b.len(), a.len().min(b.len()));
    if matched_share(shorter, total) < least
        || matched_share(a.max_common_letters(b), total) < least
    {
        return None;
    }
    Some(matched_share(room.common_length(a, b), total)).filter(|ratio| *ratio >= least)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn ratios_are_exact_and_depend_on_the_order() {
        let cases = [
            ("abxcd", "abcd", 8, 9),
            ("abcd", "bcde", 3, 4),
            ("ketch", "catch", 3, 5),
            ("hr", "hard", 2, 3),
            ("mt", "melt", 2, 3),
            ("kilograms", "grams", 10, 14),
            ("qabxcd", "abycdf", 2, 3),
            ("tide", "diet", 1, 4),
            ("diet", "tide", 1, 2),
            ("", "", 1, 1),
            ("a", "", 0, 1),
        ];
        for (a, b, part, whole) in cases {
            assert_eq!(similarity_ratio(a, b), Ratio::new(part, whole), "{a} {b}");
        }
    }

    #[test]
    fn the_alphabetically_last_of_equals_wins_and_the_cutoff_itself_passes() {
        let cutoff = Ratio::from_number(&"0.6".parse().unwrap()).unwrap();
        let names = ["difficulty_17_action", "difficulty_21_action", "simple"];
        let close = close_matches("difficulty_12_action", names, 3, cutoff);
        assert_eq!(close, ["difficulty_21_action", "difficulty_17_action"]);
        assert_eq!(close_matches("catch", ["ketch"], 1, cutoff), ["ketch"]);
        assert!(close_matches("catch", ["kitsch"], 1, cutoff).is_empty());
    }

    #[test]
    fn long_texts_are_close_only_to_themselves() {
        let (long, longer) = ("a".repeat(201), "a".repeat(202));
        assert_eq!(similarity_ratio(&long, &longer), Ratio::new(0, 1));
        let names = [long.as_str(), longer.as_str()];
        assert_eq!(
            close_matches(&long, names, 9, Ratio::new(1, 2)),
            [long.as_str()]
        );
    }

    proptest! {
        #[test]
        fn the_filter_never_drops_a_close_one(a in "[a-dä!Z]{0,12}", b in "[a-dä!Z]{0,12}", part in 0u32..10) {
            let cutoff = Ratio::new(part, 10);
            let close = close_matches(&b, [a.as_str()], 1, cutoff);
            prop_assert_eq!(similarity_ratio(&a, &b) >= cutoff, !close.is_empty());
            prop_assert!(similarity_ratio(&a, &b) <= Ratio::new(1, 1));
        }
    }
}
