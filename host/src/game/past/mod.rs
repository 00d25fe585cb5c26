//! The past of a game: undo, corrections, replay of recorded operations, and verification.

pub(in crate::game) mod changes_in_words;
pub(in crate::game) mod correction;
pub(in crate::game) mod former_sentences;
pub(in crate::game) mod replay;
pub(in crate::game) mod run_difference;
pub(in crate::game) mod seed_reveal;
pub(in crate::game) mod undo;
pub(in crate::game) mod verification;
