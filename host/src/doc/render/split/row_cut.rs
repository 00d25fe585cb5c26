//! Cuts a row of text after a sentence if possible, else after a word, else after a sign.

use unicode_width::UnicodeWidthChar;

use crate::doc::gated_rows::{Row, push_text};
use crate::doc::render::node::{plain_text, trim_row};

/// The finest places where a text may be cut.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Finest {
    /// Sentences only.
    Sentence,
    /// Sentences and words, not the letters of a word.
    Word,
    /// Words and signs too, if nothing else helps.
    Sign,
}

/// Returns the longest start of the row that fits and the rest, neither of them empty.
pub(super) fn cut_row(
    row: &Row,
    finest: Finest,
    fits: &dyn Fn(&Row) -> bool,
) -> Option<(Row, Row)> {
    let text = plain_text(row);
    let ends: Vec<usize> = text.char_indices().map(|(at, _)| at).skip(1).collect();
    let fitting = |end: usize| fits(&split_row(row, end).0);
    let most = super::cut::largest_that_holds(ends.len(), &|count| fitting(ends[count - 1]));
    let most = *ends.get(most.checked_sub(1)?)?;
    let sentence = last_cut_place(&text, most, |before, after| {
        ".!?…".contains(before) && after == ' '
    });
    let word = last_cut_place(&text, most, |_, after| after == ' ');
    let sign = last_cut_place(&text, most, |_, after| after.width() != Some(0));
    // A sentence that ends early would leave most of the post empty.
    let sentence = sentence.filter(|end| finest == Finest::Sentence || *end * 2 > most);
    let all = match finest {
        Finest::Sentence => [sentence, None, None, None],
        Finest::Word => [sentence, word, None, None],
        Finest::Sign => [
            sentence,
            word.filter(|end| *end * 2 > most),
            sign,
            Some(most),
        ],
    };
    let mut halves = all.into_iter().flatten().map(|end| split_row(row, end));
    halves.find(|(start, rest)| !start.is_empty() && !rest.is_empty() && fits(start))
}

/// Returns the last place up to `most` where a text may be cut.
fn last_cut_place(text: &str, most: usize, is_place: impl Fn(char, char) -> bool) -> Option<usize> {
    let mut rest = text[..most].char_indices().rev();
    let mut after = text[most..].chars().next()?;
    rest.find_map(|(at, before)| {
        let end = at + before.len_utf8();
        let found = is_place(before, after).then_some(end);
        after = before;
        found
    })
}

/// Returns the row up to a byte of its text and the rest, without the spaces between them.
fn split_row(row: &Row, end: usize) -> (Row, Row) {
    let (mut start, mut rest, mut left) = (Row::new(), Row::new(), end);
    for piece in row {
        let (before, after) = piece.text.split_at(left.min(piece.text.len()));
        push_text(&mut start, before, piece.style);
        push_text(&mut rest, after, piece.style);
        left -= before.len();
    }
    (trim_row(start), trim_row(rest))
}
