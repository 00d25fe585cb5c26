//! This module looks at the game as it was after an operation: what only looks works there, and nothing can be changed.
//!
//! The game itself stays where it is; each line is answered from a copy of what was then, under the rules of now.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use crate::diag::Diagnostic;
use crate::game::does::Does;
use crate::game::permission::gm_only;
use crate::game::reply::Reply;
use crate::game::ruling::given::Ruling;
use crate::game::session::Session;
use crate::script::{Owner, owner_of};
use crate::store::clock::Clock;
use crate::store::{History, State};

/// What somebody looks at.
pub(in crate::game) struct Looking {
    /// The number of the last operation.
    pub(in crate::game) at: u64,
    pub(in crate::game) state: State,
    pub(in crate::game) history: History,
}

impl Session {
    /// Looks at the game as it was after an operation, or with nothing at the game of now.
    ///
    /// Errors: there is no such operation; the one who looks is not the game master.
    pub fn look_at(&mut self, at: Option<u64>, by: &str) -> Reply {
        if let Some(refusal) = gm_only(by, "looks at earlier games") {
            return Reply::refused(refusal);
        }
        let last = self.history.operations().len() as u64;
        let Some(at) = at else {
            self.looking = None;
            return Reply::line_to(by, format!("now, after {last} {}", self.command_of(last)));
        };
        match self.history.until(at) {
            Ok((history, state)) => {
                let text = format!("after {at} {}; goto now leads back", self.command_of(at));
                self.looking = Some(Looking { at, state, history });
                Reply::line_to(by, text)
            }
            Err(error) => {
                let finding = Diagnostic::error(error.code(), error.to_string());
                Reply::refused(finding.hint(format!("the last one is {last}; log lists them")))
            }
        }
    }

    /// Returns the number of the operation after which somebody looks at the game, if it is not the last one.
    pub fn looks_at(&self) -> Option<u64> {
        self.looking.as_ref().map(|looking| looking.at)
    }

    /// Returns where the line of somebody is meant: phase, the operation that is looked at, and the fork.
    pub fn whereabouts(&self) -> String {
        let state = self.looking.as_ref().map_or(&self.state, |one| &one.state);
        let clock = Clock::of(state, &self.rules().phases);
        let phase = clock.phase.map(|phase| format!("{phase} {}", clock.number));
        let looks = self.looks_at().map(|at| format!("@{at}"));
        let fork = self.fork_name().map(|name| format!("fork {name}"));
        let parts: Vec<String> = [phase, fork, looks].into_iter().flatten().collect();
        parts.join(" ")
    }

    fn command_of(&self, seq: u64) -> String {
        let operation = self.history.operation(seq);
        operation.map_or_else(String::new, |one| format!("`{}`", one.command))
    }

    /// Takes a line where somebody looks at an earlier game; nothing if the line is for the game of now.
    pub(in crate::game) fn taken_there(&mut self, ruling: &Ruling<'_>) -> Option<Reply> {
        let (by, line) = (ruling.by(), ruling.line);
        let at = self.looks_at()?;
        if self.does((by, line)) == Some(Does::Tends) {
            return None;
        }
        let mut there = self.looking.take()?;
        self.now.equip(&mut there.state);
        let before = there.history.operations().len();
        self.change_places(&mut there);
        let done = catch_unwind(AssertUnwindSafe(|| match self.is_ruling(by, line) {
            true => None,
            false => Some(self.dispatch(ruling)),
        }));
        self.change_places(&mut there);
        let is_changed = there.history.operations().len() != before;
        self.looking = match is_changed {
            true => {
                self.history
                    .until(at)
                    .ok()
                    .map(|(history, state)| Looking { at, state, history })
            }
            false => Some(there),
        };
        let reply = done.unwrap_or_else(|panic| resume_unwind(panic));
        Some(match reply.filter(|_| !is_changed) {
            Some(reply) => reply,
            None => Reply::refused(only_looking(at)),
        })
    }

    fn change_places(&mut self, there: &mut Looking) {
        std::mem::swap(&mut self.state, &mut there.state);
        std::mem::swap(&mut self.history, &mut there.history);
    }

    /// Returns whether a line is a command of the rules that would change something.
    fn is_ruling(&self, by: &str, line: &str) -> bool {
        let owner = self.read(by, line.trim()).ok();
        let owner = owner.and_then(|(phrase, _)| owner_of(&phrase.template));
        match owner {
            Some(owner @ Owner::Definition { .. }) => !self.is_query(&owner),
            Some(Owner::Host(_)) | None => false,
        }
    }
}

fn only_looking(at: u64) -> Diagnostic {
    let message = format!("nothing can be changed while you look at the game after operation {at}");
    Diagnostic::error("look/past", message)
        .hint("goto now leads back; fork NAME tries something out from here")
}
