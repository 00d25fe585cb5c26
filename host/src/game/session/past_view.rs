//! Shows the game as it was after an operation. Queries work there, and nothing can be changed.
//!
//! The game itself does not move. Each line is answered from the game as it was then, under the present rules.

use crate::doc::Viewer;
use crate::game::ruling::client::{Client, ClientPosition};
use crate::game::session::Session;
use crate::game::timeline::Timeline;
use crate::game::timeline::gm_only::gm_only_refusal;
use crate::game::timeline::log_entries::no_line_refusal;
use crate::game::timeline::reply::Reply;
use crate::store::clock::Clock;

impl Session {
    /// Moves the client's view to the game as it was after an operation, or, without one, to the present game.
    ///
    /// Errors: there is no such operation; the client is not the game master.
    pub(in crate::game) fn move_client_view(
        &self,
        client: &mut Client,
        at: Option<u64>,
        by: &str,
    ) -> Reply {
        if let Some(refusal) = gm_only_refusal(by, "can view the game as it was earlier") {
            return Reply::refused(refusal);
        }
        let present = client.at.present().clone();
        let timeline = self.timeline_at(&present);
        let last = timeline.history.operations().len() as u64;
        let Some(at) = at else {
            client.at = present;
            let command = quoted_command(timeline, last);
            return Reply::line_to(
                by,
                format!("you are in the present, after log line {last} {command}"),
            );
        };
        match timeline.at_operation(at) {
            Ok(_) => {
                let text = format!(
                    "after log line {at} {}; `view` returns to the present",
                    quoted_command(timeline, at)
                );
                let of = Box::new(present);
                client.at = ClientPosition::Past { of, seq: at };
                Reply::line_to(by, text)
            }
            Err(_) => {
                let code = "store/unknown-operation";
                Reply::refused(no_line_refusal(code, timeline, &Viewer::Gm, at))
            }
        }
    }

    /// Returns the place to which a client's line applies: phase, fork, and the viewed operation.
    pub fn phase_and_place(&self, at: &ClientPosition) -> String {
        let present = self.timeline_at(at);
        let past = at.past().and_then(|seq| present.at_operation(seq).ok());
        let state = past.as_ref().map_or(&present.state, |past| &past.state);
        let clock = Clock::from_state(state, &present.rules().phases);
        let phase = clock.phase.map(|phase| format!("{phase} {}", clock.number));
        let looks = at.past().map(|at| format!("@{at}"));
        let fork = at.fork().map(|name| format!("fork {name}"));
        let parts: Vec<String> = [phase, fork, looks].into_iter().flatten().collect();
        parts.join(" ")
    }
}

fn quoted_command(timeline: &Timeline, seq: u64) -> String {
    let operation = timeline.history.operation(seq);
    operation.map_or_else(String::new, |one| format!("`{}`", one.command))
}
