//! This module is whole games without people: how they are played, and what many of them tell.

pub(in crate::game) mod course;
mod dead;
pub(in crate::game) mod estimate;
pub(in crate::game) mod gathered;
pub(in crate::game) mod kept;
pub(in crate::game) mod report;
pub(in crate::game) mod simulator;
pub(in crate::game) mod tally;
#[cfg(test)]
mod tests;
