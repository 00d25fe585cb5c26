//! This module is the host's own commands as the session sees them: words, help, and a function.

use super::does::CommandKind;
use super::reply::Reply;
use super::ruling::given::Ruling;
use crate::doc::Audience;
use crate::script::GM;
use crate::text::Parse;
use crate::value::Value;

/// A command that the host has in every game.
#[derive(Clone, Copy)]
pub struct HostCommand {
    /// Its word.
    pub id: &'static str,
    /// Its spellings.
    pub syntax: &'static [&'static str],
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

/// Returns the audience of what only the giver of a command should read.
pub(super) fn to_giver(by: &str) -> Audience {
    if by == GM {
        Audience::Gm
    } else {
        Audience::Seat(by.to_owned())
    }
}
