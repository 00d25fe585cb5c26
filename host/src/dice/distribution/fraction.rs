//! The exact fraction, used for means and chances.

use std::fmt;

use num_bigint::{BigInt, BigUint, Sign};

/// An exact fraction in lowest terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fraction {
    numerator: BigInt,
    denominator: BigUint,
}

impl Fraction {
    /// Returns the fraction in lowest terms; the denominator is not 0.
    pub(super) fn new(numerator: BigInt, denominator: BigUint) -> Fraction {
        let divisor = greatest_common_divisor(numerator.magnitude().clone(), denominator.clone());
        Fraction {
            numerator: numerator / BigInt::from(divisor.clone()),
            denominator: denominator / divisor,
        }
    }

    /// Returns the numerator.
    pub fn numerator(&self) -> &BigInt {
        &self.numerator
    }

    /// Returns the denominator, 1 or more.
    pub fn denominator(&self) -> &BigUint {
        &self.denominator
    }

    /// Returns a close double; the same one on every machine.
    pub fn to_f64(&self) -> f64 {
        let size = rounded_ratio(self.numerator.magnitude(), &self.denominator);
        if self.numerator.sign() == Sign::Minus {
            -size
        } else {
            size
        }
    }
}

/// Prints `n/d`, or `n` if the denominator is 1.
impl fmt::Display for Fraction {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.numerator)?;
        if self.denominator == BigUint::from(1u8) {
            return Ok(());
        }
        write!(out, "/{}", self.denominator)
    }
}

fn greatest_common_divisor(mut left: BigUint, mut right: BigUint) -> BigUint {
    while right != BigUint::ZERO {
        (left, right) = (right.clone(), left % right);
    }
    left
}

/// Returns `part / whole` cut after 64 significant bits, then rounded; `whole` is not 0.
pub(super) fn rounded_ratio(part: &BigUint, whole: &BigUint) -> f64 {
    if *part == BigUint::ZERO {
        return 0.0;
    }
    let bits = |number: &BigUint| i32::try_from(number.bits()).unwrap_or(i32::MAX);
    let shift = (bits(whole) - bits(part)).saturating_add(64);
    let quotient = if shift >= 0 {
        (part << shift.unsigned_abs()) / whole
    } else {
        part / (whole << shift.unsigned_abs())
    };
    let quotient = u128::try_from(quotient).expect("invariant: the quotient has 65 bits at most");
    times_power_of_two(quotient as f64, -shift)
}

/// Returns `number · 2^exponent` by exact steps.
fn times_power_of_two(mut number: f64, mut exponent: i32) -> f64 {
    while exponent < 0 && number != 0.0 {
        let step = exponent.max(-512);
        number *= 2f64.powi(step);
        exponent -= step;
    }
    if exponent > 0 {
        number *= 2f64.powi(exponent.min(1_023));
    }
    number
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_reduced_and_close_to_doubles() {
        let fraction = |n: i64, d: u64| Fraction::new(BigInt::from(n), BigUint::from(d));
        assert_eq!(fraction(-49, 14).to_string(), "-7/2");
        assert_eq!(fraction(-49, 14).to_f64(), -3.5);
        assert_eq!(fraction(0, 14).to_string(), "0");
        assert_eq!(fraction(1, 3).to_f64(), 1.0 / 3.0);
        let huge = BigUint::from(6u8).pow(1_000);
        assert_eq!(rounded_ratio(&huge, &(&huge * 3u8)), 1.0 / 3.0);
        assert_eq!(rounded_ratio(&BigUint::from(1u8), &huge), 0.0);
        assert_eq!(
            rounded_ratio(&(BigUint::from(3u8) << 200), &BigUint::from(2u8)),
            1.5 * 2f64.powi(200)
        );
    }
}
