//! The laws of every game, and the game functions that tests need.

pub(in crate::game) mod laws;
pub(in crate::game) mod test_session;
