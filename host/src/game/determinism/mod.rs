//! Determinism laws, the checks of these laws over a played script, and the game functions that tests need.

mod fresh_session;
pub(in crate::game) mod laws;
mod line_repetition;
pub(in crate::game) mod line_result;
mod machine_exchange;
pub(in crate::game) mod machines;
mod reload_law;
pub(in crate::game) mod script;
pub(in crate::game) mod state_round_trip;
pub(in crate::game) mod test_session;
#[cfg(test)]
mod tests;
pub(in crate::game) mod undo_redo;
