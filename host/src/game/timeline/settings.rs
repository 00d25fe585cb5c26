//! Settings of a game that never change while it is played.

use crate::game::timeline::command_words::CommandWords;

/// Settings of a game that never change.
#[derive(Clone)]
pub struct Settings {
    /// The ruleset that is played.
    pub ruleset: String,
    /// The data about the host's commands in this game.
    pub commands: Vec<CommandWords>,
}
