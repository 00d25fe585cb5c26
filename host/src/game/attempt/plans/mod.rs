//! Automatic progress of a game: plans and their steps.

pub(in crate::game) mod game_advance;
pub(in crate::game) mod plan_progress;
pub(in crate::game) mod step_hooks;
pub(in crate::game) mod steps;
