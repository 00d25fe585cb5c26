//! The host's own commands in the form for the session: words, help, and a function.

use crate::doc::Audience;
use crate::game::ruling::client::Client;
use crate::game::ruling::ruling_context::Ruling;
use crate::game::timeline::Timeline;
use crate::game::timeline::command_words::{
    CommandEffect, CommandWords, PlanExtent, phrases_of_command_words,
};
use crate::game::timeline::reply::{Reply, audience_of_giver};
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
    /// Its former words, and the present ones. They stand at the start of the line, or at its end if they begin with a
    /// hyphen. Saved games contain them.
    pub formerly: &'static [(&'static str, &'static str)],
    /// One line for the list of commands.
    pub summary: &'static str,
    /// Further text for `help`.
    pub help: &'static str,
    /// The action of the command.
    pub kind: CommandKind,
}

/// One use of a command.
pub struct Call<'a> {
    /// The context of its ruling: who gives which line.
    pub ruling: &'a Ruling<'a>,
    /// The phrase that was read from the line.
    pub phrase: &'a Parse,
}

impl Call<'_> {
    /// Returns the giver: `gm` or the name of a seat.
    pub fn by(&self) -> &str {
        self.ruling.by()
    }

    /// Returns the value of a slot as plain data; `Nil` if it is empty.
    pub fn slot(&self, name: &str) -> Value {
        self.phrase
            .get(name)
            .map_or(Value::Nil, crate::text::Filled::to_value)
    }

    /// Returns the client that gives the line.
    pub fn client(&self) -> &Client {
        self.ruling.caller.client
    }

    /// Returns the audience for output that only the giver of the command should read.
    pub fn audience(&self) -> Audience {
        audience_of_giver(self.by())
    }

    /// Returns a reply of one line of text to the giver of the command.
    pub fn line_for_giver(&self, text: impl Into<String>) -> Reply {
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

/// A function of a command that is a query.
pub type Look = fn(&Timeline, &Call<'_>) -> Reply;

/// The action of a command of the host, by the part of the game that it changes.
#[derive(Clone, Copy)]
pub enum CommandKind {
    /// It queries the game.
    Query(Look),
    /// It returns a request to the session. It applies to the present game, even if the client views the past.
    Request(Look),
    /// It gives another line.
    OnBehalf(Change),
    /// It changes the game without a rule.
    Write(Change),
    /// It changes notes about the game without a rule.
    Note(Change),
    /// It queries the game for readers outside of it, or notes what they read.
    Publication(Change),
    /// It moves the game on by its plans.
    Advance(PlanExtent),
    /// It answers an open question.
    Answer(Change),
    /// It continues a waiting ruling under the rules with which it began.
    Finish(Change),
    /// It runs a waiting ruling again from its start.
    Restart(Change),
    /// It drops a waiting ruling.
    Drop(Change),
    /// It walks through the history.
    History(Change),
}

impl CommandKind {
    /// Returns the effect of such a command on the game.
    pub fn effect(self) -> CommandEffect {
        match self {
            CommandKind::Query(_) => CommandEffect::Looks,
            CommandKind::Request(_) => CommandEffect::Tends,
            CommandKind::OnBehalf(_) => CommandEffect::Gives,
            CommandKind::Write(_) => CommandEffect::Writes,
            CommandKind::Note(_) => CommandEffect::Notes,
            CommandKind::Publication(_) => CommandEffect::Publishes,
            CommandKind::Advance(extent) => CommandEffect::Moves(extent),
            CommandKind::Answer(_) => CommandEffect::Answers,
            CommandKind::Finish(_) => CommandEffect::Finishes,
            CommandKind::Restart(_) => CommandEffect::Restarts,
            CommandKind::Drop(_) => CommandEffect::Drops,
            CommandKind::History(_) => CommandEffect::Walks,
        }
    }
}

/// Returns the data about commands that rules and help use.
pub(in crate::game) fn words_of_host_commands(commands: &[HostCommand]) -> Vec<CommandWords> {
    let words = commands.iter().map(|command| CommandWords {
        id: command.id,
        syntax: command.syntax,
        formerly: command.formerly,
        summary: command.summary,
        help: command.help,
        does: command.kind.effect(),
    });
    words.collect()
}

/// Returns the phrases of commands in the form that machines use.
pub fn host_phrases(commands: &[HostCommand]) -> Vec<HostPhrase> {
    phrases_of_command_words(&words_of_host_commands(commands))
}
