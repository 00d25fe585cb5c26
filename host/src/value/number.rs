//! The exact number: a whole number or a decimal fraction, one form for each amount.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use rust_decimal::Decimal;
use rust_decimal::prelude::{FromPrimitive, ToPrimitive};

/// Whole numbers below this size (2^53) are kept as integers; a double holds them exactly.
const WHOLE: i64 = 1 << 53;

/// Reasons why a number cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberError {
    /// NaN or an infinity.
    NotFinite,
    /// Outside the range of an exact decimal (28 digits), or a division by zero.
    OutOfRange,
    /// The text is not a number.
    NotANumber,
}

impl fmt::Display for NumberError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            NumberError::NotFinite => "a number must be finite, not NaN or infinite",
            NumberError::OutOfRange => "a number may have at most 28 digits",
            NumberError::NotANumber => "this is not a decimal number",
        })
    }
}

/// An exact number; equal amounts are equal values with equal bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Number(Form);

/// Invariant: whole amounts below 2^53 are `Whole`; a `Fraction` is normalised.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Form {
    Whole(i64),
    Fraction(Decimal),
}

impl Number {
    /// Zero.
    pub const ZERO: Number = Number(Form::Whole(0));

    /// Converts a double from a script. A whole number below 2^53 stays as it is. Others are rounded to 15 significant
    /// digits, at most 28 of them after the point.
    ///
    /// Errors: `NotFinite`, `OutOfRange`.
    pub fn from_f64(value: f64) -> Result<Number, NumberError> {
        if let Some(whole) = Number::from_whole_f64(value) {
            return Ok(whole);
        }
        if !value.is_finite() {
            return Err(NumberError::NotFinite);
        }
        let rounded = format!("{value:.14e}");
        let exact = Decimal::from_scientific(&rounded)
            .or_else(|_| Decimal::from_str_exact(&format!("{value:.28}")))
            .map_err(|_| NumberError::OutOfRange)?;
        Ok(Number::from_decimal(exact))
    }

    /// Converts a double that is whole and below 2^53.
    #[inline]
    pub fn from_whole_f64(value: f64) -> Option<Number> {
        let whole = value as i64;
        let is_exact = whole as f64 == value && whole.unsigned_abs() < WHOLE.unsigned_abs();
        is_exact.then_some(Number(Form::Whole(whole)))
    }

    /// Converts an exact decimal.
    pub fn from_decimal(value: Decimal) -> Number {
        let value = value.normalize();
        match value.to_i64() {
            Some(whole) if value.scale() == 0 && whole.unsigned_abs() < WHOLE.unsigned_abs() => {
                Number(Form::Whole(whole))
            }
            _ => Number(Form::Fraction(value)),
        }
    }

    /// Converts a count. Errors: `OutOfRange` beyond 28 digits.
    pub fn from_u128(value: u128) -> Result<Number, NumberError> {
        Decimal::from_u128(value)
            .map(Number::from_decimal)
            .ok_or(NumberError::OutOfRange)
    }

    /// Returns the nearest double.
    pub fn to_f64(&self) -> f64 {
        match self.0 {
            Form::Whole(value) => value as f64,
            Form::Fraction(value) => value.to_f64().unwrap_or(0.0),
        }
    }

    /// Returns the exact decimal.
    pub fn to_decimal(&self) -> Decimal {
        match self.0 {
            Form::Whole(value) => Decimal::from(value),
            Form::Fraction(value) => value,
        }
    }

    /// Returns the whole number below 2^53, if it is one.
    pub fn to_i64(&self) -> Option<i64> {
        if let Form::Whole(value) = self.0 {
            Some(value)
        } else {
            None
        }
    }

    /// Returns the sum. Errors: `OutOfRange`.
    pub fn checked_add(self, other: Number) -> Result<Number, NumberError> {
        if let (Form::Whole(a), Form::Whole(b)) = (self.0, other.0)
            && (a + b).abs() < WHOLE
        {
            return Ok(Number(Form::Whole(a + b)));
        }
        let sum = self.to_decimal().checked_add(other.to_decimal());
        sum.map(Number::from_decimal).ok_or(NumberError::OutOfRange)
    }

