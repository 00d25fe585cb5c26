//! This module computes every die of a journal again from the seed and its address, and looks at the addresses too.
//!
//! It runs no rule and believes no state: all it needs is in the lines. A stranger can do the same with `sha256sum`.

use std::collections::{BTreeMap, BTreeSet};

use sha2::{Digest, Sha256};

use crate::diag::Diagnostic;
use crate::game::input::{Die, Input};
use crate::game::salts::{self, Salt, counting};
use crate::game::seed::Seed;
use crate::game::waiting;
use crate::store::{Operation, What};
use crate::value::{Names, Text, Value};

/// What came of computing all dice again.
#[derive(Clone, Debug, Default)]
pub struct Dice {
    /// How many came from the seed and are right.
    pub right: u64,
    /// Those that people typed, in order.
    pub typed: Vec<TypedDie>,
    /// Those that were drawn by what does not hold: known before they could count.
    pub seen: Vec<SeenDie>,
    /// SHA-256 in hex over all dice, a line for each: `OPERATION ADDRESS SIDES FACE`, and ` typed` where it was.
    pub digest: String,
    /// What is wrong.
    pub findings: Vec<Diagnostic>,
}

/// A die that a person rolled by hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypedDie {
    /// The operation that used it.
    pub seq: u64,
    /// The die.
    pub die: Die,
}

/// A die that was drawn by an operation that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenDie {
    /// The operation that drew it.
    pub seq: u64,
    /// The die.
    pub die: Die,
}

/// Computes all dice of a journal again; without a seed only addresses are looked at.
pub(super) fn check(operations: &[Operation], names: &Names, seed: Option<&Seed>) -> Dice {
    let mut dice = Dice::default();
    let mut past = Past::default();
    let mut digest = Sha256::new();
    for operation in operations {
        let slot = past.slot(operation);
        let seed = seed.map(|seed| past.seed(seed, slot));
        let mut places = Places::default();
        for input in operation.inputs.iter().filter_map(Input::from_value) {
            let misplaced = places.misplaced(&input, slot);
            let mut wrong = misplaced.map(|why| finding(operation, "verify/address", &why));
            if let Input::Die(die) = input {
                digest.update(line(operation.seq, &die));
                wrong = wrong.or_else(|| {
                    Some(finding(
                        operation,
                        "verify/die",
                        &face(&die, seed.as_ref())?,
                    ))
                });
                let seq = operation.seq;
                match (&wrong, die.typed) {
                    (Some(_), _) => {}
                    (None, true) => dice.typed.push(TypedDie { seq, die }),
                    (None, false) => dice.right += u64::from(seed.is_some()),
                }
            }
            dice.findings.extend(wrong);
        }
        past.add(operation, names);
    }
    if seed.is_none() {
        let message = "no die is computed again: the seed is neither in the folder nor revealed";
        dice.findings
            .push(Diagnostic::error("verify/no-seed", message));
    }
    dice.seen = past.seen(operations);
    let hex = digest.finalize();
    dice.digest = hex.iter().map(|byte| format!("{byte:02x}")).collect();
    dice
}

fn line(seq: u64, die: &Die) -> String {
    let typed = if die.typed { " typed" } else { "" };
    format!("{seq} {} {} {}{typed}\n", die.address, die.sides, die.face)
}

fn finding(operation: &Operation, code: &'static str, why: &str) -> Diagnostic {
    let message = format!("operation {} `{}`: {why}", operation.seq, operation.command);
    Diagnostic::error(code, message)
}

/// Returns what is wrong with a face.
fn face(die: &Die, seed: Option<&Seed>) -> Option<String> {
    let Die {
        address,
        sides,
        face,
        ..
    } = die;
    if die.typed {
        let fits = (1..=*sides).contains(face);
        return (!fits)
            .then(|| format!("the typed die at {address} shows {face}, which no d{sides} does"));
    }
    let seed = seed?;
    let (what, found) = match sides {
        0 => ("the random order".to_owned(), seed.first_word(address)),
        sides => (format!("the d{sides}"), seed.face(address, *sides)),
    };
    (found != *face)
        .then(|| format!("{what} at {address} is recorded as {face}, from the seed it is {found}"))
}

/// The addresses of one operation, which count from 1.
#[derive(Default)]
struct Places(BTreeMap<(String, String), u64>);

