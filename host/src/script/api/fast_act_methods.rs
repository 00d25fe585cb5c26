//! Fast ways of the most called methods of `act`, for plain values without a modifier in force.

use super::act::event_emission::LOOK;
use super::act::row_methods::{
    fuel_of_fields, fuel_of_finding_rows, rows_of_kind_and_owner, rows_with_fields,
};
use super::library::{ANSWER, CALL};
use crate::script::host::Host;
use crate::script::host::fast_call_arguments::Arguments as _;
use crate::script::profile::Work;
use crate::script::raw::{Call, Fast, Given};
use crate::script::run::event_recipients::{self, Address};
use crate::store::{is_host_name, remembered_stat_value, unmodified_stat_value};
use crate::value::{Name, Number, Value};

/// `act:get(row, field)`.
pub(super) struct FastGet;

/// `act:stat(row, field)`.
pub(super) struct FastStat;

/// `act:set(row, field, value)` with a whole number, of a field that the row has.
pub(super) struct FastSet;

/// `act:exists(row)`.
pub(super) struct FastExists;

/// `act:kind(row)`.
pub(super) struct FastKind;

/// `act:base(row, field)`, of a field that was read before.
pub(super) struct FastBase;

/// `act:has_listeners(event, { to = row })`, with `to`, `at` or neither.
pub(super) struct FastHasListeners;

/// `act:is_tallied()`.
pub(super) struct FastIsTallied;

/// The number of writes to the watched fields and kinds of a memo.
pub(super) struct FastWritten;

/// `act:rows(filter, fields)` with a kind, an owner or both, of plain fields; also without fields if no row is found.
pub(super) struct FastRows;

impl Fast for FastGet {
    type Owner = Host;

    const FUEL: u32 = ANSWER;

