//! This module is what of a game never changes while it is played.

use crate::game::command::HostCommand;

/// What of a game never changes.
#[derive(Clone)]
pub struct Settings {
    /// The ruleset that is played.
    pub ruleset: String,
    /// The commands that the host has in it.
    pub commands: &'static [HostCommand],
}
