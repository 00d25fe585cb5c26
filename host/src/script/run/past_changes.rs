//! The questions about the past that a read-only line may ask; a higher layer keeps the past.

use std::collections::HashSet;

use crate::doc::Viewer;
use crate::store::State;
use crate::value::{Name, Value};

/// Which changes are asked for.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// Those of some rows alone.
    pub rows: Option<HashSet<Name>>,
    /// Those of some fields alone.
    pub fields: Option<HashSet<Name>>,
    /// So many of them, the newest.
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

/// What was found of the past.
#[derive(Debug, Default)]
pub struct Found {
    /// The changes, the newest first.
    pub changes: Vec<Value>,
    /// How many changes were looked at.
    pub looked_at: u64,
}

/// What a game keeps of its past.
pub trait Past {
    /// Returns changed values, the newest first, as a viewer of the state of now may know them.
    fn changes(&self, state: &State, viewer: &Viewer, wanted: &Wanted) -> Found;
}
