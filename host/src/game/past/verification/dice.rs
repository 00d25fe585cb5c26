//! Computes every die of a journal again from the seed and its address, and checks the addresses.
//!
//! The check runs no rule and trusts no state: the journal lines contain everything it needs. A stranger can do the
//! same with `sha256sum`.

use std::collections::{BTreeMap, BTreeSet};

use sha2::{Digest, Sha256};

use crate::diag::Diagnostic;
use crate::game::attempt::salts::{self, Salt, count_salts_before_phase};
use crate::game::past::replay::ruling_number_of_waiting_correction;
use crate::game::past::verification::expected_inputs::InputAddresses;
use crate::game::ruling::waiting_ruling;
use crate::game::timeline::input::{Die, Input, ruling_number_of_address};
use crate::game::timeline::seed::Seed;
use crate::store::{Operation, What};
use crate::value::{Names, Text, Value};

/// Results of computing all dice again.
#[derive(Clone, Debug, Default)]
pub struct DiceCheck {
    /// Number of dice that came from the seed and are right.
    pub right: u64,
    /// Dice that people typed, in order.
    pub typed: Vec<UsedDie>,
    /// Rolled dice of operations that are not valid: the dice were known before they could count.
    pub seen: Vec<UsedDie>,
    /// Dice of forks that became games. The player may have tried several forks.
    pub forked: Vec<UsedDie>,
    /// SHA-256 in hex over all dice, one line for each: `OPERATION ADDRESS SIDES FACE`, and ` typed` for a typed die.
    pub digest: String,
    /// Errors that were found.
    pub findings: Vec<Diagnostic>,
}

/// A die and its operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsedDie {
    /// The number of the operation.
    pub seq: u64,
    /// The die.
    pub die: Die,
}

/// Computes all dice of a journal again. Without a seed, only the addresses are checked.
pub(super) fn check_dice_of_journal(
    operations: &[Operation],
    names: &Names,
    seed: Option<&Seed>,
) -> DiceCheck {
    let mut dice = DiceCheck::default();
    let mut past = JournalPast::default();
    let mut digest = Sha256::new();
    for operation in operations {
        let mut places = past.expected_addresses(operation);
        let seed = seed.map(|seed| past.salted_seed(seed, &places));
        for input in operation.inputs.iter().filter_map(Input::from_value) {
            let misplaced = places.misplacement_text(&input);
            let mut wrong = misplaced.map(|why| die_finding(operation, "verify/address", &why));
            if let Input::Die(die) = input {
                digest.update(digest_line(operation.seq, &die));
                if wrong.is_none() && !past.was_drawn_before(&places, &die) {
                    let why = face_mistake(&die, seed.as_ref());
                    wrong = why.map(|why| die_finding(operation, "verify/die", &why));
                }
                dice.add_die(operation.seq, die, (wrong.is_none(), seed.is_some()));
            }
            dice.findings.extend(wrong);
        }
        past.apply_operation(operation, names);
    }
    if seed.is_none() {
        let message =
            "no die was computed again, because the seed is neither in the folder nor revealed";
        dice.findings
            .push(Diagnostic::error("verify/no-seed", message));
    }
    dice.seen = past.dice_out_of_play(operations);
    let hex = digest.finalize();
    dice.digest = hex.iter().map(|byte| format!("{byte:02x}")).collect();
    dice
}

impl DiceCheck {
    /// Counts and lists a die.
    fn add_die(&mut self, seq: u64, die: Die, (is_right, has_seed): (bool, bool)) {
        if is_right && !die.typed {
            self.right += u64::from(has_seed);
        }
        if die.address.split('/').next().is_some_and(is_in_fork) {
            let die = die.clone();
            self.forked.push(UsedDie { seq, die });
        }
        if is_right && die.typed {
            self.typed.push(UsedDie { seq, die });
        }
    }
}

/// Returns whether the first part of an address names a fork.
fn is_in_fork(address_start: &str) -> bool {
    address_start.contains(':')
}

