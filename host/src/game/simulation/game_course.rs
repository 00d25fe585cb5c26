//! The course of one simulated game: lines of the game master, dice of a stream, and no data that is not read.
//!
//! Rulings run as in any session. The parts that only people request are left out: inputs, documents and causes
//! of operations, and the notes beside a reply.

use crate::diag::Diagnostic;
use crate::game::timeline::Timeline;
use crate::game::timeline::stream::{SharedStream, Stream};
use crate::script::{Ending, Run, simulation_ending};

/// Rolls all dice from a stream from now on, as in a simulated game; they are noted as in any other game.
pub fn draw_dice_from_stream(timeline: &mut Timeline, stream: Stream) {
    timeline
        .dice
        .draw_from_stream(SharedStream::new(stream), true);
}

/// Asks the ruleset how the game ended; returns nothing while it continues. Errors: the ruleset's function fails.
pub(super) fn ending_by_ruleset(timeline: &Timeline) -> Result<Option<Ending>, Diagnostic> {
    let run = Run::read_only(timeline.state.fork(), &timeline.game.ruleset);
    let rules = timeline.generation();
    let (_, ended) = rules.run_scripts_catching_panics(|engine| simulation_ending(engine, run));
    // Printed output of the function is only for a person who calls it in the REPL.
    let _ = rules.machine().take_printed();
    ended
}
