//! Explains one operation: its effects, and how each step led to the next.

use crate::diag::Diagnostic;
use crate::doc::build::{item, list, paragraph};
use crate::doc::{Block, Document, Item, Viewer};
use crate::game::past::changes_in_words::changes_in_words;
use crate::game::past::replay::{
    NotReplayable, ReplayResult, replay_difference, replay_traced,
    ruling_number_of_waiting_correction,
};
use crate::game::report::why::cause_tree::{Answer, cause_name, trace_tree};
use crate::game::report::why::deciding_condition::{
    Condition, RefusalCause, refusal_cause_in_trace,
};
use crate::game::report::why::operation_sentence::operation_sentence;
use crate::game::report::why::redaction::operation_for_seat;
use crate::game::report::why::waiting_ruling_outcome::fate_of_waiting_ruling;
use crate::game::ruling::caller::Caller;
use crate::game::timeline::Timeline;
use crate::game::timeline::fiat::Fiat;
use crate::game::timeline::log_entries::no_line_refusal;
use crate::store::{Change, Operation, State, What, is_host_name};
use crate::value::{Names, Value};

/// Explains an operation by its number in the log.
pub(super) fn why_operation(
    timeline: &Timeline,
    caller: &Caller<'_>,
    viewer: &Viewer,
    number: u64,
) -> Answer {
    if *viewer != Viewer::Gm {
        return operation_for_seat(timeline, viewer, number);
    }
    let found = timeline.history.operation(number).cloned();
    let operation = found.ok_or_else(|| {
        Box::new(no_line_refusal(
            "store/unknown-operation",
            timeline,
            &Viewer::Gm,
            number,
        ))
    })?;
    let again = replay_traced(timeline, caller, &operation);
    let names = timeline.state.names();
    let fiat = Fiat::of(&operation).map(|fiat| fiat.as_sentence());
    let first = operation_sentence(timeline, &operation) + &fiat.unwrap_or_default();
    let blocks = match &again {
        Ok(again) => {
            let waits = again
                .waits
                .then(|| fate_of_waiting_ruling(timeline, &operation));
            replayed_blocks(first, waits, again, &operation, names)
        }
        Err(NotReplayable::NoRule) => {
            let is_ruling = operation.what == What::Ruling;
            let waits = ruling_number_of_waiting_correction(&operation).filter(|_| is_ruling);
            let waits = waits.map(|_| format!(" {}", fate_of_waiting_ruling(timeline, &operation)));
            let first = first + &waits.unwrap_or_default();
            let shown = match ruling_number_of_waiting_correction(&operation) {
                // The entry in the place of its rule is not a cause.
                Some(_) => Operation {
                    causes: Vec::new(),
                    ..operation.clone()
                },
                None => operation.clone(),
            };
            recorded_blocks(first, &shown, &timeline.state)
        }
        Err(NotReplayable::RulesGone) => {
            let now = format!(
                "{first} Its rules are no longer stored, so only its recorded changes are shown."
            );
            recorded_blocks(now, &operation, &timeline.state)
        }
    };
    let data = [
        (
            "op",
            i64::try_from(operation.seq).unwrap_or(i64::MAX).into(),
        ),
        ("by", Value::Text(operation.by.clone())),
        ("command", Value::Text(operation.command.clone())),
        ("traced", Value::Bool(again.is_ok())),
    ];
    Ok(Document::new(blocks).data(Value::map(data)))
}

fn replayed_blocks(
    first: String,
    waits: Option<String>,
    again: &ReplayResult,
    operation: &Operation,
    names: &Names,
) -> Vec<Block> {
    let mut blocks = vec![paragraph(first)];
    if let Err(refusal) = &again.result {
        blocks.extend(refusal_blocks(again, refusal));
    }
    blocks.extend(waits.map(paragraph));
    if let Some(what) = replay_difference(again, operation) {
        let text = "Run again, it gave a different result, so a rule probably keeps a value between runs. Different \
                    parts";
        blocks.push(paragraph(format!("{text}: {what}.")));
    }
    blocks.extend(left_out_note(again));
    blocks.push(trace_tree(&again.lines, names));
    blocks
}

/// Notes that the run had more steps than are shown, and how to see them.
pub(super) fn left_out_note(again: &ReplayResult) -> Option<Block> {
    let more = again.left_out;
    (more > 0).then(|| {
        let shown = again.lines.len();
        paragraph(format!(
            "Only the first {shown} events are shown, {more} are left out. Ask `why` about a row or a field, or run \
             the plan with `step`."
        ))
    })
}

