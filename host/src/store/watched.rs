//! This module is the fields whose texts are indexed, so that the rows that name a definition are found at once.

use super::state::State;
use crate::value::{Name, Value};

/// A set of field names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Watched {
    fields: Vec<Name>,
    /// The same by the number of the name; asked at each write.
    members: Vec<bool>,
}

impl Watched {
    pub(super) fn new(mut fields: Vec<Name>) -> Watched {
        fields.sort_by_key(|field| field.index());
        fields.dedup();
        let size = fields.last().map_or(0, |field| field.index() + 1);
        let mut members = vec![false; size];
        for field in &fields {
            members[field.index()] = true;
        }
        Watched { fields, members }
    }

    #[inline]
    pub(super) fn has(&self, field: Name) -> bool {
        self.members.get(field.index()).copied().unwrap_or(false)
    }

    pub(super) fn fields(&self) -> &[Name] {
        &self.fields
    }
}

impl State {
    /// Returns the texts in the watched fields of a row, each once.
    pub(super) fn named_by(&self, row: Name) -> Vec<Name> {
        let watched = self.watched.fields().iter();
        let values = watched.map(|field| self.cell(row, *field));
        let texts = values.filter_map(Value::as_str);
        let mut named: Vec<Name> = texts.map(|text| self.names.intern(text)).collect();
        named.sort_by_key(|name| name.index());
        named.dedup();
        named
    }
}
