//! This module keeps forks of a game: copies with names that one may play on in, leave, and come back to.
//!
//! A fork begins where somebody stands or looks, and lives as long as the session; nothing of it reaches the game itself
//! or its folder. Its new rulings have dice of their own, at addresses that begin with its name.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;

use crate::diag::{Diagnostic, near_hint};
use crate::doc::build::list;
use crate::doc::{Audience, Document};
use crate::game::disk::keeping::Kept;
use crate::game::permission::gm_only;
use crate::game::reply::Reply;
use crate::game::ruling::seed::encoded;
use crate::game::session::Session;
use crate::store::{History, State};

/// What the game itself is called among its forks.
const MAIN: &str = "main";
/// What a fork is called of which nothing stays; nobody may call theirs so.
const PASSING: &str = "@passing";
/// Forks of a session.
const MOST: usize = 20;
/// Characters of a name.
const NAME: usize = 32;

/// Which line of the game is played, and where the others stand.
#[derive(Default)]
pub(in crate::game) struct Forks {
    /// The one that is played; nothing for the game itself.
    here: Option<Fork>,
    others: BTreeMap<String, Elsewhere>,
}

/// A fork, by its name.
#[derive(Clone)]
struct Fork {
    name: String,
    /// The slots from which on addresses have a name, with the name: those of the forks that it began in come first.
    prefixes: Vec<(u64, String)>,
}

/// A line of the game that is not played now.
struct Elsewhere {
    fork: Option<Fork>,
    state: State,
    history: History,
    kept: Option<Kept>,
}

impl Session {
    /// What the game itself is called among its forks.
    pub const MAIN: &'static str = MAIN;

    /// Returns the lines of the game that are kept and not played now, by name, each with its folder.
    pub fn forks_kept(&self) -> impl Iterator<Item = (&str, &Path)> {
        let others = self.forks.others.iter();
        others.filter_map(|(name, one)| Some((&**name, one.kept.as_ref()?.game.folder())))
    }

    /// Lists the forks of the game.
    pub fn forks(&self, by: &str) -> Reply {
        if let Some(refusal) = gm_only(by, "forks the game") {
            return Reply::refused(refusal);
        }
        let here = self.fork_name().unwrap_or(MAIN);
        let mut lines = vec![(here, self.history.operations().len(), true)];
        let others = self.forks.others.iter();
        lines.extend(others.map(|(name, one)| (&**name, one.history.operations().len(), false)));
        lines.sort_by_key(|(name, ..)| (*name != MAIN, *name));
        let items = lines.into_iter().map(|(name, count, is_here)| {
            let mark = if is_here { ", here" } else { "" };
            format!("{name}: {count} operations{mark}")
        });
        Reply::document(Document::new([list(items)]).to(Audience::Gm))
    }

    /// Goes to a fork, which begins here if it is new; `main` is the game itself.
    ///
    /// Errors: the name is none, or there are too many.
    pub fn fork(&mut self, name: &str, by: &str) -> Reply {
        if let Some(refusal) = gm_only(by, "forks the game") {
            return Reply::refused(refusal);
        }
        if let Err(refusal) = check_name(name) {
            return Reply::refused(*refusal);
        }
        if self.fork_name().unwrap_or(MAIN) == name {
            return Reply::line_to(by, format!("this is {name} already"));
        }
        let there = self.forks.others.remove(name);
        if there.is_none() && self.forks.others.len() >= MOST {
            let message = format!("a session has {MOST} forks at most");
            let finding = Diagnostic::error("limit/forks", message);
            return Reply::refused(finding.hint("fork drop NAME gives one up"));
        }
        let is_new = there.is_none();
        let there = there.unwrap_or_else(|| self.begun(name));
        self.go_to(there);
        let last = self.history.operations().len();
        let text = match (name, is_new) {
            (MAIN, _) => format!("main: the game itself, after {last}"),
            (_, true) => format!(
                "fork {name}: it begins after {last} and ends with the session; fork main leads back"
            ),
            (_, false) => format!("fork {name}, after {last}; fork main leads back"),
        };
        Reply::line_to(by, text)
    }

