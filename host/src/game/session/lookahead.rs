//! This module tries lines out: each is ruled in a line of the game that begins where somebody stands and is dropped, so
//! that a bot, or whoever judges what might come, looks ahead and changes nothing.

use super::Session;
use crate::game::command::dispatch::dispatch;
use crate::game::ruling::caller::Caller;
use crate::game::ruling::client::Client;
use crate::game::ruling::given::Ruling;
use crate::game::timeline::Timeline;
use crate::game::timeline::dice::Streamed;
use crate::game::timeline::reply::Reply;
use crate::game::timeline::stream::{SharedStream, Stream};

impl Session {
    /// Gives a line where a client stands to a copy of the game that is dropped, and returns what is made of the copy and
    /// of the answer. Its dice come from a stream: what is looked at says nothing of the faces to come. The copy holds all
    /// secrets of the game, so `judge` must belong to somebody who may know them.
    pub fn lookahead<R>(
        &mut self,
        client: &Client,
        dice: Stream,
        line: &str,
        judge: impl FnOnce(&Timeline, &Reply) -> R,
    ) -> R {
        self.as_line(client, line, |timeline, ruling| {
            let mut there = timeline.scratch();
            there.dice.stream = Some(Streamed {
                stream: SharedStream::new(dice),
                is_noted: false,
            });
            let responders = ruling.caller.responders.unattended();
            let caller = Caller {
                responders: &responders,
                ..*ruling.caller
            };
            let reply = dispatch(&mut there, &Ruling::live(client.seat(), line, &caller));
            judge(&there, &reply)
        })
    }
}
