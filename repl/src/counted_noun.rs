//! Writes a number with its noun: `1 line`, `2 lines`.

use std::fmt::Display;

/// Returns the number with the noun, which gets an s unless the number is 1.
pub(crate) fn counted_noun<N: Display + PartialEq + From<u8>>(count: N, noun: &str) -> String {
    let ending = if count == N::from(1_u8) { "" } else { "s" };
    format!("{count} {noun}{ending}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_has_no_ending() {
        let counted = [0_usize, 1, 2].map(|count| counted_noun(count, "line"));
        assert_eq!(counted, ["0 lines", "1 line", "2 lines"]);
    }
}
