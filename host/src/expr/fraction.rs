//! The exact fraction: checked arithmetic on numerators and denominators of up to 36 digits.

use std::cmp::Ordering;
use std::fmt;

use num_rational::Ratio;
use num_traits::{CheckedAdd, CheckedDiv, CheckedMul, CheckedSub};
use rust_decimal::Decimal;

use super::error::Fault;
use crate::value::Number;

/// Numerators and denominators stay below this, so that ten times one of them still fits into an `i128`.
pub(crate) const BOUND: i128 = 1 << 120;

/// Digits that a fraction without a finite decimal keeps at the border.
const DIGITS: usize = 15;

/// The smallest denominator of a number that may have been rounded.
const RECALLED: i128 = 10i128.pow(12);

/// Most places after the point of an exact decimal.
pub(crate) const PLACES: u32 = 28;

/// The largest exponent, and without its sign the smallest.
pub(crate) const EXPONENT: i128 = 64;

/// An exact fraction; equal amounts are equal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fraction(Ratio<i128>);

impl Fraction {
    /// Zero.
    pub const ZERO: Fraction = Fraction(Ratio::new_raw(0, 1));
    /// One.
    pub const ONE: Fraction = Fraction(Ratio::new_raw(1, 1));

    fn within_limits(ratio: Ratio<i128>) -> Result<Fraction, Fault> {
        let fits = ratio.numer().unsigned_abs() < BOUND.unsigned_abs() && *ratio.denom() < BOUND;
        fits.then_some(Fraction(ratio)).ok_or(Fault::Overflow)
    }

    fn from_whole(number: i128) -> Result<Fraction, Fault> {
        Fraction::within_limits(Ratio::new_raw(number, 1))
    }

    /// Reads a decimal: `[+-]` digits, a point among or before them. `None` if the text is not a decimal.
    pub(super) fn parse(text: &str) -> Option<Result<Fraction, Fault>> {
        let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
        let (whole, places) = digits.split_once('.').unwrap_or((digits, ""));
        let is_number = digits.starts_with(|c: char| c.is_ascii_digit())
            || (whole.is_empty() && !places.is_empty());
        let all = || whole.bytes().chain(places.bytes());
        if !is_number || !all().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let places = places.trim_end_matches('0');
        let numerator = whole
            .bytes()
            .chain(places.bytes())
            .try_fold(0i128, |sum, digit| {
                sum.checked_mul(10)?.checked_add(i128::from(digit - b'0'))
            });
        let denominator = u32::try_from(places.len())
            .ok()
            .and_then(|places| 10i128.checked_pow(places));
        let (Some(numerator), Some(denominator)) = (numerator, denominator) else {
            return Some(Err(Fault::Overflow));
        };
        let sign = if text.starts_with('-') { -1 } else { 1 };
        let read = Fraction::within_limits(Ratio::new(sign * numerator, denominator));
        // Every number that is read can be printed in the same form.
        Some(read.and_then(
            |read| match (read.numerator_and_denominator().1, read.to_decimal()) {
                (2.., None) => Err(Fault::Overflow),
                _ => Ok(read),
            },
        ))
    }

    /// Returns whether numerator and denominator have at most so many bits.
    pub(super) fn fits_bits(&self, bits: u32) -> bool {
        let used = |number: i128| i128::BITS - number.unsigned_abs().leading_zeros();
        used(*self.0.numer()) <= bits && used(*self.0.denom()) <= bits
    }

    /// Returns the fraction with a denominator up to `most` that rounds to this number of 15 digits; without one, this
    /// number itself. Numbers are rounded that way when they pass through scripts and rows.
    pub(crate) fn restore_rounded_fraction(self, most: i128) -> Fraction {
        let (numerator, denominator) = self.numerator_and_denominator();
        // A number with fewer places is exact.
        if denominator < RECALLED {
            return self;
        }
        let Some(near) = self.last_convergent_up_to_denominator(numerator, denominator, most)
        else {
            return self;
        };
        match near.round_to_15_digits() == self.to_decimal() {
            true => near,
            false => self,
        }
    }

