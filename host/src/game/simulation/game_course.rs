//! The course of one simulated game: lines of the game master, dice of a stream, and no data that is not read.
//!
//! The rulings are those of any session. The parts that only people request are left out: inputs, documents and causes
//! of operations, and the notes beside a reply.

use crate::diag::Diagnostic;
use crate::game::timeline::Timeline;
use crate::game::timeline::stream::{SharedStream, Stream};
use crate::script::{Ending, Run, simulation_ending};

/// Lets all dice come from a stream from now on, as those of a simulated game; they are noted as any.
pub fn draw_dice_from_stream(timeline: &mut Timeline, stream: Stream) {
    timeline.dice.draw_from(SharedStream::new(stream), true);
}

/// Asks the ruleset how the game ended; nothing while it goes on. Errors: its function is at fault.
pub(super) fn ending_by_ruleset(timeline: &Timeline) -> Result<Option<Ending>, Diagnostic> {
    let run = Run::read_only(timeline.state.fork(), &timeline.game.ruleset);
    let rules = timeline.generation();
    let (_, ended) = rules.run_scripts(|engine| simulation_ending(engine, run));
    // What it printed is for the person who tries it at the prompt.
    let _ = rules.machine().take_printed();
    ended
}
