//! The compiled form of a notation: arithmetic over numbers, dice terms and groups.
//!
//! A chain of operators is one node, so that depth comes from brackets alone.

use std::ops::Range;
use std::sync::Arc;

use super::comparison::{Interval, Test};
use crate::diag::Span;

/// One node of a notation.
#[derive(Clone, Debug)]
pub(super) enum Expr {
    Number(i64),
    Negative(Box<Expr>, Span),
    /// Operators of one rank, from left to right.
    Chain(Box<Chain>),
    Dice(Box<Term>),
    Group(Box<Group>),
    Label(Arc<str>, Box<Expr>),
}

/// Operands joined by `+ -`, or by `* /`.
#[derive(Clone, Debug)]
pub(super) struct Chain {
    pub(super) first: Expr,
    pub(super) rest: Vec<(Operator, Expr)>,
    pub(super) span: Span,
}

/// A sign between two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `*`
    Times,
    /// `/`, rounded down (towards minus infinity).
    Over,
}

/// The reason why an operator has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    Overflow,
    /// The divisor is 0.
    ZeroDivisor,
    /// The divisor is 0 with some faces, and not with others.
    PossibleZeroDivisor,
}

impl Expr {
    /// Returns whether it contains dice to roll.
    pub(super) fn has_dice(&self) -> bool {
        match self {
            Expr::Number(_) => false,
            Expr::Dice(_) => true,
            Expr::Negative(inner, _) | Expr::Label(_, inner) => inner.has_dice(),
            Expr::Chain(chain) => {
                chain.first.has_dice() || chain.rest.iter().any(|(_, operand)| operand.has_dice())
            }
            Expr::Group(group) => group.items.iter().any(Expr::has_dice),
        }
    }
}

impl Operator {
    /// Returns the sign as it is written.
    pub fn as_str(self) -> &'static str {
        match self {
            Operator::Plus => "+",
            Operator::Minus => "-",
            Operator::Times => "*",
            Operator::Over => "/",
        }
    }

    /// Returns whether this is `*` or `/`.
    pub(super) fn is_times_or_over(self) -> bool {
        matches!(self, Operator::Times | Operator::Over)
    }

    #[inline]
    pub(super) fn apply_to_numbers(self, left: i64, right: i64) -> Result<i64, Fault> {
        match self {
            Operator::Plus => left.checked_add(right),
            Operator::Minus => left.checked_sub(right),
            Operator::Times => left.checked_mul(right),
            Operator::Over if right == 0 => return Err(Fault::ZeroDivisor),
            Operator::Over => left.checked_div(right).map(|quotient| {
                let is_below = left % right != 0 && (left < 0) != (right < 0);
                quotient - i64::from(is_below)
            }),
        }
        .ok_or(Fault::Overflow)
    }
}

/// A dice term: dice of one kind with their modifiers.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Term {
    pub(super) count: u32,
    pub(super) sides: Sides,
    pub(super) reroll: Option<Reroll>,
    pub(super) burst: Option<Burst>,
    pub(super) least: Option<i64>,
    pub(super) most: Option<i64>,
    pub(super) keep: Option<Keep>,
    pub(super) success: Option<Success>,
    pub(super) span: Span,
}

/// The faces of a die.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sides {
    /// 1 to this number.
    Number(u32),
    /// -1, 0, 1.
    Fate,
}

/// The faces that are rerolled, and how often.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Reroll {
    pub(super) test: Test,
    pub(super) once: bool,
}

/// The faces that add another die; a compounding die adds the new face to itself.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Burst {
    pub(super) test: Test,
    pub(super) compound: bool,
}

/// The choice of the dice or items that count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Keep {
    /// From the high end, or the low one.
    pub(super) high: bool,
    /// Whether the number counts the dice that are dropped, not those that are kept.
    pub(super) drop: bool,
    pub(super) number: u32,
}

/// The conditions that are counted in place of the sum.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Success {
    pub(super) test: Test,
    pub(super) fail: Option<Test>,
    pub(super) double: Option<Test>,
}

