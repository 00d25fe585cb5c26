//! Records with a correction the clock phase of each ruling that ran again.

use crate::store::{Operation, State};
use crate::value::Value;

/// Key of the note on a ruling, and the keys of its parts, which are the fields of the clock.
const KEY: &str = "stands_at";
const KIND: &str = "phase";
const NUMBER: &str = "number";

/// A phase of the clock: its kind, and its number among the phases of this kind.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::game) struct Phase {
    pub(in crate::game) kind: Value,
    pub(in crate::game) number: Value,
}

impl Phase {
    /// Returns the phase of a state; nothing if there is none.
    pub(super) fn of(state: &State) -> Option<Phase> {
        let row = state.reserved().clock;
        let cell = |field: &str| {
            let field = state.names().find(field);
            field.map_or(Value::Nil, |field| state.get(row, field).clone())
        };
        let (kind, number) = (cell(KIND), cell(NUMBER));
        (!kind.is_nil()).then_some(Phase { kind, number })
    }

    /// Returns the phase as an entry of the note.
    pub(super) fn to_noted_entry(&self) -> (&'static str, Value) {
        let parts = [(KIND, self.kind.clone()), (NUMBER, self.number.clone())];
        (KEY, Value::map(parts))
    }
}

/// Returns the phases of the rulings that a correction ran again, if the correction records them.
pub(in crate::game) fn phases_in_correction(correction: &Operation) -> Vec<(u64, Phase)> {
    let data = correction.documents.first().map(|told| told.get("data"));
    let rulings = data.map_or(&Value::Nil, |data| data.get("rulings"));
    let one = |step: &Value| {
        let seq = u64::try_from(step.get("op").as_i64()?).ok()?;
        let phase = step.get(KEY);
        let [kind, number] = [KIND, NUMBER].map(|part| phase.get(part).clone());
        (!kind.is_nil()).then_some((seq, Phase { kind, number }))
    };
    rulings.items().iter().filter_map(one).collect()
}
