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

/// Returns the ruling of a recorded line, with the people who gave and typed the line.
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

/// Returns the checks that apply to a line of the past. Present checks may have refused a refused line.
fn checks_for_rerun(operation: &Operation) -> Checks {
    match operation.what {
        What::Refused { .. } => Checks::Now,
        What::Ruling
        | What::Undo { .. }
        | What::Redo { .. }
        | What::Revert { .. }
        | What::Replace { .. }
        | What::Posted { .. }
        | What::Withdrawn { .. } => Checks::Then,
    }
}

/// Returns whether a person was there to decide about a command in which a rule breaks. Without a person, the command
/// was refused without an answer.
pub(super) fn was_attended(operation: &Operation) -> bool {
    has_broken_rule_answer(operation) || operation.what == What::Ruling
}

/// Returns whether a person decided about a rule that broke in an operation.
pub(in crate::game) fn has_broken_rule_answer(operation: &Operation) -> bool {
    let is_asked = |address: &str| address.split('/').nth(1).is_some_and(is_broken_rule_key);
    let mut inputs = operation.inputs.iter();
    inputs.any(|input| input.get("address").as_str().is_some_and(is_asked))
}

/// Returns whether the key of an address belongs to the question about a broken rule.
fn is_broken_rule_key(key: &str) -> bool {
    key.starts_with(&encode_address_part(BROKEN))
}

/// Returns the first address of an input or a question in plain data.
pub(super) fn first_address_in(value: &Value) -> Option<&str> {
    let address = value.get("address").as_str();
    address.or_else(|| value.items().iter().find_map(first_address_in))
}

/// Name of a waiting correction in the place of a rule; `#` and its ruling number follow.
const CORRECTION: &str = "correction";

/// Returns the name of a waiting correction in the place of a rule.
pub(in crate::game) fn waiting_correction_name(ruling_number: u64) -> String {
    format!("{CORRECTION}#{ruling_number}")
}

/// Returns the ruling number of the correction that an operation suspended, continued or could not continue.
pub(in crate::game) fn ruling_number_of_waiting_correction(operation: &Operation) -> Option<u64> {
    let rule = operation.causes.first()?.get("rule").as_str()?;
    rule.strip_prefix(CORRECTION)?
        .strip_prefix('#')?
        .parse()
        .ok()
}

/// Returns the rule that an operation ran, if it ran one; a correction runs none.
pub(in crate::game) fn rule_of_operation(operation: &Operation) -> Option<&str> {
    match operation.what {
        What::Ruling | What::Refused { .. }
            if ruling_number_of_waiting_correction(operation).is_some() =>
        {
            None
        }
        What::Ruling | What::Refused { .. } => operation.causes.first()?.get("rule").as_str(),
        What::Undo { .. }
        | What::Redo { .. }
        | What::Revert { .. }
        | What::Replace { .. }
        | What::Posted { .. }
        | What::Withdrawn { .. } => None,
    }
}

/// Returns the ruling number of the ruling that an operation gave up, if it gave one up.
pub(super) fn ruling_number_of_dropped_ruling(
    before: &State,
    operation: &Operation,
) -> Option<u64> {
    let kind = before.reserved().kind;
    let mut ended = operation.changes.iter();
    let mut ended = ended
        .by_ref()
        .filter(|one| one.field == kind && one.new.is_nil());
    ended.find_map(|one| waiting_ruling::ruling_number_from_row_id(&before.names().text(one.row)))
}

/// Returns the ruling number of an operation: its own, or the one in the inputs of a refused operation.
pub(super) fn ruling_number_of_operation(operation: &Operation, inputs: &[Input]) -> Option<u64> {
    let drawn = inputs.first().and_then(Input::ruling_number_in_address);
    operation.slot.or(drawn.map(|(_, number)| number))
}

/// Codes of refusals that do not follow from the inputs. Their causes are: a ruling that took another way, a clock, a
/// person, the memory of that machine, a bug, a known seed.
const FACTS: [&str; 6] = [
    "ask/stale",
    "limit/time",
    "limit/interrupted",
    "limit/memory",
    "host/bug",
    REVEALED,
];

/// Returns whether an operation records an outside fact: a text that is not an answer, a ruling that took another way,
/// a clock. The inputs of the operation do not contain the fact.
pub(in crate::game) fn records_outside_fact(operation: &Operation) -> bool {
    match &operation.what {
        What::Refused { code, .. } => code.starts_with("answer/") || FACTS.contains(&&**code),
        What::Ruling
        | What::Undo { .. }
        | What::Redo { .. }
        | What::Revert { .. }
        | What::Replace { .. }
        | What::Posted { .. }
        | What::Withdrawn { .. } => false,
    }
}
