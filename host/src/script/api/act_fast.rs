//! This module is the fast way of the methods of `act` that rules call most: plain values, no modifier in force.

use super::act::row::{fuel_of_fields, fuel_of_finding, of_kind_and_owner, with_fields};
use super::library::ANSWER;
use crate::script::host::Host;
use crate::script::host::fast::Arguments as _;
use crate::script::profile::Work;
use crate::script::raw::{Call, Fast, Given};
use crate::store::{is_host_name, remembered, unmodified};
use crate::value::{Name, Value};

/// `act:get(row, field)`.
pub(super) struct FastGet;

/// `act:stat(row, field)`.
pub(super) struct FastStat;

/// `act:set(row, field, value)` with a whole number, of a field that the row has.
pub(super) struct FastSet;

/// `act:exists(row)`.
pub(super) struct FastExists;

/// `act:rows(filter, fields)` with a kind, an owner or both, of plain fields; also without fields where no row is found.
pub(super) struct FastRows;

impl Fast for FastGet {
    type Owner = Host;

    const FUEL: u32 = ANSWER;

    const WORK: (Work, &'static str) = (Work::Reads, "act:get");

    const MOST: usize = 3;

    #[inline]
    fn answer(host: &Host, call: Call<'_>) -> Option<Given> {
        let (row, field) = (call.name(host, 1)?, call.name(host, 2)?);
        let run = host.free_ruling(call.this()?)?;
        Some(match unmodified(&run.state, row, field) {
            Some(value) => call.one(value),
            None => call.one(&remembered(&run.state, row, field)?),
        })
    }
}

impl Fast for FastStat {
    type Owner = Host;

    const FUEL: u32 = ANSWER;

    const WORK: (Work, &'static str) = (Work::Reads, "act:stat");

    const MOST: usize = 3;

    #[inline]
    fn answer(host: &Host, call: Call<'_>) -> Option<Given> {
        let (row, field) = (call.name(host, 1)?, call.name(host, 2)?);
        let run = host.free_ruling(call.this()?)?;
        let value = unmodified(&run.state, row, field)?;
        Some(call.two(value, value))
    }
}

impl Fast for FastSet {
    type Owner = Host;

    const FUEL: u32 = ANSWER;

    const WORK: (Work, &'static str) = (Work::Writes, "act:set");

    const MOST: usize = 4;

    #[inline]
    fn answer(host: &Host, call: Call<'_>) -> Option<Given> {
        let (row, field) = (call.name(host, 1)?, call.name(host, 2)?);
        let number = call.whole_number(3)?;
        let mut run = host.free_changing(call.this()?)?;
        let is_set = run.state.set_number(row, field, number);
        is_set.then(|| call.nothing())
    }
}

impl Fast for FastExists {
    type Owner = Host;

    const FUEL: u32 = ANSWER;

    const WORK: (Work, &'static str) = (Work::Reads, "act:exists");

    const MOST: usize = 2;

    #[inline]
    fn answer(host: &Host, call: Call<'_>) -> Option<Given> {
        let row = call.name(host, 1)?;
        let run = host.free_ruling(call.this()?)?;
        Some(call.one(&Value::Bool(run.state.exists(row))))
    }
}

impl Fast for FastRows {
    type Owner = Host;

    const FUEL: u32 = ANSWER;

    const WORK: (Work, &'static str) = (Work::Reads, "act:rows");

    const MOST: usize = 3;

    fn answer(host: &Host, call: Call<'_>) -> Option<Given> {
        let mut fields = Vec::new();
        let fuel_of_passing = match call.argument(2) {
            None => 0,
            Some(_) => call.texts(2, |place, field| {
                let is_next = place.err()? == (fields.len() + 1) as f64;
                is_next.then(|| fields.push(field.to_owned()))
            })?,
        };
        let (found, fuel) = found(host, &call)?;
        if call.argument(2).is_none() && !found.is_empty() {
            return None;
        }
        let fuel = fuel + fuel_of_passing + fuel_of_fields(found.len(), fields.len());
        if !host.meter.charge_within(fuel) {
            return None;
        }
        let run = host.free_ruling(call.this()?)?;
        let rows = with_fields(host, &run.state, &found, &fields);
        Some(call.one(&rows))
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
    let fuel = passed + fuel_of_finding(rows.len());
    Some((rows, fuel))
}

#[cfg(test)]
mod tests;
