//! Splits a line into the pieces that people see: words, spaces, marks, and the contents of quotes and brackets.

use std::ops::Range;

/// The kind of a piece of a line. A mark is one character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    Word,
    Blank,
    Mark,
}

/// Returns words, spaces and marks of a line. A mark is one character.
pub(super) fn split_pieces(line: &str) -> Vec<(Piece, Range<usize>)> {
    let mut out: Vec<(Piece, Range<usize>)> = Vec::new();
    for (at, c) in line.char_indices() {
        let kind = match c {
            c if c.is_alphanumeric() => Piece::Word,
            '\'' | '’' | '_' => Piece::Word,
            c if c.is_whitespace() => Piece::Blank,
            _ => Piece::Mark,
        };
        match out.last_mut() {
            Some((last, range)) if *last == kind && kind != Piece::Mark => {
                range.end = at + c.len_utf8();
            }
            _ => out.push((kind, at..at + c.len_utf8())),
        }
    }
    out
}

/// Returns the ranges inside pairs of a quote, with the quotes.
pub(super) fn quoted_ranges(line: &str, quote: char) -> Vec<Range<usize>> {
    let places: Vec<usize> = line.match_indices(quote).map(|(at, _)| at).collect();
    let pairs = places.chunks_exact(2);
    pairs
        .map(|pair| pair[0]..pair[1] + quote.len_utf8())
        .collect()
}

/// Returns the place where a bracket is closed.
pub(super) fn closing_bracket(
    line: &str,
    start: usize,
    (open, close): (char, char),
) -> Option<usize> {
    let mut depth = 0usize;
    for (at, c) in line[start..].char_indices() {
        if c == open {
            depth += 1;
        } else if c == close {
            depth -= 1;
            if depth == 0 {
                return Some(start + at);
            }
        }
    }
    None
}

/// Returns whether words at a range are not parts of longer ones.
pub(super) fn is_whole_words(line: &str, range: &Range<usize>) -> bool {
    let text = &line[range.clone()];
    let is_letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let before = line[..range.start].chars().next_back();
    let behind = line[range.end..].chars().next();
    !(is_letter(text.chars().next()) && is_letter(before)
        || is_letter(text.chars().next_back()) && is_letter(behind))
}
