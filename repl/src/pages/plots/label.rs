//! Texts of a plot: their width, what is left of a long one, and how many fit beside one another.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The room for one column of text in the font of plots; few letters are wider, most are narrower.
const COLUMN: f64 = 7.6;
/// The least room between two labels.
const GAP: f64 = 8.0;

/// Returns the room that a text may need.
pub(super) fn text_room(text: &str) -> f64 {
    text.width() as f64 * COLUMN
}

/// Returns a text without characters that no XML file may have.
pub(super) fn xml_text(text: &str) -> String {
    let is_allowed = |c: &char| match c {
        '\t' | '\n' | '\r' => true,
        '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => false,
        _ => true,
    };
    text.chars().filter(is_allowed).collect()
}

/// Returns a text that has a room; what does not fit is left out, with a sign for it.
pub(super) fn clipped_text(text: &str, room: f64) -> String {
    let text = xml_text(text);
    if text_room(&text) <= room {
        return text;
    }
    let columns = (room / COLUMN) as usize;
    let mut used = 1;
    let fits = |c: &char| {
        used += c.width().unwrap_or(0);
        used <= columns
    };
    let kept: String = text.chars().take_while(fits).collect();
    format!("{}…", kept.trim_end())
}

/// Returns the number of columns from one shown label to the next, so that labels do not overlap.
pub(super) fn columns_per_label<'a>(labels: impl Iterator<Item = &'a str>, column: f64) -> usize {
    let widest = labels.map(text_room).fold(0.0, f64::max);
    ((widest + GAP) / column).ceil().max(1.0) as usize
}

/// Returns the number with which a label begins: a number, or a range such as `3 to 5`.
pub(super) fn starts_with_number(label: &str) -> Option<f64> {
    let mut words = label.split_whitespace();
    let number: f64 = words.next()?.parse().ok()?;
    let is_range = match (words.next(), words.next()) {
        (None, _) => true,
        (Some("to"), Some(last)) => last.parse::<f64>().is_ok(),
        (Some(_), _) => false,
    };
    (number.is_finite() && is_range).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_cut_where_it_no_longer_fits() {
        assert_eq!(clipped_text("Undertow", 80.0), "Undertow");
        assert_eq!(clipped_text("Undertow and more", 80.0), "Undertow…");
        assert_eq!(clipped_text("漢字漢字漢字漢字", 80.0), "漢字漢字…");
        assert_eq!(clipped_text("a\u{0}b\u{ffff}", 80.0), "ab");
    }

    #[test]
    fn numbers_and_ranges_are_places_on_a_scale() {
        assert_eq!(starts_with_number("12"), Some(12.0));
        assert_eq!(starts_with_number("-3 to 5"), Some(-3.0));
        for words in ["", "three", "3 wolves", "3 to", "inf", "nan", "3 to Bo"] {
            assert_eq!(starts_with_number(words), None, "{words}");
        }
    }

    #[test]
    fn fewer_labels_are_shown_if_columns_are_narrow() {
        assert_eq!(columns_per_label(["1", "10"].into_iter(), 30.0), 1);
        assert_eq!(columns_per_label(["1", "100"].into_iter(), 8.0), 4);
        assert_eq!(columns_per_label([].into_iter(), 8.0), 1);
    }
}
