//! This module is how a game moves on by itself: plans and their steps.

pub(super) mod advance;
pub(super) mod plan;
pub(super) mod step_watch;
pub(super) mod steps;
