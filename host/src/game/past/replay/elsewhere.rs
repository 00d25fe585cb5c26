//! This module does something in another state, beside the game: nothing of it stays.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use super::Again;
use crate::game::reply::Reply;
use crate::game::session::Session;
use crate::store::{History, Operation, State};

/// What came of something that was done in another state.
pub(in crate::game) struct Elsewhere {
    /// What was answered.
    pub(in crate::game) reply: Reply,
    /// The operations that it became there.
    pub(in crate::game) operations: Vec<Operation>,
    /// The state afterwards.
    pub(in crate::game) after: State,
}

impl Session {
    /// Does something in another state, with a history that begins there. Errors: the reply, if no ruling ran.
    pub(super) fn beside(
        &mut self,
        place: (State, u64),
        body: impl FnOnce(&mut Session) -> Reply,
    ) -> Result<Again, Box<Reply>> {
        let mut done = self.elsewhere(place, body);
        let Some(ran) = done.reply.ran.take() else {
            return Err(Box::new(done.reply));
        };
        Ok(Again {
            rule: ran.rule,
            lines: ran.lines,
            left_out: ran.left_out,
            result: done.reply.refusal.map_or(Ok(()), Err),
            operation: done.operations.last().cloned(),
            waits: done.reply.waits.is_some(),
        })
    }

    /// Does something in another state, with a history that begins there.
    pub(in crate::game) fn elsewhere(
        &mut self,
        (mut state, slot): (State, u64),
        body: impl FnOnce(&mut Session) -> Reply,
    ) -> Elsewhere {
        self.now.equip(&mut state);
        let history = std::mem::replace(&mut self.history, History::going_on(&state, slot));
        let state = std::mem::replace(&mut self.state, state);
        let ended = catch_unwind(AssertUnwindSafe(|| body(self)));
        let ran = std::mem::replace(&mut self.history, history);
        let after = std::mem::replace(&mut self.state, state);
        let reply = ended.unwrap_or_else(|panic| resume_unwind(panic));
        Elsewhere {
            reply,
            operations: ran.operations().to_vec(),
            after,
        }
    }
}
