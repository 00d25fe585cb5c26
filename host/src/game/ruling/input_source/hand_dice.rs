//! Dice that a person rolled at a table. They are used in order and must fit the roll.

use std::fmt;

use crate::diag::Diagnostic;
use crate::game::ruling::input_source::{InputSource, REVEALED};

/// A die that a person rolled by hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HandDie {
    /// Its face.
    pub face: u32,
    /// Its sides, if the person typed them.
    pub sides: Option<u32>,
}

impl fmt::Display for HandDie {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.sides {
            Some(sides) => write!(out, "d{sides}:{}", self.face),
            None => write!(out, "{}", self.face),
        }
    }
}

/// The hint for removing typed dice.
const DROP: &str = "`dice clear` removes all waiting typed dice, `undo` the dice typed last";

/// The codes of refusals about dice that a person typed or revealed, which are not errors of a rule.
pub(in crate::game) const HAND_CODES: [&str; 3] = ["dice/too-few", "dice/wrong-die", REVEALED];

impl InputSource {
    /// Returns the face of the next typed die. Errors: none is left, or it does not fit.
    pub(super) fn next_typed_face(&mut self, sides: u32) -> Result<u32, Box<Diagnostic>> {
        let Some(die) = self.hand.pop_front() else {
            return Err(Box::new(self.too_few_dice_refusal(sides)));
        };
        let named = die.sides.unwrap_or(sides);
        if named != sides || die.face > sides || die.face == 0 {
            return Err(Box::new(self.wrong_die_refusal(die, sides)));
        }
        Ok(die.face)
    }

    fn too_few_dice_refusal(&self, sides: u32) -> Diagnostic {
        let typed = match self.had_hand {
            1 => "1 die was typed and is".to_owned(),
            many => format!("{many} dice were typed and are"),
        };
        let message = format!("this roll needs another d{sides}, but all typed dice are used");
        Diagnostic::error("dice/too-few", message)
            .hint(format!(
                "{typed} used; type all dice of the command, with `dice next`"
            ))
            .hint(DROP)
    }

    /// Returns the refusal of a die that does not fit. The die was taken out already.
    fn wrong_die_refusal(&self, die: HandDie, sides: u32) -> Diagnostic {
        let place = self.had_hand - self.hand.len();
        let of = match self.had_hand {
            1 => String::new(),
            many => format!(", number {place} of {many},"),
        };
        let message =
            format!("the typed die {die}{of} cannot be used, because the rule rolls a d{sides}");
        let advice = match die.sides {
            None => format!("a d{sides} shows 1 to {sides}"),
            Some(_) => "type the dice in the order in which they are rolled".to_owned(),
        };
        Diagnostic::error("dice/wrong-die", message)
            .hint(advice)
            .hint(DROP)
    }
}
