//! This module is the rules of a game: their files, their reload, and what can be said of them without a game.

pub(super) mod canonical;
pub(super) mod check;
pub(super) mod generation;
pub(super) mod generations;
pub(super) mod home;
pub(super) mod reload;
pub(super) mod rewrite;
pub(super) mod structure;
pub(super) mod trial;
