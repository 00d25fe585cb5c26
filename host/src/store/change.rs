//! What an operation keeps of a change: a cell, what it was, what it is.

use crate::value::{Name, Names, Text, Value};

/// A cell that is not what it was; `Nil` means no cell.
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

    /// Returns whether this comes first in canonical order: by text of the row, then text of the field.
    pub(super) fn is_before(&self, other: &Change, names: &Names) -> bool {
        if self.row == other.row {
            names.text(self.field) < names.text(other.field)
        } else {
            names.text(self.row) < names.text(other.row)
        }
    }
}
