//! Makes the edits of one line. Each edit gives another line, as the user may have intended it. Edits of words and
//! edits of brackets and quotes are in modules of their own. Edits of bullets, marks and letters are here.

mod brackets;
mod words;

use std::collections::BTreeSet;
use std::ops::Range;

use super::Slips;
use super::pieces::{Piece, quoted_ranges, split_pieces};
use crate::content::with_latin_shapes;
use crate::diag::{Fix, Span};

/// Edits of one line that are worth a try.
pub(super) const MOST: usize = 400;

/// A missing mark is near to the end of a reading, and not further away.
/// unit: bytes
const FAR: usize = 40;

/// How likely an edit is, the likeliest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in super::super) enum Kind {
    Written,
    Expected,
    Alike,
    ForeignQuotes,
    Bullet,
    Unbalanced,
    Near,
    Doubled,
    Brackets,
    Blank,
    Swapped,
    Known,
    Mark,
    Sign,
    MarkForBlank,
    OtherMark,
    Level,
    Unquoted,
}

impl Kind {
    /// Returns whether it adds a missing mark.
    pub(in super::super) fn adds_missing_mark(self) -> bool {
        matches!(self, Kind::Bullet | Kind::Unbalanced | Kind::Mark)
    }

    /// Returns whether it replaces a word by another: of several readable ones none is preferred.
    pub(in super::super) fn replaces_word(self) -> bool {
        matches!(self, Kind::Expected | Kind::Near | Kind::Known)
    }
}

/// The edits of one line while they are collected.
pub(super) struct Edits<'a> {
    slips: &'a Slips,
    line: &'a str,
    focus: Range<usize>,
    /// The bullet of other lines with the same number of leading spaces.
    usual: Option<char>,
    pieces: Vec<(Piece, Range<usize>)>,
    /// The quoted pieces, with their quotes.
    quoted: Vec<Range<usize>>,
    found: Vec<(Kind, usize, Fix)>,
}

