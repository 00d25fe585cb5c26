//! Reports on past events: rolls, disputes, the chronicle, and explanations of values.

pub(in crate::game) mod chronicle;
pub(in crate::game) mod corrected_posts;
pub(crate) mod dispute;
pub(in crate::game) mod operation_dates;
pub(in crate::game) mod posts;
pub(in crate::game) mod rolls;
pub(in crate::game) mod status;
pub(in crate::game) mod story;
pub(in crate::game) mod validity;
pub(in crate::game) mod waiting_operations;
pub(in crate::game) mod welcome;
pub(in crate::game) mod why;
