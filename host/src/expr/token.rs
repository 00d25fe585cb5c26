//! Cuts the text of an expression into tokens with their places.
//!
//! `(1, self.mood, +)`: commas or spaces separate tokens. The brackets around the whole expression are optional. Texts
//! are in double or single quotes; `\` before a letter means that letter.

use super::error::ExprError;
use super::{BYTES, TOKENS};
use crate::diag::Span;

/// One token and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) at: Span,
}

/// The kinds of tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A text in quotes.
    Quoted(String),
    /// Anything else.
    Word(String),
}

/// Cuts a text into tokens.
pub(super) fn split_tokens(text: &str, commas_only: bool) -> Result<Vec<Token>, ExprError> {
    let whole = Span::new(0, text.floor_char_boundary(BYTES));
    if text.len() > BYTES {
        let message = format!(
            "an expression has at most {BYTES} bytes, this one {}",
            text.len()
        );
        return Err(ExprError::new("limit/size", whole, message));
    }
    let inside = place_inside_outer_brackets(text)?;
    let mut reader = Reader {
        text: &text[..inside.end],
        at: inside.start,
        commas_only,
    };
    let mut tokens = Vec::new();
    reader.skip_spaces();
    if reader.is_at_end() {
        return Err(ExprError::new(
            "expr/syntax",
            whole,
            "the expression is empty",
        ));
    }
    loop {
        if tokens.len() == TOKENS {
            let message = format!("an expression has at most {TOKENS} tokens");
            return Err(ExprError::new("limit/size", whole, message));
        }
        tokens.push(reader.read_token()?);
        reader.skip_spaces();
        if reader.is_at_end() {
            return Ok(tokens);
        }
        if reader.rest_of_text().starts_with(',') {
            reader.at += 1;
            reader.skip_spaces();
        }
    }
}

/// Returns the place between the outer brackets, or the place of the whole text without spaces around it.
fn place_inside_outer_brackets(text: &str) -> Result<Span, ExprError> {
    let start = text.len() - text.trim_start().len();
    let end = start + text.trim().len();
    let trimmed = &text[start..end];
    match (trimmed.strip_prefix('('), trimmed.ends_with(')')) {
        (Some(_), true) => Ok(Span::new(start + 1, end - 1)),
        (Some(_), false) => Err(bracket_error(Span::new(start, start + 1), "is not closed")),
        (None, _) => Ok(Span::new(start, end)),
    }
}

fn bracket_error(at: Span, what: &str) -> ExprError {
    let error = ExprError::new("expr/syntax", at, format!("a bracket {what}"));
    error.hint("an expression has one pair of brackets around the whole, or none".to_owned())
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    commas_only: bool,
}

impl Reader<'_> {
    fn rest_of_text(&self) -> &str {
        &self.text[self.at..]
    }

    fn is_at_end(&self) -> bool {
        self.at == self.text.len()
    }

    fn skip_spaces(&mut self) {
        self.at = self.text.len() - self.rest_of_text().trim_start().len();
    }

    fn read_token(&mut self) -> Result<Token, ExprError> {
        let start = self.at;
        let kind = match self.rest_of_text().chars().next() {
            Some(quote @ ('"' | '\'')) => self.read_quoted_text(quote)?,
            _ => self.read_word()?,
        };
        Ok(Token {
            kind,
            at: Span::new(start, self.at),
        })
    }

    fn read_quoted_text(&mut self, quote: char) -> Result<Kind, ExprError> {
        let start = self.at;
        let mut text = String::new();
        let mut letters = self.text[start + 1..].char_indices();
        while let Some((at, letter)) = letters.next() {
            match letter {
                _ if letter == quote => {
                    self.at = start + 1 + at + 1;
                    return self.check_quote_end(start).map(|()| Kind::Quoted(text));
                }
                '\\' => text.extend(letters.next().map(|(_, letter)| letter)),
                _ => text.push(letter),
            }
        }
        let at = Span::new(start, self.text.len());
        Err(ExprError::new(
            "expr/syntax",
            at,
            "a text in quotes is not closed",
        ))
    }

    /// Checks that a separator follows a text in quotes.
    fn check_quote_end(&self, start: usize) -> Result<(), ExprError> {
        let next = self.rest_of_text().trim_start().chars().next();
        let blank = self.rest_of_text().starts_with(char::is_whitespace) && !self.commas_only;
        if next.is_none_or(|next| next == ',') || blank {
            return Ok(());
        }
        let at = Span::new(start, self.at);
        let message = "a comma is missing after a text in quotes";
        Err(ExprError::new("expr/syntax", at, message))
    }

    fn read_word(&mut self) -> Result<Kind, ExprError> {
        let (start, commas_only) = (self.at, self.commas_only);
        let ends = |c: char| c == ',' || (!commas_only && c.is_whitespace());
        let length = self
            .rest_of_text()
            .find(ends)
            .unwrap_or(self.rest_of_text().len());
        let word = self.rest_of_text()[..length].trim_end().to_owned();
        let at = Span::new(start, start + word.len());
        if word.is_empty() {
            let at = Span::new(start, (start + 1).min(self.text.len()));
            return Err(ExprError::new(
                "expr/syntax",
                at,
                "a token between commas is empty",
            ));
        }
        if word.contains(['(', ')']) {
            return Err(bracket_error(at, "is inside the expression"));
        }
        if word.contains(['"', '\'']) {
            return Err(ExprError::new(
                "expr/syntax",
                at,
                "a quote is inside a token",
            ));
        }
        self.at = at.end;
        Ok(Kind::Word(word))
    }
}
