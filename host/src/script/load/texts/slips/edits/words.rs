//! Makes the edits of a line that concern words: missing, misspelled, glued or swapped words.

use strsim::damerau_levenshtein;

use super::super::pieces::{Piece, is_whole_words};
use super::{Edits, Kind};
use crate::diag::nearest_names;

/// Names that are near to one word.
const NEAR: usize = 3;

impl Edits<'_> {
    /// Adds edits of a word that is missing at the range, or that another word replaces.
    pub(super) fn add_expected_edits(&mut self, expected: &[String]) {
        let at = self.line.floor_char_boundary(self.focus.start);
        let here = self.pieces.iter().find(|(_, range)| range.contains(&at));
        let here = here.cloned();
        // The present word may be a misspelling of one of them: the nearest comes first.
        let typed = here
            .as_ref()
            .map(|(_, range)| self.line[range.clone()].to_lowercase());
        let mut expected: Vec<&String> = expected.iter().collect();
        if let Some(typed) = typed {
            expected.sort_by_cached_key(|word| damerau_levenshtein(&typed, &word.to_lowercase()));
        }
        for word in expected {
            if !word.starts_with(char::is_alphanumeric) {
                // A mark touches the text before it.
                let before = self.line[..at].trim_end().len();
                self.add_edit(Kind::Expected, before..before, word.as_str());
                continue;
            }
            match &here {
                Some((Piece::Blank, range)) => {
                    self.add_edit(Kind::Expected, range.clone(), format!(" {word} "));
                }
                Some((_, range)) => {
                    self.add_edit(Kind::Expected, range.start..range.start, format!("{word} "));
                    if self.continues_earlier_text(range.start) && !self.is_quoted(range.start + 1)
                    {
                        self.add_edit(Kind::Expected, range.clone(), word.as_str());
                    }
                    if range.end == self.line.trim_end().len() {
                        self.add_edit(Kind::Expected, range.end..range.end, format!(" {word}"));
                    }
                }
                None => self.add_edit(Kind::Expected, at..at, format!(" {word}")),
            }
        }
    }

    /// Returns whether there is text before a place that continues it.
    fn continues_earlier_text(&self, at: usize) -> bool {
        let before = self.line[..at].trim_end();
        let last = before.chars().next_back();
        let ends = |c: char| {
            let closes = self.slips.brackets.iter().any(|(_, close)| *close == c);
            c.is_alphanumeric() || closes || self.slips.quotes.contains(&c)
        };
        last.is_some_and(ends)
    }

    /// Adds edits of texts that people write in place of others.
    pub(super) fn add_written_slip_edits(&mut self) {
        let lower = self.line.to_lowercase();
        // Letters with another length in lower case would move the places.
        let line = if lower.len() == self.line.len() {
            lower.as_str()
        } else {
            self.line
        };
        for (written, meant) in &self.slips.written {
            let written = written.to_lowercase();
            for (at, _) in line.match_indices(&written) {
                let range = at..at + written.len();
                if is_whole_words(line, &range) && !self.is_quoted(at) {
                    self.add_edit(Kind::Written, range, meant.as_str());
                }
            }
        }
    }

    /// Adds edits of words that are near to another, occur twice, or follow their neighbour.
    pub(super) fn add_word_edits(&mut self) {
        let words = self.unquoted_words();
        let known = self.slips.words.iter();
        let known: Vec<&str> = known.map(String::as_str).collect();
        for range in &words {
            let word = &self.line[range.clone()];
            let is_known = known.iter().any(|one| one.eq_ignore_ascii_case(word));
            let kind = if is_known { Kind::Known } else { Kind::Near };
            let near = nearest_names(word, known.iter().copied(), NEAR + 1);
            let near = near
                .into_iter()
                .filter(|one| !one.eq_ignore_ascii_case(word));
            for near in near.take(NEAR) {
                self.add_edit(kind, range.clone(), near);
            }
        }
        for pair in words.windows(2) {
            let (one, other) = (&pair[0], &pair[1]);
            let between = &self.line[one.end..other.start];
            if between.trim().is_empty() {
                let (first, second) = (&self.line[one.clone()], &self.line[other.clone()]);
                if first.eq_ignore_ascii_case(second) {
                    self.add_edit(Kind::Doubled, one.end..other.end, "");
                }
                let swapped = format!("{second}{between}{first}");
                self.add_edit(Kind::Swapped, one.start..other.end, swapped);
            }
        }
    }

    /// Adds edits of a space that is missing, or that should not be there.
    pub(super) fn add_space_edits(&mut self) {
        let pieces = self.pieces.clone();
        for pair in pieces.windows(2) {
            let ((one, before), (other, behind)) = (&pair[0], &pair[1]);
            if *one != Piece::Blank && *other != Piece::Blank && !self.is_quoted(behind.start) {
                self.add_edit(Kind::Blank, before.end..before.end, " ");
            }
        }
        for word in self.unquoted_words() {
            let text = &self.line[word.clone()];
            let chars: Vec<(usize, char)> = text.char_indices().collect();
            for two in chars.windows(2) {
                let ((_, a), (at, b)) = (two[0], two[1]);
                let is_edge =
                    a.is_lowercase() && b.is_uppercase() || a.is_alphabetic() != b.is_alphabetic();
                if is_edge {
                    let at = word.start + at;
                    self.add_edit(Kind::Blank, at..at, " ");
                }
            }
        }
        for (kind, range) in &pieces {
            if *kind == Piece::Blank && range.start > 0 && !self.is_quoted(range.start) {
                self.add_edit(Kind::Blank, range.clone(), "");
                for joint in &self.slips.joints {
                    self.add_edit(Kind::Blank, range.clone(), joint.to_string());
                }
            }
        }
    }
}
