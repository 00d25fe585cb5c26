//! This module does something in another state, beside the game: nothing of it stays.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use super::Again;
use crate::game::reply::Reply;
use crate::game::ruling::oracle::SharedOracle;
use crate::game::session::{Order, Session};
use crate::script::{Line, Run};
use crate::store::{History, Operation, State};

/// What came of something that was done in another state.
pub(in crate::game) struct Elsewhere {
    /// What was answered.
    pub(in crate::game) reply: Reply,
    /// The operations that it became there.
    pub(in crate::game) operations: Vec<Operation>,
    /// The state afterwards.
    pub(in crate::game) after: State,
    replay: Option<Replay>,
}

/// A ruling that runs with inputs of its own, beside the game.
pub(in crate::game) struct Replay {
    oracle: SharedOracle,
    is_traced: bool,
    /// The rule that ran.
    rule: Option<String>,
    lines: Vec<Line>,
    left_out: usize,
}

impl Replay {
    pub(in crate::game) fn new(oracle: SharedOracle, is_traced: bool) -> Replay {
        Replay {
            oracle,
            is_traced,
            rule: None,
            lines: Vec::new(),
            left_out: 0,
        }
    }

    /// Returns where the ruling gets its inputs.
    pub(in crate::game) fn oracle(&self) -> SharedOracle {
        self.oracle.clone()
    }

    /// Notes that a run begins.
    pub(in crate::game) fn begin(&mut self, order: &Order<'_>, run: &mut Run) {
        self.rule = Some(order.rule.to_owned());
        if self.is_traced {
            run.trace(order.rule);
        }
    }

    /// Notes that the run ended.
    pub(in crate::game) fn end(&mut self, run: &mut Run) {
        (self.lines, self.left_out) = run.take_trace();
    }
}

impl Session {
    /// Does something in another state, with a history that begins there. Errors: the reply, if no ruling ran.
    pub(super) fn beside(
        &mut self,
        place: (State, u64),
        replay: Replay,
        body: impl FnOnce(&mut Session) -> Reply,
    ) -> Result<Again, Box<Reply>> {
        let Elsewhere {
            reply,
            operations,
            replay,
            ..
        } = self.elsewhere(place, replay, body);
        let Some((rule, replay)) = replay.and_then(|mut one| Some((one.rule.take()?, one))) else {
            return Err(Box::new(reply));
        };
        Ok(Again {
            rule,
            lines: replay.lines,
            left_out: replay.left_out,
            result: reply.refusal.map_or(Ok(()), Err),
            operation: operations.last().cloned(),
            waits: reply.waits.is_some(),
        })
    }

    /// Does something in another state, with a history that begins there.
    pub(in crate::game) fn elsewhere(
        &mut self,
        (mut state, slot): (State, u64),
        replay: Replay,
        body: impl FnOnce(&mut Session) -> Reply,
    ) -> Elsewhere {
        self.now.equip(&mut state);
        let history = std::mem::replace(&mut self.history, History::going_on(&state, slot));
        let state = std::mem::replace(&mut self.state, state);
        let given = std::mem::take(&mut self.given);
        self.replay = Some(replay);
        let ended = catch_unwind(AssertUnwindSafe(|| body(self)));
        let replay = self.replay.take();
        let ran = std::mem::replace(&mut self.history, history);
        let after = std::mem::replace(&mut self.state, state);
        self.given = given;
        let reply = ended.unwrap_or_else(|panic| resume_unwind(panic));
        Elsewhere {
            reply,
            operations: ran.operations().to_vec(),
            after,
            replay,
        }
    }
}
