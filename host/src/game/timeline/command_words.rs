//! The facts about host commands that rules, help and history use: their words, and their effect on the game.

use crate::script::HostPhrase;

/// What a command of the host is to the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandEffect {
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
    Moves(PlanExtent),
    /// It answers a question that waits.
    Answers,
    /// It lets a ruling that waits go on under the rules that it began with.
    Finishes,
    /// It runs a waiting ruling again from its start.
    Restarts,
    /// It gives a ruling that waits up.
    Drops,
    /// It walks through the history: takes back what was, lets it hold again, or corrects it.
    Walks,
}

impl CommandEffect {
    /// Returns whether operations come of it.
    pub fn becomes_operations(self) -> bool {
        match self {
            CommandEffect::Looks | CommandEffect::Tends => false,
            CommandEffect::Gives
            | CommandEffect::Writes
            | CommandEffect::Notes
            | CommandEffect::Moves(_)
            | CommandEffect::Answers
            | CommandEffect::Finishes
            | CommandEffect::Restarts
            | CommandEffect::Drops
            | CommandEffect::Walks => true,
        }
    }

    /// Returns whether what it becomes ran no rule, and is done again behind the history of then.
    pub(in crate::game) fn is_without_rule(self) -> bool {
        match self {
            CommandEffect::Writes | CommandEffect::Notes | CommandEffect::Drops => true,
            CommandEffect::Looks
            | CommandEffect::Tends
            | CommandEffect::Gives
            | CommandEffect::Moves(_)
            | CommandEffect::Answers
            | CommandEffect::Finishes
            | CommandEffect::Restarts
            | CommandEffect::Walks => false,
        }
    }

    /// Returns whether its line may be given in the past in the place of a ruling.
    pub(in crate::game) fn may_replace(self) -> bool {
        match self {
            CommandEffect::Writes
            | CommandEffect::Moves(_)
            | CommandEffect::Finishes
            | CommandEffect::Drops => true,
            CommandEffect::Looks
            | CommandEffect::Tends
            | CommandEffect::Gives
            | CommandEffect::Notes
            | CommandEffect::Answers
            | CommandEffect::Restarts
            | CommandEffect::Walks => false,
        }
    }
}

/// How far a plan runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanExtent {
    /// To its end.
    Rest,
    /// One step.
    Step,
}

/// What rules and help know of a command of the host.
#[derive(Clone, Copy, Debug)]
pub struct CommandWords {
    /// Its word.
    pub id: &'static str,
    /// Its spellings.
    pub syntax: &'static [&'static str],
    /// Its former words, and the present ones: of the line's start, and of its end where they begin with a hyphen.
    pub formerly: &'static [(&'static str, &'static str)],
    /// One line for the list of commands.
    pub summary: &'static str,
    /// More to know, for `help`.
    pub help: &'static str,
    /// What it is to the game.
    pub does: CommandEffect,
}

/// Returns the command with a word that a line begins with, in any case: what a line of the past was, whatever rules
/// live now.
pub(in crate::game) fn command_of_line<'a>(
    commands: &'a [CommandWords],
    line: &str,
) -> Option<&'a CommandWords> {
    let present = replace_former_word(commands, line);
    let present = present.as_ref().map_or(line, |(line, _)| line);
    let word = present.split_whitespace().next()?;
    let has_it = |command: &&CommandWords| {
        let words = command.syntax.iter();
        let mut words = words.filter_map(|one| one.split([' ', '[', '{']).next());
        words.any(|one| one.eq_ignore_ascii_case(word))
    };
    commands.iter().find(has_it)
}

/// Returns a line with a former word of a command in its present words, and those two.
pub(in crate::game) fn replace_former_word(
    commands: &[CommandWords],
    line: &str,
) -> Option<(String, (&'static str, &'static str))> {
    let line = line.trim();
    let word = line.split_whitespace().next()?;
    // Most commands have none, and this is asked of every line.
    let mut with_former = commands.iter().filter(|one| !one.formerly.is_empty());
    with_former.find_map(|command| {
        let mut former = command.formerly.iter();
        former.find_map(|&(old, now)| {
            let present = if !old.starts_with('-') {
                let is_first = old.eq_ignore_ascii_case(word);
                is_first.then(|| format!("{now}{}", &line[old.len()..]))
            } else {
                let before = line.strip_suffix(old)?;
                let is_last = before.ends_with(' ') && command.id.eq_ignore_ascii_case(word);
                is_last.then(|| format!("{before}{now}"))
            };
            present.map(|present| (present, (old, now)))
        })
    })
}

/// Returns the phrases of commands, as machines know them.
pub(in crate::game) fn phrases_of_commands(commands: &[CommandWords]) -> Vec<HostPhrase> {
    let syntax = |command: &CommandWords| command.syntax.iter().map(|line| (*line).to_owned());
    let phrase = |command: &CommandWords| HostPhrase {
        id: command.id.to_owned(),
        syntax: syntax(command).collect(),
    };
    commands.iter().map(phrase).collect()
}
