//! Walks over a notation and combines the tables of its parts.

use num_bigint::BigUint;

use super::count::Count;
use super::statistics::Distribution;
use super::table::Table;
use super::term;
use super::work_budget::{Done, Trouble, Work};
use crate::diag::{Diagnostic, Span};
use crate::dice::expr::{Expr, Term};
use crate::dice::{MOST_EXPLOSIONS, Notation, refusal};

/// Outcomes up to this many bits are counted in 128 bits.
const SMALL_BITS: u64 = 100;

impl Notation {
    /// Returns the exact distribution of the total.
    ///
    /// Errors: `dice/distribution-too-large`; `dice/zero-divisor` and `dice/overflow` if some outcome has no total.
    pub fn distribution(&self) -> Result<Distribution, Box<Diagnostic>> {
        self.distribution_and_step_count().0
    }

    /// Returns the same and the number of steps; a step is one to three nanoseconds.
    pub fn distribution_and_step_count(&self) -> (Result<Distribution, Box<Diagnostic>>, u64) {
        let bits = outcome_bit_bound(&self.root);
        let (distribution, work) = if bits <= SMALL_BITS {
            let mut work = Work::for_small_counts();
            let made = outcome_table::<u128>(&self.root, &mut work).map(Distribution::from_small);
            (made, work)
        } else {
            let mut work = Work::for_wide_counts(bits);
            let made = outcome_table::<BigUint>(&self.root, &mut work).map(Distribution::from_wide);
            (made, work)
        };
        let distribution = distribution.map_err(|trouble| match trouble {
            Trouble::Fault(fault, span) => refusal::arithmetic_refusal(&self.source, span, fault),
            Trouble::TooLarge => {
                let span = Span::new(0, self.source.text().len());
                refusal::too_large_distribution()
                    .at(&self.source, span)
                    .into()
            }
        });
        (distribution, work.steps_taken())
    }
}

/// Returns a number of bits that is enough for the outcomes.
fn outcome_bit_bound(expr: &Expr) -> u64 {
    match expr {
        Expr::Number(_) => 0,
        Expr::Negative(inner, _) | Expr::Label(_, inner) => outcome_bit_bound(inner),
        Expr::Chain(chain) => {
            let rest = chain
                .rest
                .iter()
                .map(|(_, operand)| outcome_bit_bound(operand));
            outcome_bit_bound(&chain.first) + rest.sum::<u64>()
        }
        Expr::Dice(term) => term_bit_bound(term),
        Expr::Group(group) => group.items.iter().map(outcome_bit_bound).sum(),
    }
}

fn term_bit_bound(term: &Term) -> u64 {
    let draws = match term.burst {
        Some(_) => u64::from(MOST_EXPLOSIONS) + 1,
        None => 1,
    };
    // The ways of a die are below 2^bits, so the ways of n dice are below 2^(n·bits); exactly, if they fit.
    let weight = u128::from(term.ways_of_draw_after_rerolls());
    match weight.checked_pow(term.count) {
        Some(ways) if draws == 1 => u64::from(u128::BITS - ways.leading_zeros()),
        Some(_) | None => {
            let die = u64::from(u128::BITS - weight.leading_zeros());
            u64::from(term.count) * draws * die
        }
    }
}

fn outcome_table<C: Count>(expr: &Expr, work: &mut Work) -> Done<Table<C>> {
    match expr {
        Expr::Number(number) => Ok(Table::single_total(*number)),
        Expr::Negative(inner, span) => outcome_table(inner, work)?.negated(*span),
        Expr::Label(_, inner) => outcome_table(inner, work),
        Expr::Dice(term) => term.ways_of_total(work).map(|ways| Table::from_poly(&ways)),
        Expr::Chain(chain) => {
            let first = outcome_table(&chain.first, work)?;
            chain
                .rest
                .iter()
                .try_fold(first, |left, (operator, operand)| {
                    let right = outcome_table(operand, work)?;
                    left.combined(*operator, right, chain.span, work)
                })
        }
        Expr::Group(group) => {
            let items = group.items.iter().map(|item| outcome_table(item, work));
            let items = items.collect::<Done<Vec<_>>>()?;
            term::group_table(items, group.keep, group.span, work)
        }
    }
}
