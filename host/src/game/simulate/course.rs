//! This module is the course of one simulated game: lines of the game master, dice of a stream, and nothing kept that
//! nobody reads.
//!
//! The rulings are those of any session; what is left out is what only people ask for: inputs, documents and causes of
//! operations, and what is told beside an answer.

use crate::diag::Diagnostic;
use crate::game::reply::Reply;
use crate::game::ruling::given::Ruling;
use crate::game::ruling::stream::{SharedStream, Stream};
use crate::game::session::Session;
use crate::script::{Ending, GM, Run};

/// Where the dice of a simulated game come from.
pub(in crate::game) struct Streamed {
    pub(in crate::game) stream: SharedStream,
    /// Whether its operations are noted as those of any game, to be run again.
    pub(in crate::game) is_noted: bool,
}

impl Streamed {
    /// Returns the stream, and whether what comes from it is noted.
    pub(in crate::game) fn dice(&self) -> (&SharedStream, bool) {
        (&self.stream, self.is_noted)
    }
}

impl Session {
    /// Lets all dice come from a stream from now on, as those of a simulated game; they are noted as any.
    pub fn dice_from(&mut self, stream: Stream) {
        self.streamed = Some(Streamed {
            stream: SharedStream::new(stream),
            is_noted: true,
        });
    }

    /// Returns whether operations keep what only people ask for.
    pub(in crate::game) fn is_noted(&self) -> bool {
        let streamed = self.streamed.as_ref();
        streamed.is_none_or(|streamed| streamed.is_noted)
    }

    /// Takes a line of the game master and what needs nobody behind it; nobody is told of it.
    pub(super) fn simulated(&mut self, line: &str) -> Reply {
        let before = self.history.operations().len();
        let responders = self.responders.clone();
        let reply = self.dispatch(&Ruling::live(GM, line, &responders));
        self.settled(&responders, reply, before)
    }

    /// Asks the ruleset how the game ended; nothing while it goes on. Errors: its function is at fault.
    pub(super) fn ending(&mut self) -> Result<Option<Ending>, Diagnostic> {
        let mark = self.state.mark();
        let stand_in = self.state.stand_in();
        let state = std::mem::replace(&mut self.state, stand_in);
        let run = Run::looking(state, &self.options.ruleset);
        let (run, ended) = self.now.call(|engine| engine.simulation_ended(run));
        self.state = run.state;
        self.state.rollback(mark);
        // What it printed is for whoever tries it at the prompt.
        let _ = self.now.machine().take_printed();
        ended
    }
}
