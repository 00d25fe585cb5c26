//! Reads items in braces and what is kept of them.

use std::sync::Arc;

use super::expr::{Expr, Group, Operator, Term};
use super::parse::{Parser, Step};
use crate::diag::Diagnostic;

impl Parser<'_> {
    /// Reads items and what is kept of them; the brace was read.
    pub(super) fn group(&mut self, start: usize) -> Step<Expr> {
        let mut items = self.parse_items()?;
        if !self.cursor.eat('}') {
            return Err(self.open(start, '{', '}'));
        }
        let mut keep = None;
        loop {
            self.cursor.skip_blanks();
            let at = self.cursor.at();
            match self.word() {
                Some(word @ ("k" | "kh" | "kl" | "dh" | "dl")) => {
                    let choice = self.keep(word)?;
                    self.set(&mut keep, choice, at, "choice of items");
                }
                Some(_) => return Err(self.not_for_groups(at).into()),
                None if matches!(self.cursor.peek(), Some('!' | '<' | '>' | '=')) => {
                    self.cursor.skip(1);
                    return Err(self.not_for_groups(at).into());
                }
                None => break,
            }
        }
        let span = self.since(start);
        if keep.is_some() && items.len() == 1 {
            match dice_pool(&items[0]) {
                Some(dice) => items = dice,
                None => {
                    let message = "there is only one item to choose from";
                    let finding = self.error("dice/lone-item", message, span);
                    let hint = "separate items by commas; a pool is dice added together, as in \"{4d6+2d8}kh3\"";
                    self.findings.push(finding.hint(hint));
                }
            }
        }
        Ok(Expr::Group(Box::new(Group { items, keep, span })))
    }

    fn not_for_groups(&self, start: usize) -> Diagnostic {
        let message = "items in braces can only be kept or dropped";
        self.error("dice/misplaced-modifier", message, self.cursor.since(start))
            .hint("write \"kh\", \"kl\", \"dh\" or \"dl\" here, and other modifiers after the dice")
    }

    fn parse_items(&mut self) -> Step<Vec<Expr>> {
        let mut items = vec![self.sum()?];
        while self.cursor.eat(',') {
            items.push(self.sum()?);
        }
        Ok(items)
    }
}

/// Returns each die as an item, if the expression is plain dice added together.
fn dice_pool(expr: &Expr) -> Option<Vec<Expr>> {
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
            let mut dice = dice_pool(&chain.first)?;
            for (operator, operand) in &chain.rest {
                if *operator != Operator::Plus {
                    return None;
                }
                dice.extend(dice_pool(operand)?);
            }
            Some(dice)
        }
        Expr::Label(text, inner) => {
            let label = |die| Expr::Label(Arc::clone(text), Box::new(die));
            Some(dice_pool(inner)?.into_iter().map(label).collect())
        }
        Expr::Dice(_) | Expr::Number(_) | Expr::Negative(..) | Expr::Group(_) => None,
    }
}
