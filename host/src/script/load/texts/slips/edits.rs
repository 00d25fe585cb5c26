//! This module makes the edits of one line: each would make another line of it that somebody may have meant.

use std::collections::BTreeSet;
use std::ops::Range;

use strsim::damerau_levenshtein;

use super::Slips;
use super::pieces::{Piece, closing, is_whole, pieces, quoted};
use crate::content::latin;
use crate::diag::{Fix, Span, nearest};

/// Edits of one line that are worth a try.
pub(super) const MOST: usize = 400;

/// Names that are near to one word.
const NEAR: usize = 3;

/// A mark is lost near to where a reading ends, and not further away.
/// unit: bytes
const FAR: usize = 40;

/// Quotes of other texts: those that open, and those that close.
const FOREIGN: [(&str, &str); 4] = [("“„", "”“"), ("‘", "’"), ("\"", "\""), ("'", "'")];

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
    /// Returns whether it puts a mark where one is lost.
    pub(in super::super) fn is_lost(self) -> bool {
        matches!(self, Kind::Bullet | Kind::Unbalanced | Kind::Mark)
    }

    /// Returns whether it puts a word in the place of another: of several that can be read none is meant more than the others.
    pub(in super::super) fn is_word(self) -> bool {
        matches!(self, Kind::Expected | Kind::Near | Kind::Known)
    }
}

/// The edits of one line while they are collected.
pub(super) struct Edits<'a> {
    slips: &'a Slips,
    line: &'a str,
    focus: Range<usize>,
    /// The bullet of other lines with as many blanks before it.
    usual: Option<char>,
    pieces: Vec<(Piece, Range<usize>)>,
    /// What stands in quotes, with them.
    quoted: Vec<Range<usize>>,
    found: Vec<(Kind, usize, Fix)>,
}

/// Brackets of which one has none to it.
struct Lost {
    pair: (char, char),
    /// Whether those that open are too many.
    is_open: bool,
    /// Where these stand.
    places: Vec<usize>,
}

