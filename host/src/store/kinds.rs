//! This module is the index of rows by kind.

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

    /// Adds an entity (number 0) or a record.
    pub(super) fn insert(&mut self, row: Name, number: u64, names: &Names) {
        match (number, self.find(row, names)) {
            (0, Err(at)) => self.entities.insert(at, row),
            (0, Ok(_)) => {}
            (_, _) => self.records.insert(number, row),
        }
    }

    /// Removes an entity (number 0) or a record.
    pub(super) fn remove(&mut self, row: Name, number: u64, names: &Names) {
        match (number, self.find(row, names)) {
            (0, Ok(at)) => {
                self.entities.remove(at);
            }
            (0, Err(_)) => {}
            (_, _) => self.records.remove(number),
        }
    }

    fn find(&self, row: Name, names: &Names) -> Result<usize, usize> {
        let text = names.text(row);
        self.entities
            .binary_search_by(|other| names.text(*other).cmp(&text))
    }
}
