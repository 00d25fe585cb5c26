//! Describes an operation in a sentence.

use crate::game::command::lines_for_seats::giver_in_words;
use crate::game::past::replay::ruling_number_of_waiting_correction;
use crate::game::timeline::Timeline;
use crate::game::timeline::post_notes::post_note_in_words;
use crate::store::{Change, Operation, What, is_host_name};
use crate::value::Names;

/// Maximum number of rows that a sentence names; the others are counted.
const ROWS: usize = 8;

/// Returns a short description of an operation.
pub(super) fn operation_sentence(timeline: &Timeline, operation: &Operation) -> String {
    let Operation { seq, command, .. } = operation;
    let by = giver_in_words(operation);
    let of = |of: &u64| {
        let command = timeline.history.operation(*of).map(|one| &*one.command);
        format!("log line {of} `{}`", command.unwrap_or_default())
    };
    let changed = changed_rows_sentence(operation, timeline.state.names());
    let is_live = timeline
        .history
        .live_operations()
        .any(|one| one.seq == *seq);
    let left_out = timeline.history.ineffective_rulings();
    let ended = match left_out.get(seq) {
        Some(by) => format!(" It no longer has an effect, since log line {by}."),
        None if is_live => String::new(),
        None => " It was taken back.".to_owned(),
    };
    match &operation.what {
        What::Ruling if left_out.contains_key(seq) => {
            format!("Log line {seq} is `{command}` by {by}. {changed}{ended}")
        }
        What::Ruling if is_live => format!("Log line {seq} is `{command}` by {by}. {changed}"),
        What::Ruling => {
            format!("Log line {seq} is `{command}` by {by}, and was taken back. {changed}")
        }
        What::Undo { of: one } => format!("Log line {seq}: {by} took back {}.", of(one)),
        What::Redo { of: one } => format!("Log line {seq}: {by} did {} again.", of(one)),
        What::Refused { code, .. } => {
            format!("Log line {seq} is `{command}` by {by}, and was refused ({code}).")
        }
        What::Posted { .. } => format!(
            "Log line {seq}: {by} notes that messages were published: {}.",
            post_note_in_words(&operation.what)
        ),
        What::Withdrawn { of } => {
            format!("Log line {seq}: {by} takes back the note of log line {of}.")
        }
        What::Revert {
            of: one,
            changed,
            refused,
        } => {
            let did = format!("left out {}", of(one));
            correction_sentence(timeline, operation, &did)
                + &changed_rulings_text(changed, refused)
                + &ended
        }
        What::Replace {
            of: one,
            with,
            changed,
            refused,
        } => {
            let did = format!("put `{with}` in the place of {}", of(one));
            correction_sentence(timeline, operation, &did)
                + &changed_rulings_text(changed, refused)
                + &ended
        }
    }
}

/// Describes the effects of a correction, and the line that it completed if it waited for answers.
fn correction_sentence(timeline: &Timeline, operation: &Operation, did: &str) -> String {
    let Operation { seq, command, .. } = operation;
    let by = giver_in_words(operation);
    match line_that_began_correction(timeline, operation) {
        Some(asked) => format!("Log line {seq} is `{command}` by {by}: with it, {asked} {did}."),
        None => format!("Log line {seq}: {by} {did}."),
    }
}

/// Returns the line that began a correction which waited for answers, with its giver; nothing if it did not wait.
fn line_that_began_correction(timeline: &Timeline, operation: &Operation) -> Option<String> {
    let ruling_number = operation.slot?;
    let kind = timeline.state.reserved().kind;
    let is_new = |one: &Change| one.field == kind && one.old.is_nil();
    let mut all = timeline.history.operations().iter();
    let asked = all.rfind(|one| {
        let is_earlier = one.seq < operation.seq
            && ruling_number_of_waiting_correction(one) == Some(ruling_number);
        is_earlier && one.changes.iter().any(is_new)
    })?;
    let Operation { seq, command, .. } = &**asked;
    Some(format!(
        "log line {seq} `{command}` by {}",
        giver_in_words(asked)
    ))
}

/// Describes the changes that a correction made to the rulings after it.
fn changed_rulings_text(changed: &[u64], refused: &[u64]) -> String {
    let numbers = |numbers: &[u64]| {
        let numbers: Vec<String> = numbers.iter().map(u64::to_string).collect();
        numbers.join(", ")
    };
    let part = |what: &str, which: &[u64]| match which {
        [] => String::new(),
        which => format!(" {what}: {}.", numbers(which)),
    };
    part("Changed since", changed) + &part("Refused since", refused)
}

/// Lists the rows that an operation changed; the host's own rows are left out.
fn changed_rows_sentence(operation: &Operation, names: &Names) -> String {
    let rows = operation
        .changes
        .iter()
        .map(|change| names.text(change.row));
    let mut rows: Vec<_> = rows.filter(|row| !is_host_name(row)).collect();
    rows.dedup();
    match rows.as_slice() {
        [] => "It changed nothing.".to_owned(),
        [one] => format!("It changed {one}."),
        [before @ .., last] if before.len() < ROWS => {
            format!("It changed {} and {last}.", before.join(", "))
        }
        many => format!(
            "It changed {} and {} more.",
            many[..ROWS].join(", "),
            many.len() - ROWS
        ),
    }
}
