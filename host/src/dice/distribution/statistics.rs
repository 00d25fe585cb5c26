//! Answers questions about a distribution.

use num_bigint::{BigInt, BigUint};

use super::fraction::{Fraction, rounded_ratio};
use super::table::Table;

/// For each total, the number of the `outcomes` equally likely ways to get it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Distribution {
    rows: Rows,
}

/// Totals in order, at least one, each with at least one way.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Rows {
    Small(Vec<(i64, u128)>),
    Wide(Vec<(i64, BigUint)>),
}

impl Distribution {
    pub(super) fn from_small(table: Table<u128>) -> Distribution {
        Distribution {
            rows: Rows::Small(table.0),
        }
    }

    pub(super) fn from_wide(table: Table<BigUint>) -> Distribution {
        Distribution {
            rows: Rows::Wide(table.0),
        }
    }

    /// Returns the total number of equally likely ways.
    pub fn outcome_count(&self) -> BigUint {
        self.count_ways_where(|_| true)
    }

    /// Returns the number of ways to this total.
    pub fn ways_to_total(&self, total: i64) -> BigUint {
        self.count_ways_where(|found| found == total)
    }

    /// Returns the number of ways to this total or more.
    pub fn ways_at_least(&self, total: i64) -> BigUint {
        self.count_ways_where(|found| found >= total)
    }

    /// Returns the number of ways to this total or less.
    pub fn ways_at_most(&self, total: i64) -> BigUint {
        self.count_ways_where(|found| found <= total)
    }

    /// Returns the chance of this number of ways, as a close double.
    pub fn chance_of_ways(&self, ways: &BigUint) -> f64 {
        rounded_ratio(ways, &self.outcome_count())
    }

    /// Returns the lowest total.
    pub fn lowest_total(&self) -> i64 {
        self.total_at_index(0)
    }

    /// Returns the highest total.
    pub fn highest_total(&self) -> i64 {
        self.total_at_index(self.len() - 1)
    }

    /// Returns how many different totals there are.
    pub fn len(&self) -> usize {
        match &self.rows {
            Rows::Small(rows) => rows.len(),
            Rows::Wide(rows) => rows.len(),
        }
    }

    /// Returns whether the distribution has no total; always false.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns each total and its ways, in order of totals.
    pub fn iter(&self) -> impl Iterator<Item = (i64, BigUint)> + '_ {
        (0..self.len()).map(|index| match &self.rows {
            Rows::Small(rows) => (rows[index].0, BigUint::from(rows[index].1)),
            Rows::Wide(rows) => rows[index].clone(),
        })
    }

    /// Returns the mean, exactly.
    pub fn mean(&self) -> Fraction {
        Fraction::new(self.power_moment(1), self.outcome_count())
    }

    /// Returns the mean of the squared distance from the mean, exactly.
    pub fn variance(&self) -> Fraction {
        let outcomes = BigInt::from(self.outcome_count());
        let mean = self.power_moment(1);
        let numerator = self.power_moment(2) * &outcomes - &mean * &mean;
        Fraction::new(numerator, (&outcomes * &outcomes).magnitude().clone())
    }

    /// Returns the standard deviation: the root of the variance.
    pub fn standard_deviation(&self) -> f64 {
        self.variance().to_f64().sqrt()
    }

    /// Returns the lowest total that at least the part `p` of all ways do not exceed; 0.5 gives the median.
    ///
    /// Shape: `p` is from 0 to 1 and is used exactly as the double it is; any other value gives `None`.
    pub fn quantile(&self, p: f64) -> Option<i64> {
        if !(0.0..=1.0).contains(&p) {
            return None;
        }
        let wanted = self.outcome_count() * scaled_probability(p);
        let mut ways = BigUint::ZERO;
        let reached = self.iter().find(|(_, count)| {
            ways += count << DIGITS;
            ways >= wanted
        });
        reached.map(|(total, _)| total)
    }

    fn total_at_index(&self, index: usize) -> i64 {
        match &self.rows {
            Rows::Small(rows) => rows[index].0,
            Rows::Wide(rows) => rows[index].0,
        }
    }

    fn count_ways_where(&self, counts: impl Fn(i64) -> bool) -> BigUint {
        match &self.rows {
            Rows::Small(rows) => {
                let rows = rows.iter().filter(|(total, _)| counts(*total));
                rows.map(|(_, ways)| ways).sum::<u128>().into()
            }
            Rows::Wide(rows) => {
                let rows = rows.iter().filter(|(total, _)| counts(*total));
                rows.map(|(_, ways)| ways).sum()
            }
        }
    }

    /// Returns the sum of the totals to this power, each multiplied by its ways.
    fn power_moment(&self, power: u32) -> BigInt {
        let rows = self.iter();
        rows.map(|(total, ways)| BigInt::from(total).pow(power) * BigInt::from(ways))
            .sum()
    }
}

/// Binary places of a double from 0 to 1: 2^-1074 is the smallest.
const DIGITS: u32 = 1_074;

/// Returns `p · 2^DIGITS`, which is whole.
fn scaled_probability(p: f64) -> BigUint {
    let bits = p.to_bits();
    let exponent = bits >> 52 & 0x7ff;
    let fraction = bits & ((1 << 52) - 1);
    if exponent == 0 {
        BigUint::from(fraction)
    } else {
        BigUint::from(fraction | 1 << 52) << (exponent - 1)
    }
}