    /// Returns the product. Errors: `OutOfRange`.
    pub fn checked_mul(self, other: Number) -> Result<Number, NumberError> {
        let product = self.to_decimal().checked_mul(other.to_decimal());
        product
            .map(Number::from_decimal)
            .ok_or(NumberError::OutOfRange)
    }

    /// Returns the canonical form for bytes: sign and digits, and the number of decimal places.
    pub(super) fn digits_and_scale(&self) -> (i128, u32) {
        match self.0 {
            Form::Whole(value) => (i128::from(value), 0),
            Form::Fraction(value) => (value.mantissa(), value.scale()),
        }
    }

    pub(super) fn from_digits_and_scale(digits: i128, scale: u32) -> Result<Number, NumberError> {
        Decimal::try_from_i128_with_scale(digits, scale)
            .map(Number::from_decimal)
            .map_err(|_| NumberError::OutOfRange)
    }
}

/// Reads a decimal with its written number of places: `1.50` has two.
///
/// Errors: `OutOfRange`, `NotANumber`.
pub fn parse_written_decimal(text: &str) -> Result<Decimal, NumberError> {
    if text.contains('_') {
        return Err(NumberError::NotANumber);
    }
    let digits = text.chars().filter(char::is_ascii_digit).count();
    let exact = Decimal::from_str_exact(text).or_else(|_| Decimal::from_scientific(text));
    exact.map_err(|_| match digits {
        0..=28 => NumberError::NotANumber,
        _ => NumberError::OutOfRange,
    })
}

impl From<i64> for Number {
    fn from(value: i64) -> Number {
        if value.unsigned_abs() < WHOLE.unsigned_abs() {
            return Number(Form::Whole(value));
        }
        Number::from_decimal(Decimal::from(value))
    }
}

impl FromStr for Number {
    type Err = NumberError;

    fn from_str(text: &str) -> Result<Number, NumberError> {
        parse_written_decimal(text).map(Number::from_decimal)
    }
}

impl fmt::Display for Number {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Form::Whole(value) => write!(out, "{value}"),
            Form::Fraction(value) => write!(out, "{value}"),
        }
    }
}

impl fmt::Debug for Number {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{self}")
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Number) -> Ordering {
        match (self.0, other.0) {
            (Form::Whole(a), Form::Whole(b)) => a.cmp(&b),
            _ => self.to_decimal().cmp(&other.to_decimal()),
        }
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Number) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_amount_has_one_form() {
        let a: Number = "1.50".parse().unwrap();
        let b = Number::from_f64(1.5).unwrap();
        assert_eq!(a, b);
        assert_eq!(a.to_string(), "1.5");
        assert_eq!(Number::from_f64(-0.0).unwrap(), Number::ZERO);
        assert_eq!("3.0".parse::<Number>().unwrap().to_i64(), Some(3));
    }

    #[test]
    fn the_lowest_integer_is_a_number() {
        let lowest: Number = i64::MIN.to_string().parse().unwrap();
        assert_eq!(lowest, Number::from(i64::MIN));
        assert_eq!(lowest.to_i64(), None);
    }

    #[test]
    fn only_numbers_are_numbers() {
        for text in ["", "-", ".", "e5", "1_000", "1,5", "0x10", "nan", "١"] {
            assert_eq!(
                text.parse::<Number>(),
                Err(NumberError::NotANumber),
                "{text}"
            );
        }
    }

    #[test]
    fn doubles_round_to_fifteen_digits() {
        assert_eq!(Number::from_f64(0.1 + 0.2).unwrap().to_string(), "0.3");
        assert_eq!(Number::from_f64(f64::NAN), Err(NumberError::NotFinite));
        assert_eq!(Number::from_f64(1e300), Err(NumberError::OutOfRange));
        assert_eq!(
            Number::from_f64(1.5e-20).unwrap().to_string(),
            "0.000000000000000000015"
        );
        assert_eq!(Number::from_f64(1e-300).unwrap(), Number::ZERO);
    }

    #[test]
    fn sums_leave_the_integers_without_loss() {
        let edge = Number::from(WHOLE - 1);
        let sum = edge.checked_add(Number::from(1)).unwrap();
        assert_eq!(sum.to_string(), "9007199254740992");
        assert_eq!(sum.checked_add(Number::from(-1)).unwrap(), edge);
    }
}
