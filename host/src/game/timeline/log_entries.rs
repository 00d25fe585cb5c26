//! The part of the history that a reader may see: the game master all of it, a seat its own commands and the output to
//! it.
//!
//! A seat's log lines have their own numbers, because the numbers of operations would reveal how much others did.

use std::rc::Rc;

use crate::diag::Diagnostic;
use crate::doc::{Document, Viewer, for_viewer};
use crate::game::timeline::Timeline;
use crate::game::timeline::ruling_numbers::with_numbers_for_people;
use crate::store::Operation;
use crate::value::Value;

/// One line of a reader's log.
pub struct Entry<'a> {
    /// Its number: for the game master the number of the operation, for a seat the place in its own log.
    pub number: u64,
    /// The operation.
    pub operation: &'a Operation,
    /// Whether the command and its giver may be shown.
    pub is_own: bool,
    /// The output to the reader.
    pub documents: Vec<Document>,
}

/// Returns the log of a reader, oldest first.
pub fn log_entries<'a>(timeline: &'a Timeline, viewer: &Viewer) -> Vec<Entry<'a>> {
    log_entries_of_operations(timeline.history().operations(), viewer)
}

/// Returns the log lines of operations that a reader may see, oldest first.
pub(in crate::game) fn log_entries_of_operations<'a>(
    operations: &'a [Rc<Operation>],
    viewer: &Viewer,
) -> Vec<Entry<'a>> {
    let mut count = 0;
    let entries = operations.iter().filter_map(|operation| {
        let is_own = match viewer {
            Viewer::Gm => true,
            Viewer::Public => false,
            Viewer::Seat { name, .. } => *operation.by == **name,
        };
        let documents = match viewer {
            Viewer::Gm => Vec::new(),
            Viewer::Public | Viewer::Seat { .. } => documents_for_viewer(operation, viewer),
        };
        if !is_own && documents.is_empty() {
            return None;
        }
        count += 1;
        let number = match viewer {
            Viewer::Gm => operation.seq,
            Viewer::Public | Viewer::Seat { .. } => count,
        };
        let documents = documents.into_iter();
        Some(Entry {
            number,
            operation,
            is_own,
            documents: documents
                .map(|one| one.with_log_line_number(number))
                .collect(),
        })
    });
    entries.collect()
}

/// Returns the line of a reader's log that posts of the game master name by a number. The line's operation has that
/// number, and the operation's public output names its log line.
///
/// Other lines are not reported, because their numbers would reveal how much others did.
pub(in crate::game) fn own_line_of_posted_number(
    timeline: &Timeline,
    viewer: &Viewer,
    number: u64,
) -> Option<u64> {
    let operation = timeline.history().operation(number)?;
    let mut said = documents_for_viewer(operation, &Viewer::Public).into_iter();
    let is_posted = *viewer == Viewer::Gm || said.any(|one| one.has_log_line_span());
    let entries = is_posted.then(|| log_entries(timeline, viewer)).into_iter();
    let mut entries = entries.flatten();
    entries
        .find(|entry| entry.operation.seq == number)
        .map(|entry| entry.number)
}

/// Returns a refusal because a log has no line with a number, with the line that may be meant.
pub(in crate::game) fn no_line_refusal(
    code: &'static str,
    timeline: &Timeline,
    viewer: &Viewer,
    number: u64,
) -> Diagnostic {
    let message = match viewer {
        Viewer::Gm | Viewer::Public => format!("the log has no line {number}"),
        Viewer::Seat { .. } => format!("your log has no line {number}"),
    };
    let hint = match log_entries(timeline, viewer).last() {
        Some(last) => format!("the last line is {}; `log` lists them", last.number),
        None => "the log is empty".to_owned(),
    };
    let finding = Diagnostic::error(code, message);
    match own_line_of_posted_number(timeline, viewer, number) {
        Some(line) => finding.hint(format!(
            "the line that posts of the game master show as {number} is line {line} of your log"
        )),
        None => finding.hint(hint),
    }
}

/// Returns the output of an operation to a viewer, as a log line with this number.
pub(in crate::game) fn documents_of_log_line(
    timeline: &Timeline,
    operation: &Operation,
    viewer: &Viewer,
    number: u64,
) -> Vec<Document> {
    let said = documents_for_viewer(operation, viewer).into_iter();
    said.map(|one| with_numbers_for_people(timeline, operation, one.with_log_line_number(number)))
        .collect()
}

/// Returns the output of an operation to a viewer; a rolled-back, undone or refused operation has no output that
/// counts.
pub(in crate::game) fn documents_for_viewer(
    operation: &Operation,
    viewer: &Viewer,
) -> Vec<Document> {
    if !operation.what.is_ruling() {
        return Vec::new();
    }
    let read = |value: &Value| Document::from_value(value).ok();
    let documents = operation.documents.iter().filter_map(read);
    let seen = documents.filter_map(|document| for_viewer(&document, viewer));
    seen.filter(|document| !document.blocks.is_empty())
        .collect()
}
