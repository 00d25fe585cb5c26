//! Lists the ways of each total and combines such lists. Totals may be any distance apart.

use std::collections::BTreeMap;

use super::count::Count;
use super::poly::Poly;
use super::work_budget::{Done, Trouble, Work};
use crate::diag::Span;
use crate::dice::expr::{Fault, Operator};

/// Steps that one entry of an ordered map takes.
const MAP_STEPS: u64 = 64;

/// Totals in order, at least one, each with at least one way.
#[derive(Clone, PartialEq)]
pub(super) struct Table<C>(pub(super) Vec<(i64, C)>);

impl<C: Count> Table<C> {
    pub(super) fn single_total(total: i64) -> Table<C> {
        Table(vec![(total, C::one())])
    }

    pub(super) fn from_poly(poly: &Poly<C>) -> Table<C> {
        Table(
            poly.entries()
                .map(|(total, count)| (total, count.clone()))
                .collect(),
        )
    }

    pub(super) fn negated(mut self, span: Span) -> Done<Table<C>> {
        for (total, _) in &mut self.0 {
            *total = total
                .checked_neg()
                .ok_or(Trouble::Fault(Fault::Overflow, span))?;
        }
        self.0.reverse();
        Ok(self)
    }

    /// Returns the table of `left operator right`, both independent.
    pub(super) fn combined(
        self,
        operator: Operator,
        other: Table<C>,
        span: Span,
        work: &mut Work,
    ) -> Done<Table<C>> {
        match operator {
            Operator::Plus => self.add_table(&other, span, work),
            Operator::Minus => self.add_table(&other.negated(span)?, span, work),
            Operator::Times | Operator::Over => self.combine_tables(operator, &other, span, work),
        }
    }

    fn add_table(self, other: &Table<C>, span: Span, work: &mut Work) -> Done<Table<C>> {
        let sum = |left: &(i64, C), right: &(i64, C)| {
            let sum = left.0.checked_add(right.0);
            sum.ok_or(Trouble::Fault(Fault::Overflow, span))
        };
        let (last, other_last) = (self.0.len() - 1, other.0.len() - 1);
        let low = sum(&self.0[0], &other.0[0])?;
        let high = sum(&self.0[last], &other.0[other_last])?;
        let pairs = self.0.len().saturating_mul(other.0.len());
        let range = i128::from(high) - i128::from(low);
        if range > i128::try_from(pairs).unwrap_or(i128::MAX) * 4 + 1_000 {
            return self.combine_tables(Operator::Plus, other, span, work);
        }
        let (left, right) = (self.to_poly(work)?, other.to_poly(work)?);
        Ok(Table::from_poly(&left.product(&right, work)?))
    }

    fn to_poly(&self, work: &mut Work) -> Done<Poly<C>> {
        Poly::from_entries(self.0.iter().map(|(total, count)| (*total, count)), work)
    }

    fn combine_tables(
        self,
        operator: Operator,
        other: &Table<C>,
        span: Span,
        work: &mut Work,
    ) -> Done<Table<C>> {
        let mut ways: BTreeMap<i64, C> = BTreeMap::new();
        for (left, count) in &self.0 {
            work.spend_products(other.0.len())?;
            for (right, more) in &other.0 {
                work.spend_steps(MAP_STEPS)?;
                let total = operator.apply_to_numbers(*left, *right);
                let total = total.map_err(|fault| {
                    let fault = match fault {
                        Fault::ZeroDivisor if other.0.len() > 1 => Fault::PossibleZeroDivisor,
                        Fault::Overflow | Fault::ZeroDivisor | Fault::PossibleZeroDivisor => fault,
                    };
                    Trouble::Fault(fault, span)
                })?;
                ways.entry(total)
                    .or_insert_with(C::zero)
                    .add(&count.times(more));
            }
        }
        Ok(Table(ways.into_iter().collect()))
    }
}