impl<'a> Edits<'a> {
    /// Begins with a line that has an error at a range. `usual` is the bullet of other lines like it.
    pub(super) fn of(
        slips: &'a Slips,
        line: &'a str,
        focus: Range<usize>,
        usual: Option<char>,
    ) -> Edits<'a> {
        Edits {
            slips,
            line,
            focus,
            usual,
            pieces: split_pieces(line),
            quoted: slips
                .quotes
                .iter()
                .flat_map(|quote| quoted_ranges(line, *quote))
                .collect(),
            found: Vec::new(),
        }
    }

    fn add_edit(&mut self, kind: Kind, range: Range<usize>, text: impl Into<String>) {
        let text = text.into();
        if self.line.get(range.clone()).is_none_or(|same| same == text) {
            return;
        }
        let distance = match &self.focus {
            focus if range.end < focus.start => focus.start - range.end,
            focus if range.start > focus.end => range.start - focus.end,
            _ => 0,
        };
        if distance > FAR && kind >= Kind::Blank {
            return;
        }
        let span = Span::new(range.start, range.end);
        self.found.push((kind, distance, Fix::new(span, text)));
    }

    /// Returns all edits: the likeliest first, and among equals the nearest to the range. `expected` are words if one
    /// of them is missing there.
    pub(super) fn sorted_edits(mut self, expected: &[String]) -> Vec<(Kind, Fix)> {
        self.add_expected_edits(expected);
        self.add_written_slip_edits();
        self.add_lookalike_edits();
        self.add_foreign_quote_edits();
        self.add_bullet_edits();
        self.add_unbalanced_edits();
        self.add_word_edits();
        self.add_bracket_edits();
        self.add_space_edits();
        self.add_mark_edits();
        self.add_quote_removal_edits();
        self.found
            .sort_by_key(|(kind, distance, _)| (*kind, *distance));
        let mut known = BTreeSet::new();
        let found = self.found.into_iter();
        let edits = found.map(|(kind, _, edit)| (kind, edit));
        edits
            .filter(|(_, edit)| known.insert(edit.clone()))
            .take(MOST)
            .collect()
    }

    fn is_quoted(&self, at: usize) -> bool {
        let inside = |range: &Range<usize>| range.start < at && at < range.end;
        self.quoted.iter().any(inside)
    }

    /// Returns the words outside of quotes.
    fn unquoted_words(&self) -> Vec<Range<usize>> {
        let words = self.pieces.iter().filter(|(kind, _)| *kind == Piece::Word);
        let words = words.map(|(_, range)| range.clone());
        words.filter(|word| !self.is_quoted(word.start)).collect()
    }

    /// Returns the beginnings and the ends of words and marks outside of quotes. With `also_quoted`, includes those
    /// inside of quotes.
    fn piece_edges(&self, also_quoted: bool) -> (Vec<usize>, Vec<usize>) {
        let solid = self.pieces.iter().filter(|(kind, _)| *kind != Piece::Blank);
        let (starts, ends): (Vec<usize>, Vec<usize>) =
            solid.map(|(_, range)| (range.start, range.end)).unzip();
        let kept = |all: Vec<usize>| {
            let free = all.into_iter();
            free.filter(|at| also_quoted || !self.is_quoted(*at))
                .collect()
        };
        (kept(starts), kept(ends))
    }

    /// Adds edits of letters of other alphabets, and of marks of other widths.
    fn add_lookalike_edits(&mut self) {
        let written = with_latin_shapes(self.line);
        let is_plain = |c: char| c.is_ascii() || self.slips.bullets.contains(&c);
        if written != self.line {
            let kept = self.line.chars().map(|c| match is_plain(c) {
                true => c.to_string(),
                false => with_latin_shapes(c.encode_utf8(&mut [0; 4])),
            });
            let kept: String = kept.collect();
            self.add_edit(Kind::Alike, 0..self.line.len(), kept);
            for (at, c) in self.line.char_indices().filter(|(_, c)| !is_plain(*c)) {
                let plain = with_latin_shapes(c.encode_utf8(&mut [0; 4]));
                self.add_edit(Kind::Alike, at..at + c.len_utf8(), format!("{plain} "));
            }
        }
    }

    /// Adds edits of a bullet that is missing, is another mark, is one of another level, or is too much.
    fn add_bullet_edits(&mut self) {
        let indent = self.line.len() - self.line.trim_start().len();
        let rest = &self.line[indent..];
        let first = rest.chars().next().unwrap_or(' ');
        let behind = indent + first.len_utf8();
        let is_bullet = self.slips.bullets.contains(&first);
        // One letter by itself is not a word either.
        let is_mark = self.line[behind..].starts_with(char::is_whitespace);
        let usual = self.usual.into_iter();
        for bullet in usual.chain(self.slips.bullets.iter().copied()) {
            if is_bullet {
                self.add_edit(Kind::Level, indent..behind, bullet.to_string());
            } else if is_mark {
                self.add_edit(Kind::Bullet, indent..behind, bullet.to_string());
            } else {
                self.add_edit(Kind::Bullet, indent..indent, format!("{bullet} "));
            }
        }
        if is_bullet {
            let blanks = self.line[behind..].len() - self.line[behind..].trim_start().len();
            self.add_edit(Kind::Bullet, 0..behind + blanks, "");
        }
    }

    /// Adds edits of a mark that is missing or wrong.
    fn add_mark_edits(&mut self) {
        let slips = self.slips;
        let (starts, ends) = self.piece_edges(false);
        for mark in &slips.marks {
            for at in &ends {
                let blanks = self.line[*at..].len() - self.line[*at..].trim_start().len();
                self.add_edit(Kind::Mark, *at..*at, mark.as_str());
                if blanks > 0 {
                    self.add_edit(Kind::MarkForBlank, *at..*at + blanks, mark.as_str());
                } else {
                    self.add_edit(Kind::Mark, *at..*at, format!("{mark} "));
                }
            }
        }
        for sign in &slips.signs {
            for at in &starts {
                self.add_edit(Kind::Sign, *at..*at, sign.as_str());
            }
        }
        let pieces = self.pieces.clone();
        let other = pieces.iter().filter(|(kind, _)| *kind == Piece::Mark);
        for (_, range) in other {
            if self.is_quoted(range.start) {
                continue;
            }
            for mark in slips.marks.iter().chain(&slips.signs) {
                self.add_edit(Kind::OtherMark, range.clone(), mark.as_str());
            }
        }
    }
}
