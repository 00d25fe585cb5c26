//! This module is what a line that only looks may ask of the past; a higher layer keeps it.

use crate::doc::Viewer;
use crate::store::State;
use crate::value::{Name, Value};

/// Which changes are asked for.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// Those of a row alone.
    pub row: Option<Name>,
    /// Those of a field alone.
    pub field: Option<Name>,
    /// So many of them, the newest.
    pub most: usize,
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
    fn changes(&self, state: &State, viewer: &Viewer, wanted: Wanted) -> Found;
}
