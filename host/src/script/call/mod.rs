//! Calls of rules by the host: commands, steps, continuations, tests, cases, imports, whole games.

#[cfg(feature = "measure")]
pub(crate) mod baseline_dispatch;
pub(crate) mod case_transcripts;
pub(crate) mod evaluation;
pub(crate) mod import_steps;
pub(crate) mod offered_words;
pub(crate) mod plan_steps;
pub(crate) mod post_views;
pub(crate) mod reachable_names;
pub(crate) mod rule_runs;
pub(crate) mod seats_and_names;
pub(crate) mod simulation;
pub(crate) mod story_views;
pub(crate) mod test_module;
