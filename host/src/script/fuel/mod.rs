//! The resources of scripts: the limits, the meter that counts, and the clock that it uses.

mod budget_clock;
pub(crate) mod limits;
mod meter;

pub(crate) use budget_clock::processor_time;
pub(crate) use limits::STEPS;
pub use limits::{Limit, Limits};
pub(crate) use meter::Meter;
