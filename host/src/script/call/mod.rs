//! Calls of rules by the host: commands, steps, what goes on, tests, cases, imports, whole games.

#[cfg(feature = "measure")]
pub(crate) mod baseline_dispatch;
pub(crate) mod cases;
pub(crate) mod evaluate;
pub(crate) mod import;
pub(crate) mod offers;
pub(crate) mod people;
pub(crate) mod reachable_names;
pub(crate) mod rule_runs;
pub(crate) mod simulation;
pub(crate) mod steps;
pub(crate) mod test_module;
