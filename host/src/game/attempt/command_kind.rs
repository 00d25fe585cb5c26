//! Says which command of the host a line is, and what that is to the game: whether its lines become
//! operations, and how those are done again where the past is verified or corrected.

use crate::game::attempt::reading::read;
use crate::game::timeline::Timeline;
use crate::game::timeline::command_words::{Does, of_line};
use crate::script::{Owner, owner_of_template};

/// Returns what the command of the host does that a line is read as now; nothing if it is read as none.
pub(in crate::game) fn does(timeline: &Timeline, (by, line): (&str, &str)) -> Option<Does> {
    let (phrase, _) = read(timeline, by, line.trim()).ok()?;
    match owner_of_template(&phrase.template)? {
        Owner::Host(id) => Some(named_does(timeline, &id)),
        Owner::Definition { .. } => None,
    }
}

/// Returns what the command of the host did that a line of the past begins with; nothing if it is none.
pub(in crate::game) fn did(timeline: &Timeline, line: &str) -> Option<Does> {
    of_line(&timeline.game.commands, line).map(|command| command.does)
}

/// Returns what a command of the host does that the grammar names.
pub(in crate::game) fn named_does(timeline: &Timeline, id: &str) -> Does {
    let mut all = timeline.game.commands.iter();
    let command = all.find(|command| command.id == id);
    let command = command.expect("invariant: the grammar holds only commands that are there");
    command.does
}
