//! This module replays.
pub fn replay() {}
pub fn replayed_elsewhere() {}
