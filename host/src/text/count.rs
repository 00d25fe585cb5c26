//! Numbers as people write them before a name: exact, and with the digits that were written.

use std::fmt;

use rust_decimal::Decimal;

use crate::value::{Number, parse_written_decimal};

/// Plain numbers below this, in parts of 64, have exact sums and products.
const LARGEST: f64 = 1_099_511_627_776.0;
const PARTS: f64 = 64.0;
/// Most characters of a plain whole number, and most digits of any number.
const PLAIN_LENGTH: usize = 12;
const MOST_DIGITS: usize = 15;
/// A number from here on has more digits than a written number may have.
const TOO_LARGE: f64 = 1e15;

/// A written number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Count {
    /// A number that a double holds exactly.
    Plain(f64),
    /// A number with a fraction, with its written places, or a large number.
    Exact(Decimal),
}

impl Count {
    /// Reads digits with thousands commas, a sign and a fraction. Returns nothing for other texts, and for more than 15
    /// digits.
    pub fn parse(written: &str) -> Option<Count> {
        let digits: String = written.chars().filter(|letter| *letter != ',').collect();
        let (sign, unsigned) = match digits.strip_prefix(['+', '-']) {
            Some(rest) => (&digits[..1], rest),
            None => ("", digits.as_str()),
        };
        let (whole, fraction) = match unsigned.split_once('.') {
            Some((whole, fraction)) => (whole, Some(fraction)),
            None => (unsigned, None),
        };
        let are_digits = |text: &str| text.bytes().all(|letter| letter.is_ascii_digit());
        let places = fraction.unwrap_or("");
        if !are_digits(whole) || !are_digits(places) || whole.len() + places.len() == 0 {
            return None;
        }
        let counted = whole.trim_start_matches('0');
        let is_short = digits.len() <= PLAIN_LENGTH && fraction.is_none();
        if is_short || (fraction.is_none() && counted.len() <= PLAIN_LENGTH) {
            return digits
                .trim_start_matches('+')
                .parse()
                .ok()
                .map(Count::Plain);
        } else if counted.len() + places.len() > MOST_DIGITS {
            return None;
        }
        let minus = if sign == "-" { "-" } else { "" };
        let whole = if counted.is_empty() { "0" } else { counted };
        let exact = match places {
            "" => parse_written_decimal(&format!("{minus}{whole}")),
            places => parse_written_decimal(&format!("{minus}{whole}.{places}")),
        };
        exact.ok().map(Count::Exact)
    }

    /// Returns a number of a script or a file. Returns nothing for a number with more than 15 digits before the point.
    pub fn of_number(number: f64) -> Option<Count> {
        if number.abs() < LARGEST && (number * PARTS).fract() == 0.0 {
            return Some(Count::Plain(number));
        }
        let number = Some(number).filter(|number| number.abs() < TOO_LARGE)?;
        let exact = Number::from_f64(number).ok()?;
        Some(Count::Exact(exact.to_decimal()))
    }
}

impl fmt::Display for Count {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Count::Plain(number) => write!(out, "{number}"),
            Count::Exact(number) if number.is_zero() => write!(out, "{}", number.abs()),
            Count::Exact(number) => write!(out, "{number}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(written: &str) -> Option<String> {
        Count::parse(written).map(|count| count.to_string())
    }

    #[test]
    fn the_digits_of_a_fraction_stay_and_others_are_left_out() {
        for (written, expected) in [
            ("10", "10"),
            ("+5", "5"),
            ("-3", "-3"),
            ("007", "7"),
            ("-0", "-0"),
            ("1,000", "1000"),
            ("1.50", "1.50"),
            (".5", "0.5"),
            ("1.", "1"),
            ("+02.0", "2.0"),
            ("-.25", "-0.25"),
            ("-0.0", "0.0"),
            ("1234567890123", "1234567890123"),
        ] {
            assert_eq!(shown(written).as_deref(), Some(expected), "{written}");
        }
        for written in [
            "",
            "-",
            ".",
            "10-20",
            "1.2.3",
            "--1",
            "1234567890123456",
            "+.",
            "1e5",
        ] {
            assert_eq!(shown(written), None, "{written}");
        }
    }

    #[test]
    fn a_number_of_a_file_is_exact() {
        assert_eq!(Count::of_number(2.5), Some(Count::Plain(2.5)));
        let tenth = Count::of_number(0.1).unwrap();
        assert_eq!(tenth, Count::Exact(Decimal::new(1, 1)));
        assert_eq!(Count::of_number(1e15), None);
        assert_eq!(Count::of_number(f64::NAN), None);
    }
}
