//! The facts about host commands that rules, help and history use: their words, and their effect on the game.

use crate::script::HostPhrase;

/// The effect of a host command on the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandEffect {
    /// It queries the viewed game, or requests something from the terminal; it becomes no operation.
    Looks,
    /// It concerns the session, or the present game even if the past is viewed; it becomes no operation.
    Tends,
    /// It gives another line, and that line becomes an operation.
    Gives,
    /// It changes the game without a rule. In a corrected past, its line runs again.
    Writes,
    /// It changes notes about the game at that time, without a rule. In a corrected past, its output stays the same.
    Notes,
    /// It queries the game for readers outside of it, or becomes a note of what they read. A corrected past keeps the note.
    Publishes,
    /// It moves the game on by its plans, to this extent.
    Moves(PlanExtent),
    /// It answers an open question.
    Answers,
    /// It continues a waiting ruling under the rules with which it began.
    Finishes,
    /// It runs a waiting ruling again from its start.
    Restarts,
    /// It drops a waiting ruling.
    Drops,
    /// It walks through the history: undoes, redoes or corrects operations.
    Walks,
}

impl CommandEffect {
    /// Returns whether it becomes operations.
    pub fn becomes_operations(self) -> bool {
        match self {
            CommandEffect::Looks | CommandEffect::Tends => false,
            CommandEffect::Gives
            | CommandEffect::Writes
            | CommandEffect::Notes
            | CommandEffect::Publishes
            | CommandEffect::Moves(_)
            | CommandEffect::Answers
            | CommandEffect::Finishes
            | CommandEffect::Restarts
            | CommandEffect::Drops
            | CommandEffect::Walks => true,
        }
    }

    /// Returns whether its operation ran no rule, and is redone after the history of its time.
    pub(in crate::game) fn is_without_rule(self) -> bool {
        match self {
            CommandEffect::Writes | CommandEffect::Notes | CommandEffect::Drops => true,
            CommandEffect::Looks
            | CommandEffect::Tends
            | CommandEffect::Gives
            | CommandEffect::Publishes
            | CommandEffect::Moves(_)
            | CommandEffect::Answers
            | CommandEffect::Finishes
            | CommandEffect::Restarts
            | CommandEffect::Walks => false,
        }
    }

    /// Returns whether its line may replace a ruling in the past.
    pub(in crate::game) fn may_replace_past_ruling(self) -> bool {
        match self {
            CommandEffect::Writes
            | CommandEffect::Moves(_)
            | CommandEffect::Finishes
            | CommandEffect::Drops => true,
            CommandEffect::Looks
            | CommandEffect::Tends
            | CommandEffect::Gives
            | CommandEffect::Notes
            | CommandEffect::Publishes
            | CommandEffect::Answers
            | CommandEffect::Restarts
            | CommandEffect::Walks => false,
        }
    }
}

/// The extent to which a plan runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanExtent {
    /// To its end.
    Rest,
    /// One step.
    Step,
}

/// The data about a host command that rules and help use.
#[derive(Clone, Copy, Debug)]
pub struct CommandWords {
    /// Its word.
    pub id: &'static str,
    /// Its spellings.
    pub syntax: &'static [&'static str],
    /// Its former words, and the present ones. They stand at the start of the line, or at its end if they begin with a
    /// hyphen.
    pub formerly: &'static [(&'static str, &'static str)],
    /// One line for the list of commands.
    pub summary: &'static str,
    /// Further text for `help`.
    pub help: &'static str,
    /// Its effect on the game.
    pub does: CommandEffect,
}

/// Returns the command whose word, in any case, begins a line. It identifies a line of the past, regardless of the live
/// rules.
pub(in crate::game) fn host_command_of_line<'a>(
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

/// Returns a line with a former word of a command in its present words, and both words.
pub(in crate::game) fn replace_former_word(
    commands: &[CommandWords],
    line: &str,
) -> Option<(String, (&'static str, &'static str))> {
    let line = line.trim();
    let word = line.split_whitespace().next()?;
    // Most commands have none, and this function runs for every line.
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

/// Returns the phrases of commands in the form that machines use.
pub(in crate::game) fn phrases_of_command_words(commands: &[CommandWords]) -> Vec<HostPhrase> {
    let syntax = |command: &CommandWords| command.syntax.iter().map(|line| (*line).to_owned());
    let phrase = |command: &CommandWords| HostPhrase {
        id: command.id.to_owned(),
        syntax: syntax(command).collect(),
    };
    commands.iter().map(phrase).collect()
}
