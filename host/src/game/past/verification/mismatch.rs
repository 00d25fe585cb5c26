//! Differences between a recorded operation and its re-run.

use std::cmp::Ordering;

use crate::diag::Diagnostic;
use crate::game::past::former_sentences::in_present_words;
use crate::game::past::verification::mismatch::text_diff::{
    excerpts_around_difference, shorten_text_at_end,
};
use crate::game::ruling::input_source::WaitingQuestion;
use crate::game::ruling::waiting_ruling;
use crate::game::timeline::input::{DEADLINE, Input, ORDER, POLICY};
use crate::store::{Change, HistoryError, Operation, State, StoreError, What};
use crate::value::{Names, Value, to_json};

mod text_diff;

/// Returns the first difference between an operation and its record; nothing if they are the same.
pub(super) fn mismatch_finding(
    recorded: &Operation,
    found: &Operation,
    names: &Names,
) -> Option<Diagnostic> {
    let given = |of: &Operation| (of.by.clone(), of.command.clone(), of.rules.clone());
    let what = if !recorded.what.is_same_outcome(&found.what) {
        let (recorded, found) =
            excerpts_around_difference(&ending_text(recorded), &ending_text(found));
        format!("the record says that it {recorded}, but run again it {found}")
    } else if given(recorded) != given(found) {
        mismatch_text("its command", &command_text(recorded), &command_text(found))
    } else if recorded.slot != found.slot {
        mismatch_text(
            "its ruling number",
            &ruling_number_or_none(recorded),
            &ruling_number_or_none(found),
        )
    } else if let Some(what) = input_difference(recorded, found) {
        what
    } else if let Some(what) = change_difference(&recorded.changes, &found.changes, names) {
        what
    } else if let Some(what) = message_difference(&recorded.documents, &found.documents) {
        what
    } else if let Some(what) = value_difference("cause", &recorded.causes, &found.causes) {
        what
    } else if recorded.state != found.state {
        mismatch_text(
            "the hash of the state",
            &recorded.state.to_string(),
            &found.state.to_string(),
        )
    } else {
        return None;
    };
    let message = format!(
        "log line {} `{}` differs: {what}",
        recorded.seq,
        shorten_text_at_end(&recorded.command)
    );
    Some(Diagnostic::error("verify/differs", message))
}

/// Returns a finding about an answer with a wrong recorded giver; nothing if there is none.
///
/// The state before the operation stores the giver of an earlier answer. All other answers come from the giver of the
/// command, or from no person.
pub(super) fn wrong_giver_finding(recorded: &Operation, before: &State) -> Option<Diagnostic> {
    let waited = recorded
        .slot
        .and_then(|number| waiting_ruling::waiting_ruling_by_ruling_number(before, number));
    let earlier: Vec<Input> = waited.map_or_else(Vec::new, |waited| {
        let noted = waited
            .open
            .iter()
            .filter_map(WaitingQuestion::answer_as_input);
        waited.transcript.iter().cloned().chain(noted).collect()
    });
    let answers = recorded.inputs.iter().filter_map(Input::from_value);
    let (answer, givers) = answers
        .filter_map(|input| {
            let Input::Answer(answer) = input else {
                return None;
            };
            let known = earlier.iter().find_map(|input| match input {
                Input::Answer(known) if known.address == answer.address => Some(&*known.by),
                Input::Answer(_) | Input::Die(_) => None,
            });
            let givers = match known {
                Some(known) => vec![known.to_owned()],
                None => [&*recorded.by, DEADLINE, ORDER, POLICY]
                    .map(str::to_owned)
                    .to_vec(),
            };
            (!givers.contains(&answer.by)).then_some((answer, givers))
        })
        .next()?;
    let message = format!(
        "log line {} `{}` differs: the record says that the answer at {} was given by {}, but it was given by {}",
        recorded.seq,
        shorten_text_at_end(&recorded.command),
        shorten_text_at_end(&answer.address),
        shorten_text_at_end(&answer.by),
        givers[0]
    );
    Some(Diagnostic::error("verify/differs", message))
}

/// Returns the finding that an operation does nothing when it runs again.
pub(super) fn nothing_done_finding(recorded: &Operation) -> Diagnostic {
    let (seq, command) = (recorded.seq, shorten_text_at_end(&recorded.command));
    let message = format!(
        "log line {seq} `{command}` differs: the record says that it {}, but run again it does nothing",
        ending_text(recorded)
    );
    Diagnostic::error("verify/differs", message)
}

