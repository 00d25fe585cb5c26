//! Explains a row: its origin, its attributes, and the last change of each field.

use crate::doc::build::{heading, item, list, paragraph};
use crate::doc::{Block, Document, Item, Viewer};
use crate::game::command::lines_for_seats::giver_in_words;
use crate::game::past::changes_in_words::shortened_value_text;
use crate::game::report::why::cause_tree::Answer;
use crate::game::report::why::cell::attribute_in_words;
use crate::game::report::why::cell_origin::{Runs, origin_of_cell};
use crate::game::report::why::redaction::row_for_seat;
use crate::game::report::why::subject::name_for_viewer;
use crate::game::ruling::caller::Caller;
use crate::game::timeline::Timeline;
use crate::store::{Change, Operation};
use crate::value::Name;

/// Maximum number of fields whose last change is shown, the latest first; the others are counted.
const FIELDS: usize = 30;

/// Explains an entity or an attribute.
pub(super) fn why_row(
    timeline: &Timeline,
    caller: &Caller<'_>,
    viewer: &Viewer,
    row: Name,
) -> Answer {
    if *viewer != Viewer::Gm {
        return Ok(row_for_seat(timeline, viewer, row));
    }
    let mut runs = Runs::of(caller);
    let kind = timeline.state.reserved().kind;
    let first = row_sentence(timeline, row);
    let made = origin_of_cell(timeline, &mut runs, row, kind);
    let word = if timeline.state.owner(row).is_some() {
        "attached"
    } else {
        "made"
    };
    let made = made.map(|origin| list([format!("{word} by {}", origin.in_words())]));
    let mut blocks: Vec<Block> = std::iter::once(paragraph(first)).chain(made).collect();
    let records: Vec<Name> = timeline.state.records_of(row).collect();
    let mut items = Vec::new();
    for record in records {
        items.push(attribute_item(timeline, &mut runs, record));
    }
    if !items.is_empty() {
        blocks.push(heading(3, "Attached"));
        blocks.push(list(items));
    }
    let changes = last_changes(timeline, row);
    if !changes.is_empty() {
        blocks.push(heading(3, "Last changes"));
        blocks.push(list(changes));
    }
    Ok(Document::new(blocks))
}

fn row_sentence(timeline: &Timeline, row: Name) -> String {
    let names = timeline.state.names();
    let kind = timeline.state.kind(row).map(|kind| names.text(kind));
    let kind = kind.as_deref().unwrap_or_default();
    match timeline.state.owner(row) {
        Some(owner) => {
            let about = attribute_in_words(timeline, row);
            format!(
                "{about} is a {kind} of {}.",
                name_for_viewer(timeline, &Viewer::Gm, owner)
            )
        }
        None => format!(
            "{} is a {kind}.",
            name_for_viewer(timeline, &Viewer::Gm, row)
        ),
    }
}

fn attribute_item(timeline: &Timeline, runs: &mut Runs<'_>, record: Name) -> Item {
    let kind = timeline.state.reserved().kind;
    let about = attribute_in_words(timeline, record);
    let mut below: Vec<Item> = Vec::new();
    if let Some(origin) = origin_of_cell(timeline, runs, record, kind) {
        below.push(item(format!("attached by {}", origin.in_words()), []));
    }
    let modifiers = timeline
        .state
        .get(record, timeline.state.reserved().modifiers);
    for one in modifiers.items() {
        let text = |key: &str| shortened_value_text(one.get(key));
        let what = format!("{} {} to {}", text("op"), text("value"), text("stat"));
        below.push(item(what, []));
    }
    item(about, (!below.is_empty()).then(|| list(below)))
}

/// Lists the last change of each field, the latest first.
fn last_changes(timeline: &Timeline, row: Name) -> Vec<Item> {
    let names = timeline.state.names();
    let mut left: Vec<Name> = timeline.state.field_names_of_row(row);
    left.retain(|field| !names.text(*field).starts_with('@'));
    let mut items = Vec::new();
    let kind = timeline.state.reserved().kind;
    let changes = timeline.history.changes_newest_first();
    let changes = changes.filter(|(_, change)| change.row == row);
    let mut made_by = None;
    for (operation, change) in changes {
        // Before this row was made, another row had the id.
        let is_before = made_by.is_some_and(|seq| operation.seq < seq);
        if is_before || left.is_empty() || items.len() >= FIELDS {
            break;
        }
        if change.field == kind && change.old.is_nil() {
            made_by = Some(operation.seq);
        }
        if let Some(at) = left.iter().position(|field| *field == change.field) {
            left.remove(at);
            items.push(item(
                last_change_text(change, operation, &names.text(change.field)),
                [],
            ));
        }
    }
    items
}

fn last_change_text(change: &Change, operation: &Operation, field: &str) -> String {
    let Operation { seq, command, .. } = operation;
    let by = giver_in_words(operation);
    let (old, new) = (
        shortened_value_text(&change.old),
        shortened_value_text(&change.new),
    );
    format!("{field}: {old} -> {new} by log line {seq} `{command}` by {by}")
}