fn digest_line(seq: u64, die: &Die) -> String {
    let typed = if die.typed { " typed" } else { "" };
    format!("{seq} {} {} {}{typed}\n", die.address, die.sides, die.face)
}

fn die_finding(operation: &Operation, code: &'static str, why: &str) -> Diagnostic {
    let message = format!("log line {} `{}`: {why}", operation.seq, operation.command);
    Diagnostic::error(code, message)
}

/// Returns a message about a wrong face; nothing if the face is right.
fn face_mistake(die: &Die, seed: Option<&Seed>) -> Option<String> {
    let Die {
        address,
        sides,
        face,
        ..
    } = die;
    if die.typed {
        let fits = (1..=*sides).contains(face);
        return (!fits).then(|| {
            format!("the typed die at {address} shows {face}, which is not on a d{sides}")
        });
    }
    let seed = seed?;
    let (what, found) = match sides {
        0 => ("the random order".to_owned(), seed.first_word(address)),
        sides => (format!("the d{sides}"), seed.face(address, *sides)),
    };
    (found != *face)
        .then(|| format!("{what} at {address} is recorded as {face}, but the seed gives {found}"))
}

/// State of the game after the earlier lines, as far as dice depend on it.
#[derive(Default)]
struct JournalPast {
    /// The valid rulings, each with the highest ruling number up to it.
    live: Vec<(u64, u64)>,
    undone: Vec<(u64, u64)>,
    salts: BTreeMap<u64, Salt>,
    /// Number of the phase among all phases, once the clock has moved.
    phase: Option<u64>,
    /// Number of salts of each waiting ruling, by ruling number.
    waiting: BTreeMap<u64, usize>,
    /// Addresses, sides and faces of all rolled dice. Neither a continued ruling nor a correction rolls them again.
    drawn: BTreeSet<(String, u32, u32)>,
}

impl JournalPast {
    fn next_ruling_number(&self) -> u64 {
        self.live.last().map_or(1, |(_, top)| top + 1)
    }

    /// Returns the expected addresses of the inputs of an operation.
    fn expected_addresses(&self, operation: &Operation) -> InputAddresses {
        let asks = ruling_number_of_waiting_correction(operation);
        let is_correction = operation.what.corrected_number().is_some() || asks.is_some();
        let drawn = || {
            let address = operation.inputs.first()?.get("address");
            ruling_number_of_address(address.as_str()?).map(|(_, number)| number)
        };
        let said = asks.or(operation.slot);
        let said = said.or_else(|| drawn().filter(|_| !is_correction));
        let waits = said.filter(|number| self.waiting.contains_key(number));
        InputAddresses {
            ruling_number: waits
                .filter(|_| !is_correction)
                .unwrap_or_else(|| self.next_ruling_number()),
            is_correction,
            waits,
            counts: BTreeMap::new(),
        }
    }

    /// Returns the seed of a ruling with the salts that count for it. A correction uses the salts of its own moment.
    fn salted_seed(&self, seed: &Seed, places: &InputAddresses) -> Seed {
        let salts: Vec<Salt> = self.salts.values().cloned().collect();
        let now = || count_salts_before_phase(&salts, self.phase.unwrap_or(1));
        let waiting = places
            .waits
            .and_then(|number| self.waiting.get(&number).copied());
        let many = waiting.unwrap_or_else(now);
        seed.salted(salts.iter().take(many).map(|salt| salt.text.as_str()))
    }

    /// Returns whether a correction or a continued ruling uses a die that was rolled before.
    fn was_drawn_before(&self, places: &InputAddresses, die: &Die) -> bool {
        let drawn = (die.address.clone(), die.sides, die.face);
        let has_past = places.is_correction || places.waits.is_some();
        has_past && self.drawn.contains(&drawn)
    }

