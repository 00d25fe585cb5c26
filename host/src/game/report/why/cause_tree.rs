//! An indented tree of events: a line for each step, with the place of its rule.

use std::collections::BTreeMap;

use crate::diag::Diagnostic;
use crate::doc::build::{item, line, list, muted, text};
use crate::doc::{Block, Document, Item, Span};
use crate::game::past::changes_in_words::{added_row_in_words, shortened_value_text};
use crate::script::{Face, Line, RulePlace, Step, shown_answer};
use crate::store::is_host_name;
use crate::value::{Name, Names, Value};

/// Maximum number of listeners of one event that are shown as passed over; the others are counted.
const PASSED_OVER: usize = 12;

/// The host's row for the clock, and the fields that it shows.
const CLOCK: &str = "@clock";
const CLOCK_FIELDS: [&str; 5] = ["phase", "number", "round", "turn", "time"];

/// Returns the tree of a trace.
pub(super) fn trace_tree(lines: &[Line], names: &Names) -> Block {
    let mut below: BTreeMap<Option<usize>, Vec<usize>> = BTreeMap::new();
    for (at, line) in lines.iter().enumerate() {
        below.entry(line.parent).or_default().push(at);
    }
    list(tree_items(lines, &below, None, names))
}

fn tree_items(
    lines: &[Line],
    below: &BTreeMap<Option<usize>, Vec<usize>>,
    parent: Option<usize>,
    names: &Names,
) -> Vec<Item> {
    let all = below.get(&parent).map_or(&[][..], Vec::as_slice);
    let all: Vec<usize> = all
        .iter()
        .copied()
        .filter(|at| !is_host_write(&lines[*at].step, names))
        .filter(|at| !is_unchanged_write(&lines[*at].step))
        .collect();
    let is_over = |at: &usize| matches!(lines[*at].step, Step::PassedOver { .. });
    let over = all.iter().filter(|at| is_over(at)).count();
    let mut shown_over = 0;
    let mut found = Vec::new();
    for at in &all {
        if is_over(at) {
            shown_over += 1;
            if shown_over > PASSED_OVER {
                continue;
            }
        }
        let inner = tree_items(lines, below, Some(*at), names);
        let unheard = is_unheard_event(lines, below, *at);
        let mut spans = line_spans(&lines[*at], names);
        spans.extend(unheard.then(|| text("; no rule handles it")));
        let inner = (!inner.is_empty()).then(|| list(inner));
        found.push(item(line(spans), inner));
    }
    if over > PASSED_OVER {
        let more = format!("{} more are passed over", over - PASSED_OVER);
        found.push(item(more, []));
    }
    found
}

/// Returns whether a line is an event without a handler that ran.
fn is_unheard_event(
    lines: &[Line],
    below: &BTreeMap<Option<usize>, Vec<usize>>,
    at: usize,
) -> bool {
    let heard = below.get(&Some(at)).into_iter().flatten();
    let mut heard = heard.filter(|at| matches!(lines[**at].step, Step::Began(_)));
    matches!(lines[at].step, Step::Emitted { .. }) && heard.next().is_none()
}

/// Returns whether a line is a write of the host for itself: the step of a plan, a counter. Writes to the shown fields
/// of the clock are not such writes.
fn is_host_write(step: &Step, names: &Names) -> bool {
    match step {
        Step::Wrote { row, field, .. } => {
            let row = names.text(*row);
            let is_told = &*row == CLOCK && CLOCK_FIELDS.contains(&&*names.text(*field));
            is_host_name(&row) && !is_told
        }
        Step::Made { row, .. } | Step::Removed { row, .. } => is_host_name(&names.text(*row)),
        Step::Began(_)
        | Step::Drew { .. }
        | Step::Emitted { .. }
        | Step::Turned { .. }
        | Step::PassedOver { .. }
        | Step::Tested { .. }
        | Step::Asked { .. }
        | Step::Refused { .. }
        | Step::Said { .. } => false,
    }
}

/// Returns whether a line is a write of the value that the field already had.
fn is_unchanged_write(step: &Step) -> bool {
    matches!(step, Step::Wrote { old, new, .. } if old == new)
}

fn line_spans(one: &Line, names: &Names) -> Vec<Span> {
    let mut spans = vec![text(step_text(&one.step, names))];
    spans.extend(one.is_undone.then(|| text(" (taken back)")));
    let place = place_text(&one.at);
    spans.extend((!place.is_empty()).then(|| muted(format!("  at {place}"))));
    spans
}

/// Returns a place as `file:line`, with the places from which it was called.
pub(super) fn place_text(at: &[RulePlace]) -> String {
    let places = at.iter().map(|one| format!("{}:{}", one.chunk, one.line));
    places.collect::<Vec<_>>().join(", from ")
}

