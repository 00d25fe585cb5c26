//! This module is what somebody may know of the history: the game master all of it, a seat its own commands and what was
//! said to it.
//!
//! A seat counts its lines for itself: the numbers of operations would count what others did.

use std::rc::Rc;

use crate::doc::{Document, Viewer, for_viewer};
use crate::game::timeline::Timeline;
use crate::store::Operation;
use crate::value::Value;

/// One line of somebody's log.
pub struct Entry<'a> {
    /// Its number: that of the operation for the game master, the place in the own log for a seat.
    pub number: u64,
    /// The operation.
    pub operation: &'a Operation,
    /// Whether the command, and who gave it, may be shown.
    pub is_own: bool,
    /// What was said to the reader.
    pub documents: Vec<Document>,
}

/// Returns the log of somebody, oldest first.
pub fn entries<'a>(timeline: &'a Timeline, viewer: &Viewer) -> Vec<Entry<'a>> {
    entries_of(timeline.history().operations(), viewer)
}

/// Returns what somebody may know of operations, oldest first.
pub(in crate::game) fn entries_of<'a>(
    operations: &'a [Rc<Operation>],
    viewer: &Viewer,
) -> Vec<Entry<'a>> {
    let mut number = 0;
    let entries = operations.iter().filter_map(|operation| {
        let is_own = match viewer {
            Viewer::Gm => true,
            Viewer::Public => false,
            Viewer::Seat { name, .. } => *operation.by == **name,
        };
        let documents = match viewer {
            Viewer::Gm => Vec::new(),
            Viewer::Public | Viewer::Seat { .. } => said_to(operation, viewer),
        };
        if !is_own && documents.is_empty() {
            return None;
        }
        number += 1;
        Some(Entry {
            number: if *viewer == Viewer::Gm {
                operation.seq
            } else {
                number
            },
            operation,
            is_own,
            documents,
        })
    });
    entries.collect()
}

/// Returns what an operation said to a viewer; what was taken back, undone or refused said nothing that counts.
pub(in crate::game) fn said_to(operation: &Operation, viewer: &Viewer) -> Vec<Document> {
    if !operation.what.is_ruling() {
        return Vec::new();
    }
    let read = |value: &Value| Document::from_value(value).ok();
    let documents = operation.documents.iter().filter_map(read);
    let seen = documents.filter_map(|document| for_viewer(&document, viewer));
    seen.filter(|document| !document.blocks.is_empty())
        .collect()
}
