//! Settings of a game that never change while it is played.

use crate::game::timeline::command_words::CommandWords;

/// What of a game never changes.
#[derive(Clone)]
pub struct Settings {
    /// The ruleset that is played.
    pub ruleset: String,
    /// What is known of the commands that the host has in it.
    pub commands: Vec<CommandWords>,
}
