//! Reads a notation into its compiled form, by recursive descent.
//!
//! The reader notes a wrong modifier or size and continues. A broken structure ends the reading.

use std::sync::Arc;

use super::NOTATION_SOURCE;
use super::cursor::Cursor;
use super::expr::{Chain, Expr, Operator};
use crate::diag::{Diagnostic, Source, Span};

/// Longest notation, in bytes.
pub(crate) const LONGEST: usize = 2 * 1024;

/// Most brackets, braces and signs inside each other.
pub(crate) const DEEPEST: usize = 32;

/// A step of the reader; an error ends the reading.
pub(super) type Step<T> = Result<T, Box<Diagnostic>>;

/// The result of parsing a text.
pub(super) struct Parsed {
    pub(super) root: Expr,
    pub(super) dice: u32,
    /// Offset after the notation: the start of its comment or the end of the text.
    pub(super) end: usize,
}

/// Reads a whole notation.
pub(super) fn parse(source: &Arc<Source>) -> Result<Parsed, Vec<Diagnostic>> {
    let mut parser = Parser {
        source,
        cursor: Cursor::new(source.text()),
        depth: 0,
        dice: 0,
        findings: Vec::new(),
    };
    match parser.parse_whole_notation() {
        Ok(root) if parser.findings.is_empty() => Ok(Parsed {
            root,
            dice: parser.dice,
            end: parser.cursor.offset(),
        }),
        Ok(_) => Err(parser.findings),
        Err(last) => {
            parser.findings.push(*last);
            Err(parser.findings)
        }
    }
}

/// Returns the finding for a text that is too long to be read at all.
pub(super) fn check_text_length(text: &str) -> Result<(), Vec<Diagnostic>> {
    if text.len() <= LONGEST {
        return Ok(());
    }
    let message = format!(
        "the notation has {} bytes, at most {LONGEST} are read",
        text.len()
    );
    let end = text.floor_char_boundary(LONGEST);
    let finding = Diagnostic::error("limit/size", message).hint("roll it in parts");
    Err(vec![finding.at(
        &Source::new(NOTATION_SOURCE, text),
        Span::new(end, end),
    )])
}

/// The state of the parser.
pub(super) struct Parser<'a> {
    pub(super) source: &'a Arc<Source>,
    pub(super) cursor: Cursor<'a>,
    depth: usize,
    /// Dice written so far.
    pub(super) dice: u32,
    pub(super) findings: Vec<Diagnostic>,
}

