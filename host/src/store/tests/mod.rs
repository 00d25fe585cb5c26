//! The tests of the store as a whole.

mod aura;
mod corrections;
mod derived_data;
mod formula;
mod guard;
mod hall;
mod history;
mod limits;
mod listeners;
mod model;
mod random;
mod replay;
mod room;
mod stacking;
mod writes;

use std::rc::Rc;

use super::{State, StoreError, Write};
use crate::value::{Name, Names, Value};

/// Returns an empty state. The functions below write to it by text.
pub(super) fn state() -> State {
    State::new(Rc::new(Names::default()))
}

pub(super) fn put(state: &mut State, row: &str, kind: &str) -> Result<(), StoreError> {
    put_with(state, row, kind, &[])
}

pub(super) fn put_with(
    state: &mut State,
    row: &str,
    kind: &str,
    fields: &[(&str, Value)],
) -> Result<(), StoreError> {
    let names = Rc::clone(state.names());
    let fields = fields
        .iter()
        .map(|(field, value)| (names.intern(field), value.clone()));
    state.apply(Write::Put {
        row: names.intern(row),
        kind: names.intern(kind),
        owner: None,
        fields: fields.collect(),
    })
}

pub(super) fn attach(
    state: &mut State,
    owner: &str,
    kind: &str,
    fields: &[(&str, Value)],
) -> Result<Name, StoreError> {
    let names = Rc::clone(state.names());
    let fields = fields
        .iter()
        .map(|(field, value)| (names.intern(field), value.clone()));
    let kind = names.intern(kind);
    let row = state.take_record_id(kind)?;
    let owner = Some(names.intern(owner));
    let fields = fields.collect();
    state.apply(Write::Put {
        row,
        kind,
        owner,
        fields,
    })?;
    Ok(row)
}

pub(super) fn set(
    state: &mut State,
    row: &str,
    field: &str,
    value: impl Into<Value>,
) -> Result<(), StoreError> {
    let (row, field) = (state.names().intern(row), state.names().intern(field));
    let value = value.into();
    state.apply(Write::Set { row, field, value })
}

pub(super) fn remove(state: &mut State, row: &str) -> Result<(), StoreError> {
    let row = state.names().intern(row);
    state.apply(Write::Remove { row })
}

pub(super) fn get(state: &State, row: &str, field: &str) -> Value {
    let (row, field) = (state.names().intern(row), state.names().intern(field));
    state.get(row, field).clone()
}

pub(super) fn texts(state: &State, names: impl IntoIterator<Item = Name>) -> Vec<String> {
    let texts = names.into_iter().map(|name| state.names().text(name));
    texts.map(|text| text.to_string()).collect()
}

pub(super) fn modifier(stat: &str, op: &str, value: impl Into<Value>) -> Value {
    Value::map([
        ("stat", stat.into()),
        ("op", op.into()),
        ("value", value.into()),
    ])
}

pub(super) fn layered(stat: &str, op: &str, value: impl Into<Value>, layer: &str) -> Value {
    let value = value.into();
    Value::map([
        ("stat", stat.into()),
        ("op", op.into()),
        ("value", value),
        ("layer", layer.into()),
    ])
}

/// Returns the code of a refusal.
pub(super) fn code<T>(result: Result<T, StoreError>) -> &'static str {
    result.err().map_or("ok", |error| error.code())
}
