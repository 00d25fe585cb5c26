//! The data that a run keeps for people, beside its changes: its rolls, and whether it is a fiat.
//!
//! This data becomes a part of the first cause of its operation: `rolls`, a list of `{from, dice, formula, total,
//! seen}`, and `fiat`, the reason or `true`. `from` counts the faces that the ruling rolled before.

use std::rc::Rc;
use std::sync::Arc;

use crate::dice::Notation;
use crate::value::Value;

/// The data that a run keeps for people.
#[derive(Default)]
pub struct Recorded {
    /// How many faces were rolled.
    drawn: usize,
    rolls: Vec<Rolled>,
    /// Whether values are changed without a rule for it, and the reason.
    pub(crate) fiat: Option<Option<String>>,
}

/// One roll.
struct Rolled {
    from: usize,
    dice: usize,
    formula: Formula,
    total: Value,
    seen: Option<String>,
}

/// The formula of a roll.
pub(crate) enum Formula {
    /// Dice notation.
    Notation(Rc<Notation>),
    /// Any other text: `d20 d6`, `1 of 3`.
    Text(String),
}

impl Recorded {
    /// Returns the reason of a change by fiat, if it is one.
    pub fn fiat_reason(&self) -> Option<Option<&str>> {
        let fiat = self.fiat.as_ref()?;
        Some(fiat.as_deref())
    }

    /// Notes that faces were rolled without any result.
    pub(crate) fn note_drawn_faces(&mut self, dice: usize) {
        self.drawn += dice;
    }

    /// Notes a roll with its number of rolled faces. A roll without faces had no chance.
    pub(crate) fn note_roll(
        &mut self,
        dice: usize,
        formula: Formula,
        (total, seen): (Value, Option<String>),
    ) {
        let from = self.drawn;
        self.drawn += dice;
        if dice > 0 {
            self.rolls.push(Rolled {
                from,
                dice,
                formula,
                total,
                seen,
            });
        }
    }

    /// Adds this data to the first of the causes of a run. `seen` is the audience of rolls without their own audience.
    pub fn add_to_causes(&self, causes: &mut [Value], seen: &str) {
        let Some(Value::Map(root)) = causes.first_mut() else {
            return;
        };
        let root = Arc::make_mut(root);
        if !self.rolls.is_empty() {
            let rolls = self.rolls.iter().map(|one| one.to_value(seen));
            root.insert("rolls".into(), Value::list(rolls));
        }
        if let Some(reason) = &self.fiat {
            let reason = reason.as_deref().map_or(Value::Bool(true), Value::from);
            root.insert("fiat".into(), reason);
        }
    }
}

impl Rolled {
    fn to_value(&self, seen: &str) -> Value {
        let count = |count: usize| Value::from(i64::try_from(count).unwrap_or(i64::MAX));
        let formula = match &self.formula {
            Formula::Notation(notation) => notation.text(),
            Formula::Text(text) => text,
        };
        Value::map([
            ("from", count(self.from)),
            ("dice", count(self.dice)),
            ("formula", formula.into()),
            ("total", self.total.clone()),
            ("seen", self.seen.as_deref().unwrap_or(seen).into()),
        ])
    }
}
