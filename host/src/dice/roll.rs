//! The result of a roll: a tree that stores the state of every rolled die.

use std::sync::Arc;

use super::expr::{Chain, Expr, Fault, Group, Keep, Operator, Sides, Term};
use super::face_source::Draw;
use super::refusal;
use super::throw::{Thrower, Watch};
use crate::diag::Diagnostic;

/// A rolled notation. Its `Display` is one line of plain text, its `to_value` plain data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Roll {
    /// The notation as written, without comment.
    pub notation: Arc<str>,
    /// The comment after `#`, if there is one.
    pub comment: Option<Arc<str>>,
    /// The tree of the roll.
    pub tree: Node,
}

/// One node of a rolled notation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// A number as written.
    Number(i64),
    /// The negative of a node.
    Negative {
        /// The node.
        of: Box<Node>,
        /// The total.
        total: i64,
    },
    /// Operators of one rank, applied from left to right.
    Arithmetic {
        /// The first operand.
        first: Box<Node>,
        /// The others, each with the operator before it.
        rest: Vec<(Operator, Node)>,
        /// The total.
        total: i64,
    },
    /// Dice of one kind.
    Dice(DiceRoll),
    /// Items in braces, each with whether it counts.
    Group {
        /// The items in the order written.
        items: Vec<(bool, Node)>,
        /// The sum of the items that count.
        total: i64,
    },
    /// A node with a label.
    Label {
        /// The text in square brackets.
        text: Arc<str>,
        /// The node.
        of: Box<Node>,
    },
}

/// The dice of one term, in the order of rolling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiceRoll {
    /// Sides of each die; `None` for `dF`, whose faces are -1, 0 and 1.
    pub sides: Option<u32>,
    /// Every die that was rolled.
    pub dice: Vec<Die>,
    /// Whether successes are counted in place of the sum.
    pub counts_successes: bool,
    /// The sum of the scores of the dice that count.
    pub total: i64,
}

/// One die.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Die {
    /// Faces that were rolled for it; more than one only if it compounds.
    pub faces: Vec<i64>,
    /// Their sum within `min` and `max`.
    pub value: i64,
    /// Its state after the roll.
    pub state: DieState,
    /// The reason why it was rolled.
    pub origin: Origin,
    /// Whether it added another die, or more faces.
    pub exploded: bool,
    /// The number it adds to the total: its value, or 2, 1, 0, -1 if successes are counted; 0 if it does not count.
    pub score: i64,
}

/// The states of a die after the roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DieState {
    /// It counts.
    Kept,
    /// Keep or drop left it out.
    Dropped,
    /// It was rerolled; the next die replaces it.
    Rerolled,
}

/// The reason why a die was rolled; the number is the index of the die that caused it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The notation asks for it.
    Written,
    /// It replaces a rerolled die.
    Reroll(usize),
    /// It was added because that die exploded.
    Explosion(usize),
}

impl Roll {
    /// Returns the total.
    pub fn total(&self) -> i64 {
        self.tree.total()
    }
}

impl Node {
    /// Returns the total of this node.
    pub fn total(&self) -> i64 {
        match self {
            Node::Number(number) => *number,
            Node::Negative { total, .. }
            | Node::Arithmetic { total, .. }
            | Node::Group { total, .. } => *total,
            Node::Dice(roll) => roll.total,
            Node::Label { of, .. } => of.total(),
        }
    }
}

