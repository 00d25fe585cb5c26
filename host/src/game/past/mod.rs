//! This module is the past of a game: undo, corrections, forks, looks at what was, and whether it all holds.

pub(super) mod correct;
pub(super) mod forks;
pub(super) mod generation;
pub(super) mod laws;
pub(super) mod look;
pub(super) mod replay;
pub(super) mod reveal;
pub(super) mod undo;
pub(super) mod verify;
