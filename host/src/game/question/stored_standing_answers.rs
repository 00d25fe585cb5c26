//! Stores standing answers: the answer of a seat for every time a question is asked.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::game::timeline::seed::encode_address_part;
use crate::store::{State, StoreError, Write};
use crate::value::Value;

/// The row of the host that holds the standing answers, and its kind.
pub(in crate::game) const ROW: &str = "@orders";

/// Returns the standing answers: texts by seat and key.
pub fn standing_answers_by_seat_and_key(state: &State) -> BTreeMap<(String, String), String> {
    let Some(row) = state.names().find(ROW) else {
        return BTreeMap::new();
    };
    let fields = state.field_names_of_row(row).into_iter();
    let orders = fields.filter_map(|field| {
        let order = state.get(row, field);
        let text = |key: &str| order.get(key).as_str().map(str::to_owned);
        Some(((text("seat")?, text("key")?), text("answer")?))
    });
    orders.collect()
}

/// Sets a standing answer, or removes it if there is no text. Errors: the errors of the store.
pub(in crate::game) fn store_standing_answer(
    state: &mut State,
    (seat, key): (&str, &str),
    answer: Option<&str>,
) -> Result<(), StoreError> {
    let names = Rc::clone(state.names());
    let row = names.intern(ROW);
    if !state.exists(row) {
        let (kind, fields) = (row, Vec::new());
        state.apply(Write::Put {
            row,
            kind,
            owner: None,
            fields,
        })?;
    }
    let value = answer.map_or(Value::Nil, |answer| {
        Value::map(
            [("seat", seat), ("key", key), ("answer", answer)]
                .map(|(key, text)| (key, Value::from(text))),
        )
    });
    let field = names.intern(&format!(
        "{}/{}",
        encode_address_part(seat),
        encode_address_part(key)
    ));
    state.apply(Write::Set { row, field, value })
}