/// Returns the finding that an operation does not lead from the state before it to its recorded state.
pub(super) fn other_end_state_finding(recorded: &Operation, error: &HistoryError) -> Diagnostic {
    let why = match error {
        HistoryError::HashDiffers(_) => "its changes do not give the state of its hash",
        HistoryError::Store(_, StoreError::OldDiffers { .. }) => {
            "the old values of its changes do not match the state after the log lines before it"
        }
        _ => "it does not continue the log lines before it",
    };
    let message = format!(
        "log line {} `{}` does not fit: {why}",
        recorded.seq,
        shorten_text_at_end(&recorded.command)
    );
    Diagnostic::error("verify/unfit", message)
}

fn mismatch_text(what: &str, recorded: &str, found: &str) -> String {
    let (recorded, found) = excerpts_around_difference(recorded, found);
    format!("{what} is recorded as {recorded}, but run again it is {found}")
}

fn ending_text(operation: &Operation) -> String {
    match &operation.what {
        What::Ruling => "is a ruling".to_owned(),
        What::Undo { of } => format!("takes back {of}"),
        What::Redo { of } => format!("redoes {of}"),
        What::Refused { code, message } => format!("is refused ({code}: {message})"),
        What::Posted { .. } => "is a note about a post".to_owned(),
        What::Withdrawn { of } => format!("withdraws the note {of}"),
        What::Revert {
            of,
            changed,
            refused,
        } => format!("reverts {of}, {}", later_rulings_text(changed, refused)),
        What::Replace {
            of,
            with,
            changed,
            refused,
        } => format!(
            "replaces {of} with `{with}`, {}",
            later_rulings_text(changed, refused)
        ),
    }
}

/// Returns a text that lists the later rulings with another result after a correction.
fn later_rulings_text(changed: &[u64], refused: &[u64]) -> String {
    let listed = |numbers: &[u64]| {
        let numbers: Vec<String> = numbers.iter().map(u64::to_string).collect();
        match numbers.is_empty() {
            true => "none".to_owned(),
            false => numbers.join(" "),
        }
    };
    let (changed, refused) = (listed(changed), listed(refused));
    format!("changed then: {changed}, refused then: {refused}")
}

fn command_text(operation: &Operation) -> String {
    format!(
        "`{}` by {} under {}",
        operation.command, operation.by, operation.rules
    )
}

fn ruling_number_or_none(operation: &Operation) -> String {
    operation
        .slot
        .map_or_else(|| "none".to_owned(), |number| number.to_string())
}

/// Returns a text about the first input that differs.
fn input_difference(recorded: &Operation, found: &Operation) -> Option<String> {
    let (at, one, other) = first_difference(&recorded.inputs, &found.inputs)?;
    let shown = |value: Option<&Value>| match value.and_then(Input::from_value) {
        Some(Input::Die(die)) => format!("{} of d{} at {}", die.face, die.sides, die.address),
        Some(Input::Answer(one)) => format!("{} at {}", one.in_words(), one.address),
        None => "none".to_owned(),
    };
    Some(mismatch_text(
        &format!("input {}", at + 1),
        &shown(one),
        &shown(other),
    ))
}

/// Returns a text about the first cell, in order, that does not change in the same way.
fn change_difference(recorded: &[Change], found: &[Change], names: &Names) -> Option<String> {
    let (_, one, other) = first_difference(recorded, found)?;
    let cell = |change: &Change| change.row_and_field_texts(names);
    // Cells are in order, so the other side lacks the earlier of two cells.
    let (one, other) = match (one, other) {
        (Some(a), Some(b)) => match cell(a).cmp(&cell(b)) {
            Ordering::Less => (Some(a), None),
            Ordering::Equal => (Some(a), Some(b)),
            Ordering::Greater => (None, Some(b)),
        },
        both => both,
    };
    let (row, field) = cell(one.or(other)?);
    let (one, other) = match (one, other) {
        (Some(one), Some(other)) => {
            let (old, new) = (
                distinct_texts(&one.old, &other.old),
                distinct_texts(&one.new, &other.new),
            );
            (
                before_and_after(old.0, new.0),
                before_and_after(old.1, new.1),
            )
        }
        (one, other) => (change_text(one), change_text(other)),
    };
    Some(format!(
        "the field {field} of {row} is recorded as {one}, but run again it is {other}"
    ))
}