    fn apply_operation(&mut self, operation: &Operation, names: &Names) {
        for change in &operation.changes {
            let (row, field) = change.row_and_field_texts(names);
            self.note_host_cell((&row, &field), &change.new);
        }
        for input in operation.inputs.iter().filter_map(Input::from_value) {
            if let Input::Die(die) = input {
                self.drawn.insert((die.address, die.sides, die.face));
            }
        }
        let top = self.next_ruling_number() - 1;
        match operation.what {
            What::Ruling => {
                let ruling_number = operation.slot.unwrap_or_default();
                self.live.push((operation.seq, ruling_number.max(top)));
                self.undone.clear();
            }
            What::Revert { .. } | What::Replace { .. } => {
                self.live.push((operation.seq, top));
                self.undone.clear();
            }
            What::Undo { .. } => self.undone.extend(self.live.pop()),
            What::Redo { .. } => self.live.extend(self.undone.pop()),
            What::Refused { .. } | What::Posted { .. } | What::Withdrawn { .. } => {}
        }
    }

    /// Records a host cell that dice depend on.
    fn note_host_cell(&mut self, (row, field): (&Text, &Text), value: &Value) {
        let number = || value.as_i64().and_then(|number| u64::try_from(number).ok());
        if **row == *salts::ROW {
            if let Ok(at) = field.parse() {
                self.salts.remove(&at);
                self.salts
                    .extend(Salt::from_value(value).map(|salt| (at, salt)));
            }
        } else if **row == *"@clock" && **field == *"serial" {
            self.phase = number();
        } else if let Some(ruling_number) = waiting_ruling::ruling_number_from_row_id(row) {
            match (&**field, value) {
                ("@kind", Value::Nil) => drop(self.waiting.remove(&ruling_number)),
                ("@kind", _) => drop(self.waiting.entry(ruling_number).or_default()),
                // A correction may let the ruling wait with fewer salts.
                ("salts", Value::Nil) => {
                    self.waiting
                        .entry(ruling_number)
                        .and_modify(|salts| *salts = 0);
                }
                ("salts", _) => {
                    let salts = number().unwrap_or(0) as usize;
                    self.waiting.insert(ruling_number, salts);
                }
                (_, _) => {}
            }
        }
    }

    /// Returns the dice of all operations that are not valid at the end, each address once.
    fn dice_out_of_play(&self, operations: &[Operation]) -> Vec<UsedDie> {
        let mut live: BTreeSet<u64> = self.live.iter().map(|(seq, _)| *seq).collect();
        let left_out = left_out_by_corrections(operations, &live);
        live.retain(|seq| !left_out.contains(seq));
        let mut known = BTreeSet::new();
        let mut seen = Vec::new();
        for operation in operations.iter().filter(|one| !live.contains(&one.seq)) {
            for input in operation.inputs.iter().filter_map(Input::from_value) {
                if let Input::Die(die) = input
                    && !die.typed
                    && known.insert(die.address.clone())
                {
                    seen.push(UsedDie {
                        seq: operation.seq,
                        die,
                    });
                }
            }
        }
        seen
    }
}

/// Returns the live operations that corrections leave out: corrected operations with their answers, and corrections
/// that are taken back.
fn left_out_by_corrections(operations: &[Operation], live: &BTreeSet<u64>) -> BTreeSet<u64> {
    let at = |seq: u64| operations.get(usize::try_from(seq).ok()?.checked_sub(1)?);
    let mut out = BTreeSet::new();
    for one in live.iter().rev().filter_map(|seq| at(*seq)) {
        let of = one.what.corrected_number().filter(|of| *of < one.seq);
        let Some(mut place) = of.and_then(at).filter(|_| !out.contains(&one.seq)) else {
            continue;
        };
        if matches!(one.what, What::Revert { .. }) && place.what.corrected_number().is_some() {
            out.insert(place.seq);
            continue;
        }
        while let Some(before) = place
            .what
            .corrected_number()
            .filter(|of| *of < place.seq)
            .and_then(at)
        {
            place = before;
        }
        let answers = live.range(place.seq..one.seq).filter_map(|seq| at(*seq));
        let answers = answers.filter(|answer| answer.slot.is_some() && answer.slot == place.slot);
        out.extend(answers.map(|answer| answer.seq));
    }
    out
}
