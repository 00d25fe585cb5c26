//! This module is whole games without people: how they are played, and what many of them tell.

pub(super) mod course;
mod estimate;
pub(super) mod gathered;
mod kept;
mod report;
pub(super) mod simulator;
pub(super) mod tally;

#[cfg(test)]
mod tests;
