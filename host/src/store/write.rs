//! The closed set of changes to a state.

use crate::value::{Name, Value};

/// One change of the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Write {
    /// Adds a row; with an owner it is a record, whose id is `kind#number`.
    Put {
        /// Id of the new row.
        row: Name,
        /// The kind of the new row.
        kind: Name,
        /// The owner; the new row is removed with it.
        owner: Option<Name>,
        /// Its first fields; `Nil` values are left out.
        fields: Vec<(Name, Value)>,
    },
    /// Sets one field of a row; `Nil` removes the field.
    Set {
        /// Id of the row.
        row: Name,
        /// Name of the field.
        field: Name,
        /// The new value.
        value: Value,
    },
    /// Removes a row, its fields and the records it owns.
    Remove {
        /// Id of the row.
        row: Name,
    },
}
