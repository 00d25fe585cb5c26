//! This module is the fields whose texts are indexed, so that the rows that name a definition are found at once.

use crate::value::Name;

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