    /// Returns the last convergent of a continued fraction whose denominator is not above `most`.
    fn last_convergent_up_to_denominator(
        self,
        numerator: i128,
        denominator: i128,
        most: i128,
    ) -> Option<Fraction> {
        let (mut above, mut below) = (numerator.unsigned_abs() as i128, denominator);
        let (mut last, mut now) = ((0, 1), (1, 0));
        while below != 0 {
            let whole = above / below;
            let next = (
                whole.checked_mul(now.0)?.checked_add(last.0)?,
                whole.checked_mul(now.1)?.checked_add(last.1)?,
            );
            if next.1 > most {
                break;
            }
            (last, now) = (now, next);
            (above, below) = (below, above % below);
        }
        let sign = numerator.signum();
        (now.1 != 0).then(|| Fraction(Ratio::new(sign * now.0, now.1)))
    }

    /// Returns whether this is zero.
    pub fn is_zero(&self) -> bool {
        *self.0.numer() == 0
    }

    /// Returns numerator and denominator in lowest terms; the denominator is above 0.
    pub fn numerator_and_denominator(&self) -> (i128, i128) {
        (*self.0.numer(), *self.0.denom())
    }

    /// Returns the two as whole numbers, if both are.
    #[inline]
    fn both_as_whole_numbers(self, other: Fraction) -> Option<(i128, i128)> {
        let whole = *self.0.denom() == 1 && *other.0.denom() == 1;
        whole.then_some((*self.0.numer(), *other.0.numer()))
    }

    pub(super) fn add(self, other: Fraction) -> Result<Fraction, Fault> {
        match self.both_as_whole_numbers(other) {
            Some((a, b)) => Fraction::from_whole(a + b),
            None => self
                .0
                .checked_add(&other.0)
                .ok_or(Fault::Overflow)
                .and_then(Fraction::within_limits),
        }
    }

    pub(super) fn subtract(self, other: Fraction) -> Result<Fraction, Fault> {
        match self.both_as_whole_numbers(other) {
            Some((a, b)) => Fraction::from_whole(a - b),
            None => self
                .0
                .checked_sub(&other.0)
                .ok_or(Fault::Overflow)
                .and_then(Fraction::within_limits),
        }
    }

    pub(super) fn multiply(self, other: Fraction) -> Result<Fraction, Fault> {
        match self.both_as_whole_numbers(other) {
            Some((a, b)) => a
                .checked_mul(b)
                .ok_or(Fault::Overflow)
                .and_then(Fraction::from_whole),
            None => self
                .0
                .checked_mul(&other.0)
                .ok_or(Fault::Overflow)
                .and_then(Fraction::within_limits),
        }
    }

    pub(super) fn divide(self, other: Fraction) -> Result<Fraction, Fault> {
        if other.is_zero() {
            return Err(Fault::DivisionByZero);
        }
        self.0
            .checked_div(&other.0)
            .ok_or(Fault::Overflow)
            .and_then(Fraction::within_limits)
    }

    /// Returns the remainder of the division with the quotient rounded down: it has the sign of `other`.
    pub(super) fn modulo(self, other: Fraction) -> Result<Fraction, Fault> {
        let quotient = self.divide(other)?.floor();
        self.subtract(quotient.multiply(other)?)
    }

    /// Returns the power to a whole number from -64 to 64; any number to the power 0 is 1.
    pub(super) fn power(self, exponent: Fraction) -> Result<Fraction, Fault> {
        let (exponent, one) = exponent.numerator_and_denominator();
        if one != 1 || exponent.abs() > EXPONENT {
            return Err(Fault::BadPower);
        }
        let base = match exponent {
            ..0 => Fraction::ONE.divide(self)?,
            0.. => self,
        };
        let times = 0..exponent.unsigned_abs();
        times
            .into_iter()
            .try_fold(Fraction::ONE, |power, _| power.multiply(base))
    }

