//! This module is what an operation keeps of a change: a cell, what it was, what it is.

use std::cmp::Ordering;

use crate::value::{Name, Names, Text, Value};

/// A cell that is not what it was; `Nil` is no cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Id of the row.
    pub row: Name,
    /// Name of the field.
    pub field: Name,
    /// The value before.
    pub old: Value,
    /// The value after.
    pub new: Value,
}

impl Change {
    /// Returns the change that takes this one back.
    pub fn inverse(&self) -> Change {
        Change {
            old: self.new.clone(),
            new: self.old.clone(),
            ..*self
        }
    }

    /// Returns row and field as texts, for people and files.
    pub fn cell(&self, names: &Names) -> (Text, Text) {
        (names.text(self.row), names.text(self.field))
    }

    /// Compares in canonical order: text of the row, then text of the field.
    pub(super) fn compare(&self, other: &Change, names: &Names) -> Ordering {
        let texts = |a: Name, b: Name| {
            if a == b {
                Ordering::Equal
            } else {
                names.text(a).cmp(&names.text(b))
            }
        };
        texts(self.row, other.row).then_with(|| texts(self.field, other.field))
    }
}
