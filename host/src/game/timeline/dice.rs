//! The source of the dice in a line of a game: its seed, or the stream of a simulated game.

use crate::game::timeline::seed::Seed;
use crate::game::timeline::stream::SharedStream;

/// Where the dice of a line of a game come from.
#[derive(Clone)]
pub(in crate::game) struct Dice {
    /// The seed of the game.
    pub(in crate::game) seed: Seed,
    /// The stream that all dice come from in place of it, where the game is simulated.
    pub(in crate::game) stream: Option<Streamed>,
}

/// Where the dice of a simulated game come from.
#[derive(Clone)]
pub(in crate::game) struct Streamed {
    pub(in crate::game) stream: SharedStream,
    /// Whether its operations are noted as those of any game, to be run again.
    pub(in crate::game) is_noted: bool,
}

impl Dice {
    /// Returns dice of a seed.
    pub(in crate::game) fn of_seed(seed: Seed) -> Dice {
        Dice { seed, stream: None }
    }

    /// Lets all dice come from a stream from now on; `is_noted` says whether operations are noted as those of any game.
    pub(in crate::game) fn draw_from(&mut self, stream: SharedStream, is_noted: bool) {
        self.stream = Some(Streamed { stream, is_noted });
    }

    /// Returns whether operations keep what only people ask for.
    pub(in crate::game) fn are_operations_noted(&self) -> bool {
        self.stream.as_ref().is_none_or(|stream| stream.is_noted)
    }
}
