//! The laws of every game, and what tests need of one.

pub(in crate::game) mod laws;
pub(in crate::game) mod test_session;
