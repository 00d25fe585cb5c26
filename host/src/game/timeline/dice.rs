//! The source of the dice in a line of a game: its seed, or the stream of a simulated game.

use crate::game::timeline::seed::Seed;
use crate::game::timeline::stream::SharedStream;

/// The source of the dice in a line of a game.
#[derive(Clone)]
pub(in crate::game) struct Dice {
    /// The seed of the game.
    pub(in crate::game) seed: Seed,
    /// The stream from which all dice come instead, if the game is simulated.
    pub(in crate::game) stream: Option<Streamed>,
}

/// The source of the dice in a simulated game.
#[derive(Clone)]
pub(in crate::game) struct Streamed {
    pub(in crate::game) stream: SharedStream,
    /// Whether its operations are noted like the operations of any game, so that they can run again.
    pub(in crate::game) is_noted: bool,
}

impl Dice {
    /// Returns dice of a seed.
    pub(in crate::game) fn of_seed(seed: Seed) -> Dice {
        Dice { seed, stream: None }
    }

    /// Rolls all dice from a stream from now on; `is_noted` is true if operations are noted as in any game.
    pub(in crate::game) fn draw_from_stream(&mut self, stream: SharedStream, is_noted: bool) {
        self.stream = Some(Streamed { stream, is_noted });
    }

    /// Returns whether operations record the parts that only people request: inputs, documents and causes.
    pub(in crate::game) fn records_operation_details(&self) -> bool {
        self.stream.as_ref().is_none_or(|stream| stream.is_noted)
    }
}