    const WORK: (Work, &'static str) = (Work::Reads, "act:get");

    const MOST: usize = 3;

    #[inline]
    fn answer(host: &Host, call: Call<'_>) -> Option<Given> {
        let (row, field) = (call.name_argument(host, 1)?, call.name_argument(host, 2)?);
        let run = host.free_ruling(call.called_table()?)?;
        Some(match unmodified_stat_value(&run.state, row, field) {
            Some(value) => call.give_one(value),
            None => call.give_one(&remembered_stat_value(&run.state, row, field)?),
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
        let (row, field) = (call.name_argument(host, 1)?, call.name_argument(host, 2)?);
        let run = host.free_ruling(call.called_table()?)?;
        let value = unmodified_stat_value(&run.state, row, field)?;
        Some(call.give_two(value, value))
    }
}

impl Fast for FastSet {
    type Owner = Host;

    const FUEL: u32 = ANSWER;

    const WORK: (Work, &'static str) = (Work::Writes, "act:set");

    const MOST: usize = 4;

    #[inline]
    fn answer(host: &Host, call: Call<'_>) -> Option<Given> {
        let (row, field) = (call.name_argument(host, 1)?, call.name_argument(host, 2)?);
        let number = call.whole_number_argument(3)?;
        let mut run = host.free_ruling_to_change(call.called_table()?)?;
        let is_set = run.state.try_set_number(row, field, number);
        is_set.then(|| call.give_nothing())
    }
}

impl Fast for FastExists {
    type Owner = Host;

    const FUEL: u32 = ANSWER;

    const WORK: (Work, &'static str) = (Work::Reads, "act:exists");

    const MOST: usize = 2;

    #[inline]
    fn answer(host: &Host, call: Call<'_>) -> Option<Given> {
        let row = call.name_argument(host, 1)?;
        let run = host.free_ruling(call.called_table()?)?;
        Some(call.give_one(&Value::Bool(run.state.exists(row))))
    }
}

impl Fast for FastKind {
    type Owner = Host;

    const FUEL: u32 = CALL;

    const WORK: (Work, &'static str) = (Work::Reads, "act:kind");

    const MOST: usize = 2;

    #[inline]
    fn answer(host: &Host, call: Call<'_>) -> Option<Given> {
        let row = call.name_argument(host, 1)?;
        let run = host.free_ruling(call.called_table()?)?;
        let kind = run.state.kind(row).filter(|_| run.state.exists(row))?;
        Some(call.give_one(&Value::Text(host.names.text(kind))))
    }
}

impl Fast for FastBase {
    type Owner = Host;

    const FUEL: u32 = CALL;

    const WORK: (Work, &'static str) = (Work::Reads, "act:base");

    const MOST: usize = 3;

    #[inline]
    fn answer(host: &Host, call: Call<'_>) -> Option<Given> {
        let (row, field) = (call.name_argument(host, 1)?, call.name_argument(host, 2)?);
        let run = host.free_ruling(call.called_table()?)?;
        Some(call.give_one(unmodified_stat_value(&run.state, row, field)?))
    }
}

impl Fast for FastHasListeners {
    type Owner = Host;

    const FUEL: u32 = CALL;

    const WORK: (Work, &'static str) = (Work::Reads, "act:has_listeners");

    const MOST: usize = 3;

    fn answer(host: &Host, call: Call<'_>) -> Option<Given> {
        let name = call.name_argument(host, 1)?;
        let run = host.free_ruling(call.called_table()?)?;
        let rules = host.rules.borrow();
        let listeners = rules.listeners.borrow();
        let event = listeners
            .event(name)
            .filter(|_| !run.state.has_unread_definitions())?;
        let mut address = Some(Address::All);
        if call.argument(2).is_some() {
            call.each_entry(2, |key, row| {
                let row = vec![host.names.find(row.text()?)?];
                address = match (address.take()?, key.text()?) {
                    (Address::All, "to") => Some(Address::To(row)),
                    (Address::All, "at") => Some(Address::At(row)),
                    _ => None,
                };
                Some(())
            })?;
        }
        let address = address?;
        if !event_recipients::is_handled(&run.state, event) {
            return Some(call.give_one(&Value::Bool(false)));
        }
        let (is_heard, looked_at) = event_recipients::has_listeners(&run.state, event, &address);
        let is_paid = host.meter.try_charge(looked_at * LOOK);
        is_paid.then(|| call.give_one(&Value::Bool(is_heard)))
    }
}

impl Fast for FastIsTallied {
    type Owner = Host;

    const FUEL: u32 = CALL;

    const WORK: (Work, &'static str) = (Work::Reads, "act:is_tallied");

    const MOST: usize = 1;

    #[inline]
    fn answer(host: &Host, call: Call<'_>) -> Option<Given> {
        drop(host.free_ruling(call.called_table()?)?);
        Some(call.give_one(&Value::Bool(host.are_tries_counted())))
    }
}

impl Fast for FastWritten {
    type Owner = Host;

    const FUEL: u32 = CALL;

    const WORK: (Work, &'static str) = (Work::Events, "act:memo");

    const MOST: usize = 2;

    #[inline]
    fn answer(host: &Host, call: Call<'_>) -> Option<Given> {
        let number = call.argument(1)?.number()? as usize;
        let run = host.free_ruling(call.called_table()?)?;
        let places = run.watched.get(number)?;
        let written = Number::from(run.state.total_writes_at(places).cast_signed());
        Some(call.give_one(&Value::Number(written)))
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
            Some(_) => call.each_text_entry(2, |place, field| {
                let is_next = place.err()? == (fields.len() + 1) as f64;
                is_next.then(|| fields.push(field.to_owned()))
            })?,
        };
        let (found, fuel) = filtered_rows_and_fuel(host, &call)?;
        if call.argument(2).is_none() && !found.is_empty() {
            return None;
        }
        let fuel = fuel + fuel_of_passing + fuel_of_fields(found.len(), fields.len());
        if !host.meter.try_charge(fuel) {
            return None;
        }
        let run = host.free_ruling(call.called_table()?)?;
        let rows = rows_with_fields(host, &run.state, &found, &fields);
        Some(call.give_one(&rows))
    }
}

/// Returns the rows that match the filter of a call, and the fuel of finding them.
fn filtered_rows_and_fuel(host: &Host, call: &Call<'_>) -> Option<(Vec<Name>, u64)> {
    let run = host.free_ruling(call.called_table()?)?;
    let (mut kind, mut owner) = (None, None);
    let passed = call.each_text_entry(1, |key, name| {
        let wanted = match key.ok()? {
            "kind" => &mut kind,
            "owner" => &mut owner,
            _ => return None,
        };
        *wanted = Some(host.names.find(name));
        (!is_host_name(name)).then_some(())
    })?;
    let rows = rows_of_kind_and_owner(&run.state, kind, owner)?;
    let fuel = passed + fuel_of_finding_rows(rows.len());
    Some((rows, fuel))
}

#[cfg(test)]
mod tests;
