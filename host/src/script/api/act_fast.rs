//! This module is the fast way of the methods of `act` that rules call most: plain values, no modifier in force.

use std::os::raw::c_int;

use super::super::host::Host;
use super::super::raw::{Call, Fast, MOST_KEYS};
use super::act::row::{Field, fuel_of_fields, fuel_of_finding, of_kind_and_owner};
use crate::store::{State, is_host_name, remembered, unmodified};
use crate::value::{Name, Value};

/// `act:get(row, field)`.
pub(super) struct FastGet;

/// `act:stat(row, field)`.
pub(super) struct FastStat;

/// `act:set(row, field, value)` with a whole number, of a field that the row has.
pub(super) struct FastSet;

/// `act:add(row, field, amount)` with a whole number, to a number that the row has.
pub(super) struct FastAdd;

/// `act:exists(row)`.
pub(super) struct FastExists;

/// `act:find(filter)` with a kind, an owner or both.
pub(super) struct FastFind;

/// `act:rows(filter, fields)` with a kind, an owner or both, of plain fields; also without fields where no row is found.
pub(super) struct FastRows;

impl Fast for FastGet {
    #[inline]
    fn answer(host: &Host, call: &Call<'_>) -> Option<c_int> {
        let (row, field) = (call.name(host, 1)?, call.name(host, 2)?);
        let run = host.free_ruling(call.this()?)?;
        match unmodified(&run.state, row, field) {
            Some(value) => call.results::<1>(value),
            None => call.results::<1>(&remembered(&run.state, row, field)?),
        }
    }
}

impl Fast for FastStat {
    #[inline]
    fn answer(host: &Host, call: &Call<'_>) -> Option<c_int> {
        let (row, field) = (call.name(host, 1)?, call.name(host, 2)?);
        let run = host.free_ruling(call.this()?)?;
        call.results::<2>(unmodified(&run.state, row, field)?)
    }
}

impl Fast for FastSet {
    #[inline]
    fn answer(host: &Host, call: &Call<'_>) -> Option<c_int> {
        let (row, field) = (call.name(host, 1)?, call.name(host, 2)?);
        let number = call.whole_number(3)?;
        let mut run = host.free_changing(call.this()?)?;
        run.state.set_number(row, field, number).then_some(0)
    }
}

impl Fast for FastAdd {
    #[inline]
    fn answer(host: &Host, call: &Call<'_>) -> Option<c_int> {
        let (row, field) = (call.name(host, 1)?, call.name(host, 2)?);
        let amount = call.whole_number(3)?;
        let mut run = host.free_changing(call.this()?)?;
        let before = run.state.get(row, field).as_number()?;
        let sum = before.checked_add(amount).ok()?;
        if !run.state.set_number(row, field, sum) {
            return None;
        }
        call.results::<1>(&Value::Number(sum))
    }
}

impl Fast for FastExists {
    #[inline]
    fn answer(host: &Host, call: &Call<'_>) -> Option<c_int> {
        let row = call.name(host, 1)?;
        let run = host.free_ruling(call.this()?)?;
        call.results::<1>(&Value::Bool(run.state.exists(row)))
    }
}

impl Fast for FastFind {
    fn answer(host: &Host, call: &Call<'_>) -> Option<c_int> {
        let (found, fuel) = found(host, call)?;
        let is_charged = host.meter.charge_within(fuel);
        is_charged.then(|| call.list(&host.names, &found))
    }
}

impl Fast for FastRows {
    fn answer(host: &Host, call: &Call<'_>) -> Option<c_int> {
        let has_fields = call.arguments() > 2;
        let mut keys = Vec::with_capacity(MOST_KEYS);
        let mut fuel = 0;
        if has_fields {
            let passed = call.texts(2, |key, field| {
                let is_next = key.err()? == keys.len() + 1 && keys.len() < MOST_KEYS - 1;
                is_next.then(|| keys.push(field.to_owned()))
            });
            fuel += passed?.fuel();
        }
        let (found, finding) = found(host, call)?;
        if !has_fields && !found.is_empty() {
            return None;
        }
        fuel += finding + fuel_of_fields(found.len(), keys.len());
        let run = host.free_ruling(call.this()?)?;
        let values = shown(host, &run.state, &mut keys, &found)?;
        drop(run);
        if !host.meter.charge_within(fuel) {
            return None;
        }
        let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
        Some(call.tables(&keys, &values))
    }
}

/// Returns the rows that the filter of a call finds, and the fuel that it costs.
fn found(host: &Host, call: &Call<'_>) -> Option<(Vec<Name>, u64)> {
    let run = host.free_ruling(call.this()?)?;
    let (mut kind, mut owner) = (None, None);
    let passed = call.texts(1, |key, name| {
        let wanted = match key.ok()? {
            "kind" => &mut kind,
            "owner" => &mut owner,
            _ => return None,
        };
        *wanted = Some(host.names.find(name));
        (!is_host_name(name)).then_some(())
    })?;
    let rows = of_kind_and_owner(&run.state, kind, owner)?;
    let fuel = passed.fuel() + fuel_of_finding(rows.len());
    Some((rows, fuel))
}

/// Makes keys those that rows show, in order and with `id`; returns the values of all rows, one after another.
fn shown(host: &Host, state: &State, keys: &mut Vec<String>, rows: &[Name]) -> Option<Vec<Value>> {
    keys.push(ID.to_owned());
    keys.sort_unstable();
    keys.dedup();
    let fields = keys.iter().map(|key| Field::new(host, state, key));
    let fields: Vec<Field> = fields.collect();
    let mut values = Vec::with_capacity(rows.len() * keys.len());
    for row in rows {
        for (key, field) in keys.iter().zip(&fields) {
            let value = match key == ID {
                true => Value::Text(host.names.text(*row)),
                false => field.of(state, *row).clone(),
            };
            if matches!(value, Value::List(_) | Value::Map(_)) {
                return None;
            }
            values.push(value);
        }
    }
    Some(values)
}

const ID: &str = "id";

#[cfg(test)]
mod tests;
