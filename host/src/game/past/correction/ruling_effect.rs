//! Effects of a ruling, as recorded or as they would be, and the cells in which two effects differ.

use crate::diag::Diagnostic;
use crate::game::past::correction::rerun_stop::Refusal;
use crate::store::{Change, Operation, State};
use crate::value::Value;

/// Effects of a ruling.
#[derive(Clone, Debug, Default)]
pub(super) struct RulingEffect {
    pub(super) changes: Vec<Change>,
    pub(super) documents: Vec<Value>,
    pub(super) inputs: Vec<Value>,
    pub(super) waits: bool,
    pub(super) refusal: Option<Refusal>,
}

impl RulingEffect {
    /// Returns the recorded effects of a ruling.
    pub(super) fn of_operation(operation: &Operation, waits: bool) -> RulingEffect {
        RulingEffect {
            changes: operation.changes.clone(),
            documents: operation.documents.clone(),
            inputs: operation.inputs.clone(),
            waits,
            refusal: None,
        }
    }

    /// Returns the effects of a refused ruling.
    pub(super) fn of_refusal(refusal: Diagnostic) -> RulingEffect {
        RulingEffect {
            refusal: Some(Box::new(refusal)),
            ..RulingEffect::default()
        }
    }

    /// Returns the cells that differ between this ruling and its re-run `other`. `after` is the state after the re-run,
    /// and `before` returns the state after this ruling.
    pub(super) fn differing_cells(
        &self,
        other: &RulingEffect,
        after: &State,
        before: impl Fn() -> Option<State>,
    ) -> Vec<Change> {
        let is_of = |one: &Change, other: &Change| (one.row, one.field) == (other.row, other.field);
        let here = self.changes.iter().map(|one| {
            let new = after.get(one.row, one.field).clone();
            let old = one.new.clone();
            Change { old, new, ..*one }
        });
        let is_known = |one: &Change| self.changes.iter().any(|known| is_of(known, one));
        let unknown: Vec<&Change> = other.changes.iter().filter(|one| !is_known(one)).collect();
        let state = (!unknown.is_empty()).then(before).flatten();
        let there = unknown.into_iter().map(|one| {
            let old = state
                .as_ref()
                .map(|state| state.get(one.row, one.field).clone());
            let old = old.unwrap_or_else(|| one.old.clone());
            Change { old, ..one.clone() }
        });
        let all = here.chain(there).filter(|one| one.old != one.new);
        let mut all: Vec<Change> = all.collect();
        all.sort_by_cached_key(|one| one.row_and_field_texts(after.names()));
        all
    }
}
