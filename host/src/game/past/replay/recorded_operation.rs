//! Reads facts from a recorded operation: its rule, its ruling number, and facts from outside the game.

use crate::game::ruling::caller::Caller;
use crate::game::ruling::input_source::REVEALED;
use crate::game::ruling::ruling_context::{Giver, Ruling};
use crate::game::ruling::waiting_ruling;
use crate::game::timeline::input::Input;
use crate::game::timeline::seed::encode_address_part;
use crate::script::{BROKEN, Checks};
use crate::store::{Operation, State, What};
use crate::value::Value;

/// Returns what the line of an operation was given then, by the people who gave and typed it.
pub(in crate::game) fn ruling_of_operation<'a>(
    operation: &'a Operation,
    caller: &'a Caller<'a>,
) -> Ruling<'a> {
    let giver = Giver {
        seat: &operation.by,
        entered_by: operation.through.as_deref(),
    };
    Ruling {
        giver,
        checks: checks_for_rerun(operation),
        ..Ruling::live(&operation.by, &operation.command, caller)
    }
}

/// Returns the checks by which a line of the past is held: what was refused may have been refused by those of now.
fn checks_for_rerun(operation: &Operation) -> Checks {
    match operation.what {
        What::Refused { .. } => Checks::Now,
        What::Ruling
        | What::Undo { .. }
        | What::Redo { .. }
        | What::Revert { .. }
        | What::Replace { .. } => Checks::Then,
    }
}

/// Returns whether somebody was there to say what becomes of a command in which a rule breaks: where nobody was, it was
/// refused without an answer.
pub(super) fn was_attended(operation: &Operation) -> bool {
    has_broken_rule_answer(operation) || operation.what == What::Ruling
}

/// Returns whether somebody said what becomes of a rule that broke in an operation.
pub(in crate::game) fn has_broken_rule_answer(operation: &Operation) -> bool {
    let is_asked = |address: &str| address.split('/').nth(1).is_some_and(is_broken_rule_key);
    let mut inputs = operation.inputs.iter();
    inputs.any(|input| input.get("address").as_str().is_some_and(is_asked))
}

/// Returns whether the key of an address is that of the question about a rule that breaks.
fn is_broken_rule_key(key: &str) -> bool {
    key.starts_with(&encode_address_part(BROKEN))
}

/// Returns the first address of an input or a question that plain data holds.
pub(super) fn first_address_in(value: &Value) -> Option<&str> {
    let address = value.get("address").as_str();
    address.or_else(|| value.items().iter().find_map(first_address_in))
}

/// What a correction that waits is called in the place of a rule; `#` and its slot stand behind it.
const CORRECTION: &str = "correction";

/// Returns what a correction that waits in a slot is called in the place of a rule.
pub(in crate::game) fn waiting_correction_name(slot: u64) -> String {
    format!("{CORRECTION}#{slot}")
}

/// Returns the slot of the correction that an operation let wait, or go on, or not go on.
pub(in crate::game) fn slot_of_waiting_correction(operation: &Operation) -> Option<u64> {
    let rule = operation.causes.first()?.get("rule").as_str()?;
    rule.strip_prefix(CORRECTION)?
        .strip_prefix('#')?
        .parse()
        .ok()
}

/// Returns the rule that an operation ran, if it ran one; a correction is none.
pub(in crate::game) fn rule_of_operation(operation: &Operation) -> Option<&str> {
    match operation.what {
        What::Ruling | What::Refused { .. } if slot_of_waiting_correction(operation).is_some() => {
            None
        }
        What::Ruling | What::Refused { .. } => operation.causes.first()?.get("rule").as_str(),
        What::Undo { .. } | What::Redo { .. } | What::Revert { .. } | What::Replace { .. } => None,
    }
}

/// Returns the slot of the ruling that an operation gave up, if that is what it did.
pub(super) fn slot_given_up(before: &State, operation: &Operation) -> Option<u64> {
    let kind = before.reserved().kind;
    let mut ended = operation.changes.iter();
    let mut ended = ended
        .by_ref()
        .filter(|one| one.field == kind && one.new.is_nil());
    ended.find_map(|one| waiting_ruling::slot_of_row(&before.names().text(one.row)))
}

/// Returns the slot that an operation says: its own, or that of the inputs of a refused one.
pub(super) fn slot_of_operation(operation: &Operation, inputs: &[Input]) -> Option<u64> {
    let drawn = inputs.first().and_then(Input::slot_in_address);
    operation.slot.or(drawn.map(|(_, slot)| slot))
}

/// The codes of refusals that the inputs do not lead to: a way that it did not go on, a clock, a person, the memory of
/// that machine, a bug, a seed that was known.
const FACTS: [&str; 6] = [
    "ask/stale",
    "limit/time",
    "limit/interrupted",
    "limit/memory",
    "host/bug",
    REVEALED,
];

/// Returns whether an operation records something from outside: a text that is not an answer, a way that it did not go
/// on, a clock. Its inputs do not tell of it.
pub(in crate::game) fn records_outside_fact(operation: &Operation) -> bool {
    match &operation.what {
        What::Refused { code, .. } => code.starts_with("answer/") || FACTS.contains(&&**code),
        What::Ruling
        | What::Undo { .. }
        | What::Redo { .. }
        | What::Revert { .. }
        | What::Replace { .. } => false,
    }
}
