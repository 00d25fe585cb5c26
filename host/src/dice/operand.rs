//! Reads the operands of operators: numbers, dice terms, brackets, and the labels after them.

use super::expr::{Expr, Sides, Term};
use super::face_source::{MOST_DICE, MOST_SIDES};
use super::notation;
use super::notation_parser::{Parser, Step};
use crate::diag::Span;

/// Characters that a label may have.
pub(crate) const LONGEST_LABEL: usize = 64;

/// Returns the fault of a label; nothing if it has none.
fn label_fault(text: &str) -> Option<String> {
    let length = text.chars().count();
    if text.is_empty() {
        Some("the label is empty".to_owned())
    } else if length > LONGEST_LABEL {
        Some(format!(
            "the label has {length} characters, at most {LONGEST_LABEL} are allowed"
        ))
    } else if text.contains('[') {
        Some("the label contains \"[\"".to_owned())
    } else if text.contains(char::is_control) {
        Some("the label contains a control character".to_owned())
    } else {
        None
    }
}

impl Parser<'_> {
    /// Reads an operand and its label.
    pub(super) fn parse_labelled_operand(&mut self) -> Step<Expr> {
        let operand = self.parse_operand()?;
        self.cursor.skip_spaces();
        let start = self.cursor.offset();
        if !self.cursor.eat_character_in_any_case('[') {
            return Ok(operand);
        }
        let rest = self.cursor.rest_of_text();
        let Some(end) = rest.find(']') else {
            return Err(self.unclosed_finding(start, '[', ']'));
        };
        self.cursor.skip_bytes(end + 1);
        let text = rest[..end].trim();
        if let Some(message) = label_fault(text) {
            let finding =
                self.error_at_span("dice/bad-label", message, self.cursor.span_since(start));
            let hint =
                format!("write 1 to {LONGEST_LABEL} characters of one line, as in \"2d6[fire]\"");
            self.findings.push(finding.hint(hint));
        }
        Ok(Expr::Label(text.into(), Box::new(operand)))
    }

    fn parse_operand(&mut self) -> Step<Expr> {
        let start = self.cursor.offset();
        match self.cursor.peek_character() {
            Some('(') => {
                self.cursor.skip_bytes(1);
                let inner = self.parse_one_level_deeper(start, Parser::parse_sum)?;
                if !self.cursor.eat_character_in_any_case(')') {
                    return Err(self.unclosed_finding(start, '(', ')'));
                }
                self.parse_after_bracket(start, inner)
            }
            Some('{') => {
                self.cursor.skip_bytes(1);
                self.parse_one_level_deeper(start, |parser| parser.parse_group(start))
            }
            Some('d' | 'D') => {
                let count = self.check_and_add_dice_count(1, start);
                self.parse_dice(start, count)
            }
            Some(next) if next.is_ascii_digit() => {
                let number = self.parse_number()?;
                if self.is_at_dice() {
                    let count = self.check_and_add_dice_count(number, start);
                    return self.parse_dice(start, count);
                }
                Ok(Expr::Number(number))
            }
            Some(_) | None => Err(self.unexpected_finding("a number, dice, \"(\" or \"{\"")),
        }
    }

    /// Reads the text after a closed bracket. The bracket is an operand or the number of dice.
    fn parse_after_bracket(&mut self, start: usize, inner: Expr) -> Step<Expr> {
        if self.is_at_dice() {
            let count = match self.constant_of_bracket(&inner, start)? {
                Some(number) => self.check_and_add_dice_count(number, start),
                None => 1,
            };
            return self.parse_dice(start, count);
        }
        let word = self.cursor.peek_letters();
        if word.is_empty() && !matches!(self.cursor.peek_character(), Some('!' | '<' | '>' | '=')) {
            return Ok(inner);
        }
        let span = Span::new(
            self.cursor.offset(),
            self.cursor.offset() + word.len().max(1),
        );
        let message = "a modifier cannot follow a bracket";
        let finding = self.error_at_span("dice/misplaced-modifier", message, span);
        Err(finding
            .hint("write it directly after dice, or choose among items in braces, as in \"{d8, d6}kh1\"")
            .into())
    }

    /// Reads `d`, the size and the modifiers of a dice term.
    fn parse_dice(&mut self, start: usize, count: u32) -> Step<Expr> {
        self.cursor.skip_bytes(1);
        let sides = self.parse_die_size();
        let mut term = Term::without_modifiers(count, sides, self.cursor.span_since(start));
        self.parse_modifiers(&mut term)?;
        term.span = self.trimmed_span_since(start);
        Ok(Expr::Dice(Box::new(term)))
    }

    fn parse_die_size(&mut self) -> Sides {
        let start = self.cursor.offset();
        if self.cursor.eat_character_in_any_case('%') {
            return Sides::Number(100);
        }
        if self.cursor.eat_character_in_any_case('F') {
            return Sides::Fate;
        }
        let digits = self.cursor.read_digits();
        match digits.parse() {
            Ok(sides @ 1..=MOST_SIDES) => Sides::Number(sides),
            Ok(_) | Err(_) => {
                let message = match digits {
                    "" => "a die needs its number of sides".to_owned(),
                    _ => format!("a die has 1 to {MOST_SIDES} sides, not {digits}"),
                };
                let finding =
                    self.error_at_span("dice/bad-size", message, self.cursor.span_since(start));
                self.findings
                    .push(finding.hint("write a size, as in \"d6\", or \"d%\" or \"dF\""));
                Sides::Number(MOST_SIDES)
            }
        }
    }

    /// Returns whether a `d` comes next that begins a die; `dl`, `dh` and `dbl` do not.
    fn is_at_dice(&mut self) -> bool {
        let rest = self.cursor.rest_of_text().trim_start();
        let mut next = rest.chars();
        let begins = matches!(next.next(), Some('d' | 'D'));
        let follows = next.next();
        let is_die = begins
            && !follows.is_some_and(|next| matches!(next, 'l' | 'L' | 'h' | 'H' | 'b' | 'B'));
        if is_die {
            self.cursor.skip_spaces();
        }
        is_die
    }

    /// Checks a number of dice and adds it to the total number.
    fn check_and_add_dice_count(&mut self, number: i64, start: usize) -> u32 {
        let count = u32::try_from(number).ok();
        let sum = count.and_then(|count| self.dice.checked_add(count));
        if let (Some(count), Some(sum)) = (count, sum)
            && sum <= MOST_DICE
        {
            self.dice = sum;
            return count;
        }
        let span = self.cursor.span_since(start);
        let finding = if number < 0 {
            let message = format!("{number} dice cannot be rolled");
            self.error_at_span("dice/bad-count", message, span)
                .hint("write 0 or more dice")
        } else {
            let message = format!("one notation rolls at most {MOST_DICE} dice");
            self.error_at_span("dice/too-many", message, span)
                .hint("roll fewer dice at once")
        };
        self.findings.push(finding);
        0
    }

    /// Returns the value of a bracket without dice.
    fn constant_of_bracket(&mut self, inner: &Expr, start: usize) -> Step<Option<i64>> {
        let span = self.cursor.span_since(start);
        if inner.has_dice() {
            let message = "the number of dice depends on dice";
            let finding = self.error_at_span("dice/random-count", message, span);
            self.findings
                .push(finding.hint("roll the number first, then the dice"));
            return Ok(None);
        }
        notation::value_without_dice(inner, self.source).map(Some)
    }
}
