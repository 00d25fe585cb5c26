//! One change in an operation: a cell, its old value and its new value.

use crate::value::{Name, Names, Text, Value};

/// A cell with a changed value; `Nil` means no cell.
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
    /// Returns the change that undoes this one.
    pub fn inverse(&self) -> Change {
        Change {
            old: self.new.clone(),
            new: self.old.clone(),
            ..*self
        }
    }

    /// Returns row and field as texts, for people and files.
    pub fn row_and_field_texts(&self, names: &Names) -> (Text, Text) {
        (names.text(self.row), names.text(self.field))
    }

    /// Returns whether this change is first in canonical order: by text of the row, then text of the field.
    pub(super) fn is_before(&self, other: &Change, names: &Names) -> bool {
        if self.row == other.row {
            names.text(self.field) < names.text(other.field)
        } else {
            names.text(self.row) < names.text(other.row)
        }
    }
}
