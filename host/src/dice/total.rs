//! This module computes the total of a notation and nothing else: up to 64 dice of a term without allocating.

use super::draw::Draw;
use super::expr::{Chain, Expr, Fault, Group, Term};
use super::refusal;
use super::throw::{Thrower, Watch};
use crate::diag::Diagnostic;

/// Values that fit without allocating.
const INLINE: usize = 64;

/// A list of values that begins on the stack.
struct Values {
    inline: [i64; INLINE],
    count: usize,
    heap: Vec<i64>,
}

impl Values {
    #[inline]
    fn new() -> Values {
        Values {
            inline: [0; INLINE],
            count: 0,
            heap: Vec::new(),
        }
    }

    #[inline]
    fn push(&mut self, value: i64) {
        if self.count < INLINE {
            self.inline[self.count] = value;
        } else {
            if self.count == INLINE {
                self.heap.extend_from_slice(&self.inline);
            }
            self.heap.push(value);
        }
        self.count += 1;
    }

    #[inline]
    fn as_mut_slice(&mut self) -> &mut [i64] {
        if self.count <= INLINE {
            &mut self.inline[..self.count]
        } else {
            &mut self.heap
        }
    }
}

impl Watch for Values {
    #[inline]
    fn rerolled(&mut self, _face: i64) {}

    #[inline]
    fn stays(&mut self, _face: i64) {}

    #[inline]
    fn finished(&mut self, value: i64, _bursts: bool) {
        self.push(value);
    }
}

/// Adds up what each die scores; for terms in which every die counts.
struct Scores<'a> {
    term: &'a Term,
    total: i64,
}

impl Watch for Scores<'_> {
    #[inline]
    fn rerolled(&mut self, _face: i64) {}

    #[inline]
    fn stays(&mut self, _face: i64) {}

    #[inline]
    fn finished(&mut self, value: i64, _bursts: bool) {
        self.total += self.term.score(value);
    }
}

impl<D: Draw + ?Sized> Thrower<'_, D> {
    /// Returns the total of an expression.
    pub(super) fn total(&mut self, expr: &Expr) -> Result<i64, Box<Diagnostic>> {
        match expr {
            Expr::Number(number) => Ok(*number),
            Expr::Negative(inner, span) => {
                let total = self.total(inner)?.checked_neg();
                total.ok_or_else(|| refusal::fault(self.source, *span, Fault::Overflow))
            }
            Expr::Chain(chain) => self.chain_total(chain),
            Expr::Dice(term) => self.term_total(term),
            Expr::Group(group) => self.group_total(group),
            Expr::Label(_, inner) => self.total(inner),
        }
    }

    fn chain_total(&mut self, chain: &Chain) -> Result<i64, Box<Diagnostic>> {
        let mut total = self.total(&chain.first)?;
        for (operator, operand) in &chain.rest {
            let right = self.total(operand)?;
            total = operator
                .apply(total, right)
                .map_err(|fault| refusal::fault(self.source, chain.span, fault))?;
        }
        Ok(total)
    }

    /// Unit: at most 1,000 dice of at most 101 million each, so that a sum cannot overflow.
    #[inline]
    fn term_total(&mut self, term: &Term) -> Result<i64, Box<Diagnostic>> {
        let Some(keep) = &term.keep else {
            let mut scores = Scores { term, total: 0 };
            self.throw(term, &mut scores)?;
            return Ok(scores.total);
        };
        let mut values = Values::new();
        self.throw(term, &mut values)?;
        let values = values.as_mut_slice();
        values.sort_unstable();
        let kept = &values[keep.range(values.len())];
        Ok(kept.iter().map(|value| term.score(*value)).sum())
    }

    fn group_total(&mut self, group: &Group) -> Result<i64, Box<Diagnostic>> {
        let mut values = Values::new();
        for item in &group.items {
            values.push(self.total(item)?);
        }
        let values = values.as_mut_slice();
        let range = group.keep.map_or(0..values.len(), |keep| {
            values.sort_unstable();
            keep.range(values.len())
        });
        let total: i128 = values[range].iter().map(|value| i128::from(*value)).sum();
        i64::try_from(total).map_err(|_| refusal::fault(self.source, group.span, Fault::Overflow))
    }
}
