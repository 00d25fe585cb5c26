//! Texts for the reason why a record ended.

use super::{Edge, EndCondition, Moment};
use crate::store::clock::Times;
use crate::value::Names;

const UNITS: [(u64, &str); 4] = [(86_400, "d"), (3_600, "h"), (60, "m"), (1, "s")];

/// Returns seconds in days, hours, minutes and seconds, such as `1d 2h 30m`.
pub fn duration_text(seconds: u64) -> String {
    let mut left = seconds;
    let mut parts = Vec::new();
    for (size, unit) in UNITS {
        if left >= size {
            parts.push(format!("{}{unit}", left / size));
            left %= size;
        }
    }
    if parts.is_empty() {
        return "0s".to_owned();
    }
    parts.join(" ")
}

/// Returns the text for an end that occurs at a moment.
pub(super) fn end_reason_text(
    end: &EndCondition,
    moment: &Moment<'_>,
    (names, times): (&Names, Times),
) -> String {
    match moment {
        Moment::PhaseEnd { phase, number, .. } => format!("end of {phase} {number}"),
        Moment::Turn { edge, of, .. } => {
            let side = match edge {
                Edge::Start => "start",
                Edge::End => "end",
            };
            format!("{side} of the turn of {}", names.text(*of))
        }
        Moment::RoundEnd { round, .. } => format!("end of round {round}"),
        Moment::Time { .. } => match end {
            EndCondition::Time { seconds } => {
                format!("time ran out at {}", times.full_time_text(*seconds))
            }
            _ => "time ran out".to_owned(),
        },
        Moment::Event { kind, .. } => format!("event {}", names.text(*kind)),
    }
}

/// Returns the text for the end after so many uses.
pub(in crate::store) fn uses_spent_text(uses: u64) -> String {
    match uses {
        1 => "1 use spent".to_owned(),
        more => format!("{more} uses spent"),
    }
}

/// Returns the text for an expression that became true.
pub(in crate::store) fn turned_true_text(expression: &str) -> String {
    format!("\"{expression}\" turned true")
}

/// Returns the text for a record that ends with another row.
pub(in crate::store) fn ended_with_text(row: &str) -> String {
    format!("ended with {row}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_leave_out_what_is_nothing() {
        for (seconds, words) in [
            (0, "0s"),
            (59, "59s"),
            (60, "1m"),
            (3_600, "1h"),
            (95_400, "1d 2h 30m"),
            (86_401, "1d 1s"),
        ] {
            assert_eq!(duration_text(seconds), words);
        }
    }
}
