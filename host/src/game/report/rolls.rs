//! Every roll of a game, as far as a reader may know of it: roller, purpose, and later outcome of its line.
//!
//! The game master sees all. A seat sees a roll only if the roll permits it, and only when its ruling is over. A roll
//! of a refused line was never shown to a user. A ruling that waited rolls its faces again when it goes on: they are
//! shown once.

mod recorded_rolls;
mod table;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::doc::{Audience, Viewer, may_see};
use crate::game::question::possible_answers::name_of_entity;
use crate::game::report::operation_dates::dates_of_operations;
use crate::game::report::rolls::recorded_rolls::{RecordedRoll, rolls_of_operation};
use crate::game::ruling::waiting_ruling;
use crate::game::timeline::Timeline;
use crate::game::timeline::input::{Die, Input};
use crate::game::timeline::log_entries::log_entries;
use crate::script::Sight;
use crate::store::{History, Operation, What};
use crate::value::{Text, Value};

pub use table::rolls_table;

/// One roll.
#[derive(Clone, Debug, PartialEq)]
pub struct Roll {
    /// The number of its operation in the log of the reader; nothing if that log has no such line.
    pub line: Option<u64>,
    /// The date of its operation, if game time has dates.
    pub date: Option<String>,
    /// Giver of the command, if the reader may know it.
    pub by: Option<Text>,
    /// The roller, if the rule names one.
    pub who: Option<String>,
    /// Name of the row with that id, if the reader may know it.
    pub name: Option<String>,
    /// Purpose of the roll.
    pub purpose: String,
    /// Formula of the roll: dice notation, `3d6`, `d20 d6`, `1 of 3`.
    pub formula: String,
    /// The faces, in the order in which they were rolled.
    pub faces: Vec<Die>,
    /// Total of the roll; nothing if nothing was added up.
    pub total: Value,
    /// Later outcome of the roll.
    pub fate: Fate,
    /// Whether its faces were seen before by a line that does not count.
    pub was_seen: bool,
}

/// Later outcome of a roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Its line holds.
    Counts,
    /// Its line was undone or refused: the faces were seen, and do not count.
    Seen,
    /// A correction left its line out.
    LeftOut,
}

/// A roll and its operation.
struct RollOfOperation<'a> {
    operation: &'a Operation,
    drawn: RecordedRoll,
    fate: Fate,
}

/// Returns the rolls that a viewer may know of, oldest first.
pub fn rolls_for_viewer(timeline: &Timeline, viewer: &Viewer) -> Vec<Roll> {
    let fates = RulingFates::of(&timeline.history);
    let operations = timeline.history.operations().iter();
    let told =
        operations.filter(|one| fates.shows_rolls_of(one) && may_know_rolls(timeline, viewer, one));
    let found = told.flat_map(|operation| {
        let fate = fates.fate_of_operation(operation);
        rolls_of_operation(operation)
            .into_iter()
            .map(move |drawn| RollOfOperation {
                operation,
                drawn,
                fate,
            })
    });
    let found = found.filter(|one| {
        let audience = Audience::parse(&one.drawn.seen).unwrap_or(Audience::Gm);
        may_see(viewer, &audience)
    });
    let found = without_repeated_rolls(found.collect());
    let seen = rolls_seen_before(&found);
    let lines: BTreeMap<u64, (u64, bool)> = log_entries(timeline, viewer)
        .iter()
        .map(|entry| (entry.operation.seq, (entry.number, entry.is_own)))
        .collect();
    let dates = dates_of_operations(timeline).unwrap_or_default();
    let rolls = found.into_iter().zip(seen).map(|(one, was_seen)| {
        let line = lines.get(&one.operation.seq);
        let is_own = line.is_some_and(|(_, is_own)| *is_own);
        Roll {
            line: line.map(|(number, _)| *number),
            date: dates.get(&one.operation.seq).cloned(),
            by: is_own.then(|| one.operation.by.clone()),
            name: roller_name(timeline, viewer, one.drawn.who.as_deref()),
            who: one.drawn.who,
            purpose: one.drawn.purpose,
            formula: one.drawn.formula,
            faces: one.drawn.faces,
            total: one.drawn.total,
            fate: one.fate,
            was_seen,
        }
    });
    rolls.collect()
}

/// Returns the name of a roller's row, if the viewer may see it.
fn roller_name(timeline: &Timeline, viewer: &Viewer, who: Option<&str>) -> Option<String> {
    let names = timeline.state.names();
    let (row, field) = (names.find(who?)?, names.find("name")?);
    let is_seen =
        timeline.state.exists(row) && Sight::new(&timeline.state, viewer).can_see_field(row, field);
    is_seen.then(|| name_of_entity(timeline, row)).flatten()
}

/// Returns whether a viewer may know that an operation rolled: a seat may not before its ruling is over.
fn may_know_rolls(timeline: &Timeline, viewer: &Viewer, operation: &Operation) -> bool {
    let ruling_number = operation.slot.unwrap_or_default();
    let names = timeline.state.names();
    let waits = || waiting_ruling::changes_suspend_ruling(&operation.changes, names, ruling_number);
    let is_ruling = operation.what.is_ruling();
    *viewer == Viewer::Gm || (is_ruling && !waits())
}

