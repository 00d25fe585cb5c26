//! The past of a game: undo, corrections, what runs again, and whether it all holds.

pub(in crate::game) mod changes_in_words;
pub(in crate::game) mod correction;
pub(in crate::game) mod replay;
pub(in crate::game) mod run_difference;
pub(in crate::game) mod seed_reveal;
pub(in crate::game) mod undo;
pub(in crate::game) mod verification;
