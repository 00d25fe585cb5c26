//! Writes the numbers of limits for people.

use std::time::Duration;

use crate::script::source::luau_constants::luau_constant;

/// The units of sizes, the largest first.
const UNITS: [(u64, &str); 3] = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];

/// Returns a number with commas between its thousands: `10,000`.
pub fn count(number: impl TryInto<u64>) -> String {
    let digits = number.try_into().unwrap_or(u64::MAX).to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Returns a size in the largest unit that divides it: `4 KiB`, `256 bytes`.
pub fn bytes(number: impl TryInto<u64>) -> String {
    let number = number.try_into().unwrap_or(u64::MAX);
    let unit = UNITS
        .iter()
        .find(|(size, _)| number >= *size && number.is_multiple_of(*size));
    match unit {
        Some((size, unit)) => format!("{} {unit}", count(number / size)),
        None => format!("{} bytes", count(number)),
    }
}

/// Returns a time in seconds, or in milliseconds if it is not a whole number of them: `2 s`, `250 ms`.
pub(super) fn time(duration: Duration) -> String {
    match duration.subsec_millis() {
        0 => format!("{} s", count(duration.as_secs())),
        _ => format!("{} ms", count(duration.as_millis())),
    }
}

/// Returns the number of a constant of a script of the host, in some form.
pub(super) fn luau_number(script: &str, name: &str, in_form: fn(u64) -> String) -> String {
    let number = luau_constant(script, name);
    in_form(number.expect("invariant: the host's own scripts declare the constant"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_with_their_units() {
        assert_eq!(count(9u32), "9");
        assert_eq!(count(1_000usize), "1,000");
        assert_eq!(count(25_000_000u64), "25,000,000");
        assert_eq!(bytes(256u64), "256 bytes");
        assert_eq!(bytes(4u64 << 10), "4 KiB");
        assert_eq!(bytes(4u64 << 30), "4 GiB");
        assert_eq!(time(Duration::from_millis(250)), "250 ms");
        assert_eq!(time(Duration::from_secs(2)), "2 s");
        assert_eq!(luau_number("local A = 2048", "A", bytes), "2 KiB");
    }
}
