//! The rules of a game: their files, their generations, and checks that need no game.

pub(in crate::game) mod canonical_content;
pub(in crate::game) mod generation;
pub(in crate::game) mod generations;
pub(in crate::game) mod home;
pub(in crate::game) mod lint;
pub(in crate::game) mod ruleset_check;
mod shipped_library;
pub(in crate::game) mod structure;
