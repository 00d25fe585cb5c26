//! Stores a list that may be longer than one cell, in the fields `name-000`, `name-001` and so on of a row.

use super::{State, StoreError, Write, limits};
use crate::value::{Name, Value, write_value};

/// Bytes of the values in one field.
const FIELD: usize = limits::VALUE_BYTES - 16;

/// Splits values into fields that fit into a cell, in order.
pub fn split_into_fields(
    name: &str,
    values: impl IntoIterator<Item = Value>,
) -> Vec<(String, Value)> {
    let (mut fields, mut part, mut size) = (Vec::new(), Vec::new(), 0);
    let mut bytes = Vec::new();
    let mut close = |part: &mut Vec<Value>| {
        if !part.is_empty() {
            let number = fields.len();
            fields.push((
                format!("{name}-{number:03}"),
                Value::list(std::mem::take(part)),
            ));
        }
    };
    for value in values {
        bytes.clear();
        write_value(&mut bytes, &value);
        if size + bytes.len() > FIELD {
            close(&mut part);
            size = 0;
        }
        size += bytes.len();
        part.push(value);
    }
    close(&mut part);
    fields
}

/// Returns the list that a row stores under a name, in order.
pub fn read_list(state: &State, row: Name, name: &str) -> Vec<Value> {
    let fields = list_field_names(state, row, name).into_iter();
    let items = fields.flat_map(|field| state.get(row, field).items().to_vec());
    items.collect()
}

/// Replaces the list that a row stores under a name; only changed fields are written. Errors: the errors of the store.
pub fn replace_list(
    state: &mut State,
    row: Name,
    (name, values): (&str, impl IntoIterator<Item = Value>),
) -> Result<(), StoreError> {
    let fields = split_into_fields(name, values);
    let fields = fields.into_iter();
    let fields: Vec<(Name, Value)> = fields
        .map(|(field, value)| (state.names().intern(&field), value))
        .collect();
    let old = list_field_names(state, row, name).into_iter();
    let gone = old.filter(|one| fields.iter().all(|(field, _)| field != one));
    let gone: Vec<(Name, Value)> = gone.map(|field| (field, Value::Nil)).collect();
    for (field, value) in fields.into_iter().chain(gone) {
        if *state.get(row, field) != value {
            state.apply(Write::Set { row, field, value })?;
        }
    }
    Ok(())
}

fn list_field_names(state: &State, row: Name, name: &str) -> Vec<Name> {
    let names = state.names();
    let is_part = |field: &Name| {
        let field = names.text(*field);
        field
            .strip_prefix(name)
            .is_some_and(|rest| rest.starts_with('-'))
    };
    state
        .field_names_of_row(row)
        .into_iter()
        .filter(is_part)
        .collect()
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::*;

    #[test]
    fn a_long_list_is_kept_in_several_fields_and_only_what_differs_is_written() {
        let mut state = State::new(Rc::default());
        let row = state.names().intern("row");
        state
            .apply(Write::Put {
                row,
                kind: row,
                owner: None,
                fields: Vec::new(),
            })
            .unwrap();
        let values = |last: i64| {
            let long = (0..20).map(|n| Value::from(format!("{n}{}", "x".repeat(900)).as_str()));
            long.chain([Value::from(last)]).collect::<Vec<_>>()
        };
        replace_list(&mut state, row, ("list", values(1))).unwrap();
        assert_eq!(read_list(&state, row, "list"), values(1));
        assert_eq!(list_field_names(&state, row, "list").len(), 5);
        let mark = state.mark();
        replace_list(&mut state, row, ("list", values(2))).unwrap();
        assert_eq!(state.changes_since(mark).len(), 1, "the last field alone");
        replace_list(&mut state, row, ("list", [Value::from(7)])).unwrap();
        assert_eq!(read_list(&state, row, "list"), [Value::from(7)]);
        assert_eq!(list_field_names(&state, row, "list").len(), 1);
        assert_eq!(read_list(&state, row, "lis"), []);
    }
}