/// Returns the rule that refused, its place, and the condition that failed before.
pub(super) fn refusal_blocks(again: &ReplayResult, refusal: &Diagnostic) -> Vec<Block> {
    let RefusalCause {
        rule,
        place,
        work,
        condition,
    } = refusal_cause_in_trace(&again.lines, &again.rule, refusal);
    let place = match place.as_str() {
        "" => String::new(),
        place => format!(" at {place}"),
    };
    let by = format!(
        "{rule} refuses it{}{place}: {} ({})",
        named_cause_suffix(work),
        refusal.message,
        refusal.code
    );
    let failed = condition.map(|Condition { text, place, work }| {
        let within = named_cause_suffix(work);
        paragraph(format!(
            "The first condition that failed before that is \"{text}\"{within} at {place}."
        ))
    });
    std::iter::once(paragraph(by)).chain(failed).collect()
}

/// Returns the name of a named cause as a suffix for a rule or an event.
pub(super) fn named_cause_suffix(work: Option<String>) -> String {
    work.map_or_else(String::new, |work| format!(" ({work})"))
}

/// Shows the causes that an operation recorded, with the changes of each.
fn recorded_blocks(first: String, operation: &Operation, state: &State) -> Vec<Block> {
    let mut left: Vec<&Change> = operation.changes.iter().collect();
    let mut items = items_below_cause(operation, &Value::from(0), &mut left, state);
    items.extend(changes_in_words(&left, state));
    let items = (!items.is_empty()).then(|| list(items));
    std::iter::once(paragraph(first)).chain(items).collect()
}

/// Returns the causes below a cause; the command is its own parent.
fn items_below_cause(
    operation: &Operation,
    parent: &Value,
    left: &mut Vec<&Change>,
    state: &State,
) -> Vec<Item> {
    let mut items = Vec::new();
    for cause in &operation.causes {
        let number = cause.get("n");
        let is_root = number == cause.get("parent");
        if is_root || cause.get("parent") != parent {
            continue;
        }
        items.push(cause_item(operation, cause, left, state));
    }
    if parent.as_i64() != Some(0) {
        return items;
    }
    let root = operation
        .causes
        .iter()
        .find(|one| one.get("n") == one.get("parent"));
    match root {
        Some(root) => {
            let mut inner = take_written_changes(operation, root, left, state);
            inner.extend(items);
            vec![item(
                cause_name(root),
                (!inner.is_empty()).then(|| list(inner)),
            )]
        }
        None => items,
    }
}

fn cause_item(
    operation: &Operation,
    cause: &Value,
    left: &mut Vec<&Change>,
    state: &State,
) -> Item {
    let mut inner = take_written_changes(operation, cause, left, state);
    inner.extend(items_below_cause(operation, cause.get("n"), left, state));
    item(cause_name(cause), (!inner.is_empty()).then(|| list(inner)))
}

/// Removes the changes of a cause from `left`, and returns them in words.
fn take_written_changes(
    operation: &Operation,
    cause: &Value,
    left: &mut Vec<&Change>,
    state: &State,
) -> Vec<Item> {
    let mut items = Vec::new();
    for cell in cause.get("cells").items().iter().filter_map(Value::as_str) {
        let is_of = |change: &&Change| {
            let (row, field) = change.row_and_field_texts(state.names());
            *cell == *row || *cell == format!("{row}.{field}")
        };
        let (of, others): (Vec<_>, Vec<_>) = left.iter().copied().partition(is_of);
        *left = others;
        items.extend(changes_in_words(&of, state));
    }
    let before = cause.get("before").items().iter();
    items.extend(
        before.filter_map(|cell| overwritten_item(cell.as_str()?, operation, state.names())),
    );
    items
}

/// Describes a cell that a cause wrote and another cause wrote again; the host's own cells are left out.
fn overwritten_item(cell: &str, operation: &Operation, names: &Names) -> Option<Item> {
    let is_row = |change: &Change| *names.text(change.row) == *cell;
    let is_field = cell.contains('.');
    let said = match is_host_name(cell) {
        true => return None,
        false if is_field || operation.changes.iter().any(is_row) => {
            "was written again by another rule"
        }
        false => "was created and removed again",
    };
    Some(item(format!("{cell} {said}"), []))
}