    /// Gives a fork up that is not played now. Errors: there is none of that name.
    pub fn drop_fork(&mut self, name: &str, by: &str) -> Reply {
        if let Some(refusal) = gm_only(by, "forks the game") {
            return Reply::refused(refusal);
        }
        if name == MAIN || self.fork_name() == Some(name) {
            let message = format!("{name} cannot be given up while it is the game, or played");
            let finding = Diagnostic::error("fork/in-use", message);
            return Reply::refused(finding.hint("fork main leads to the game itself"));
        }
        match self.forks.others.remove(name) {
            Some(_) => Reply::line_to(by, format!("fork {name} is given up")),
            None => {
                let names = self.forks.others.keys().map(String::as_str);
                let finding = Diagnostic::error("fork/unknown", format!("there is no fork {name}"));
                Reply::refused(finding.hint(near_hint(name, names)))
            }
        }
    }

    /// Returns the name of the fork that is played; nothing for the game itself.
    pub fn fork_name(&self) -> Option<&str> {
        self.forks.here.as_ref().map(|fork| &*fork.name)
    }

    /// Returns what the addresses of a slot begin with: in a fork, those of its own rulings have its name.
    pub(in crate::game) fn slot_text(&self, slot: u64) -> String {
        let prefixes = self
            .forks
            .here
            .iter()
            .flat_map(|fork| fork.prefixes.iter().rev());
        let mut prefixes = prefixes.filter(|(first, _)| *first <= slot);
        match prefixes.next() {
            Some((_, name)) => format!("{}:{slot}", encoded(name)),
            None => slot.to_string(),
        }
    }

    /// Returns a fork that begins with what somebody sees now.
    fn begun(&self, name: &str) -> Elsewhere {
        let seen = self.looking.as_ref();
        let (state, history) = seen.map_or((&self.state, &self.history), |one| {
            (&one.state, &one.history)
        });
        let first = history.next_slot();
        // Within a fork, what it ruled keeps its addresses.
        let own = self
            .forks
            .here
            .iter()
            .flat_map(|fork| fork.prefixes.clone());
        let own = own.filter(|(slot, _)| *slot < first);
        let fork = Fork {
            name: name.to_owned(),
            prefixes: own.chain([(first, name.to_owned())]).collect(),
        };
        Elsewhere {
            fork: Some(fork),
            state: state.fork(),
            history: history.fork(),
            kept: None,
        }
    }

    /// Does something in a fork that begins here; nothing of it stays, whatever becomes of it.
    pub(in crate::game) fn in_passing<T>(&mut self, body: impl FnOnce(&mut Session) -> T) -> T {
        let here = self.fork_name().unwrap_or(MAIN).to_owned();
        let there = self.begun(PASSING);
        self.go_to(there);
        let done = catch_unwind(AssertUnwindSafe(|| body(self)));
        let back = self.forks.others.remove(&here);
        self.go_to(back.expect("invariant: the line that was left is kept"));
        self.forks.others.remove(PASSING);
        done.unwrap_or_else(|panic| resume_unwind(panic))
    }

    fn go_to(&mut self, mut there: Elsewhere) {
        self.looking = None;
        self.now.equip(&mut there.state);
        let left = Elsewhere {
            fork: std::mem::replace(&mut self.forks.here, there.fork),
            state: std::mem::replace(&mut self.state, there.state),
            history: std::mem::replace(&mut self.history, there.history),
            kept: std::mem::replace(&mut self.kept, there.kept),
        };
        let name = left.fork.as_ref().map_or(MAIN, |fork| &*fork.name);
        self.forks.others.insert(name.to_owned(), left);
    }
}

fn check_name(name: &str) -> Result<(), Box<Diagnostic>> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let is_name = (1..=NAME).contains(&name.len()) && name.chars().all(is_plain);
    let is_word = ["drop", "now", "end"].contains(&name);
    if is_name && !is_word {
        return Ok(());
    }
    let message = format!("\"{name}\" is no name for a fork");
    let finding = Diagnostic::error("fork/name", message);
    Err(Box::new(finding.hint(format!(
        "use 1 to {NAME} letters, digits, - and _; drop, now and end are taken"
    ))))
}