    pub(crate) fn floor(self) -> Fraction {
        Fraction(self.0.floor())
    }

    pub(super) fn ceil(self) -> Fraction {
        Fraction(self.0.ceil())
    }

    /// Rounds to a whole number, a half away from zero.
    pub(super) fn round(self) -> Fraction {
        Fraction(self.0.round())
    }

    pub(super) fn negate(self) -> Fraction {
        Fraction(-self.0)
    }

    pub(super) fn abs(self) -> Fraction {
        if *self.0.numer() < 0 {
            self.negate()
        } else {
            self
        }
    }

    /// Returns the exact decimal, if there is one of at most 28 digits.
    pub fn to_decimal(&self) -> Option<Decimal> {
        let (numerator, denominator) = self.numerator_and_denominator();
        let twos = denominator.trailing_zeros();
        let (mut rest, mut fives) = (denominator >> twos, 0);
        while rest % 5 == 0 {
            (rest, fives) = (rest / 5, fives + 1);
        }
        let places = twos.max(fives);
        if rest != 1 || places > PLACES {
            return None;
        }
        let factor = 10i128.pow(places) / denominator;
        let digits = numerator.checked_mul(factor)?;
        Decimal::try_from_i128_with_scale(digits, places).ok()
    }

    /// Returns the number: the exact one, if it is a finite decimal, else rounded to 15 significant digits.
    ///
    /// `None` beyond 28 digits before the point.
    pub fn to_number(&self) -> Option<Number> {
        if let (whole, 1) = self.numerator_and_denominator()
            && let Ok(small) = i64::try_from(whole)
        {
            return Some(Number::from(small));
        }
        let exact = self.to_decimal().or_else(|| self.round_to_15_digits());
        exact.map(Number::from_decimal)
    }

    /// Rounds to 15 significant digits, at most 28 of them after the point, a half away from zero.
    fn round_to_15_digits(&self) -> Option<Decimal> {
        let (numerator, denominator) = self.numerator_and_denominator();
        let size = numerator.abs();
        let (mut digits, mut rest) = (size / denominator, size % denominator);
        let mut places = 0;
        let significant = |digits: i128| digits.checked_ilog10().map_or(0, |log| log as usize + 1);
        while significant(digits) < DIGITS && places < PLACES {
            rest *= 10;
            digits = digits * 10 + rest / denominator;
            rest %= denominator;
            places += 1;
        }
        if significant(digits) > DIGITS {
            // The number has only digits before the point: the last of them become zeros.
            let unit = 10i128.pow((significant(digits) - DIGITS) as u32);
            let up = digits % unit * 2 >= unit;
            digits = (digits / unit + i128::from(up)) * unit;
        } else if rest * 2 >= denominator {
            digits += 1;
        }
        let signed = if numerator < 0 { -digits } else { digits };
        Decimal::try_from_i128_with_scale(signed, places).ok()
    }

    /// Compares as [`Ord`] does, faster for whole numbers.
    #[inline]
    pub(super) fn compare(self, other: Fraction) -> Ordering {
        match self.both_as_whole_numbers(other) {
            Some((a, b)) => a.cmp(&b),
            None => self.0.cmp(&other.0),
        }
    }
}

impl From<Number> for Fraction {
    #[inline]
    fn from(number: Number) -> Fraction {
        if let Some(whole) = number.to_i64() {
            return Fraction(Ratio::new_raw(i128::from(whole), 1));
        }
        let decimal = number.to_decimal();
        Fraction(Ratio::new(decimal.mantissa(), 10i128.pow(decimal.scale())))
    }
}

/// Prints a finite decimal as one, anything else as `n/d`.
impl fmt::Display for Fraction {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.numerator_and_denominator(), self.to_decimal()) {
            ((whole, 1), _) => write!(out, "{whole}"),
            (_, Some(decimal)) => write!(out, "{}", decimal.normalize()),
            ((numerator, denominator), None) => write!(out, "{numerator}/{denominator}"),
        }
    }
}

impl fmt::Debug for Fraction {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{self}")
    }
}
