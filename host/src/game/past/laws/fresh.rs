//! This module is the law that whoever waits for an answer can wait anywhere: a fresh session that knows only the bytes
//! of the state goes on as the first one does.

use super::{Said, Telling, tell};
use crate::diag::Diagnostic;
use crate::game::session::{At, Session};
use crate::game::waiting::rows;

/// A state in which somebody is asked, as bytes.
pub(super) struct Waits {
    bytes: Vec<u8>,
    slot: u64,
}

impl Waits {
    /// Returns the state of a session, if somebody is asked in it.
    pub(super) fn of(session: &Session) -> Option<Waits> {
        let is_asked = rows::is_any(&session.state) || !session.open_questions().is_empty();
        is_asked.then(|| Waits {
            bytes: session.state.to_bytes(),
            slot: session.history.next_slot(),
        })
    }

    /// Gives a line that moves the game in a fresh session: it must do the same.
    pub(super) fn broken(
        &self,
        session: &Session,
        said: &Said,
        told: &Telling,
    ) -> Option<Diagnostic> {
        let mut fresh = match self.session(session) {
            Ok(fresh) => fresh,
            Err(findings) => return findings.into_iter().next(),
        };
        let told_there = match tell(&mut fresh, said) {
            Ok(told) => told,
            Err(finding) => return Some(finding),
        };
        let what = told_there.difference(told)?;
        let line = said.text();
        let message = format!("in a fresh session, \"{line}\" does something else: {what}");
        Some(Diagnostic::error("law/resume", message).hint(super::KEEPS))
    }

    /// Returns a session of its own with the same rules, dice and state.
    fn session(&self, first: &Session) -> Result<Session, Vec<Diagnostic>> {
        let (options, files) = (first.options(), first.generation().files().clone());
        let commands = first.game.commands;
        let mut fresh = Session::of_files(options, commands, files, std::rc::Rc::default())?;
        fresh.continue_from(&self.bytes, self.slot)?;
        fresh.responders = first.responders.clone();
        fresh.client = first.client.clone();
        fresh.client.at = At::Main;
        // The rules under which a ruling began to wait are kept with the game.
        fresh.generations.know_all(&first.generations);
        Ok(fresh)
    }
}