impl<D: Draw + ?Sized> Thrower<'_, D> {
    /// Returns the tree of an expression; it rolls the same faces in the same order as `total`.
    pub(super) fn roll_tree(&mut self, expr: &Expr) -> Result<Node, Box<Diagnostic>> {
        Ok(match expr {
            Expr::Number(number) => Node::Number(*number),
            Expr::Negative(inner, span) => {
                let of = Box::new(self.roll_tree(inner)?);
                let total = of.total().checked_neg();
                let total = total.ok_or_else(|| {
                    refusal::arithmetic_refusal(self.source, *span, Fault::Overflow)
                })?;
                Node::Negative { of, total }
            }
            Expr::Chain(chain) => self.chain_tree(chain)?,
            Expr::Dice(term) => Node::Dice(self.term_tree(term)?),
            Expr::Group(group) => self.group_tree(group)?,
            Expr::Label(text, inner) => Node::Label {
                text: Arc::clone(text),
                of: Box::new(self.roll_tree(inner)?),
            },
        })
    }

    fn chain_tree(&mut self, chain: &Chain) -> Result<Node, Box<Diagnostic>> {
        let first = Box::new(self.roll_tree(&chain.first)?);
        let mut total = first.total();
        let mut rest = Vec::with_capacity(chain.rest.len());
        for (operator, operand) in &chain.rest {
            let right = self.roll_tree(operand)?;
            total = operator
                .apply_to_numbers(total, right.total())
                .map_err(|fault| refusal::arithmetic_refusal(self.source, chain.span, fault))?;
            rest.push((*operator, right));
        }
        Ok(Node::Arithmetic { first, rest, total })
    }

    fn term_tree(&mut self, term: &Term) -> Result<DiceRoll, Box<Diagnostic>> {
        let mut tray = Tray::default();
        self.throw_term(term, &mut tray)?;
        Ok(tray.into_roll(term))
    }

    fn group_tree(&mut self, group: &Group) -> Result<Node, Box<Diagnostic>> {
        let mut items = Vec::with_capacity(group.items.len());
        for item in &group.items {
            items.push((true, self.roll_tree(item)?));
        }
        if let Some(keep) = &group.keep {
            let totals: Vec<i64> = items.iter().map(|(_, item)| item.total()).collect();
            for index in dropped_indexes(keep, &totals) {
                items[index].0 = false;
            }
        }
        let kept = items.iter().filter(|(counts, _)| *counts);
        let total: i128 = kept.map(|(_, item)| i128::from(item.total())).sum();
        match i64::try_from(total) {
            Ok(total) => Ok(Node::Group { items, total }),
            Err(_) => Err(refusal::arithmetic_refusal(
                self.source,
                group.span,
                Fault::Overflow,
            )),
        }
    }
}

/// Returns the indexes that do not count; of equal values the later one is dropped first.
fn dropped_indexes(keep: &Keep, values: &[i64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    if !keep.counts_low_ranks() {
        order.reverse();
    }
    order.sort_by_key(|index| values[*index]);
    let kept = keep.kept_ranks(order.len());
    order.drain(kept);
    order
}

/// Collects the dice of one term.
#[derive(Default)]
struct Tray {
    dice: Vec<Die>,
    /// Faces of the die that is not finished.
    faces: Vec<i64>,
    /// The origin of the next die, if it is not written.
    origin: Option<Origin>,
}

impl Watch for Tray {
    fn note_rerolled_face(&mut self, face: i64) {
        let index = self.dice.len();
        self.place_die(vec![face], face, DieState::Rerolled, false);
        self.origin = Some(Origin::Reroll(index));
    }

    fn note_kept_face(&mut self, face: i64) {
        self.faces.push(face);
    }

    fn note_finished_die(&mut self, value: i64, bursts: bool) {
        let index = self.dice.len();
        let faces = std::mem::take(&mut self.faces);
        let exploded = bursts || faces.len() > 1;
        self.place_die(faces, value, DieState::Kept, exploded);
        self.origin = bursts.then_some(Origin::Explosion(index));
    }
}

impl Tray {
    fn place_die(&mut self, faces: Vec<i64>, value: i64, state: DieState, exploded: bool) {
        let origin = self.origin.take().unwrap_or(Origin::Written);
        self.dice.push(Die {
            faces,
            value,
            state,
            origin,
            exploded,
            score: 0,
        });
    }

    fn into_roll(mut self, term: &Term) -> DiceRoll {
        let in_play = |die: &Die| die.state == DieState::Kept;
        if let Some(keep) = &term.keep {
            let (places, values): (Vec<usize>, Vec<i64>) = (self.dice.iter().enumerate())
                .filter(|(_, die)| in_play(die))
                .map(|(place, die)| (place, die.value))
                .unzip();
            for index in dropped_indexes(keep, &values) {
                self.dice[places[index]].state = DieState::Dropped;
            }
        }
        for die in self.dice.iter_mut().filter(|die| in_play(die)) {
            die.score = term.score_of_value(die.value);
        }
        DiceRoll {
            sides: match term.sides {
                Sides::Number(sides) => Some(sides),
                Sides::Fate => None,
            },
            counts_successes: term.success.is_some(),
            total: self.dice.iter().map(|die| die.score).sum(),
            dice: self.dice,
        }
    }
}
