//! Finds the host command of a line, and the effect of this command on the game. The effect decides whether its lines
//! become operations, and how they run again when the past is verified or corrected.

use crate::game::attempt::line_parser::parse_command_line;
use crate::game::timeline::Timeline;
use crate::game::timeline::command_words::{CommandEffect, host_command_of_line};
use crate::script::{Owner, owner_of_template};

/// Returns the effect of a line that is read as a host command under the live rules; nothing for any other line.
pub(in crate::game) fn host_effect_of_line(
    timeline: &Timeline,
    (by, line): (&str, &str),
) -> Option<CommandEffect> {
    let (phrase, _) = parse_command_line(timeline, by, line.trim()).ok()?;
    match owner_of_template(&phrase.template)? {
        Owner::Host(id) => Some(effect_of_host_command(timeline, &id)),
        Owner::Definition { .. } => None,
    }
}

/// Returns the effect of the host command with which a line of the past begins; nothing if there is none.
pub(in crate::game) fn host_effect_of_past_line(
    timeline: &Timeline,
    line: &str,
) -> Option<CommandEffect> {
    host_command_of_line(&timeline.game.commands, line).map(|command| command.does)
}

/// Returns the effect of a host command that the grammar names.
pub(in crate::game) fn effect_of_host_command(timeline: &Timeline, id: &str) -> CommandEffect {
    let mut all = timeline.game.commands.iter();
    let command = all.find(|command| command.id == id);
    let command = command.expect("invariant: the grammar holds only commands that are there");
    command.does
}