/// Items in braces.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub(super) items: Vec<Expr>,
    pub(super) keep: Option<Keep>,
    pub(super) span: Span,
}

impl Sides {
    /// Returns how many faces there are.
    pub(super) fn face_count(self) -> u32 {
        match self {
            Sides::Number(sides) => sides,
            Sides::Fate => 3,
        }
    }

    /// Returns the lowest and the highest face.
    pub(super) fn face_range(self) -> Interval {
        match self {
            Sides::Number(sides) => Interval::new(1, i64::from(sides)),
            Sides::Fate => Interval::new(-1, 1),
        }
    }
}

impl Term {
    /// Returns a term without modifiers.
    pub(super) fn without_modifiers(count: u32, sides: Sides, span: Span) -> Term {
        Term {
            count,
            sides,
            reroll: None,
            burst: None,
            least: None,
            most: None,
            keep: None,
            success: None,
            span,
        }
    }

    /// Returns whether each die is one face with unchanged value; keep and drop are ignored.
    #[inline]
    pub(super) fn has_unchanged_faces_only(&self) -> bool {
        self.reroll.is_none()
            && self.burst.is_none()
            && self.least.is_none()
            && self.most.is_none()
            && self.success.is_none()
            && self.sides != Sides::Fate
    }

    /// Returns a value with `min` and `max` applied.
    #[inline]
    pub(super) fn clamp_value(&self, value: i64) -> i64 {
        let value = self.least.map_or(value, |least| value.max(least));
        self.most.map_or(value, |most| value.min(most))
    }

    /// Returns the number that a kept die of this value adds to the total.
    #[inline]
    pub(super) fn score_of_value(&self, value: i64) -> i64 {
        match &self.success {
            None => value,
            Some(success) => success.score_of_value(value),
        }
    }
}

impl Success {
    /// Returns 2 for a double success, 1 for a success, -1 for a failure, else 0.
    pub(super) fn score_of_value(&self, value: i64) -> i64 {
        let meets = |test: &Option<Test>| test.as_ref().is_some_and(|test| test.matches(value));
        if self.test.matches(value) {
            1 + i64::from(meets(&self.double))
        } else {
            -i64::from(meets(&self.fail))
        }
    }
}

impl Keep {
    /// Returns the ranks that count if `count` values are in ascending order.
    pub(super) fn kept_ranks(&self, count: usize) -> Range<usize> {
        let number = usize::try_from(self.number).map_or(count, |number| number.min(count));
        match (self.high, self.drop) {
            (true, false) => count - number..count,
            (false, false) => 0..number,
            (true, true) => 0..count - number,
            (false, true) => number..count,
        }
    }

    /// Returns whether the values that count are the low ranks.
    pub(super) fn counts_low_ranks(&self) -> bool {
        self.high == self.drop
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_rounds_down() {
        for (left, right, floor) in [
            (7, 2, 3),
            (-7, 2, -4),
            (7, -2, -4),
            (-7, -2, 3),
            (6, -2, -3),
        ] {
            assert_eq!(
                Operator::Over.apply_to_numbers(left, right),
                Ok(floor),
                "{left}/{right}"
            );
        }
        assert_eq!(
            Operator::Over.apply_to_numbers(1, 0),
            Err(Fault::ZeroDivisor)
        );
        assert_eq!(
            Operator::Over.apply_to_numbers(i64::MIN, -1),
            Err(Fault::Overflow)
        );
    }

    #[test]
    fn keep_and_drop_choose_ranks_from_both_ends() {
        let ranks = |high, drop, number| Keep { high, drop, number }.kept_ranks(4);
        assert_eq!(ranks(true, false, 3), 1..4);
        assert_eq!(ranks(false, false, 3), 0..3);
        assert_eq!(ranks(true, true, 1), 0..3);
        assert_eq!(ranks(false, true, 1), 1..4);
        assert_eq!(ranks(true, false, 9), 0..4);
        assert_eq!(ranks(false, true, 9), 4..4);
    }
}