fn before_and_after(old: String, new: String) -> String {
    format!("{old} before and {new} after")
}

fn change_text(change: Option<&Change>) -> String {
    let shown = |one: &Value| shorten_text_at_end(&value_text(one));
    let nothing = || "unchanged".to_owned();
    change.map_or_else(nothing, |one| {
        before_and_after(shown(&one.old), shown(&one.new))
    })
}

/// Returns the first difference between messages, compared in the present words of the host.
fn message_difference(recorded: &[Value], found: &[Value]) -> Option<String> {
    if recorded == found {
        return None;
    }
    let (recorded, found) = (in_present_words(recorded), in_present_words(found));
    value_difference("document", &recorded, &found)
}

/// Returns a text about the first different value of a list, with the place of the difference inside the value.
fn value_difference(what: &str, recorded: &[Value], found: &[Value]) -> Option<String> {
    let (at, one, other) = first_difference(recorded, found)?;
    let what = format!("{what} {}", at + 1);
    Some(match (one, other) {
        (Some(one), Some(other)) => {
            let (path, one, other) = innermost_difference(one, other);
            let (one, other) = distinct_texts(one, other);
            format!("{what}{path} is recorded as {one}, but run again it is {other}")
        }
        (Some(one), None) => mismatch_text(&what, &value_text(one), "missing"),
        (None, other) => mismatch_text(
            &what,
            "missing",
            &other.map_or_else(String::new, value_text),
        ),
    })
}

/// Returns the path of the first difference between two values, and the two values at this path.
fn innermost_difference<'a>(one: &'a Value, other: &'a Value) -> (String, &'a Value, &'a Value) {
    match (one, other) {
        (Value::List(a), Value::List(b)) if a.len() == b.len() => {
            let pairs = a.iter().zip(b.iter()).enumerate();
            let mut others = pairs.filter(|(_, (a, b))| a != b);
            if let Some((at, (a, b))) = others.next() {
                let (path, a, b) = innermost_difference(a, b);
                return (format!("/{}{path}", at + 1), a, b);
            }
        }
        (Value::Map(a), Value::Map(b)) => {
            let keys = a.keys().chain(b.keys());
            let mut keys: Vec<_> = keys.filter(|key| a.get(*key) != b.get(*key)).collect();
            keys.sort();
            if let Some(key) = keys.first() {
                let (path, a, b) = innermost_difference(one.get(key), other.get(key));
                return (format!("/{key}{path}"), a, b);
            }
        }
        (_, _) => {}
    }
    (String::new(), one, other)
}

fn first_difference<'a, T: PartialEq>(
    one: &'a [T],
    other: &'a [T],
) -> Option<(usize, Option<&'a T>, Option<&'a T>)> {
    let places = 0..one.len().max(other.len());
    let mut both = places.map(|at| (at, one.get(at), other.get(at)));
    both.find(|(_, one, other)| one != other)
}

/// Returns two values as texts that show the difference. If the texts are equal, they are written as JSON with all
/// quotation marks.
fn distinct_texts(one: &Value, other: &Value) -> (String, String) {
    let (a, b) = (value_text(one), value_text(other));
    match a == b && one != other {
        true => excerpts_around_difference(&to_json(one).to_string(), &to_json(other).to_string()),
        false => excerpts_around_difference(&a, &b),
    }
}

fn value_text(value: &Value) -> String {
    match value {
        Value::Nil => "nothing".to_owned(),
        Value::Text(text) => format!("\"{text}\""),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_differ_are_told_so_that_they_read_differently() {
        let long = "so it goes on and on ".repeat(20);
        let text = |end: &str| Value::from(format!("{long}{end}").as_str());
        let list = |items: &[&str]| Value::list(items.iter().map(|one| Value::from(*one)));
        for (one, other) in [
            (text("a"), text("b")),
            (Value::from(1), Value::from("1")),
            (list(&["a", "b"]), list(&["a b"])),
            (list(&[&long, "b"]), list(&[&long, "b", "c"])),
            (Value::Nil, Value::from("nothing")),
        ] {
            let told = value_difference("cause", &[one], &[other]).unwrap();
            let (recorded, found) = told.split_once(", but run again it is ").unwrap();
            let recorded = recorded.strip_prefix("cause 1 is recorded as ").unwrap();
            assert_ne!(recorded, found, "{told}");
            assert!(told.chars().count() < 250, "{told}");
        }
    }
}