impl Places {
    /// Returns what is wrong with the address of the next input.
    fn misplaced(&mut self, input: &Input, slot: u64) -> Option<String> {
        let address = input.address();
        let parts: Vec<&str> = address.split('/').collect();
        let [own, purpose, who, count] = parts.as_slice() else {
            return Some(format!("{address} is no address"));
        };
        if **own != slot.to_string() {
            return Some(format!(
                "{address} is not in the slot of the ruling, which is {slot}"
            ));
        }
        let known = self.0.entry(((*purpose).to_owned(), (*who).to_owned()));
        let known = known.or_default();
        let (count, last) = (count.parse::<u64>().ok(), *known);
        let fits = match input {
            Input::Die(die) if die.sides == 0 => {
                return (count != Some(1))
                    .then(|| format!("{address} is no place of a random order"));
            }
            // A typed die that does not fit is counted too, and others may be missing between two noted answers.
            Input::Die(die) if die.typed => count.is_some_and(|count| count > last),
            Input::Answer(one) if one.noted => count.is_some_and(|count| count > last),
            Input::Die(_) | Input::Answer(_) => count == Some(last + 1),
        };
        *known = count.unwrap_or(last);
        (!fits).then(|| {
            format!(
                "{address} is out of its turn: number {} comes next there",
                last + 1
            )
        })
    }
}

/// What the lines before tell of the game, as far as dice depend on it.
#[derive(Default)]
struct Past {
    /// The rulings that hold, each with the highest slot up to it.
    live: Vec<(u64, u64)>,
    undone: Vec<(u64, u64)>,
    salts: BTreeMap<u64, Salt>,
    /// The number of the phase among all, once the clock moved.
    phase: Option<u64>,
    /// How many salts rulings have that wait, by slot.
    waiting: BTreeMap<u64, usize>,
}

impl Past {
    /// Returns the slot that the inputs of an operation must stand in.
    fn slot(&self, operation: &Operation) -> u64 {
        let next = self.live.last().map_or(1, |(_, top)| top + 1);
        let said = operation.slot.or_else(|| {
            let address = operation.inputs.first()?.get("address");
            address.as_str()?.split('/').next()?.parse().ok()
        });
        said.filter(|slot| self.waiting.contains_key(slot))
            .unwrap_or(next)
    }

    /// Returns the seed of a ruling in a slot, with the salts that count there.
    fn seed(&self, seed: &Seed, slot: u64) -> Seed {
        let salts: Vec<Salt> = self.salts.values().cloned().collect();
        let now = || counting(&salts, self.phase.unwrap_or(1));
        let many = self.waiting.get(&slot).copied().unwrap_or_else(now);
        seed.salted(salts.iter().take(many).map(|salt| salt.text.as_str()))
    }

    fn add(&mut self, operation: &Operation, names: &Names) {
        for change in &operation.changes {
            let (row, field) = change.cell(names);
            self.set((&row, &field), &change.new);
        }
        match operation.what {
            What::Ruling => {
                let next = self.live.last().map_or(1, |(_, top)| top + 1);
                let slot = operation.slot.unwrap_or_default();
                self.live.push((operation.seq, slot.max(next - 1)));
                self.undone.clear();
            }
            What::Undo { .. } => self.undone.extend(self.live.pop()),
            What::Redo { .. } => self.live.extend(self.undone.pop()),
            What::Refused { .. } => {}
        }
    }

    /// Notes a cell of the host that dice depend on.
    fn set(&mut self, (row, field): (&Text, &Text), value: &Value) {
        let number = || value.as_i64().and_then(|number| u64::try_from(number).ok());
        if **row == *salts::ROW {
            if let Ok(at) = field.parse() {
                self.salts.remove(&at);
                self.salts
                    .extend(Salt::from_value(value).map(|salt| (at, salt)));
            }
        } else if **row == *"@clock" && **field == *"serial" {
            self.phase = number();
        } else if let Some(slot) = waiting::slot_of_row(row) {
            match (&**field, value) {
                ("@kind", Value::Nil) => drop(self.waiting.remove(&slot)),
                ("@kind", _) => drop(self.waiting.entry(slot).or_default()),
                ("salts", Value::Nil) => {}
                ("salts", _) => drop(self.waiting.insert(slot, number().unwrap_or(0) as usize)),
                (_, _) => {}
            }
        }
    }

    /// Returns the dice of all that does not hold at the end, each address once.
    fn seen(&self, operations: &[Operation]) -> Vec<SeenDie> {
        let live: BTreeSet<u64> = self.live.iter().map(|(seq, _)| *seq).collect();
        let mut known = BTreeSet::new();
        let mut seen = Vec::new();
        for operation in operations.iter().filter(|one| !live.contains(&one.seq)) {
            for input in operation.inputs.iter().filter_map(Input::from_value) {
                if let Input::Die(die) = input
                    && !die.typed
                    && known.insert(die.address.clone())
                {
                    seen.push(SeenDie {
                        seq: operation.seq,
                        die,
                    });
                }
            }
        }
        seen
    }
}
