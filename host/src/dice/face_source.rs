//! The border to chance: the source of faces, and the number of dice that one evaluation may roll.

use crate::diag::Diagnostic;

/// Most dice that one evaluation may roll, with rerolls and explosions.
pub const MOST_DICE: u32 = 1_000;

/// The refusal of a die beyond this limit.
pub const TOO_MANY_DICE: &str = "a ruling may roll 1,000 dice at most";
const _: () = assert!(MOST_DICE == 1_000, "the message says 1,000");

/// Sides that one die may have.
pub const MOST_SIDES: u32 = 1_000_000;

/// Explosions that one die may have.
pub const MOST_EXPLOSIONS: u32 = 100;

/// The source of the faces of a roll: a seeded stream, typed dice, a recording, a test.
pub trait Draw {
    /// Returns one face, `1..=sides`.
    ///
    /// Errors: any reason why the source cannot give a face. The roll ends and returns the error unchanged.
    fn draw(&mut self, sides: u32) -> Result<u32, Box<Diagnostic>>;
}

/// The dice that an evaluation may still roll; several rolls may share one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Budget {
    left: u32,
}

impl Budget {
    /// Returns a budget of this number of dice.
    pub fn of_draws(dice: u32) -> Budget {
        Budget { left: dice }
    }

    /// Returns how many dice are left.
    pub fn draws_left(&self) -> u32 {
        self.left
    }

    /// Takes dice out and returns true; if there are not as many, takes none and returns false.
    pub fn take_draws(&mut self, dice: u32) -> bool {
        match self.left.checked_sub(dice) {
            Some(left) => {
                self.left = left;
                true
            }
            None => false,
        }
    }
}

impl Default for Budget {
    fn default() -> Budget {
        Budget::of_draws(MOST_DICE)
    }
}
