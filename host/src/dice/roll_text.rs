//! Prints a roll as one line: `4d6kh3+2: [6, 4, ~1~, 3] + 2 = 15`.
//!
//! | mark | meaning |
//! |---|---|
//! | `~1~` | dropped |
//! | `1->5` | 1 was rerolled, 5 replaces it |
//! | `6!, 2` | 6 exploded into 2 |
//! | `6+6+2=14` | a compounding die; its faces and its value |
//! | `1=2` | the face 1, changed to the value 2 by `min` or `max` |
//! | `9*` `10**` `1x` | success, double success, failure |
//! | `{[5], ~[2]~}` | a group and an item of it that does not count |
//! | `[3, 4] fire` | a label |

use std::fmt;

use super::roll::{DiceRoll, Die, DieState, Node, Roll};

impl fmt::Display for Roll {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {} = {}", self.notation, self.tree, self.total())?;
        match &self.comment {
            Some(comment) => write!(out, " # {comment}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Node {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Node::Number(number) => write!(out, "{number}"),
            Node::Negative { of, .. } => {
                out.write_str("-")?;
                write_operand(of, true, out)
            }
            Node::Arithmetic { first, rest, .. } => write_arithmetic(first, rest, out),
            Node::Dice(roll) => write!(out, "{roll}"),
            Node::Group { items, .. } => {
                out.write_str("{")?;
                for (index, (counts, item)) in items.iter().enumerate() {
                    let comma = if index == 0 { "" } else { ", " };
                    let mark = if *counts { "" } else { "~" };
                    write!(out, "{comma}{mark}{item}{mark}")?;
                }
                out.write_str("}")
            }
            Node::Label { text, of } => {
                write_operand(of, true, out)?;
                write!(out, " {text}")
            }
        }
    }
}

fn write_arithmetic(
    first: &Node,
    rest: &[(super::Operator, Node)],
    out: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    let tight = rest.iter().any(|(operator, _)| operator.is_times_or_over());
    write_operand(first, tight, out)?;
    for (operator, node) in rest {
        write!(out, " {} ", operator.as_str())?;
        write_operand(node, tight || matches!(node, Node::Negative { .. }), out)?;
    }
    Ok(())
}

/// Prints an operand, in brackets if the text would otherwise read differently.
fn write_operand(node: &Node, tight: bool, out: &mut fmt::Formatter<'_>) -> fmt::Result {
    let in_brackets = match node {
        Node::Arithmetic { rest, .. } => {
            tight
                || rest
                    .iter()
                    .any(|(operator, _)| !operator.is_times_or_over())
        }
        Node::Negative { .. } => tight,
        Node::Number(_) | Node::Dice(_) | Node::Group { .. } | Node::Label { .. } => false,
    };
    if in_brackets {
        write!(out, "({node})")
    } else {
        write!(out, "{node}")
    }
}

impl fmt::Display for DiceRoll {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("[")?;
        let mut dice = self.dice.iter().peekable();
        let mut earlier = Vec::new();
        while let Some(die) = dice.next() {
            if die.state == DieState::Rerolled {
                earlier.push(die.value);
                continue;
            }
            let mark = if die.state == DieState::Dropped {
                "~"
            } else {
                ""
            };
            out.write_str(mark)?;
            for value in earlier.drain(..) {
                write!(out, "{value}->")?;
            }
            write_die(die, out)?;
            out.write_str(self.score_mark(die))?;
            out.write_str(mark)?;
            if dice.peek().is_some() {
                out.write_str(", ")?;
            }
        }
        out.write_str("]")
    }
}

impl DiceRoll {
    fn score_mark(&self, die: &Die) -> &'static str {
        match die.score {
            _ if !self.counts_successes => "",
            2 => "**",
            1 => "*",
            -1 => "x",
            _ => "",
        }
    }
}

fn write_die(die: &Die, out: &mut fmt::Formatter<'_>) -> fmt::Result {
    for (index, face) in die.faces.iter().enumerate() {
        let plus = if index == 0 { "" } else { "+" };
        write!(out, "{plus}{face}")?;
    }
    if die.faces != [die.value] {
        write!(out, "={}", die.value)?;
    }
    let explodes = die.exploded && die.faces.len() == 1;
    out.write_str(if explodes { "!" } else { "" })
}
