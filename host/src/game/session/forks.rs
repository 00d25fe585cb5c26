//! Manages forks of a game: named copies in which a user can play on, and which the user can leave and enter again.
//!
//! A fork begins at the user's current position and lives as long as the session. Nothing of it changes the game itself
//! or its folder. Its new rulings have their own dice, at addresses that begin with the fork's name.

use std::path::Path;

use crate::diag::{Diagnostic, near_hint};
use crate::doc::build::list;
use crate::doc::{Audience, Document};
use crate::game::ruling::client::{Client, ClientPosition};
use crate::game::session::Session;
use crate::game::timeline::Timeline;
use crate::game::timeline::game_on_disk::GameOnDisk;
use crate::game::timeline::gm_only::gm_only_refusal;
use crate::game::timeline::reply::Reply;

/// The name of the game itself among its forks.
const MAIN: &str = "main";

/// The maximum number of forks in a session.
pub(crate) const MOST: usize = 20;

/// The maximum number of characters in a name.
pub(crate) const NAME: usize = 32;

/// A copy of the game in which a user can play on.
pub(in crate::game) struct Fork {
    pub(in crate::game) timeline: Timeline,
    /// The folder in which it is stored, if there is one.
    pub(in crate::game) kept: Option<GameOnDisk>,
}

impl Session {
    /// The name of the game itself among its forks.
    pub const MAIN: &'static str = MAIN;

    /// Returns the stored lines of the game other than that at a position, by name, each with its folder.
    pub fn other_stored_lines(&self, at: &ClientPosition) -> impl Iterator<Item = (&str, &Path)> {
        let here = at.fork();
        let forks = self.forks.iter();
        let forks = forks.map(|(name, one)| (Some(&**name), one.kept.as_ref()));
        let all = std::iter::once((None, self.disk.as_ref())).chain(forks);
        let others = all.filter(move |(name, _)| *name != here);
        others.filter_map(|(name, kept)| Some((name.unwrap_or(MAIN), kept?.folder())))
    }

    /// Lists the forks of the game.
    pub(in crate::game) fn list_forks(&self, client: &Client, by: &str) -> Reply {
        if let Some(refusal) = gm_only_refusal(by, "can use forks") {
            return Reply::refused(refusal);
        }
        let here = client.at.fork().unwrap_or(MAIN);
        let mut lines = vec![(MAIN, &self.main)];
        lines.extend(
            self.forks
                .iter()
                .map(|(name, one)| (&**name, &one.timeline)),
        );
        let items = lines.into_iter().map(|(name, timeline)| {
            let mark = if name == here { ", here" } else { "" };
            let count = timeline.history.operations().len();
            format!("{name}: {count} log lines{mark}")
        });
        Reply::document(Document::new([list(items)]).limit_to_audience(Audience::Gm))
    }

    /// Moves a client to a fork, which begins here if it is new; `main` is the game itself.
    ///
    /// Errors: the name is invalid, or there are too many forks.
    pub(in crate::game) fn move_to_fork(
        &mut self,
        client: &mut Client,
        name: &str,
        by: &str,
    ) -> Reply {
        if let Some(refusal) = gm_only_refusal(by, "can use forks") {
            return Reply::refused(refusal);
        }
        if let Err(refusal) = check_fork_name(name) {
            return Reply::refused(*refusal);
        }
        if client.at.fork().unwrap_or(MAIN) == name {
            return Reply::line_to(by, format!("you are already in {name}"));
        }
        let is_new = name != MAIN && !self.forks.contains_key(name);
        if is_new && self.forks.len() >= MOST {
            let message = format!("a session can have at most {MOST} forks");
            let finding = Diagnostic::error("limit/forks", message);
            return Reply::refused(finding.hint("`fork drop NAME` deletes one"));
        }
        if is_new {
            let seen = self.timeline_at(&client.at);
            let past = client
                .at
                .past()
                .map(|seq| seen.at_operation(seq))
                .transpose();
            let timeline = match past {
                Ok(past) => past.as_ref().unwrap_or(seen).fork(name),
                Err(error) => return Reply::refused(error.to_diagnostic()),
            };
            let kept = None;
            self.forks.insert(name.to_owned(), Fork { timeline, kept });
        }
        client.at = match name {
            MAIN => ClientPosition::Main,
            name => ClientPosition::Fork(name.to_owned()),
        };
        let last = self.timeline_at(&client.at).history.operations().len();
        let text = match (name, is_new) {
            (MAIN, _) => format!("main: the game itself, after log line {last}"),
            (_, true) => format!(
                "fork {name}: it starts after log line {last} and ends with the session; `fork main` leads back"
            ),
            (_, false) => format!("fork {name}, after log line {last}; `fork main` leads back"),
        };
        Reply::line_to(by, text)
    }

    /// Drops a fork that is not played now. Errors: there is no fork with that name.
    pub(in crate::game) fn drop_fork(&mut self, client: &Client, name: &str, by: &str) -> Reply {
        if let Some(refusal) = gm_only_refusal(by, "can use forks") {
            return Reply::refused(refusal);
        }
        if name == MAIN || client.at.fork() == Some(name) {
            let message = format!(
                "{name} cannot be deleted: it is the game itself, or the fork that you are in"
            );
            let finding = Diagnostic::error("fork/in-use", message);
            return Reply::refused(finding.hint("`fork main` leads to the game itself"));
        }
        match self.forks.remove(name) {
            Some(_) => Reply::line_to(by, format!("fork {name} is deleted")),
            None => {
                let names = self.forks.keys().map(String::as_str);
                let finding = Diagnostic::error("fork/unknown", format!("unknown fork {name}"));
                let hint = match near_hint(name, names) {
                    none if none.is_empty() => "`fork` lists the forks".to_owned(),
                    near => near,
                };
                Reply::refused(finding.hint(hint))
            }
        }
    }
}

fn check_fork_name(name: &str) -> Result<(), Box<Diagnostic>> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let is_name = (1..=NAME).contains(&name.len()) && name.chars().all(is_plain);
    let is_word = ["drop", "now", "end"].contains(&name);
    if is_name && !is_word {
        return Ok(());
    }
    let message = format!("\"{name}\" cannot be the name of a fork");
    let finding = Diagnostic::error("fork/name", message);
    Err(Box::new(finding.hint(format!(
        "use 1 to {NAME} letters, digits, - and _; the words drop, now and end are reserved"
    ))))
}
