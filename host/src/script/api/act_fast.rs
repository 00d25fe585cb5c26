//! This module is the fast way of the methods of `act` that rules call most: plain values, no modifier in force.

use std::os::raw::c_int;

use super::super::host::Host;
use super::super::raw::{Call, Fast};
use crate::store::{remembered, unmodified};
use crate::value::Value;

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

#[cfg(test)]
mod tests;
