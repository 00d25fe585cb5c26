//! The host's own commands as the session uses them: words, help, and a function.

use crate::doc::Audience;
use crate::game::ruling::ruling_context::Ruling;
use crate::game::timeline::Timeline;
use crate::game::timeline::command_words::{
    CommandEffect, CommandWords, PlanExtent, phrases_of_commands,
};
use crate::game::timeline::reply::{Reply, to_giver};
use crate::script::HostPhrase;
use crate::text::Parse;
use crate::value::Value;

/// A command that the host has in every game.
#[derive(Clone, Copy)]
pub struct HostCommand {
    /// Its word.
    pub id: &'static str,
    /// Its spellings.
    pub syntax: &'static [&'static str],
    /// Its former words, and the present ones: of the line's start, and of its end where they begin with a hyphen.
    /// Games that were kept have them.
    pub formerly: &'static [(&'static str, &'static str)],
    /// One line for the list of commands.
    pub summary: &'static str,
    /// More to know, for `help`.
    pub help: &'static str,
    /// What happens where it is given.
    pub kind: CommandKind,
}

/// One use of a command.
pub struct Call<'a> {
    /// What its ruling is given: who gives which line.
    pub ruling: &'a Ruling<'a>,
    /// The phrase that it was read as.
    pub phrase: &'a Parse,
}

impl Call<'_> {
    /// Returns who gives it: `gm` or the name of a seat.
    pub fn by(&self) -> &str {
        self.ruling.by()
    }

    /// Returns what fills a slot as plain data; `Nil` when it is empty.
    pub fn slot(&self, name: &str) -> Value {
        self.phrase
            .get(name)
            .map_or(Value::Nil, crate::text::Filled::to_value)
    }

    /// Returns who may read what only the giver of the command should.
    pub fn audience(&self) -> Audience {
        to_giver(self.by())
    }

    /// Returns an answer of one line of text to the giver of the command.
    pub fn line_back(&self, text: impl Into<String>) -> Reply {
        Reply::line_to(self.by(), text)
    }

    /// Returns the text of a slot; empty when it is not filled.
    pub fn text(&self, name: &str) -> String {
        match self.slot(name) {
            Value::Nil => String::new(),
            other => other.to_string(),
        }
    }
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
    Advance(PlanExtent),
    /// It answers a question that waits.
    Answer(Change),
    /// It lets a ruling that waits go on under the rules that it began with.
    Finish(Change),
    /// It runs a waiting ruling again from its start.
    Restart(Change),
    /// It gives a ruling that waits up.
    Drop(Change),
    /// It walks through the history.
    History(Change),
}

impl CommandKind {
    /// Returns what such a command is to the game.
    pub fn does(self) -> CommandEffect {
        match self {
            CommandKind::Query(_) => CommandEffect::Looks,
            CommandKind::Request(_) => CommandEffect::Tends,
            CommandKind::OnBehalf(_) => CommandEffect::Gives,
            CommandKind::Write(_) => CommandEffect::Writes,
            CommandKind::Note(_) => CommandEffect::Notes,
            CommandKind::Advance(extent) => CommandEffect::Moves(extent),
            CommandKind::Answer(_) => CommandEffect::Answers,
            CommandKind::Finish(_) => CommandEffect::Finishes,
            CommandKind::Restart(_) => CommandEffect::Restarts,
            CommandKind::Drop(_) => CommandEffect::Drops,
            CommandKind::History(_) => CommandEffect::Walks,
        }
    }
}

/// Returns what rules and help know of commands.
pub(in crate::game) fn words_of_commands(commands: &[HostCommand]) -> Vec<CommandWords> {
    let words = commands.iter().map(|command| CommandWords {
        id: command.id,
        syntax: command.syntax,
        formerly: command.formerly,
        summary: command.summary,
        help: command.help,
        does: command.kind.does(),
    });
    words.collect()
}

/// Returns the phrases of commands, as machines know them.
pub fn phrases_of(commands: &[HostCommand]) -> Vec<HostPhrase> {
    phrases_of_commands(&words_of_commands(commands))
}
