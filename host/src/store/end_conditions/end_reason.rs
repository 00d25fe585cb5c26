//! Texts for the reason why a record ended.

use super::{Edge, EndCondition, Form, Moment};
use crate::store::clock::Times;
use crate::value::{Names, Value};

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

/// Returns a reason for an end of a form, for pages. `written` is the end as a rule writes it.
pub(super) fn sample_reason(form: Form, written: &str) -> String {
    let names = Names::default();
    let bo = names.intern("bo");
    let event = names.intern("put_out");
    let text = |end: &EndCondition, moment: &Moment<'_>| {
        end_reason_text(end, moment, (&names, Times::default()))
    };
    let plain = EndCondition::Phase { serial: 1 };
    match form {
        Form::Phase => {
            let (phase, number) = ("night", 1);
            let moment = Moment::PhaseEnd {
                phase,
                number,
                times: number,
                serial: number,
            };
            text(&plain, &moment)
        }
        Form::Turn => {
            let mut edges = [Edge::Start, Edge::End].into_iter();
            let edge = edges.find(|edge| written.contains(&format!("\"{}\"", edge.as_str())));
            let edge = edge.expect("invariant: the way to write a turn names its side");
            let moment = Moment::Turn {
                edge,
                of: bo,
                number: 1,
            };
            text(&plain, &moment)
        }
        Form::Rounds => text(
            &plain,
            &Moment::RoundEnd {
                round: 2,
                number: 2,
            },
        ),
        Form::Time => {
            let seconds = 3_600;
            text(
                &EndCondition::Time { seconds },
                &Moment::Time { now: seconds },
            )
        }
        Form::Uses => uses_spent_text(2),
        Form::With => ended_with_text("lamp#1"),
        Form::Event => text(
            &plain,
            &Moment::Event {
                kind: event,
                field: &|_| Value::Nil,
            },
        ),
        Form::When => turned_true_text("(self.mood, 5, >)"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_to_write_an_end_has_a_reason_and_its_own_keys() {
        let texts = super::super::end_condition_texts();
        let reasons: Vec<&str> = texts.iter().map(|one| one.reason.as_str()).collect();
        assert!(reasons.contains(&"end of night 1"), "{reasons:?}");
        assert!(reasons.contains(&"start of the turn of bo"), "{reasons:?}");
        assert!(reasons.contains(&"time ran out at 1h"), "{reasons:?}");
        let all: Vec<&str> = super::super::end_condition_keys().collect();
        for one in texts {
            let words = one.written.split(['{', '}', ',', ' ']);
            let names: Vec<&str> = words.filter(|word| all.contains(word)).collect();
            assert_eq!(names.first(), Some(&one.how), "{one:?}");
        }
    }

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