/// Later outcomes of rulings.
struct RulingFates {
    live: BTreeSet<u64>,
    left_out: BTreeMap<u64, u64>,
    /// Operations that waited and whose faces are shown by the operation that went on with their ruling.
    gone_on: BTreeSet<u64>,
}

impl RulingFates {
    fn of(history: &History) -> RulingFates {
        let live: BTreeSet<u64> = history.live_operations().map(|one| one.seq).collect();
        let pairs = continuation_pairs(history.operations()).into_iter();
        // An operation that was taken back does not show the faces of a ruling that waits again.
        let told = pairs.filter(|(before, behind)| live.contains(behind) || !live.contains(before));
        RulingFates {
            gone_on: told.map(|(before, _)| before).collect(),
            left_out: history.ineffective_rulings(),
            live,
        }
    }

    fn shows_rolls_of(&self, operation: &Operation) -> bool {
        !self.gone_on.contains(&operation.seq)
    }

    fn fate_of_operation(&self, operation: &Operation) -> Fate {
        match operation.seq {
            seq if self.left_out.contains_key(&seq) => Fate::LeftOut,
            seq if self.live.contains(&seq) => Fate::Counts,
            _ => Fate::Seen,
        }
    }
}

/// Returns the operations of rulings that waited, each paired with the operation that went on with its ruling.
fn continuation_pairs(operations: &[Rc<Operation>]) -> Vec<(u64, u64)> {
    let (mut live, mut undone): (Vec<&Operation>, Vec<&Operation>) = (Vec::new(), Vec::new());
    let mut pairs = Vec::new();
    for operation in operations {
        match operation.what {
            What::Ruling | What::Revert { .. } | What::Replace { .. } => {
                let is_same = |one: &&&Operation| one.slot.is_some() && one.slot == operation.slot;
                let before = live.iter().rev().find(is_same);
                pairs.extend(before.map(|before| (before.seq, operation.seq)));
                live.push(operation);
                undone.clear();
            }
            What::Undo { .. } => undone.extend(live.pop()),
            What::Redo { .. } => live.extend(undone.pop()),
            What::Refused { .. } | What::Posted { .. } | What::Withdrawn { .. } => {}
        }
    }
    pairs
}

/// Leaves out the rolls of a refused line that its ruling had made before.
fn without_repeated_rolls(found: Vec<RollOfOperation<'_>>) -> Vec<RollOfOperation<'_>> {
    let first = first_operations_by_address(&found, |one| one.operation.what == What::Ruling);
    let is_known = |one: &RollOfOperation<'_>| {
        let mut faces = one.drawn.faces.iter();
        faces.all(|die| {
            let first = first.get(&die.address);
            first.is_some_and(|first| *first < one.operation.seq)
        })
    };
    let is_refused = |one: &RollOfOperation<'_>| matches!(one.operation.what, What::Refused { .. });
    let keeps: Vec<bool> = found
        .iter()
        .map(|one| !is_refused(one) || !is_known(one))
        .collect();
    let pairs = found.into_iter().zip(keeps);
    pairs
        .filter_map(|(one, keeps)| keeps.then_some(one))
        .collect()
}

/// Returns for each roll whether a line that does not count rolled one of its faces earlier.
fn rolls_seen_before(found: &[RollOfOperation<'_>]) -> Vec<bool> {
    let seen = first_operations_by_address(found, |one| one.fate == Fate::Seen);
    let all = found.iter().map(|one| {
        let mut faces = one.drawn.faces.iter();
        let is_seen = |die: &Die| {
            let seen = seen.get(&die.address);
            seen.is_some_and(|seen| *seen < one.operation.seq)
        };
        one.fate != Fate::Seen && faces.any(is_seen)
    });
    all.collect()
}

/// Returns the first operation that rolled the die at each address, among the rolls that fit.
fn first_operations_by_address(
    found: &[RollOfOperation<'_>],
    fits: impl Fn(&RollOfOperation<'_>) -> bool,
) -> BTreeMap<String, u64> {
    let mut first = BTreeMap::new();
    for one in found.iter().filter(|one| fits(one)) {
        for die in &one.drawn.faces {
            let seq = one.operation.seq;
            first.entry(die.address.clone()).or_insert(seq);
        }
    }
    first
}

/// Returns the dice that nobody typed, in the operations after the first `operations` ones.
pub fn untyped_dice_since(timeline: &Timeline, operations: usize) -> Vec<String> {
    let new = timeline.history.operations().iter().skip(operations);
    let ruled = new.filter(|one| one.what == What::Ruling);
    let inputs = ruled.flat_map(|one| &one.inputs);
    let drawn = inputs
        .filter_map(Input::from_value)
        .filter_map(|input| match input {
            Input::Die(die) if !die.typed && die.sides > 0 => Some(format!("d{}", die.sides)),
            Input::Die(_) | Input::Answer(_) => None,
        });
    drawn.collect()
}
