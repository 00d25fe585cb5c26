//! The past of a game: undo, corrections, what runs again, and whether it all holds.

pub(in crate::game) mod changes_in_words;
pub(in crate::game) mod correct;
pub(in crate::game) mod difference;
pub(in crate::game) mod replay;
pub(in crate::game) mod reveal;
pub(in crate::game) mod undo;
pub(in crate::game) mod verify;
