//! Reads a text as tokens: words, numbers, marks, matched brackets, quotes and bullets.
//!
//! In: a text and the `TokenTable` of a ruleset. Out: flat tokens in order, each with its span and the kind of space
//! before it. Matched brackets and quotes store the index of their partners. Findings never stop the reading.

mod reader;

use crate::diag::Span;

use super::finding::Finding;
use super::token_table::TokenTable;

use reader::Reader;

/// The kinds of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Letters.
    Word,
    /// Digits, perhaps with a decimal point.
    Number,
    /// A character or literal that is none of the others, also a bracket without partner.
    Mark,
    /// A bracket whose partner closes it.
    Open,
    /// The partner of an `Open`.
    Close,
    /// A quote that begins a literal text.
    QuoteOpen,
    /// The quote that ends it.
    QuoteClose,
    /// A bullet at the beginning of a line.
    Bullet,
}

/// The kinds of space before a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Gap {
    /// Nothing: it touches the token before it.
    None,
    /// Spaces.
    Blank,
    /// At least one line break, or the beginning of the text.
    Line,
}

/// One token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// The kind of the token.
    pub kind: Kind,
    /// The place of the token.
    pub span: Span,
    /// The space before it.
    pub gap: Gap,
    /// Index of the other end of a bracket or quote.
    pub partner: Option<usize>,
}

impl Token {
    /// Returns whether this is a word or a number, which needs a space before another one.
    pub fn is_wordlike(&self) -> bool {
        matches!(self.kind, Kind::Word | Kind::Number)
    }

    pub(super) fn is_opening(&self) -> bool {
        matches!(self.kind, Kind::Open | Kind::QuoteOpen)
    }

    pub(super) fn is_closing(&self) -> bool {
        matches!(self.kind, Kind::Close | Kind::QuoteClose)
    }
}

/// The tokens of one text.
#[derive(Clone, Debug)]
pub struct Tokens<'a> {
    /// The text, perhaps cut at the size limit.
    pub text: &'a str,
    /// The tokens in order.
    pub list: Vec<Token>,
    /// Problems of the text.
    pub findings: Vec<Finding>,
}

impl<'a> Tokens<'a> {
    /// Reads a text.
    ///
    /// Findings: `limit/size`, `limit/depth`, `phrase/unmatched-bracket`, `phrase/unclosed-quote`.
    pub fn read(table: &TokenTable, text: &'a str) -> Tokens<'a> {
        let mut reader = Reader::new(table, text);
        reader.read_tokens(reader.text.len(), false);
        reader.drop_unmatched(0);
        Tokens {
            text: reader.text,
            list: reader.list,
            findings: reader.findings,
        }
    }

    /// Returns the source text of a token.
    pub fn text_of(&self, token: &Token) -> &'a str {
        &self.text[token.span.start..token.span.end]
    }

    /// Returns the kind of space between the last token and the end of the text.
    pub fn trailing_gap(&self) -> Gap {
        let end = self.list.last().map_or(0, |token| token.span.end);
        let rest = &self.text[end..];
        match (self.list.is_empty() || rest.contains('\n'), rest.is_empty()) {
            (true, _) => Gap::Line,
            (false, true) => Gap::None,
            (false, false) => Gap::Blank,
        }
    }
}

#[cfg(test)]
mod tests;
