//! This module says what a command of the host is to the game: whether its lines become operations, and how those are
//! done again where the past is verified or corrected.
//!
//! Each command declares it; what else there is to know of a command by its word is read from here.

use super::command::HostCommand;
use super::motion::steps::Extent;
use super::session::Session;
use crate::script::{Owner, owner_of};

/// What a command of the host is to the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Does {
    /// It looks at the game that somebody looks at, or asks something of the terminal; it becomes no operation.
    Looks,
    /// It is about the session, or the game of now wherever somebody looks; it becomes no operation.
    Tends,
    /// It gives another line, which is what becomes an operation.
    Gives,
    /// It changes the game without any rule: in another past its line does it again.
    Writes,
    /// It changes without any rule what is known of the game, at that time: in another past it says what it said.
    Notes,
    /// It moves the game on by its plans, this far.
    Moves(Extent),
    /// It answers a question that waits.
    Answers,
    /// It lets a ruling that waits go on under the rules that it began with.
    Finishes,
    /// It begins a ruling that waits anew.
    Restarts,
    /// It gives a ruling that waits up.
    Drops,
    /// It walks through the history: takes back what was, lets it hold again, or corrects it.
    Walks,
}

impl Does {
    /// Returns whether operations come of it.
    pub fn becomes_operations(self) -> bool {
        match self {
            Does::Looks | Does::Tends => false,
            Does::Gives
            | Does::Writes
            | Does::Notes
            | Does::Moves(_)
            | Does::Answers
            | Does::Finishes
            | Does::Restarts
            | Does::Drops
            | Does::Walks => true,
        }
    }

    /// Returns whether what it becomes ran no rule, and is done again behind the history of then.
    pub(super) fn is_without_rule(self) -> bool {
        match self {
            Does::Writes | Does::Notes | Does::Drops => true,
            Does::Looks
            | Does::Tends
            | Does::Gives
            | Does::Moves(_)
            | Does::Answers
            | Does::Finishes
            | Does::Restarts
            | Does::Walks => false,
        }
    }

    /// Returns whether its line may be given in the past in the place of a ruling.
    pub(super) fn may_replace(self) -> bool {
        match self {
            Does::Writes | Does::Moves(_) | Does::Finishes | Does::Drops => true,
            Does::Looks
            | Does::Tends
            | Does::Gives
            | Does::Notes
            | Does::Answers
            | Does::Restarts
            | Does::Walks => false,
        }
    }
}

impl HostCommand {
    /// Returns the command with a word that a line begins with, in any case: what a line of the past was, whatever
    /// rules live now.
    pub(super) fn of_line(
        commands: &'static [HostCommand],
        line: &str,
    ) -> Option<&'static HostCommand> {
        let word = line.split_whitespace().next()?;
        let has_it = |command: &&HostCommand| {
            let words = command.syntax.iter();
            let mut words = words.filter_map(|one| one.split([' ', '[', '{']).next());
            words.any(|one| one.eq_ignore_ascii_case(word))
        };
        commands.iter().find(has_it)
    }
}

impl Session {
    /// Returns what the command of the host does that a line is read as now; nothing if it is read as none.
    pub(super) fn does(&self, (by, line): (&str, &str)) -> Option<Does> {
        let (phrase, _) = self.read(by, line.trim()).ok()?;
        match owner_of(&phrase.template)? {
            Owner::Host(id) => Some(self.host_command(&id).does),
            Owner::Definition { .. } => None,
        }
    }

    /// Returns what the command of the host did that a line of the past begins with; nothing if it is none.
    pub(super) fn did(&self, line: &str) -> Option<Does> {
        HostCommand::of_line(self.commands, line).map(|command| command.does)
    }

    /// Returns a command of the host that the grammar names.
    pub(super) fn host_command(&self, id: &str) -> &'static HostCommand {
        let command = self.commands.iter().find(|command| command.id == id);
        command.expect("invariant: the grammar holds only commands that are there")
    }
}
