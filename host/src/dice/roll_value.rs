//! Turns a roll into plain data for scripts and machine-readable output.
//!
//! A roll is `{notation, comment?, text, total, tree}`; each node of the tree has `kind` and `total`:
//!
//! | kind | further fields |
//! |---|---|
//! | `number` | |
//! | `negative` | `of` |
//! | `arithmetic` | `parts`: list of `{operator?, node}`, the first without operator |
//! | `dice` | `sides` (a number, or `F`), `counts` (`sum` or `successes`), `dice` |
//! | `group` | `items`: list of `{counts, node}` |
//!
//! A node with a label has `label`. A die is `{faces, value, score, state, origin, from?, exploded}`: `state` is
//! `kept`, `dropped` or `rerolled`, `origin` is `written`, `reroll` or `explosion`, `from` the place of the die
//! that caused it in the same list, from 1.

use super::roll::{DiceRoll, Die, DieState, Node, Origin, Roll};
use crate::value::Value;

impl Roll {
    /// Returns the roll as plain data.
    pub fn to_value(&self) -> Value {
        let comment = self.comment.as_deref().map_or(Value::Nil, Value::from);
        Value::map([
            ("notation", Value::from(&*self.notation)),
            ("comment", comment),
            ("text", self.to_string().into()),
            ("total", self.total().into()),
            ("tree", self.tree.to_value()),
        ])
    }
}

impl Node {
    /// Returns the node as plain data.
    pub fn to_value(&self) -> Value {
        Value::map(self.fields())
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        let (kind, more) = match self {
            Node::Number(_) => ("number", Vec::new()),
            Node::Negative { of, .. } => ("negative", vec![("of", of.to_value())]),
            Node::Arithmetic { first, rest, .. } => {
                let first = Value::map([("node", first.to_value())]);
                let rest = rest.iter().map(|(operator, node)| {
                    let operator = Value::from(operator.as_str());
                    Value::map([("operator", operator), ("node", node.to_value())])
                });
                let parts = std::iter::once(first).chain(rest);
                ("arithmetic", vec![("parts", Value::list(parts))])
            }
            Node::Dice(roll) => ("dice", roll.fields()),
            Node::Group { items, .. } => {
                let items = items.iter().map(|(counts, node)| {
                    Value::map([("counts", Value::from(*counts)), ("node", node.to_value())])
                });
                ("group", vec![("items", Value::list(items))])
            }
            Node::Label { text, of } => {
                let mut fields = of.fields();
                fields.push(("label", Value::from(&**text)));
                return fields;
            }
        };
        let mut fields = more;
        fields.push(("kind", Value::from(kind)));
        fields.push(("total", self.total().into()));
        fields
    }
}

impl DiceRoll {
    fn fields(&self) -> Vec<(&'static str, Value)> {
        let sides = self
            .sides
            .map_or(Value::from("F"), |sides| i64::from(sides).into());
        let counts = if self.counts_successes {
            "successes"
        } else {
            "sum"
        };
        vec![
            ("sides", sides),
            ("counts", Value::from(counts)),
            ("dice", Value::list(self.dice.iter().map(Die::to_value))),
        ]
    }
}

impl Die {
    fn to_value(&self) -> Value {
        let state = match self.state {
            DieState::Kept => "kept",
            DieState::Dropped => "dropped",
            DieState::Rerolled => "rerolled",
        };
        let (origin, from) = match self.origin {
            Origin::Written => ("written", None),
            Origin::Reroll(index) => ("reroll", Some(index)),
            Origin::Explosion(index) => ("explosion", Some(index)),
        };
        let place = |index| i64::try_from(index).map_or(Value::Nil, |index| (index + 1).into());
        Value::map([
            (
                "faces",
                Value::list(self.faces.iter().map(|face| Value::from(*face))),
            ),
            ("value", self.value.into()),
            ("score", self.score.into()),
            ("state", Value::from(state)),
            ("origin", Value::from(origin)),
            ("from", from.map_or(Value::Nil, place)),
            ("exploded", Value::from(self.exploded)),
        ])
    }
}
