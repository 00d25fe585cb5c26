//! This module is one line of a game as a value: a state, the history that led to it, and the rules it is played under.

pub(super) mod dice;
pub(super) mod prefixes;
pub(super) mod settings;
mod value;

pub use settings::Settings;
pub use value::Timeline;