impl<'a> Edits<'a> {
    /// Begins with a line in which something is wrong at a range; `usual` is the bullet of other lines like it.
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
            pieces: pieces(line),
            quoted: slips
                .quotes
                .iter()
                .flat_map(|quote| quoted(line, *quote))
                .collect(),
            found: Vec::new(),
        }
    }

    fn add(&mut self, kind: Kind, range: Range<usize>, text: impl Into<String>) {
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

    /// Returns all edits, the likeliest first and of those the nearest to the range; of `expected` words one is missing there.
    pub(super) fn in_order(mut self, expected: &[String]) -> Vec<(Kind, Fix)> {
        self.expected(expected);
        self.written();
        self.alike();
        self.foreign_quotes();
        self.bullets();
        self.unbalanced();
        self.words();
        self.brackets();
        self.blanks();
        self.marks();
        self.unquoted();
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
    fn free_words(&self) -> Vec<Range<usize>> {
        let words = self.pieces.iter().filter(|(kind, _)| *kind == Piece::Word);
        let words = words.map(|(_, range)| range.clone());
        words.filter(|word| !self.is_quoted(word.start)).collect()
    }

    /// Returns where words and marks outside of quotes begin, and where they end; also inside of quotes, if that is asked for.
    fn edges(&self, also_quoted: bool) -> (Vec<usize>, Vec<usize>) {
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

    /// A word that is missing at the range, or that another one stands for.
    fn expected(&mut self, expected: &[String]) {
        let at = self.line.floor_char_boundary(self.focus.start);
        let here = self.pieces.iter().find(|(_, range)| range.contains(&at));
        let here = here.cloned();
        // What stands there instead may be one of them: the nearest comes first.
        let typed = here
            .as_ref()
            .map(|(_, range)| self.line[range.clone()].to_lowercase());
        let mut expected: Vec<&String> = expected.iter().collect();
        if let Some(typed) = typed {
            expected.sort_by_cached_key(|word| damerau_levenshtein(&typed, &word.to_lowercase()));
        }
        for word in expected {
            if !word.starts_with(char::is_alphanumeric) {
                // A mark touches what is before it.
                let before = self.line[..at].trim_end().len();
                self.add(Kind::Expected, before..before, word.as_str());
                continue;
            }
            match &here {
                Some((Piece::Blank, range)) => {
                    self.add(Kind::Expected, range.clone(), format!(" {word} "));
                }
                Some((_, range)) => {
                    self.add(Kind::Expected, range.start..range.start, format!("{word} "));
                    if self.is_behind_words(range.start) && !self.is_quoted(range.start + 1) {
                        self.add(Kind::Expected, range.clone(), word.as_str());
                    }
                    if range.end == self.line.trim_end().len() {
                        self.add(Kind::Expected, range.end..range.end, format!(" {word}"));
                    }
                }
                None => self.add(Kind::Expected, at..at, format!(" {word}")),
            }
        }
    }

    /// Returns whether something stands before a place that it goes on with.
    fn is_behind_words(&self, at: usize) -> bool {
        let before = self.line[..at].trim_end();
        let last = before.chars().next_back();
        let ends = |c: char| {
            let closes = self.slips.brackets.iter().any(|(_, close)| *close == c);
            c.is_alphanumeric() || closes || self.slips.quotes.contains(&c)
        };
        last.is_some_and(ends)
    }

    /// What people write for something else.
    fn written(&mut self) {
        let lower = self.line.to_lowercase();
        // Letters that have another length in lower case would move the places.
        let line = if lower.len() == self.line.len() {
            lower.as_str()
        } else {
            self.line
        };
        for (written, meant) in &self.slips.written {
            let written = written.to_lowercase();
            for (at, _) in line.match_indices(&written) {
                let range = at..at + written.len();
                if is_whole(line, &range) && !self.is_quoted(at) {
                    self.add(Kind::Written, range, meant.as_str());
                }
            }
        }
    }

    /// Letters of other alphabets, and marks of other widths.
    fn alike(&mut self) {
        let written = latin(self.line);
        let is_plain = |c: char| c.is_ascii() || self.slips.bullets.contains(&c);
        if written != self.line {
            let kept = self.line.chars().map(|c| match is_plain(c) {
                true => c.to_string(),
                false => latin(c.encode_utf8(&mut [0; 4])),
            });
            let kept: String = kept.collect();
            self.add(Kind::Alike, 0..self.line.len(), kept);
            for (at, c) in self.line.char_indices().filter(|(_, c)| !is_plain(*c)) {
                let plain = latin(c.encode_utf8(&mut [0; 4]));
                self.add(Kind::Alike, at..at + c.len_utf8(), format!("{plain} "));
            }
        }
    }

    /// Quotes of other texts around something.
    fn foreign_quotes(&mut self) {
        for (open, close) in FOREIGN {
            let opens = self.line.char_indices().filter(|(_, c)| open.contains(*c));
            for (start, first) in opens.collect::<Vec<_>>() {
                let inside = start + first.len_utf8();
                let ends = self.line[inside..].char_indices();
                let ends = ends.filter(|(_, c)| close.contains(*c)).take(3);
                for (length, last) in ends.collect::<Vec<_>>() {
                    let text = &self.line[inside..inside + length];
                    let range = start..inside + length + last.len_utf8();
                    for quote in &self.slips.quotes {
                        self.add(
                            Kind::ForeignQuotes,
                            range.clone(),
                            format!("{quote}{text}{quote}"),
                        );
                    }
                }
            }
        }
    }

    /// A bullet that is lost, is another mark, is one of another level, or is too much.
    fn bullets(&mut self) {
        let indent = self.line.len() - self.line.trim_start().len();
        let rest = &self.line[indent..];
        let first = rest.chars().next().unwrap_or(' ');
        let behind = indent + first.len_utf8();
        let is_bullet = self.slips.bullets.contains(&first);
        // One letter by itself is no word either.
        let is_mark = self.line[behind..].starts_with(char::is_whitespace);
        let usual = self.usual.into_iter();
        for bullet in usual.chain(self.slips.bullets.iter().copied()) {
            if is_bullet {
                self.add(Kind::Level, indent..behind, bullet.to_string());
            } else if is_mark {
                self.add(Kind::Bullet, indent..behind, bullet.to_string());
            } else {
                self.add(Kind::Bullet, indent..indent, format!("{bullet} "));
            }
        }
        if is_bullet {
            let blanks = self.line[behind..].len() - self.line[behind..].trim_start().len();
            self.add(Kind::Bullet, 0..behind + blanks, "");
        }
    }

    /// Brackets and quotes of which one has none to it.
    fn unbalanced(&mut self) {
        let slips = self.slips;
        let (starts, ends) = self.edges(true);
        for quote in &slips.quotes {
            if self.line.matches(*quote).count() % 2 == 1 {
                for at in ends.iter().rev().chain(&starts) {
                    self.add(Kind::Unbalanced, *at..*at, quote.to_string());
                }
            }
        }
        let (starts, ends) = self.edges(false);
        let lost: Vec<Lost> = slips
            .brackets
            .iter()
            .filter_map(|pair| self.lost(*pair))
            .collect();
        for one in &lost {
            let (missing, places) = match one.is_open {
                true => (one.pair.1, &ends),
                false => (one.pair.0, &starts),
            };
            for at in places.iter().rev() {
                self.add(Kind::Unbalanced, *at..*at, missing.to_string());
            }
            // What has none of its kind may belong to one of another kind that has none either.
            for other in lost.iter().filter(|other| other.is_open != one.is_open) {
                let (own, meant) = match one.is_open {
                    true => (one.pair.0, other.pair.0),
                    false => (one.pair.1, other.pair.1),
                };
                for at in &one.places {
                    let range = *at..*at + own.len_utf8();
                    self.add(Kind::Unbalanced, range, meant.to_string());
                }
            }
        }
    }

    /// Returns the brackets of a pair of which there are more than of the other.
    fn lost(&self, pair: (char, char)) -> Option<Lost> {
        let places = |c: char| -> Vec<usize> {
            let all = self.line.match_indices(c).map(|(at, _)| at);
            all.filter(|at| !self.is_quoted(*at)).collect()
        };
        let (opens, closes) = (places(pair.0), places(pair.1));
        let is_open = opens.len() > closes.len();
        let is_lost = opens.len() != closes.len();
        let places = if is_open { opens } else { closes };
        is_lost.then_some(Lost {
            pair,
            is_open,
            places,
        })
    }

    /// Words that are near to another, stand twice, or stand behind their neighbour.
    fn words(&mut self) {
        let words = self.free_words();
        let known = self.slips.words.iter();
        let known: Vec<&str> = known.map(String::as_str).collect();
        for range in &words {
            let word = &self.line[range.clone()];
            let is_known = known.iter().any(|one| one.eq_ignore_ascii_case(word));
            let kind = if is_known { Kind::Known } else { Kind::Near };
            let near = nearest(word, known.iter().copied(), NEAR + 1);
            let near = near
                .into_iter()
                .filter(|one| !one.eq_ignore_ascii_case(word));
            for near in near.take(NEAR) {
                self.add(kind, range.clone(), near);
            }
        }
        for pair in words.windows(2) {
            let (one, other) = (&pair[0], &pair[1]);
            let between = &self.line[one.end..other.start];
            if between.trim().is_empty() {
                let (first, second) = (&self.line[one.clone()], &self.line[other.clone()]);
                if first.eq_ignore_ascii_case(second) {
                    self.add(Kind::Doubled, one.end..other.end, "");
                }
                let swapped = format!("{second}{between}{first}");
                self.add(Kind::Swapped, one.start..other.end, swapped);
            }
        }
    }

    /// Brackets of another kind around the same.
    fn brackets(&mut self) {
        let slips = self.slips;
        for (open, close) in slips.brackets.iter().copied() {
            let opens = self.line.match_indices(open).map(|(at, _)| at);
            let opens: Vec<usize> = opens.filter(|at| !self.is_quoted(*at)).collect();
            for start in opens {
                self.rebracketed(start, (open, close));
            }
            // Two groups of one kind are one.
            let between = format!("{close} {open}");
            let groups = self.line.match_indices(&between).map(|(at, _)| at);
            for at in groups.collect::<Vec<_>>() {
                self.add(Kind::Brackets, at..at + between.len(), ", ");
            }
        }
    }

    /// Brackets of another kind around what stands in some, which touch what is before them or do not; or none.
    fn rebracketed(&mut self, start: usize, pair: (char, char)) {
        let Some(end) = closing(self.line, start, pair) else {
            return;
        };
        let inside = &self.line[start + pair.0.len_utf8()..end];
        let whole = start..end + pair.1.len_utf8();
        let before = self.line[..start].trim_end().len();
        for (open, close) in &self.slips.brackets {
            let text = format!("{open}{inside}{close}");
            self.add(Kind::Brackets, whole.clone(), text.as_str());
            if before < start {
                self.add(Kind::Brackets, before..whole.end, text);
            } else {
                self.add(Kind::Brackets, whole.clone(), format!(" {text}"));
            }
        }
        self.add(Kind::Brackets, whole, inside);
    }

    /// A blank that is lost, or that is none.
    fn blanks(&mut self) {
        let pieces = self.pieces.clone();
        for pair in pieces.windows(2) {
            let ((one, before), (other, behind)) = (&pair[0], &pair[1]);
            if *one != Piece::Blank && *other != Piece::Blank && !self.is_quoted(behind.start) {
                self.add(Kind::Blank, before.end..before.end, " ");
            }
        }
        for word in self.free_words() {
            let text = &self.line[word.clone()];
            let chars: Vec<(usize, char)> = text.char_indices().collect();
            for two in chars.windows(2) {
                let ((_, a), (at, b)) = (two[0], two[1]);
                let is_edge =
                    a.is_lowercase() && b.is_uppercase() || a.is_alphabetic() != b.is_alphabetic();
                if is_edge {
                    let at = word.start + at;
                    self.add(Kind::Blank, at..at, " ");
                }
            }
        }
        for (kind, range) in &pieces {
            if *kind == Piece::Blank && range.start > 0 && !self.is_quoted(range.start) {
                self.add(Kind::Blank, range.clone(), "");
                for joint in &self.slips.joints {
                    self.add(Kind::Blank, range.clone(), joint.to_string());
                }
            }
        }
    }

    /// A mark that is lost, or another one than is meant.
    fn marks(&mut self) {
        let slips = self.slips;
        let (starts, ends) = self.edges(false);
        for mark in &slips.marks {
            for at in &ends {
                let blanks = self.line[*at..].len() - self.line[*at..].trim_start().len();
                self.add(Kind::Mark, *at..*at, mark.as_str());
                if blanks > 0 {
                    self.add(Kind::MarkForBlank, *at..*at + blanks, mark.as_str());
                } else {
                    self.add(Kind::Mark, *at..*at, format!("{mark} "));
                }
            }
        }
        for sign in &slips.signs {
            for at in &starts {
                self.add(Kind::Sign, *at..*at, sign.as_str());
            }
        }
        let pieces = self.pieces.clone();
        let other = pieces.iter().filter(|(kind, _)| *kind == Piece::Mark);
        for (_, range) in other {
            if self.is_quoted(range.start) {
                continue;
            }
            for mark in slips.marks.iter().chain(&slips.signs) {
                self.add(Kind::OtherMark, range.clone(), mark.as_str());
            }
        }
    }

    /// No quotes around what has some.
    fn unquoted(&mut self) {
        for range in self.quoted.clone() {
            let inside = self.line[range.clone()].trim_matches(self.slips.quotes.as_slice());
            self.add(Kind::Unquoted, range, inside);
        }
    }
}
