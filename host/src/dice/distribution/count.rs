//! The arithmetic of exact counts: 128 bits where every count fits, else integers of any size.
//!
//! Invariant: a caller chooses `u128` only if the outcomes of the whole notation are below 2^100; each
//! intermediate count is at most the outcomes times a number below 2^20.

use num_bigint::BigUint;

use super::packed_product;
use super::work_budget::{Done, Work};

/// A number of ways.
pub(super) trait Count: Clone + PartialEq {
    /// Whether products are expensive. If they are, the method with the fewest products is used.
    const IS_WIDE: bool;
    fn from_u64(number: u64) -> Self;
    fn is_zero(&self) -> bool;
    fn add(&mut self, other: &Self);
    fn subtract(&mut self, other: &Self);
    fn times(&self, other: &Self) -> Self;
    fn scaled(&self, number: u64) -> Self;
    /// Divides without a remainder.
    fn divided_exactly(&self, divisor: &Self) -> Self;

    /// Returns the products of two rows by place, if there is a faster way than term by term.
    fn fast_row_product(
        _left: &[Self],
        _right: &[Self],
        _work: &mut Work,
    ) -> Option<Done<Vec<Self>>> {
        None
    }

    fn zero() -> Self {
        Self::from_u64(0)
    }

    fn one() -> Self {
        Self::from_u64(1)
    }

    fn power(&self, exponent: u32) -> Self {
        let mut result = Self::one();
        for bit in (0..u32::BITS - exponent.leading_zeros()).rev() {
            result = result.times(&result);
            if exponent >> bit & 1 == 1 {
                result = result.times(self);
            }
        }
        result
    }
}

impl Count for u128 {
    const IS_WIDE: bool = false;

    fn from_u64(number: u64) -> u128 {
        u128::from(number)
    }

    fn is_zero(&self) -> bool {
        *self == 0
    }

    fn add(&mut self, other: &u128) {
        *self += other;
    }

    fn subtract(&mut self, other: &u128) {
        *self -= other;
    }

    fn times(&self, other: &u128) -> u128 {
        self * other
    }

    fn scaled(&self, number: u64) -> u128 {
        self * u128::from(number)
    }

    fn divided_exactly(&self, divisor: &u128) -> u128 {
        self / divisor
    }
}

impl Count for BigUint {
    const IS_WIDE: bool = true;

    fn from_u64(number: u64) -> BigUint {
        BigUint::from(number)
    }

    fn is_zero(&self) -> bool {
        *self == BigUint::ZERO
    }

    fn add(&mut self, other: &BigUint) {
        *self += other;
    }

    fn subtract(&mut self, other: &BigUint) {
        *self -= other;
    }

    fn times(&self, other: &BigUint) -> BigUint {
        self * other
    }

    fn scaled(&self, number: u64) -> BigUint {
        self * number
    }

    fn divided_exactly(&self, divisor: &BigUint) -> BigUint {
        self / divisor
    }

    fn fast_row_product(
        left: &[BigUint],
        right: &[BigUint],
        work: &mut Work,
    ) -> Option<Done<Vec<BigUint>>> {
        (left.len().min(right.len()) >= packed_product::SHORTEST)
            .then(|| packed_product::packed_product(left, right, work))
    }
}

/// Returns in how many ways `chosen` of `all` things can be chosen.
pub(super) fn binomial<C: Count>(all: usize, chosen: usize) -> C {
    (0..chosen.min(all - chosen)).fold(C::one(), |ways, step| next_binomial(&ways, all, step))
}

/// Returns the ways to choose one more, given those to choose `chosen` of `all`.
pub(super) fn next_binomial<C: Count>(ways: &C, all: usize, chosen: usize) -> C {
    let number = |number| u64::try_from(number).expect("invariant: numbers of dice are small");
    let scaled = ways.scaled(number(all - chosen));
    scaled.divided_exactly(&C::from_u64(number(chosen + 1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_kinds_of_count_agree() {
        assert_eq!(Count::power(&7u128, 13), 96_889_010_407);
        assert_eq!(
            Count::power(&BigUint::from(7u32), 13),
            BigUint::from(96_889_010_407u64)
        );
        assert_eq!(Count::power(&7u128, 0), 1);
        let row: Vec<u128> = (0..=5).map(|chosen| binomial(5, chosen)).collect();
        assert_eq!(row, [1, 5, 10, 10, 5, 1]);
        assert_eq!(
            binomial::<BigUint>(100, 50).to_string(),
            "100891344545564193334812497256"
        );
    }
}
