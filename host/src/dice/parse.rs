//! This module reads a notation into its compiled form, by recursive descent.
//!
//! A wrong modifier or size is noted and reading goes on; a broken structure ends it.

use std::sync::Arc;

use super::cursor::Cursor;
use super::draw::{MOST_DICE, MOST_SIDES};
use super::expr::{Chain, Expr, Operator, Sides, Term};
use crate::diag::{Diagnostic, Source, Span};

/// Bytes that a notation may have.
const LONGEST: usize = 2 * 1024;

/// Brackets, braces and signs that may stand inside each other.
const DEEPEST: usize = 32;

/// Characters that a label may have.
const LONGEST_LABEL: usize = 64;

/// A step of the reader; an error ends the reading.
pub(super) type Step<T> = Result<T, Box<Diagnostic>>;

/// What a text means.
pub(super) struct Parsed {
    pub(super) root: Expr,
    pub(super) dice: u32,
    /// Offset behind the notation, where its comment or the end of the text is.
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
    match parser.whole() {
        Ok(root) if parser.findings.is_empty() => Ok(Parsed {
            root,
            dice: parser.dice,
            end: parser.cursor.at(),
        }),
        Ok(_) => Err(parser.findings),
        Err(last) => {
            parser.findings.push(*last);
            Err(parser.findings)
        }
    }
}

/// Returns the finding for a text that is too long to be read at all.
pub(super) fn check_size(text: &str) -> Result<(), Vec<Diagnostic>> {
    if text.len() <= LONGEST {
        return Ok(());
    }
    let message = format!(
        "the notation has {} bytes, at most {LONGEST} are read",
        text.len()
    );
    Err(vec![
        Diagnostic::error("limit/size", message).hint("roll it in parts"),
    ])
}

/// The state of the reading.
pub(super) struct Parser<'a> {
    pub(super) source: &'a Arc<Source>,
    pub(super) cursor: Cursor<'a>,
    depth: usize,
    /// Dice written so far.
    dice: u32,
    pub(super) findings: Vec<Diagnostic>,
}

