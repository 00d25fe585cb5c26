//! Result of a run in a scratch copy of a timeline; nothing of the run is kept.

use std::rc::Rc;

use crate::game::past::replay::ReplayResult;
use crate::game::timeline::Timeline;
use crate::game::timeline::reply::Reply;
use crate::store::{Operation, State};

/// Result of a run in another state.
pub(in crate::game) struct ScratchRun {
    /// The reply.
    pub(in crate::game) reply: Reply,
    /// The operations that the run made there.
    pub(in crate::game) operations: Vec<Rc<Operation>>,
    /// The state after the run.
    pub(in crate::game) after: State,
}

impl ScratchRun {
    /// Runs a function in a timeline with a history that begins there.
    pub(in crate::game) fn of(
        mut there: Timeline,
        body: impl FnOnce(&mut Timeline) -> Reply,
    ) -> ScratchRun {
        let reply = body(&mut there);
        ScratchRun {
            reply,
            operations: there.history.operations().to_vec(),
            after: there.state,
        }
    }

    /// Returns the result of a ruling that ran again. Errors: the reply, if no ruling ran.
    pub(super) fn into_replay_result(mut self) -> Result<ReplayResult, Box<Reply>> {
        let Some(ran) = self.reply.ran.take() else {
            return Err(Box::new(self.reply));
        };
        Ok(ReplayResult {
            rule: ran.rule,
            lines: ran.lines,
            left_out: ran.left_out,
            result: self.reply.refusal.map_or(Ok(()), Err),
            operation: self.operations.last().map(|last| Operation::clone(last)),
            waits: self.reply.waits.is_some(),
        })
    }
}
