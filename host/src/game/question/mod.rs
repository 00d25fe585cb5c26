//! What waits for people, as data of a line of the game: questions, their numbers, who may answer and how.

pub(in crate::game) mod asked;
pub(in crate::game) mod numbering;
pub(in crate::game) mod open;
pub(in crate::game) mod options;
pub(in crate::game) mod orders;
pub(in crate::game) mod permission;
pub(in crate::game) mod stale;
pub(in crate::game) mod wording;
