//! One connected person, bot or script: the values that belong to the client and not to the game.

use std::path::{Path, PathBuf};

use crate::game::ruling::last_query::LastQuery;
use crate::game::timeline::reply::{RememberedAnswer, Reply};
use crate::script::GM;
use crate::value::Value;

/// One connected person, bot or script: what is theirs and not the game's.
#[derive(Clone, Debug)]
pub struct Client {
    seat: String,
    pub(in crate::game) at: ClientPosition,
    /// What the last evaluated text gave: `_` in the next one.
    last_value: Value,
    /// What the last line that only looked answered.
    last_query: Option<LastQuery>,
    /// How many lines it gave.
    lines: u64,
    /// Where the files lie that its lines name; empty for paths of the program.
    files_from: PathBuf,
}

/// Where a client stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClientPosition {
    /// At the game itself.
    Main,
    /// At a fork, by its name.
    Fork(String),
    /// At the game, or a fork, as it was after an operation.
    Past {
        /// What it looks at.
        of: Box<ClientPosition>,
        /// The number of the last operation.
        seq: u64,
    },
}

impl ClientPosition {
    /// Returns the name of the fork that it is, or whose past it is; nothing for the game itself.
    pub fn fork(&self) -> Option<&str> {
        match self {
            ClientPosition::Main => None,
            ClientPosition::Fork(name) => Some(name),
            ClientPosition::Past { of, .. } => of.fork(),
        }
    }

    /// Returns the operation after which it is, where that is the past.
    pub fn past(&self) -> Option<u64> {
        match self {
            ClientPosition::Main | ClientPosition::Fork(_) => None,
            ClientPosition::Past { seq, .. } => Some(*seq),
        }
    }

    /// Returns the line that it is, or whose past it is.
    pub(in crate::game) fn present(&self) -> &ClientPosition {
        match self {
            ClientPosition::Main | ClientPosition::Fork(_) => self,
            ClientPosition::Past { of, .. } => of.present(),
        }
    }
}

impl Default for Client {
    /// Returns a client in the seat of the game master.
    fn default() -> Client {
        Client::new(GM)
    }
}

impl Client {
    /// Returns a client in a seat, at the game itself.
    pub fn new(seat: &str) -> Client {
        Client {
            seat: seat.to_owned(),
            at: ClientPosition::Main,
            last_value: Value::Nil,
            last_query: None,
            lines: 0,
            files_from: PathBuf::new(),
        }
    }

    /// Returns the seat that it acts for.
    pub fn seat(&self) -> &str {
        &self.seat
    }

    /// Acts for another seat from now on.
    pub fn change_seat(&mut self, seat: &str) {
        self.seat.clear();
        self.seat.push_str(seat);
    }

    /// Returns where it stands.
    pub fn at(&self) -> &ClientPosition {
        &self.at
    }

    /// Lets the files that lines name lie in a folder; without one they are paths of the program.
    pub fn read_files_from(&mut self, folder: impl Into<PathBuf>) {
        self.files_from = folder.into();
    }

    /// Returns where the files lie that its lines name.
    pub(in crate::game) fn files_from(&self) -> &Path {
        &self.files_from
    }

    /// Returns what the last evaluated text gave.
    pub(in crate::game) fn last_value(&self) -> &Value {
        &self.last_value
    }

    /// Returns what the line right before this one answered, if it only looked.
    pub(in crate::game) fn last_query(&self) -> Option<&LastQuery> {
        self.last_query
            .as_ref()
            .filter(|one| one.at + 1 == self.lines)
    }

    /// Stands at the game itself again, which begins again; no value is known.
    pub(in crate::game) fn return_to_main_line(&mut self) {
        self.at = ClientPosition::Main;
        self.last_value = Value::Nil;
    }

    /// Counts a line.
    pub(in crate::game) fn count_line(&mut self) {
        self.lines += 1;
    }

    /// Keeps of an answer what the next line may name.
    pub(in crate::game) fn remember_reply(&mut self, (by, line): (&str, &str), reply: &Reply) {
        match &reply.remembered {
            RememberedAnswer::Nothing => {}
            RememberedAnswer::Value(value) => {
                self.last_value = value.clone();
                self.last_query = Some(LastQuery::of((by, line), reply, self.lines));
            }
            RememberedAnswer::Query => {
                self.last_query = Some(LastQuery::of((by, line), reply, self.lines));
            }
            RememberedAnswer::Posted => {
                let lines = self.lines;
                let query = self.last_query.as_mut();
                if let Some(query) = query.filter(|one| one.at + 1 == lines) {
                    query.at = lines;
                }
            }
        }
    }
}
