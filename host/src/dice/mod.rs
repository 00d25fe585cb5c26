//! Dice: a notation, the tree of a roll, exact distributions.
//!
//! Faces come from the caller through [`Draw`]. Nothing here creates random numbers.
//!
//! # Notation
//!
//! Case and spaces do not matter, with one exception: the comparison of a modifier begins directly after it. `5d10!>=8`
//! explodes from 8. `5d10! >=8` explodes at 10 and counts from 8. A sign binds tighter than `*` and `/`.
//!
//! | written | meaning |
//! |---|---|
//! | `4d6` `d20` `(2+1)d8` | dice; the number is a constant, 0 rolls nothing |
//! | `d%` `dF` | a die with 100 sides; a die with the faces -1, 0, 1 |
//! | `+ - * /` `( )` | whole numbers; `/` rounds down (towards minus infinity), a zero divisor is refused |
//! | `{d8, d6, d10}kh2` | the sum of the items that are kept; without `kh kl dh dl`, of all |
//! | `{4d6+3d8}kh4` | one item of plain dice added together is a pool: each die, with its explosions, is an item |
//! | `2d6[fire]` | a label; after dice, numbers, brackets and groups |
//! | `2d6 # to the door` | a comment |
//!
//! # Modifiers
//!
//! A comparison is `=5 <5 <=5 >5 >=5`, or a bare number after a word: `r1`, `f1`. Modifiers may be typed in any order,
//! each of them once. They act in the order of this table, with `kh kl dh dl` as one modifier.
//!
//! | written | meaning |
//! |---|---|
//! | `r` `r<3` (or `rr`) | rerolls the lowest faces (or those compared) until none are left |
//! | `ro` `ro<3` | rerolls them once, the second face stays |
//! | `!` `!>=5` | explodes: the highest face (or those compared) adds one more die, which may explode too |
//! | `!!` `!!>=5` | compounds: the same, but the faces are added up to one die |
//! | `min2` `max5` | a lower value counts as 2, a higher one as 5 |
//! | `kh3` (or `k3`) `kl3` | keeps the 3 highest or lowest dice, exploded dice being dice of their own |
//! | `dh1` `dl1` | drops the highest or lowest die; without number all four mean 1 |
//! | `>=8` | counts successes in place of the sum |
//! | `f1` `f<=2` | takes a failure off the successes, where the die is not a success |
//! | `dbl10` | lets such a success count twice |
//!
//! Every die is rerolled by the same rule, exploded dice too. Explosions use the face, all later modifiers use
//! the value. Of equal dice the earlier one is kept.

mod comparison;
mod cursor;
pub(crate) mod distribution;
mod expr;
mod face_source;
mod group;
mod modifier;
mod notation;
pub(crate) mod notation_parser;
pub(crate) mod operand;
mod refusal;
mod roll;
mod roll_text;
mod roll_value;
mod throw;
mod total;

#[cfg(test)]
mod tests;

/// The name of the source of a notation in findings.
pub(crate) const NOTATION_SOURCE: &str = "dice";

pub use distribution::{
    Distribution, FoldError, FoldOutcome, Fraction, fold_outcomes, fold_outcomes_and_step_count,
};
pub use expr::Operator;
pub use face_source::{Budget, Draw, MOST_DICE, MOST_EXPLOSIONS, MOST_SIDES, TOO_MANY_DICE};
pub use notation::Notation;
pub use num_bigint::{BigInt, BigUint};
pub use roll::{DiceRoll, Die, DieState, Node, Origin, Roll};
