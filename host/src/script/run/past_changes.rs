//! The questions about the past that a read-only line may ask. A higher layer keeps the past.

use std::collections::HashSet;

use crate::doc::Viewer;
use crate::store::State;
use crate::value::{Name, Value};

/// The changes that are asked for.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// The changes of some rows alone.
    pub rows: Option<HashSet<Name>>,
    /// The changes of some fields alone.
    pub fields: Option<HashSet<Name>>,
    /// The number of changes at most, the newest.
    pub most: usize,
}

impl Wanted {
    /// Returns whether a change of a cell is asked for.
    pub fn wants_change(&self, row: Name, field: Name) -> bool {
        let has = |names: &Option<HashSet<Name>>, name| {
            names.as_ref().is_none_or(|names| names.contains(&name))
        };
        has(&self.rows, row) && has(&self.fields, field)
    }
}

/// The result of a question about the past.
#[derive(Debug, Default)]
pub struct Found {
    /// The changes, the newest first.
    pub changes: Vec<Value>,
    /// How many changes were looked at.
    pub looked_at: u64,
}

/// The past that a game keeps.
pub trait Past {
    /// Returns changed values, the newest first, as a viewer of the present state may know them.
    fn changes(&self, state: &State, viewer: &Viewer, wanted: &Wanted) -> Found;
}