/// Returns a step in words.
fn step_text(step: &Step, names: &Names) -> String {
    let name = |name: &Name| names.text(*name);
    match step {
        Step::Began(parts) => cause_name(parts),
        Step::Wrote {
            row,
            field,
            old,
            new,
        } => field_change_text((&name(row), &name(field)), (old, new)),
        Step::Made {
            row,
            kind,
            owner,
            fields,
        } => {
            let owner = owner.map(|owner| name(&owner));
            added_row_in_words((&name(row), kind, owner.as_deref()), fields)
        }
        Step::Removed { row, .. } => format!("{} removed", name(row)),
        Step::Drew {
            what,
            result,
            faces,
        } => drawn_dice_text(what, result, faces),
        Step::Emitted { event, to, reason } => {
            let to: Vec<_> = to.iter().flatten().map(name).collect();
            emitted_event_text(event, &to.join(", "), reason.as_deref())
        }
        Step::Turned { field, old, new } => {
            format!(
                "event.{field}: {} -> {}",
                shortened_value_text(old),
                shortened_value_text(new)
            )
        }
        Step::PassedOver { rule, element, why } => {
            format!(
                "passed over: {}: {why}",
                rule_and_element_text(&name(rule), &name(element))
            )
        }
        Step::Tested { text, holds, value } => condition_text(text, *holds, value),
        Step::Asked { to, text, answer } => match answer {
            Some(answer) => format!("asks {to}: {text} {}", shown_answer(answer)),
            None => format!("asks {to}: {text} (and waits)"),
        },
        Step::Refused { code, message } => format!("refuses: {message} ({code})"),
        Step::Said { audience } => format!("sends a message to {audience}"),
    }
}

/// Describes the change of a field by a write.
fn field_change_text((row, field): (&str, &str), (old, new): (&Value, &Value)) -> String {
    let row = row.trim_start_matches('@');
    format!(
        "{row}.{field}: {} -> {}",
        shortened_value_text(old),
        shortened_value_text(new)
    )
}

/// Describes a roll, with the address of each face.
fn drawn_dice_text(what: &str, result: &str, faces: &[Face]) -> String {
    let faces = faces.iter().map(|one| match one.sides {
        0 => format!("{} place {}", one.address, one.face),
        sides => format!("{} d{sides}:{}", one.address, one.face),
    });
    let faces: Vec<String> = faces.take(PASSED_OVER).collect();
    format!("{what}: {result} ({})", faces.join(", "))
}

/// Describes an emitted event, with its target and its reason.
fn emitted_event_text(event: &str, to: &str, reason: Option<&str>) -> String {
    let to = match to {
        "" => String::new(),
        to => format!(" to {to}"),
    };
    let reason = reason.map(|reason| format!(", for {reason}"));
    format!("{event} is emitted{to}{}", reason.unwrap_or_default())
}

/// Describes whether a condition holds; the found value is shown unless it is a boolean.
fn condition_text(text: &str, holds: bool, value: &Value) -> String {
    match (holds, value) {
        (true, _) => format!("holds: {text}"),
        (false, Value::Bool(_)) => format!("fails: {text}"),
        (false, value) => format!("fails: {text} (found {})", shortened_value_text(value)),
    }
}

/// Returns the name of a cause.
pub(super) fn cause_name(parts: &Value) -> String {
    let part = |key: &str| parts.get(key).as_str().unwrap_or_default();
    if !parts.get("event").is_nil() {
        let who = rule_and_element_text(part("rule"), part("element"));
        return format!("{who} handles {}", part("event"));
    }
    if let Some(what) = named_cause_text(parts) {
        return what;
    }
    if !parts.get("step").is_nil() {
        return format!("step {}", part("step"));
    }
    if !parts.get("queue").is_nil() {
        return format!("queue {}: {}", part("queue"), part("row"));
    }
    match part("rule") {
        "" => shortened_value_text(parts),
        rule => rule.to_owned(),
    }
}

/// Returns the name of a named cause of a rule, if the cause is one.
pub(super) fn named_cause_text(parts: &Value) -> Option<String> {
    let what = parts.get("work").as_str()?;
    Some(match parts.get("row").as_str() {
        Some(row) => format!("{what} of {row}"),
        None => what.to_string(),
    })
}

fn rule_and_element_text(rule: &str, element: &str) -> String {
    if rule == element {
        rule.to_owned()
    } else {
        format!("{rule} of {element}")
    }
}

/// The answer to `why`.
pub(in crate::game) type Answer = Result<Document, Box<Diagnostic>>;