impl Parser<'_> {
    fn whole(&mut self) -> Step<Expr> {
        self.cursor.skip_blanks();
        if matches!(self.cursor.peek(), None | Some('#')) {
            let finding = self.error("dice/empty", "there is nothing to roll", self.cursor.here());
            return Err(finding.hint("write dice, as in \"2d6+3\"").into());
        }
        let root = self.sum()?;
        match self.cursor.peek() {
            None | Some('#') => Ok(root),
            Some(_) => Err(self.unexpected("an operator or the end")),
        }
    }

    fn sum(&mut self) -> Step<Expr> {
        self.chain(Parser::product, |next| match next {
            '+' => Some(Operator::Plus),
            '-' | '−' => Some(Operator::Minus),
            _ => None,
        })
    }

    fn product(&mut self) -> Step<Expr> {
        self.chain(Parser::signed, |next| match next {
            '*' | '×' => Some(Operator::Times),
            '/' | '÷' => Some(Operator::Over),
            _ => None,
        })
    }

    fn chain(
        &mut self,
        operand: fn(&mut Self) -> Step<Expr>,
        sign: fn(char) -> Option<Operator>,
    ) -> Step<Expr> {
        self.cursor.skip_blanks();
        let start = self.cursor.at();
        let first = operand(self)?;
        let mut rest = Vec::new();
        loop {
            self.cursor.skip_blanks();
            let next = self.cursor.peek();
            let Some((next, operator)) = next.and_then(|next| Some((next, sign(next)?))) else {
                break;
            };
            self.cursor.skip(next.len_utf8());
            rest.push((operator, operand(self)?));
        }
        if rest.is_empty() {
            return Ok(first);
        }
        let span = self.since(start);
        Ok(Expr::Chain(Box::new(Chain { first, rest, span })))
    }

    fn signed(&mut self) -> Step<Expr> {
        self.cursor.skip_blanks();
        let start = self.cursor.at();
        if self.cursor.eat('-') || self.cursor.eat('−') {
            let inner = self.deeper(start, Parser::signed)?;
            return Ok(Expr::Negative(Box::new(inner), self.since(start)));
        }
        self.labelled()
    }

    /// Reads an operand and its label.
    fn labelled(&mut self) -> Step<Expr> {
        let operand = self.operand()?;
        self.cursor.skip_blanks();
        let start = self.cursor.at();
        if !self.cursor.eat('[') {
            return Ok(operand);
        }
        let rest = self.cursor.rest();
        let Some(end) = rest.find(']') else {
            return Err(self.open(start, '[', ']'));
        };
        self.cursor.skip(end + 1);
        let text = rest[..end].trim();
        let is_plain = |next: char| !next.is_control() && next != '[';
        if text.is_empty() || text.chars().count() > LONGEST_LABEL || !text.chars().all(is_plain) {
            let message = "this is no label";
            let finding = self.error("dice/bad-label", message, self.cursor.since(start));
            let hint =
                format!("write 1 to {LONGEST_LABEL} characters of one line, as in \"2d6[fire]\"");
            self.findings.push(finding.hint(hint));
        }
        Ok(Expr::Label(text.into(), Box::new(operand)))
    }

    fn operand(&mut self) -> Step<Expr> {
        let start = self.cursor.at();
        match self.cursor.peek() {
            Some('(') => {
                self.cursor.skip(1);
                let inner = self.deeper(start, Parser::sum)?;
                if !self.cursor.eat(')') {
                    return Err(self.open(start, '(', ')'));
                }
                self.after_bracket(start, inner)
            }
            Some('{') => {
                self.cursor.skip(1);
                self.deeper(start, |parser| parser.group(start))
            }
            Some('d' | 'D') => {
                let count = self.count(1, start);
                self.dice(start, count)
            }
            Some(next) if next.is_ascii_digit() => {
                let number = self.number()?;
                if self.at_dice() {
                    let count = self.count(number, start);
                    return self.dice(start, count);
                }
                Ok(Expr::Number(number))
            }
            Some(_) | None => Err(self.unexpected("a number, dice, \"(\" or \"{\"")),
        }
    }

    /// Reads what a closed bracket may be: an operand, or the number of dice.
    fn after_bracket(&mut self, start: usize, inner: Expr) -> Step<Expr> {
        if self.at_dice() {
            let count = match self.constant(&inner, start)? {
                Some(number) => self.count(number, start),
                None => 1,
            };
            return self.dice(start, count);
        }
        let word = self.cursor.peek_word();
        if word.is_empty() && !matches!(self.cursor.peek(), Some('!' | '<' | '>' | '=')) {
            return Ok(inner);
        }
        let span = Span::new(self.cursor.at(), self.cursor.at() + word.len().max(1));
        let message = "a modifier stands behind a bracket";
        let finding = self.error("dice/misplaced-modifier", message, span);
        Err(finding
            .hint("write it directly behind dice, or choose among items in braces, as in \"{d8, d6}kh1\"")
            .into())
    }

    /// Reads `d`, the size and the modifiers of a dice term.
    fn dice(&mut self, start: usize, count: u32) -> Step<Expr> {
        self.cursor.skip(1);
        let sides = self.sides();
        let mut term = Term::plain(count, sides, self.cursor.since(start));
        self.modifiers(&mut term)?;
        term.span = self.since(start);
        Ok(Expr::Dice(Box::new(term)))
    }

    fn sides(&mut self) -> Sides {
        let start = self.cursor.at();
        if self.cursor.eat('%') {
            return Sides::Number(100);
        }
        if self.cursor.eat('F') {
            return Sides::Fate;
        }
        let digits = self.cursor.digits();
        match digits.parse() {
            Ok(sides @ 1..=MOST_SIDES) => Sides::Number(sides),
            Ok(_) | Err(_) => {
                let message = match digits {
                    "" => "a die needs its number of sides".to_owned(),
                    _ => format!("a die has 1 to {MOST_SIDES} sides, not {digits}"),
                };
                let finding = self.error("dice/bad-size", message, self.cursor.since(start));
                self.findings
                    .push(finding.hint("write a size, as in \"d6\", or \"d%\" or \"dF\""));
                Sides::Number(MOST_SIDES)
            }
        }
    }

    /// Returns whether a `d` comes next that begins a die; `dl`, `dh` and `dbl` do not.
    fn at_dice(&mut self) -> bool {
        let rest = self.cursor.rest().trim_start();
        let mut next = rest.chars();
        let begins = matches!(next.next(), Some('d' | 'D'));
        let follows = next.next();
        let is_die = begins
            && !follows.is_some_and(|next| matches!(next, 'l' | 'L' | 'h' | 'H' | 'b' | 'B'));
        if is_die {
            self.cursor.skip_blanks();
        }
        is_die
    }

    /// Checks a number of dice and adds it to the whole.
    fn count(&mut self, number: i64, start: usize) -> u32 {
        let count = u32::try_from(number).ok();
        let sum = count.and_then(|count| self.dice.checked_add(count));
        if let (Some(count), Some(sum)) = (count, sum)
            && sum <= MOST_DICE
        {
            self.dice = sum;
            return count;
        }
        let span = self.cursor.since(start);
        let finding = if number < 0 {
            let message = format!("{number} dice cannot be rolled");
            self.error("dice/bad-count", message, span)
                .hint("write 0 or more dice")
        } else {
            let message = format!("one notation rolls at most {MOST_DICE} dice");
            self.error("dice/too-many", message, span)
                .hint("roll fewer dice at once")
        };
        self.findings.push(finding);
        0
    }

    /// Returns the value of a bracket without dice.
    fn constant(&mut self, inner: &Expr, start: usize) -> Step<Option<i64>> {
        let span = self.cursor.since(start);
        if inner.has_dice() {
            let message = "the number of dice depends on dice";
            let finding = self.error("dice/random-count", message, span);
            self.findings
                .push(finding.hint("roll the number first, then the dice"));
            return Ok(None);
        }
        super::notation::constant(inner, self.source).map(Some)
    }

    /// Reads the digits that come next as a number.
    pub(super) fn number(&mut self) -> Step<i64> {
        let start = self.cursor.at();
        let digits = self.cursor.digits();
        let span = self.cursor.since(start);
        if digits.is_empty() {
            return Err(self.unexpected("a number"));
        }
        digits.parse().map_err(|_| {
            let message = format!("{digits} is beyond 64-bit whole numbers");
            self.error("dice/bad-number", message, span)
                .hint("write a smaller number")
                .into()
        })
    }

    /// Reads something inside a bracket, brace or sign.
    fn deeper<T>(&mut self, start: usize, read: impl FnOnce(&mut Self) -> Step<T>) -> Step<T> {
        if self.depth >= DEEPEST {
            let message = format!("brackets and signs stand more than {DEEPEST} deep");
            let finding = self.error("limit/depth", message, self.cursor.since(start));
            return Err(finding.hint("roll it in parts").into());
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    pub(super) fn items(&mut self) -> Step<Vec<Expr>> {
        let mut items = vec![self.sum()?];
        while self.cursor.eat(',') {
            items.push(self.sum()?);
        }
        Ok(items)
    }

    pub(super) fn error(
        &self,
        code: &'static str,
        message: impl Into<String>,
        span: Span,
    ) -> Diagnostic {
        Diagnostic::error(code, message).at(self.source, span)
    }

    /// Returns the finding for a bracket that is not closed where it should be.
    pub(super) fn open(&self, start: usize, opening: char, closing: char) -> Box<Diagnostic> {
        let message = format!("\"{opening}\" is not closed");
        let found = match self.cursor.peek() {
            Some(next) if opening != '[' => {
                format!("write \"{closing}\" before \"{}\"", printable(next))
            }
            _ => format!("write \"{closing}\" at its end"),
        };
        self.error("dice/not-closed", message, Span::new(start, start + 1))
            .hint(found)
            .into()
    }

    pub(super) fn unexpected(&self, expected: &str) -> Box<Diagnostic> {
        let found = match self.cursor.peek() {
            Some(next) => format!("found \"{}\"", printable(next)),
            None => "the text ends".to_owned(),
        };
        let message = format!("expected {expected}, {found}");
        let hint = match self.cursor.peek() {
            Some('.') => "dice know whole numbers only",
            Some('(' | '{') => "write \"*\" to multiply",
            Some('d' | 'D') => "write \"+\" between two dice",
            Some(_) | None => "write for example \"4d6kh3+2\"",
        };
        self.error("dice/unexpected", message, self.cursor.here())
            .hint(hint)
            .into()
    }

    /// Returns the span from an offset to here, without blanks at its end.
    pub(super) fn since(&self, start: usize) -> Span {
        let span = self.cursor.since(start);
        Span::new(start, start + self.source.slice(span).trim_end().len())
    }
}

/// Returns a character as a message may show it.
fn printable(next: char) -> String {
    if next.is_control() {
        next.escape_default().collect()
    } else {
        next.to_string()
    }
}
