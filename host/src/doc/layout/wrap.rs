//! Breaks rows between words.
//!
//! In: a row of gated pieces and a width in columns of the terminal. Out: rows within that width. Runs of
//! spaces count as one; a word is never broken unless the caller asks for it.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::doc::Style;
use crate::doc::gated_rows::{Piece, Row, append_row, push_text};

/// The treatment of a word that is wider than the row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::doc) enum Long {
    /// It is alone in its row and overflows, so that it can be copied.
    Whole,
    /// It is broken, so that a column keeps its width.
    Broken,
}

/// Returns how many columns a row takes.
pub(in crate::doc) fn row_width(row: &Row) -> usize {
    row.iter().map(|piece| piece.text.width()).sum()
}

/// Appends spaces up to a width.
pub(in crate::doc) fn pad_row(row: &mut Row, to: usize) {
    let missing = to.saturating_sub(row_width(row));
    push_text(row, &" ".repeat(missing), Style::Plain);
}

/// Returns the row as rows of at most `columns` columns; an empty one stays one row.
pub(in crate::doc) fn wrap_row(row: &Row, columns: usize, long: Long) -> Vec<Row> {
    let mut out = vec![Row::new()];
    let mut used = 0;
    for word in split_words(row) {
        for part in split_long_word(word, columns, long) {
            let wide = row_width(&part);
            let current = out.last_mut().expect("invariant: there is a row");
            if used == 0 {
                *current = part;
                used = wide;
            } else if used + 1 + wide <= columns {
                push_text(current, " ", space_style_between(current, &part));
                append_row(current, part);
                used += 1 + wide;
            } else {
                out.push(part);
                used = wide;
            }
        }
    }
    out
}

/// Returns how many columns a row takes if each run of spaces counts as one, as in the result of [`wrap_row`].
pub(super) fn wrapped_width(row: &Row) -> usize {
    let words = split_words(row);
    let blanks = words.len().saturating_sub(1);
    words.iter().map(row_width).sum::<usize>() + blanks
}

/// Returns the width of the widest word.
pub(super) fn widest_word(row: &Row) -> usize {
    split_words(row)
        .iter()
        .map(row_width)
        .max()
        .unwrap_or_default()
}

fn split_words(row: &Row) -> Vec<Row> {
    let mut words = vec![Row::new()];
    for Piece { text, style } in row {
        for (at, part) in text.split(' ').enumerate() {
            if at > 0 {
                words.push(Row::new());
            }
            let word = words.last_mut().expect("invariant: there is a word");
            push_text(word, part, *style);
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

fn split_long_word(word: Row, columns: usize, long: Long) -> Vec<Row> {
    if long == Long::Whole || row_width(&word) <= columns {
        return vec![word];
    }
    let mut parts = vec![Row::new()];
    let mut used = 0;
    for Piece { text, style } in word {
        for c in text.chars() {
            let wide = c.width().unwrap_or_default();
            if used + wide > columns && used > 0 {
                parts.push(Row::new());
                used = 0;
            }
            let part = parts.last_mut().expect("invariant: there is a part");
            push_text(part, c.encode_utf8(&mut [0; 4]), style);
            used += wide;
        }
    }
    parts
}

/// A space between two words of one style has that style too, so that a struck sentence is one stroke.
fn space_style_between(left: &Row, right: &Row) -> Style {
    match (left.last(), right.first()) {
        (Some(left), Some(right)) if left.style == right.style => left.style,
        (Some(_) | None, Some(_) | None) => Style::Plain,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::doc::build::{line, strike, text};
    use crate::doc::gated_rows::gated_single_row;

    fn row_texts(rows: &[Row]) -> Vec<String> {
        let text = |row: &Row| row.iter().map(|piece| piece.text.as_str()).collect();
        rows.iter().map(text).collect()
    }

    #[test]
    fn words_stay_whole_across_styles() {
        let row = gated_single_row(&line([text("one two"), strike("three four")]));
        let rows = wrap_row(&row, 8, Long::Whole);
        assert_eq!(row_texts(&rows), ["one", "twothree", "four"]);
        assert_eq!(rows[1].len(), 2);
        let wide = wrap_row(&row, 40, Long::Whole);
        assert_eq!(wide[0][1].text, "three four");
    }

    #[test]
    fn wide_characters_count_two_columns() {
        let row = gated_single_row(&"漢字漢字 a".into());
        assert_eq!(
            row_texts(&wrap_row(&row, 5, Long::Whole)),
            ["漢字漢字", "a"]
        );
        assert_eq!(
            row_texts(&wrap_row(&row, 5, Long::Broken)),
            ["漢字", "漢字", "a"]
        );
    }

    proptest! {
        #[test]
        fn no_word_is_lost_and_no_row_too_wide(text in "[a-zäß漢 ]{0,80}", columns in 2usize..30) {
            let row = gated_single_row(&text.as_str().into());
            let broken = row_texts(&wrap_row(&row, columns, Long::Broken));
            prop_assert!(broken.iter().all(|row| row.width() <= columns));
            let dense = |text: &str| text.replace(' ', "");
            prop_assert_eq!(dense(&broken.concat()), dense(&text));
            let whole = row_texts(&wrap_row(&row, columns, Long::Whole));
            let words: Vec<&str> = text.split_whitespace().collect();
            prop_assert_eq!(whole.join(" "), words.join(" "));
            let fits = |row: &String| row.width() <= columns || !row.contains(' ');
            prop_assert!(whole.iter().all(fits));
        }
    }
}
