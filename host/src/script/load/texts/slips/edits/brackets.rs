//! Makes the edits of a line that concern brackets and quotes: a missing one, or a wrong one.

use super::super::pieces::closing_bracket;
use super::{Edits, Kind};

/// Quotes of other texts: those that open, and those that close.
const FOREIGN: [(&str, &str); 4] = [("“„", "”“"), ("‘", "’"), ("\"", "\""), ("'", "'")];

/// Brackets without their counterparts.
struct Lost {
    pair: (char, char),
    /// Whether there are too many opening ones.
    is_open: bool,
    /// The places of these brackets.
    places: Vec<usize>,
}

impl Edits<'_> {
    /// Adds edits of quotes of other texts around a piece.
    pub(super) fn add_foreign_quote_edits(&mut self) {
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
                        self.add_edit(
                            Kind::ForeignQuotes,
                            range.clone(),
                            format!("{quote}{text}{quote}"),
                        );
                    }
                }
            }
        }
    }

    /// Adds edits of brackets and quotes without their counterparts.
    pub(super) fn add_unbalanced_edits(&mut self) {
        let slips = self.slips;
        let (starts, ends) = self.piece_edges(true);
        for quote in &slips.quotes {
            if self.line.matches(*quote).count() % 2 == 1 {
                for at in ends.iter().rev().chain(&starts) {
                    self.add_edit(Kind::Unbalanced, *at..*at, quote.to_string());
                }
            }
        }
        let (starts, ends) = self.piece_edges(false);
        let lost: Vec<Lost> = slips
            .brackets
            .iter()
            .filter_map(|pair| self.unbalanced_bracket(*pair))
            .collect();
        for one in &lost {
            let (missing, places) = match one.is_open {
                true => (one.pair.1, &ends),
                false => (one.pair.0, &starts),
            };
            for at in places.iter().rev() {
                self.add_edit(Kind::Unbalanced, *at..*at, missing.to_string());
            }
            // A bracket without a counterpart of its kind may belong to one of another kind without a counterpart.
            for other in lost.iter().filter(|other| other.is_open != one.is_open) {
                let (own, meant) = match one.is_open {
                    true => (one.pair.0, other.pair.0),
                    false => (one.pair.1, other.pair.1),
                };
                for at in &one.places {
                    let range = *at..*at + own.len_utf8();
                    self.add_edit(Kind::Unbalanced, range, meant.to_string());
                }
            }
        }
    }

    /// Returns the side of a pair of brackets that occurs more often than the other.
    fn unbalanced_bracket(&self, pair: (char, char)) -> Option<Lost> {
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

    /// Adds edits with brackets of another kind around the same piece.
    pub(super) fn add_bracket_edits(&mut self) {
        let slips = self.slips;
        for (open, close) in slips.brackets.iter().copied() {
            let opens = self.line.match_indices(open).map(|(at, _)| at);
            let opens: Vec<usize> = opens.filter(|at| !self.is_quoted(*at)).collect();
            for start in opens {
                self.add_rebracketed_edits(start, (open, close));
            }
            // Two groups of one kind are one.
            let between = format!("{close} {open}");
            let groups = self.line.match_indices(&between).map(|(at, _)| at);
            for at in groups.collect::<Vec<_>>() {
                self.add_edit(Kind::Brackets, at..at + between.len(), ", ");
            }
        }
    }

    /// Adds edits that replace or remove the brackets around a piece. There are variants with and without a space
    /// before the new brackets.
    fn add_rebracketed_edits(&mut self, start: usize, pair: (char, char)) {
        let Some(end) = closing_bracket(self.line, start, pair) else {
            return;
        };
        let inside = &self.line[start + pair.0.len_utf8()..end];
        let whole = start..end + pair.1.len_utf8();
        let before = self.line[..start].trim_end().len();
        for (open, close) in &self.slips.brackets {
            let text = format!("{open}{inside}{close}");
            self.add_edit(Kind::Brackets, whole.clone(), text.as_str());
            if before < start {
                self.add_edit(Kind::Brackets, before..whole.end, text);
            } else {
                self.add_edit(Kind::Brackets, whole.clone(), format!(" {text}"));
            }
        }
        self.add_edit(Kind::Brackets, whole, inside);
    }

    /// Adds edits that remove quotes.
    pub(super) fn add_quote_removal_edits(&mut self) {
        for range in self.quoted.clone() {
            let inside = self.line[range.clone()].trim_matches(self.slips.quotes.as_slice());
            self.add_edit(Kind::Unquoted, range, inside);
        }
    }
}
