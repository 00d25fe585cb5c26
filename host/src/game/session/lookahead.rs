//! Runs lines in copies of the game. Each line runs in a branch that begins at a client's present game and is then
//! dropped. So a bot, or a person who judges possible results, can look ahead without a change to the game.

use super::Session;
use crate::diag::Diagnostic;
use crate::game::command::dispatch::dispatch_line;
use crate::game::ruling::caller::Caller;
use crate::game::ruling::client::Client;
use crate::game::ruling::ruling_context::Ruling;
use crate::game::timeline::Timeline;
use crate::game::timeline::reply::Reply;
use crate::game::timeline::stream::{SharedStream, Stream};

impl Session {
    /// Gives a line to a copy of the game at a client's position or view, and drops the copy. Returns the result of
    /// `judge` for the copy and the reply. The dice of the copy come from a stream and reveal nothing about future
    /// faces. The copy contains all secrets of the game, so `judge` must belong to a person who may see them. Errors:
    /// `fork/gone`, `host/bug`, and the errors of a past that cannot be viewed.
    pub fn lookahead<R>(
        &mut self,
        client: &Client,
        dice: Stream,
        line: &str,
        judge: impl FnOnce(&Timeline, &Reply) -> R,
    ) -> Result<R, Diagnostic> {
        let ahead = |timeline: &mut Timeline, ruling: &Ruling<'_>| {
            let mut there = match client.at().past() {
                Some(seq) => timeline
                    .at_operation(seq)
                    .map_err(|error| error.to_diagnostic())?,
                None => timeline.scratch_copy(),
            };
            there.dice.draw_from_stream(SharedStream::new(dice), false);
            let responders = ruling.caller.responders.unattended();
            let caller = Caller {
                responders: &responders,
                ..*ruling.caller
            };
            let reply = dispatch_line(&mut there, &Ruling::live(client.seat(), line, &caller));
            Ok(judge(&there, &reply))
        };
        self.check_fork_exists(client.at())?;
        self.catch_panic(|session| session.run_as_line(client, line, ahead))?
    }
}