impl Parser<'_> {
    fn parse_whole_notation(&mut self) -> Step<Expr> {
        self.cursor.skip_spaces();
        if matches!(self.cursor.peek_character(), None | Some('#')) {
            let finding = self.error_at_span(
                "dice/empty",
                "there is nothing to roll",
                self.cursor.next_character_span(),
            );
            return Err(finding.hint("write dice, as in \"2d6+3\"").into());
        }
        let root = self.parse_sum()?;
        match self.cursor.peek_character() {
            None | Some('#') => Ok(root),
            Some(_) => Err(self.unexpected_finding("an operator or nothing more")),
        }
    }

    pub(super) fn parse_sum(&mut self) -> Step<Expr> {
        self.parse_operator_chain(Parser::parse_product, |next| match next {
            '+' => Some(Operator::Plus),
            '-' | '−' => Some(Operator::Minus),
            _ => None,
        })
    }

    fn parse_product(&mut self) -> Step<Expr> {
        self.parse_operator_chain(Parser::parse_signed_operand, |next| match next {
            '*' | '×' => Some(Operator::Times),
            '/' | '÷' => Some(Operator::Over),
            _ => None,
        })
    }

    fn parse_operator_chain(
        &mut self,
        operand: fn(&mut Self) -> Step<Expr>,
        sign: fn(char) -> Option<Operator>,
    ) -> Step<Expr> {
        self.cursor.skip_spaces();
        let start = self.cursor.offset();
        let first = operand(self)?;
        let mut rest = Vec::new();
        loop {
            self.cursor.skip_spaces();
            let next = self.cursor.peek_character();
            let Some((next, operator)) = next.and_then(|next| Some((next, sign(next)?))) else {
                break;
            };
            self.cursor.skip_bytes(next.len_utf8());
            rest.push((operator, operand(self)?));
        }
        if rest.is_empty() {
            return Ok(first);
        }
        let span = self.trimmed_span_since(start);
        Ok(Expr::Chain(Box::new(Chain { first, rest, span })))
    }

    fn parse_signed_operand(&mut self) -> Step<Expr> {
        self.cursor.skip_spaces();
        let start = self.cursor.offset();
        if self.cursor.eat_character_in_any_case('-') || self.cursor.eat_character_in_any_case('−')
        {
            let inner = self.parse_one_level_deeper(start, Parser::parse_signed_operand)?;
            return Ok(Expr::Negative(
                Box::new(inner),
                self.trimmed_span_since(start),
            ));
        }
        self.parse_labelled_operand()
    }

    /// Reads the digits that come next as a number.
    pub(super) fn parse_number(&mut self) -> Step<i64> {
        let start = self.cursor.offset();
        let digits = self.cursor.read_digits();
        let span = self.cursor.span_since(start);
        if digits.is_empty() {
            return Err(self.unexpected_finding("a number"));
        }
        digits.parse().map_err(|_| {
            let message = format!("{digits} does not fit into a 64-bit whole number");
            self.error_at_span("dice/bad-number", message, span)
                .hint("write a smaller number")
                .into()
        })
    }

    /// Reads the content of a bracket, brace or sign.
    pub(super) fn parse_one_level_deeper<T>(
        &mut self,
        start: usize,
        read: impl FnOnce(&mut Self) -> Step<T>,
    ) -> Step<T> {
        if self.depth >= DEEPEST {
            let message = format!("brackets and signs are nested more than {DEEPEST} levels deep");
            let finding = self.error_at_span("limit/depth", message, self.cursor.span_since(start));
            return Err(finding.hint("roll it in parts").into());
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    pub(super) fn error_at_span(
        &self,
        code: &'static str,
        message: impl Into<String>,
        span: Span,
    ) -> Diagnostic {
        Diagnostic::error(code, message).at(self.source, span)
    }

    /// Returns the finding for a bracket that is not closed at its proper place.
    pub(super) fn unclosed_finding(
        &self,
        start: usize,
        opening: char,
        closing: char,
    ) -> Box<Diagnostic> {
        let message = format!("\"{opening}\" is not closed");
        let found = match self.cursor.peek_character() {
            Some(next) if opening != '[' => {
                format!("write \"{closing}\" before \"{}\"", printable_char(next))
            }
            _ => format!("write \"{closing}\" at its end"),
        };
        self.error_at_span("dice/not-closed", message, Span::new(start, start + 1))
            .hint(found)
            .into()
    }

    pub(super) fn unexpected_finding(&self, expected: &str) -> Box<Diagnostic> {
        let found = match self.cursor.peek_character() {
            Some(next) => format!("found \"{}\"", printable_char(next)),
            None => "found the end".to_owned(),
        };
        let message = format!("expected {expected}, {found}");
        let hint = match self.cursor.peek_character() {
            Some('.') => "dice notation has only whole numbers",
            Some('(' | '{') => "write \"*\" to multiply",
            Some('d' | 'D') => "write \"+\" between two dice",
            Some(_) | None => "write for example \"4d6kh3+2\"",
        };
        self.error_at_span(
            "dice/unexpected",
            message,
            self.cursor.next_character_span(),
        )
        .hint(hint)
        .into()
    }

    /// Returns the span from an offset to here, without spaces at its end.
    pub(super) fn trimmed_span_since(&self, start: usize) -> Span {
        let span = self.cursor.span_since(start);
        Span::new(start, start + self.source.slice(span).trim_end().len())
    }
}

/// Returns a character in a form for messages.
fn printable_char(next: char) -> String {
    if next.is_control() {
        next.escape_default().collect()
    } else {
        next.to_string()
    }
}
