//! Shortens two different texts so that the difference is visible.

/// Number of characters of a text that a message shows.
pub(super) const SHOWN: usize = 80;
/// Number of characters that are shown before the first different one.
const BEFORE: usize = 24;

/// Shortens a text to the length that a message shows.
pub(super) fn shorten_text_at_end(text: &str) -> String {
    text_excerpt(text, 0)
}

/// Shortens two texts around their first difference.
pub(super) fn excerpts_around_difference(one: &str, other: &str) -> (String, String) {
    let same = one.chars().zip(other.chars()).take_while(|(a, b)| a == b);
    let same = same.count();
    let from = match one == other || same + BEFORE < SHOWN {
        true => 0,
        false => same - BEFORE,
    };
    (text_excerpt(one, from), text_excerpt(other, from))
}

fn text_excerpt(text: &str, from: usize) -> String {
    let shown: String = text.chars().skip(from).take(SHOWN).collect();
    let before = if from > 0 { "…" } else { "" };
    let is_more = text.chars().nth(from + SHOWN).is_some();
    let behind = if is_more { "…" } else { "" };
    format!("{before}{shown}{behind}")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn short_texts_stay_whole_and_long_ones_are_cut_around_the_difference() {
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        assert_eq!(excerpts_around_difference("a b", "a c"), pair("a b", "a c"));
        let long = "x".repeat(500);
        let (one, other) =
            excerpts_around_difference(&format!("{long}1 end"), &format!("{long}2 end"));
        let begin = format!("…{}", "x".repeat(BEFORE));
        assert_eq!(
            (one, other),
            (format!("{begin}1 end"), format!("{begin}2 end"))
        );
        let (one, other) = excerpts_around_difference(&long, &format!("{long}{long}"));
        assert_eq!(one, begin);
        assert_eq!(other, format!("…{}…", "x".repeat(SHOWN)));
        assert_eq!(
            excerpts_around_difference(&long, &long).0,
            format!("{}…", "x".repeat(SHOWN))
        );
    }

    proptest! {
        #[test]
        fn what_differs_is_shown_differently(
            same in ".{0,300}",
            one in ".{0,200}",
            other in ".{0,200}",
        ) {
            let (one, other) = (format!("{same}{one}"), format!("{same}{other}"));
            let (a, b) = excerpts_around_difference(&one, &other);
            prop_assert_eq!(a == b, one == other);
            prop_assert!(a.chars().count() <= SHOWN + 2 && b.chars().count() <= SHOWN + 2);
        }
    }
}
