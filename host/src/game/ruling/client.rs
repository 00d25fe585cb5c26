//! One connected person, bot or script: the values that belong to the client and not to the game.

use std::path::{Path, PathBuf};

use crate::game::ruling::last_query::LastQuery;
use crate::game::timeline::post_notes::PrintedPosts;
use crate::game::timeline::reply::{RememberedAnswer, Reply};
use crate::script::GM;
use crate::value::Value;

/// One connected person, bot or script: the values that belong to the client and not to the game.
#[derive(Clone, Debug)]
pub struct Client {
    seat: String,
    pub(in crate::game) at: ClientPosition,
    /// The value of the last evaluated text: `_` in the next one.
    last_value: Value,
    /// The reply to the last line, if it was a query.
    last_query: Option<LastQuery>,
    /// The last posts that it printed, and the last export, each with the line of the game.
    last_posts: Option<(ClientPosition, PrintedPosts)>,
    last_export: Option<(ClientPosition, PrintedPosts)>,
    /// The number of lines that it gave.
    lines: u64,
    /// The folder of the files that its lines name; empty if these are paths of the program.
    file_folder: PathBuf,
}

/// The position of a client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClientPosition {
    /// At the game itself.
    Main,
    /// At a fork, by its name.
    Fork(String),
    /// At the game, or a fork, as it was after an operation.
    Past {
        /// The line of the game that it views.
        of: Box<ClientPosition>,
        /// The number of the last operation.
        seq: u64,
    },
}

impl ClientPosition {
    /// Returns the name of the fork at this position, or of the fork whose past is viewed; nothing for the game itself.
    pub fn fork(&self) -> Option<&str> {
        match self {
            ClientPosition::Main => None,
            ClientPosition::Fork(name) => Some(name),
            ClientPosition::Past { of, .. } => of.fork(),
        }
    }

    /// Returns the number of the operation after which the game is viewed, if this is the past.
    pub fn past(&self) -> Option<u64> {
        match self {
            ClientPosition::Main | ClientPosition::Fork(_) => None,
            ClientPosition::Past { seq, .. } => Some(*seq),
        }
    }

    /// Returns the line of the game at this position, or the line whose past is viewed.
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
            last_posts: None,
            last_export: None,
            lines: 0,
            file_folder: PathBuf::new(),
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

    /// Returns its position.
    pub fn at(&self) -> &ClientPosition {
        &self.at
    }

    /// Sets the folder of the files that lines name; an empty folder means paths of the program.
    pub fn set_file_folder(&mut self, folder: impl Into<PathBuf>) {
        self.file_folder = folder.into();
    }

    /// Returns the folder of the files that its lines name.
    pub(in crate::game) fn file_folder(&self) -> &Path {
        &self.file_folder
    }

    /// Returns the value of the last evaluated text.
    pub(in crate::game) fn last_value(&self) -> &Value {
        &self.last_value
    }

    /// Returns the reply to the previous line, if that was a query.
    pub(in crate::game) fn last_query(&self) -> Option<&LastQuery> {
        self.last_query
            .as_ref()
            .filter(|one| one.at + 1 == self.lines)
    }

    /// Returns the posts that it printed last in this line of the game.
    pub fn last_posts(&self) -> Option<&PrintedPosts> {
        self.printed_here(self.last_posts.as_ref())
    }

    /// Returns the export that it wrote last of this line of the game.
    pub fn last_export(&self) -> Option<&PrintedPosts> {
        self.printed_here(self.last_export.as_ref())
    }

    fn printed_here<'a>(
        &self,
        printed: Option<&'a (ClientPosition, PrintedPosts)>,
    ) -> Option<&'a PrintedPosts> {
        let here = printed.filter(|(at, _)| at == self.at.present());
        here.map(|(_, printed)| printed)
    }

    /// Forgets the last export: it could not be written.
    pub fn forget_export(&mut self) {
        self.last_export = None;
    }

    /// Returns to the game itself, which begins again; no value is kept.
    pub(in crate::game) fn return_to_main_line(&mut self) {
        self.at = ClientPosition::Main;
        self.last_value = Value::Nil;
        self.last_posts = None;
        self.last_export = None;
    }

    /// Counts a line.
    pub(in crate::game) fn count_line(&mut self) {
        self.lines += 1;
    }

    /// Stores the parts of a reply that the next line may name.
    pub(in crate::game) fn remember_reply(&mut self, (by, line): (&str, &str), reply: &Reply) {
        if let Some(printed) = &reply.printed_posts {
            let kept = Some((self.at.present().clone(), printed.clone()));
            match printed.is_export {
                true => self.last_export = kept,
                false => self.last_posts = kept,
            }
        }
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
