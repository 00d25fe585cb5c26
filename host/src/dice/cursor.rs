//! Reads a notation character by character: spaces, signs, numbers, words.

use crate::diag::Span;

/// A place in the text of a notation.
pub(super) struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str) -> Cursor<'a> {
        Cursor { text, at: 0 }
    }

    /// Returns the offset of the next character.
    pub(super) fn offset(&self) -> usize {
        self.at
    }

    /// Returns the rest of the text.
    pub(super) fn rest_of_text(&self) -> &'a str {
        &self.text[self.at..]
    }

    pub(super) fn peek_character(&self) -> Option<char> {
        self.rest_of_text().chars().next()
    }

    /// Returns the span from an earlier offset to here.
    pub(super) fn span_since(&self, start: usize) -> Span {
        Span::new(start, self.at)
    }

    /// Returns the span of the next character; at the end, an empty span.
    pub(super) fn next_character_span(&self) -> Span {
        let length = self.peek_character().map_or(0, char::len_utf8);
        Span::new(self.at, self.at + length)
    }

    pub(super) fn skip_spaces(&mut self) {
        self.at = self.text.len() - self.rest_of_text().trim_start().len();
    }

    /// Skips bytes that the caller has read.
    pub(super) fn skip_bytes(&mut self, bytes: usize) {
        self.at += bytes;
    }

    /// Reads the next character if it is this one, in either case.
    pub(super) fn eat_character_in_any_case(&mut self, wanted: char) -> bool {
        let found = self
            .peek_character()
            .is_some_and(|next| next.eq_ignore_ascii_case(&wanted));
        if found {
            self.at += wanted.len_utf8();
        }
        found
    }

    /// Reads the digits that come next; they may be none.
    pub(super) fn read_digits(&mut self) -> &'a str {
        self.read_while(|next| next.is_ascii_digit())
    }

    /// Returns the letters that come next, without reading them.
    pub(super) fn peek_letters(&self) -> &'a str {
        let rest = self.rest_of_text();
        let end = rest.find(|next: char| !next.is_alphabetic());
        &rest[..end.unwrap_or(rest.len())]
    }

    fn read_while(&mut self, belongs: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest_of_text();
        let end = rest.find(|next| !belongs(next)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }
}
