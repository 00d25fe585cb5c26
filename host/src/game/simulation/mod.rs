//! Whole games without people: how they are played, and the statistics of many of them.

pub(in crate::game) mod estimate;
pub(in crate::game) mod figures;
pub(in crate::game) mod game_course;
pub(in crate::game) mod report;
pub(in crate::game) mod shard_file;
pub(crate) mod shards;
pub(in crate::game) mod simulator;
pub(in crate::game) mod tally;
#[cfg(test)]
mod tests;
mod unused_rules;
