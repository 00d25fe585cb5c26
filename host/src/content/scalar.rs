//! Decides the meaning of a bare word of content, and reads numbers digit by digit.
//!
//! `null`, `~` and an empty value are nothing; `true` and `false` are the only booleans. A number is written
//! in decimal digits with an optional sign, point and exponent: `12`, `-0.5`, `+3`, `.5`, `5.`, `1e3`. Spellings
//! that different readers understand differently are refused, not guessed: a leading zero (`010`), digit groups
//! (`1_000`), other bases (`0x10`, `0o17`, `0b1`). Everything else is text, timestamps such as `2001-12-14` and
//! `12:30` too.

use rust_decimal::Decimal;

use crate::value::{Number, NumberError};

/// Most decimal places and digits; more never fit into a number.
const DIGITS: usize = 29;

/// The meaning of a bare word.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Bare {
    /// Nothing.
    Nil,
    /// A boolean.
    Bool(bool),
    /// A number.
    Number(Number),
    /// A text.
    Text,
    /// A text, although people may mean the given word by it.
    Doubtful(&'static str),
    /// A number that cannot be used, the reason, and a replacement.
    Refused(String, String),
}

/// Returns the meaning of a bare word.
pub(super) fn read_bare_word(text: &str) -> Bare {
    match text {
        "" | "~" | "null" => return Bare::Nil,
        "true" => return Bare::Bool(true),
        "false" => return Bare::Bool(false),
        _ => {}
    }
    match text.to_ascii_lowercase().as_str() {
        "true" | "yes" | "on" => return Bare::Doubtful("true"),
        "false" | "no" | "off" => return Bare::Doubtful("false"),
        "null" => return Bare::Doubtful("null"),
        ".inf" | "-.inf" | "+.inf" | ".nan" => return refused_scalar(NumberError::NotFinite, text),
        _ => {}
    }
    if let Some(decimal) = DecimalText::split(text) {
        if decimal.has_leading_zero() {
            let without = text.replacen(decimal.whole, decimal.without_leading_zeros(), 1);
            let message =
                format!("the number {text} begins with a zero, so some programs read it as octal");
            return Bare::Refused(
                message,
                format!("write {without}, or \"{text}\" in quotes if it is a text"),
            );
        }
        return match decimal.number_from_digits() {
            Ok(number) => Bare::Number(number),
            Err(fault) => refused_scalar(fault, text),
        };
    }
    if is_number_in_other_notation(text) {
        let message = format!("the number {text} is not written in plain decimal digits");
        return Bare::Refused(
            message,
            format!("write decimal digits only, or \"{text}\" in quotes if it is a text"),
        );
    }
    Bare::Text
}

/// Reads a decimal number from its source text, exactly.
///
/// Errors: `NotANumber`, `OutOfRange`.
pub fn exact_number(text: &str) -> Result<Number, NumberError> {
    DecimalText::split(text)
        .ok_or(NumberError::NotANumber)?
        .number_from_digits()
}

fn refused_scalar(fault: NumberError, text: &str) -> Bare {
    let shown = super::node::shortened(text);
    Bare::Refused(
        format!("{fault}, found {shown}"),
        format!("write a number that fits, or \"{shown}\" in quotes if it is a text"),
    )
}

/// Returns whether a word is a number in another base or with grouped digits.
fn is_number_in_other_notation(text: &str) -> bool {
    let digits = text.trim_start_matches(['-', '+']);
    let lower = digits.to_ascii_lowercase();
    for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] {
        if let Some(rest) = lower.strip_prefix(prefix) {
            return !rest.is_empty() && rest.chars().all(|c| c == '_' || c.is_digit(radix));
        }
    }
    digits.contains('_')
        && digits.starts_with(|c: char| c.is_ascii_digit())
        && DecimalText::split(&digits.replace('_', "")).is_some()
}

/// The parts of a decimal number as written.
struct DecimalText<'a> {
    negative: bool,
    whole: &'a str,
    fraction: &'a str,
    exponent: i64,
}

impl<'a> DecimalText<'a> {
    fn split(text: &'a str) -> Option<DecimalText<'a>> {
        let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
        let (amount, exponent) = match unsigned.split_once(['e', 'E']) {
            Some((amount, power)) => (amount, read_exponent(power)?),
            None => (unsigned, 0),
        };
        let (whole, fraction) = amount.split_once('.').unwrap_or((amount, ""));
        let some = !(whole.is_empty() && fraction.is_empty());
        (some && digits(whole) && digits(fraction)).then_some(DecimalText {
            negative: text.starts_with('-'),
            whole,
            fraction,
            exponent,
        })
    }

    fn has_leading_zero(&self) -> bool {
        self.whole.len() > 1 && self.whole.starts_with('0')
    }

    fn without_leading_zeros(&self) -> &'a str {
        let rest = self.whole.trim_start_matches('0');
        if rest.is_empty() { "0" } else { rest }
    }

