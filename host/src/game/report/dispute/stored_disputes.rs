//! Stores disputes: each is a row of the host in the state, so that undo, forks and saved games include it too.
//!
//! The id of the row contains the ruling number under which the dispute was raised; undo frees that number. The ruling
//! on the dispute is stored in the same row.

use std::rc::Rc;

use crate::doc::{Audience, Viewer, may_see};
use crate::store::{State, StoreError, Write};
use crate::value::{Name, Value};

/// The kind of the rows; the id is the kind, `-`, and the ruling number.
const KIND: &str = "@dispute";

/// A dispute as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct StoredDispute {
    /// The ruling number under which it was raised.
    pub(super) ruling_number: u64,
    /// The disputed operation.
    pub(super) of: u64,
    /// The person who raised it, and the reason.
    pub(super) by: String,
    pub(super) why: String,
    /// Whether everybody may know of it.
    pub(super) is_public: bool,
    /// The ruling on it.
    pub(super) ruling: Option<StoredRuling>,
}

/// The ruling on a dispute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct StoredRuling {
    /// The ruling number of this ruling.
    pub(super) ruling_number: u64,
    pub(super) by: String,
    pub(super) text: String,
}

impl StoredDispute {
    /// Returns whether a viewer may know of the dispute: the person who raised it, its judges, and everybody if it is
    /// public.
    pub(super) fn is_visible_to(&self, viewer: &Viewer, judges: Option<&Audience>) -> bool {
        let is_judge = judges.is_some_and(|judges| may_see(viewer, judges));
        self.is_public || is_judge || self.may_see_subject(viewer)
    }

    /// Returns whether a viewer raised the dispute or is the game master: both know the disputed line.
    pub(super) fn may_see_subject(&self, viewer: &Viewer) -> bool {
        may_see(viewer, &Audience::Seat(self.by.clone()))
    }
}

/// Returns the disputes in the order in which they were raised.
pub(super) fn all_stored_disputes(state: &State) -> Vec<StoredDispute> {
    let kind = state.names().find(KIND);
    let rows = kind.into_iter().flat_map(|kind| state.rows_of_kind(kind));
    let mut found: Vec<StoredDispute> = rows.filter_map(|row| read_dispute(state, row)).collect();
    found.sort_by_key(|one| one.ruling_number);
    found
}

/// Returns whether the id of a row belongs to a dispute.
pub(in crate::game) fn is_dispute_row_id(row: &str) -> bool {
    let rest = row.strip_prefix(KIND);
    rest.is_some_and(|rest| rest.starts_with('-'))
}

/// Stores a dispute. Errors: the errors of the store.
pub(super) fn store_dispute(state: &mut State, kept: &StoredDispute) -> Result<(), StoreError> {
    let names = Rc::clone(state.names());
    let fields = [
        ("slot", number_value(kept.ruling_number)),
        ("of", number_value(kept.of)),
        ("by", kept.by.as_str().into()),
        ("why", kept.why.as_str().into()),
        ("public", Value::Bool(kept.is_public)),
    ];
    let fields = fields.map(|(name, value)| (names.intern(name), value));
    let (row, kind) = (
        names.intern(&dispute_row_id(kept.ruling_number)),
        names.intern(KIND),
    );
    state.apply(Write::Put {
        row,
        kind,
        owner: None,
        fields: fields.into(),
    })
}

/// Stores the ruling on a dispute. Errors: the errors of the store.
pub(super) fn store_dispute_ruling(
    state: &mut State,
    ruling_number: u64,
    ruled: &StoredRuling,
) -> Result<(), StoreError> {
    let row = state.names().intern(&dispute_row_id(ruling_number));
    let fields = [
        ("settled", number_value(ruled.ruling_number)),
        ("settled_by", ruled.by.as_str().into()),
        ("ruling", ruled.text.as_str().into()),
    ];
    for (field, value) in fields {
        let field = state.names().intern(field);
        state.apply(Write::Set { row, field, value })?;
    }
    Ok(())
}

fn dispute_row_id(ruling_number: u64) -> String {
    format!("{KIND}-{ruling_number}")
}

fn number_value(number: u64) -> Value {
    Value::from(i64::try_from(number).unwrap_or(i64::MAX))
}

fn read_dispute(state: &State, row: Name) -> Option<StoredDispute> {
    let field = |name: &str| {
        let field = state.names().find(name);
        field.map_or(&Value::Nil, |field| state.get(row, field))
    };
    let count = |name: &str| u64::try_from(field(name).as_i64()?).ok();
    let text = |name: &str| field(name).as_str().map(str::to_owned);
    let ruling = || {
        Some(StoredRuling {
            ruling_number: count("settled")?,
            by: text("settled_by")?,
            text: text("ruling")?,
        })
    };
    Some(StoredDispute {
        ruling_number: count("slot")?,
        of: count("of")?,
        by: text("by")?,
        why: text("why")?,
        is_public: field("public").as_bool().unwrap_or(false),
        ruling: ruling(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(ruling_number: u64, is_public: bool) -> StoredDispute {
        StoredDispute {
            ruling_number,
            of: 2,
            by: "Ann".to_owned(),
            why: "the die fell".to_owned(),
            is_public,
            ruling: None,
        }
    }

    #[test]
    fn disputes_stand_in_the_order_of_their_numbers_with_what_was_ruled() {
        let mut state = State::new(Rc::default());
        let (late, early) = (kept(10, true), kept(9, false));
        store_dispute(&mut state, &late).unwrap();
        store_dispute(&mut state, &early).unwrap();
        let ruled = StoredRuling {
            ruling_number: 11,
            by: "gm".to_owned(),
            text: "it counts".to_owned(),
        };
        store_dispute_ruling(&mut state, 9, &ruled).unwrap();
        let early = StoredDispute {
            ruling: Some(ruled),
            ..early
        };
        assert_eq!(all_stored_disputes(&state), [early, late]);
    }

    #[test]
    fn a_dispute_is_known_to_whom_it_concerns() {
        let seat = |name: &str| Viewer::seat(name, ["elders"].into_iter().filter(|_| name == "Cy"));
        let viewers = [
            Viewer::Gm,
            seat("Ann"),
            seat("Bo"),
            seat("Cy"),
            Viewer::Public,
        ];
        let seen = |one: &StoredDispute, judges: Option<&Audience>| {
            viewers
                .clone()
                .map(|viewer| one.is_visible_to(&viewer, judges))
        };
        let elders = Audience::Group("elders".to_owned());
        let own = kept(3, false);
        assert_eq!(seen(&own, None), [true, true, false, false, false]);
        assert_eq!(seen(&own, Some(&elders)), [true, true, false, true, false]);
        assert_eq!(seen(&kept(3, true), None), [true; 5]);
        let known = viewers
            .clone()
            .map(|viewer| kept(3, true).may_see_subject(&viewer));
        assert_eq!(known, [true, true, false, false, false]);
    }
}
