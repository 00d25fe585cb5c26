//! This module is the fast way of the methods of `act` that rules call most: plain values, no modifier in force.

use std::os::raw::c_int;

use super::super::host::Host;
use super::super::raw::{Call, Fast};
use crate::store::{remembered, unmodified};

/// `act:get(row, field)`.
pub(super) struct FastGet;

/// `act:stat(row, field)`.
pub(super) struct FastStat;

/// `act:set(row, field, value)` with a whole number, of a field that the row has.
pub(super) struct FastSet;

impl Fast for FastGet {
    #[inline]
    fn answer(host: &Host, call: &Call) -> Option<c_int> {
        let (row, field) = (call.name(host, 2)?, call.name(host, 3)?);
        let run = host.free_ruling(call.this())?;
        match unmodified(&run.state, row, field) {
            Some(value) => call.results::<1>(value),
            None => call.results::<1>(&remembered(&run.state, row, field)?),
        }
    }
}

impl Fast for FastStat {
    #[inline]
    fn answer(host: &Host, call: &Call) -> Option<c_int> {
        let (row, field) = (call.name(host, 2)?, call.name(host, 3)?);
        let run = host.free_ruling(call.this())?;
        call.results::<2>(unmodified(&run.state, row, field)?)
    }
}

impl Fast for FastSet {
    #[inline]
    fn answer(host: &Host, call: &Call) -> Option<c_int> {
        let (row, field) = (call.name(host, 2)?, call.name(host, 3)?);
        let number = call.whole_number(4)?;
        let mut run = host.free_ruling(call.this()).filter(|run| !run.query)?;
        run.state.set_number(row, field, number).then_some(0)
    }
}

#[cfg(test)]
mod tests;
