//! This module says what a command of the host is to the game: whether its lines become operations, and how those are
//! done again where the past is verified or corrected.
//!
//! Each command declares it; what else there is to know of a command by its word is read from here.

use super::command::{Call, HostCommand};
use super::motion::steps::Extent;
use super::reply::Reply;
use super::timeline::Timeline;
use crate::game::motion::advance::advance;
use crate::game::session::line::read;
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

/// A function of a command that may change the game.
pub type Change = fn(&mut Timeline, &Call<'_>) -> Reply;

/// A function of a command that only looks.
pub type Look = fn(&Timeline, &Call<'_>) -> Reply;

/// What happens where a command of the host is given, by what it touches.
#[derive(Clone, Copy)]
pub enum CommandKind {
    /// It looks at the game.
    Query(Look),
    /// It says what the session is asked for; the game of now is meant, wherever somebody looks.
    Request(Look),
    /// It gives another line.
    OnBehalf(Change),
    /// It changes the game without any rule.
    Write(Change),
    /// It changes without any rule what is known of the game.
    Note(Change),
    /// It moves the game on by its plans.
    Advance(Extent),
    /// It answers a question that waits.
    Answer(Change),
    /// It lets a ruling that waits go on under the rules that it began with.
    Finish(Change),
    /// It begins a ruling that waits anew.
    Restart(Change),
    /// It gives a ruling that waits up.
    Drop(Change),
    /// It walks through the history.
    History(Change),
}

impl CommandKind {
    /// Returns what such a command is to the game.
    pub fn does(self) -> Does {
        match self {
            CommandKind::Query(_) => Does::Looks,
            CommandKind::Request(_) => Does::Tends,
            CommandKind::OnBehalf(_) => Does::Gives,
            CommandKind::Write(_) => Does::Writes,
            CommandKind::Note(_) => Does::Notes,
            CommandKind::Advance(extent) => Does::Moves(extent),
            CommandKind::Answer(_) => Does::Answers,
            CommandKind::Finish(_) => Does::Finishes,
            CommandKind::Restart(_) => Does::Restarts,
            CommandKind::Drop(_) => Does::Drops,
            CommandKind::History(_) => Does::Walks,
        }
    }

    /// Runs a command of this kind.
    pub(super) fn run(self, timeline: &mut Timeline, call: &Call<'_>) -> Reply {
        match self {
            CommandKind::Query(look) | CommandKind::Request(look) => look(timeline, call),
            CommandKind::Advance(extent) => advance(timeline, extent, call.ruling),
            CommandKind::OnBehalf(change)
            | CommandKind::Write(change)
            | CommandKind::Note(change)
            | CommandKind::Answer(change)
            | CommandKind::Finish(change)
            | CommandKind::Restart(change)
            | CommandKind::Drop(change)
            | CommandKind::History(change) => change(timeline, call),
        }
    }
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

/// Returns what the command of the host does that a line is read as now; nothing if it is read as none.
pub(super) fn does(timeline: &Timeline, (by, line): (&str, &str)) -> Option<Does> {
    let (phrase, _) = read(timeline, by, line.trim()).ok()?;
    match owner_of(&phrase.template)? {
        Owner::Host(id) => Some(host_command(timeline, &id).kind.does()),
        Owner::Definition { .. } => None,
    }
}

/// Returns what the command of the host did that a line of the past begins with; nothing if it is none.
pub(super) fn did(timeline: &Timeline, line: &str) -> Option<Does> {
    HostCommand::of_line(timeline.game.commands, line).map(|command| command.kind.does())
}

/// Returns a command of the host that the grammar names.
pub(super) fn host_command(timeline: &Timeline, id: &str) -> &'static HostCommand {
    let command = timeline
        .game
        .commands
        .iter()
        .find(|command| command.id == id);
    command.expect("invariant: the grammar holds only commands that are there")
}