    /// Returns the amount; zeros at either end of the digits cost no precision.
    fn number_from_digits(&self) -> Result<Number, NumberError> {
        let all = format!("{}{}", self.whole, self.fraction);
        let digits = all.trim_start_matches('0');
        let kept = digits.trim_end_matches('0');
        if kept.is_empty() {
            return Ok(Number::ZERO);
        }
        let places = i64::try_from(self.fraction.len()).map_err(|_| NumberError::OutOfRange)?;
        let zeros =
            i64::try_from(digits.len() - kept.len()).map_err(|_| NumberError::OutOfRange)?;
        let power = self.exponent.saturating_sub(places).saturating_add(zeros);
        let padding = usize::try_from(power.max(0)).map_err(|_| NumberError::OutOfRange)?;
        if kept.len().saturating_add(padding) > DIGITS {
            return Err(NumberError::OutOfRange);
        }
        let padded = format!("{kept}{}", "0".repeat(padding));
        let amount: i128 = padded.parse().map_err(|_| NumberError::OutOfRange)?;
        let scale = u32::try_from((-power).max(0)).map_err(|_| NumberError::OutOfRange)?;
        let signed = if self.negative { -amount } else { amount };
        Decimal::try_from_i128_with_scale(signed, scale)
            .map(Number::from_decimal)
            .map_err(|_| NumberError::OutOfRange)
    }
}

/// Returns the power of ten; digits beyond any range give the largest power.
fn read_exponent(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let power = digits.parse::<i32>().map_or(i64::from(i32::MAX), i64::from);
    Some(if text.starts_with('-') { -power } else { power })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn shown(text: &str) -> String {
        match read_bare_word(text) {
            Bare::Number(number) => number.to_string(),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn numbers_are_read_digit_by_digit() {
        let same = [
            ("0.1", "0.1"),
            ("1.50", "1.5"),
            ("-0", "0"),
            ("+3", "3"),
            (".5", "0.5"),
            ("5.", "5"),
            ("1e3", "1000"),
            ("12E-2", "0.12"),
            ("0e999999999999", "0"),
            ("1.0e+2", "100"),
            ("9007199254740993", "9007199254740993"),
            (
                "0.3000000000000000000000000001",
                "0.3000000000000000000000000001",
            ),
            ("1.00000000000000000000000000000000000000", "1"),
            (
                "79228162514264337593543950335",
                "79228162514264337593543950335",
            ),
        ];
        for (text, wanted) in same {
            assert_eq!(shown(text), wanted, "{text}");
        }
    }

    #[test]
    fn unclear_and_unfit_numbers_are_refused() {
        let bad = [
            "010",
            "-007",
            "00",
            "01.5",
            "1_000",
            "0x1F",
            "0o17",
            "0b1",
            ".inf",
            "-.INF",
            ".NaN",
            "1e99",
            "1e-99",
            "79228162514264337593543950336",
            "0.00000000000000000000000000001",
            "1e99999999999",
        ];
        for text in bad {
            assert!(matches!(read_bare_word(text), Bare::Refused(..)), "{text}");
        }
        let Bare::Refused(_, hint) = read_bare_word("-007") else {
            panic!("refused")
        };
        assert_eq!(hint, "write -7, or \"-007\" in quotes if it is a text");
    }

    #[test]
    fn other_words_are_text() {
        for text in [
            "2001-12-14",
            "12:30",
            "2d6",
            "1/2",
            "-",
            "+",
            ".",
            "e5",
            "1e",
            "a_1",
            "0xyz",
            "1_a",
            "--1",
        ] {
            assert_eq!(read_bare_word(text), Bare::Text, "{text}");
        }
        assert_eq!(read_bare_word("yes"), Bare::Doubtful("true"));
        assert_eq!(read_bare_word("False"), Bare::Doubtful("false"));
    }

    proptest! {
        #[test]
        fn whole_numbers_and_places_are_exact(digits in -10_000_000_000_000_000i64..10_000_000_000_000_000, places in 0u32..10) {
            let wanted = Decimal::new(digits, places);
            prop_assert_eq!(exact_number(&wanted.to_string()), Ok(Number::from_decimal(wanted)));
            let power = format!("{digits}e-{places}");
            prop_assert_eq!(exact_number(&power), Ok(Number::from_decimal(wanted)));
        }

        #[test]
        fn any_word_has_a_meaning(text in "[-+0-9a-fx_.eE]{0,40}|.{0,20}") {
            if let Bare::Number(number) = read_bare_word(&text) {
                prop_assert_eq!(exact_number(&text), Ok(number));
            }
        }
    }
}
