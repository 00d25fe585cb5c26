//! The index of rows by kind.

use super::row::Numbered;
use crate::value::{Name, Names};

/// The rows of one kind: entities in the order of their ids, records in the order of application.
#[derive(Clone, Default)]
pub(super) struct Kind {
    entities: Vec<Name>,
    records: Numbered,
}

impl Kind {
    /// Returns the rows, entities first.
    pub(super) fn rows(&self) -> impl Iterator<Item = Name> {
        self.entities.iter().copied().chain(self.records.names())
    }

    /// Returns the highest number of a record.
    pub(super) fn last_record_number(&self) -> Option<u64> {
        self.records.last_record_number()
    }

    /// Adds an entity (number 0) or a record.
    pub(super) fn insert(&mut self, row: Name, number: u64, names: &Names) {
        if number > 0 {
            self.records.insert(number, row);
        } else if let Err(at) = self.find(row, names) {
            self.entities.insert(at, row);
        }
    }

    /// Removes an entity (number 0) or a record.
    pub(super) fn remove(&mut self, row: Name, number: u64, names: &Names) {
        if number > 0 {
            self.records.remove(number);
        } else if let Ok(at) = self.find(row, names) {
            self.entities.remove(at);
        }
    }

    fn find(&self, row: Name, names: &Names) -> Result<usize, usize> {
        let text = names.text(row);
        self.entities
            .binary_search_by(|other| names.text(*other).cmp(&text))
    }
}
