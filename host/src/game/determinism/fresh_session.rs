//! The law that a session with an open question can be continued anywhere: a fresh session that has only the bytes of
//! the state continues like the first session.

use crate::diag::Diagnostic;
use crate::game::determinism::line_result::{LineResult, give_script_line};
use crate::game::determinism::machines::{Machines, separate_session};
use crate::game::determinism::script::{KEEPS, ScriptStep};
use crate::game::question::open_questions::open_questions;
use crate::game::ruling::client::ClientPosition;
use crate::game::ruling::waiting_ruling;
use crate::game::session::Solo;
use crate::store::Next;

/// A state with an open question, as bytes.
pub(super) struct WaitingState {
    bytes: Vec<u8>,
    next: Next,
}

impl WaitingState {
    /// Returns the state of a game, if a question is open in it.
    pub(super) fn of(game: &Solo) -> Option<WaitingState> {
        let is_asked = waiting_ruling::has_waiting_ruling(&game.timeline().state)
            || !open_questions(game.timeline()).is_empty();
        is_asked.then(|| WaitingState {
            bytes: game.timeline().state.to_bytes(),
            next: game.timeline().history.next_numbers(),
        })
    }

    /// Gives a line that moves the game in a session that has no data of it. The session is fresh, or the session
    /// of the long-lived machines. The line must have the same result. Returns the difference.
    pub(super) fn difference_in_fresh_session(
        &self,
        (first, machines): (&Solo, Option<&mut Machines>),
        said: &ScriptStep,
        told: &LineResult,
    ) -> Option<Diagnostic> {
        let told_there = match machines {
            Some(machines) => {
                let other = machines.session_without_game_data(first);
                self.continue_and_give_line(other, first, said)
            }
            None => match separate_session(first) {
                Ok(mut other) => self.continue_and_give_line(Ok(&mut other), first, said),
                Err(finding) => Err(finding),
            },
        };
        let told_there = match told_there {
            Ok(told) => told,
            Err(finding) => return Some(finding),
        };
        let what = told_there.difference(told)?;
        let line = said.text();
        let message = format!("in a fresh session, \"{line}\" gave a different result: {what}");
        Some(Diagnostic::error("law/resume", message).hint(KEEPS))
    }

    /// Lets another session continue from the bytes of the state, and gives it the line.
    fn continue_and_give_line(
        &self,
        other: Result<&mut Solo, Diagnostic>,
        first: &Solo,
        said: &ScriptStep,
    ) -> Result<LineResult, Diagnostic> {
        let other = other?;
        let entered = other
            .session
            .continue_from_bytes(&self.bytes, self.next.clone());
        entered.map_err(|mut findings| findings.swap_remove(0))?;
        other.session.responders = first.session.responders.clone();
        other.client = first.client.clone();
        other.client.at = ClientPosition::Main;
        // The rules under which a ruling began to wait are stored with the game.
        let known = &first.session.generations;
        other.session.generations.copy_rule_files_from(known);
        give_script_line(other, said)
    }
}
