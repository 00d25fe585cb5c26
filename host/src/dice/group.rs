//! Reads items in braces and the choice of the items that are kept.

use std::sync::Arc;

use super::expr::{Expr, Group, Operator, Term};
use super::notation_parser::{Parser, Step};
use crate::diag::Diagnostic;

impl Parser<'_> {
    /// Reads items and the choice of the kept ones. The opening brace is already read.
    pub(super) fn parse_group(&mut self, start: usize) -> Step<Expr> {
        let mut items = self.parse_group_items()?;
        if !self.cursor.eat_character_in_any_case('}') {
            return Err(self.unclosed_finding(start, '{', '}'));
        }
        let mut keep = None;
        loop {
            self.cursor.skip_spaces();
            let at = self.cursor.offset();
            match self.read_modifier_word() {
                Some(word @ ("k" | "kh" | "kl" | "dh" | "dl")) => {
                    let choice = self.parse_keep(word)?;
                    self.set_modifier_once(&mut keep, choice, at, "choice of items");
                }
                Some(_) => return Err(self.misplaced_modifier_finding(at).into()),
                None if matches!(self.cursor.peek_character(), Some('!' | '<' | '>' | '=')) => {
                    self.cursor.skip_bytes(1);
                    return Err(self.misplaced_modifier_finding(at).into());
                }
                None => break,
            }
        }
        let span = self.trimmed_span_since(start);
        if keep.is_some() && items.len() == 1 {
            match dice_of_plain_sum(&items[0]) {
                Some(dice) => items = dice,
                None => {
                    let message = "there is only one item to choose from";
                    let finding = self.error_at_span("dice/lone-item", message, span);
                    let hint = "separate items by commas; a pool is dice added together, as in \"{4d6+2d8}kh3\"";
                    self.findings.push(finding.hint(hint));
                }
            }
        }
        Ok(Expr::Group(Box::new(Group { items, keep, span })))
    }

    fn misplaced_modifier_finding(&self, start: usize) -> Diagnostic {
        let message = "items in braces can only be kept or dropped";
        self.error_at_span(
            "dice/misplaced-modifier",
            message,
            self.cursor.span_since(start),
        )
        .hint("write \"kh\", \"kl\", \"dh\" or \"dl\" here, and other modifiers after the dice")
    }

    fn parse_group_items(&mut self) -> Step<Vec<Expr>> {
        let mut items = vec![self.parse_sum()?];
        while self.cursor.eat_character_in_any_case(',') {
            items.push(self.parse_sum()?);
        }
        Ok(items)
    }
}

/// Returns each die as an item, if the expression is plain dice added together.
fn dice_of_plain_sum(expr: &Expr) -> Option<Vec<Expr>> {
    match expr {
        Expr::Dice(term) if term.keep.is_none() && term.success.is_none() => {
            let one = Term {
                count: 1,
                ..(**term).clone()
            };
            let one = Expr::Dice(Box::new(one));
            Some((0..term.count).map(|_| one.clone()).collect())
        }
        Expr::Chain(chain) => {
            let mut dice = dice_of_plain_sum(&chain.first)?;
            for (operator, operand) in &chain.rest {
                if *operator != Operator::Plus {
                    return None;
                }
                dice.extend(dice_of_plain_sum(operand)?);
            }
            Some(dice)
        }
        Expr::Label(text, inner) => {
            let label = |die| Expr::Label(Arc::clone(text), Box::new(die));
            Some(dice_of_plain_sum(inner)?.into_iter().map(label).collect())
        }
        Expr::Dice(_) | Expr::Number(_) | Expr::Negative(..) | Expr::Group(_) => None,
    }
}
