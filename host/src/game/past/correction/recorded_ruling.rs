//! One recorded ruling, prepared for a re-run.
//!
//! It contains the giver, the command, the ruling number, the rules, and the inputs that were used then.

use std::collections::BTreeMap;

use crate::game::past::replay::ruling_number_of_waiting_correction;
use crate::game::ruling::waiting_ruling;
use crate::game::timeline::Timeline;
use crate::game::timeline::input::Input;
use crate::store::{Operation, What};

/// A command that runs again.
pub(super) struct RecordedRuling {
    /// Number of the operation that contains the command: a ruling or a replacement.
    pub(super) seq: u64,
    pub(super) ruling_number: u64,
    /// Number of the replaced operation, if this is a replacement.
    pub(super) in_place_of: Option<u64>,
    /// Giver, command and rules; for a ruling, its whole record.
    pub(super) operation: Operation,
    /// The inputs that it used, found by their addresses.
    pub(super) known: Vec<Input>,
    /// Whether it continued a waiting ruling.
    pub(super) goes_on: bool,
    /// Whether it ended at a question.
    pub(super) waits: bool,
    /// Whether it may end at a question.
    pub(super) may_wait: bool,
}

/// Returns the ruling with this operation number, with the inputs in `drawn` that corrections used for it.
///
/// `next` is the correction that would be the next operation, with the ruling number under which it waits.
pub(super) fn ruling_to_rerun(
    timeline: &Timeline,
    seq: u64,
    next: (&What, Option<u64>),
    drawn: &BTreeMap<u64, Vec<Input>>,
) -> RecordedRuling {
    let mut ruled = match timeline.history.operation(seq) {
        Some(operation) => match &operation.what {
            What::Replace { of, with, .. } => {
                let known = inputs_of_operation(operation);
                replacement_ruling(timeline, seq, (*of, with), (&operation.rules, known))
            }
            _ => ruling_as_recorded(timeline, operation),
        },
        None => {
            let (of, with) = match next.0 {
                What::Replace { of, with, .. } => (*of, &**with),
                _ => unreachable!("invariant: only a replacement stands before it is recorded"),
            };
            let mut known = inputs_of_place(timeline, of);
            // The new line names present files, even if the path is the same.
            known.retain(|input| !input.holds_file());
            replacement_ruling(
                timeline,
                seq,
                (of, with),
                (timeline.generation().hash(), known),
            )
        }
    };
    if let Some(drawn) = drawn.get(&ruled.ruling_number) {
        let is_new = |one: &&Input| {
            let mut known = ruled.known.iter();
            known.all(|known| known.address() != one.address())
        };
        let drawn: Vec<Input> = drawn.iter().filter(is_new).cloned().collect();
        ruled.known.extend(drawn);
    }
    ruled
}

/// Returns, by ruling number, the dice and answers that corrections used, also waiting corrections.
///
/// A die that was rolled is not rolled again. Nobody is asked twice, unless that person's own answer was taken back.
pub(super) fn inputs_drawn_by_corrections(
    timeline: &Timeline,
    (what, waits): (&What, Option<u64>),
) -> BTreeMap<u64, Vec<Input>> {
    let mut drawn: BTreeMap<u64, Vec<Input>> = BTreeMap::new();
    let waited = |one: &Operation| {
        let number = ruling_number_of_waiting_correction(one);
        number.is_some() && number != waits
    };
    let live = timeline.history.live_operations();
    let corrections = live.filter(|one| one.what.corrected_number().is_some() || waited(one));
    let mut corrections = corrections.peekable();
    if corrections.peek().is_none() {
        return drawn;
    }
    let next = what.corrected_number().map(|_| (what, waits));
    let left_out = timeline.history.ineffective_after_correction(next);
    for correction in corrections {
        // The answers to a replacement command stay with that command.
        let own = match correction.what {
            What::Replace { of, .. } => timeline
                .history
                .original_ruling(of)
                .and_then(|one| one.slot),
            _ => None,
        };
        let was_asked = correction.slot.is_some();
        let is_settled = correction.what.corrected_number().is_some()
            && !(was_asked && left_out.contains_key(&correction.seq));
        for input in inputs_of_operation(correction) {
            let Some((_, ruling_number)) = input.ruling_number_in_address() else {
                continue;
            };
            let is_known = match input {
                Input::Die(_) => true,
                Input::Answer(_) => is_settled && own != Some(ruling_number) && !input.holds_file(),
            };
            if is_known {
                let known = drawn.entry(ruling_number).or_default();
                // An answer to a later correction replaces an earlier answer.
                known.retain(|one| one.address() != input.address());
                known.push(input);
            }
        }
    }
    drawn
}

/// Returns a ruling as recorded; nothing for a correction.
pub(super) fn recorded_ruling(timeline: &Timeline, seq: u64) -> Option<RecordedRuling> {
    let operation = timeline.history.operation(seq)?;
    (operation.what == What::Ruling).then(|| ruling_as_recorded(timeline, operation))
}

fn ruling_as_recorded(timeline: &Timeline, operation: &Operation) -> RecordedRuling {
    let ruling_number = operation.slot.unwrap_or_default();
    let goes_on = lets_ruling_go_on(timeline, operation);
    let waits = waiting_ruling::changes_suspend_ruling(
        &operation.changes,
        timeline.state.names(),
        ruling_number,
    );
    RecordedRuling {
        seq: operation.seq,
        ruling_number,
        in_place_of: None,
        known: inputs_of_operation(operation),
        operation: operation.clone(),
        goes_on,
        waits,
        may_wait: waits,
    }
}

/// Returns whether an operation continued a waiting ruling.
pub(super) fn lets_ruling_go_on(timeline: &Timeline, operation: &Operation) -> bool {
    let mut live = timeline.history.live_operations();
    live.any(|one| one.seq < operation.seq && one.slot.is_some() && one.slot == operation.slot)
}

/// Returns the command of a replacement, given by the person who gave the replaced ruling.
fn replacement_ruling(
    timeline: &Timeline,
    seq: u64,
    (of, with): (u64, &str),
    (rules, known): (&str, Vec<Input>),
) -> RecordedRuling {
    let place = timeline.history.original_ruling(of);
    let place = place.expect("invariant: a correction is about something that is recorded");
    RecordedRuling {
        seq,
        ruling_number: place.slot.unwrap_or_default(),
        in_place_of: Some(of),
        operation: Operation {
            command: with.into(),
            rules: rules.into(),
            inputs: known.iter().map(Input::to_value).collect(),
            changes: Vec::new(),
            causes: Vec::new(),
            documents: Vec::new(),
            ..place.clone()
        },
        known,
        goes_on: lets_ruling_go_on(timeline, place),
        waits: false,
        may_wait: true,
    }
}

/// Returns the inputs of a ruling, with its answers, and the inputs of earlier replacements.
fn inputs_of_place(timeline: &Timeline, of: u64) -> Vec<Input> {
    let place = timeline.history.original_ruling(of);
    let (ruling_number, seq) = place.map_or((None, 0), |one| (one.slot, one.seq));
    let of_place = |one: &&Operation| {
        let is_of_ruling = one.seq >= seq && one.slot == ruling_number && ruling_number.is_some();
        is_of_ruling || one.seq == of
    };
    let used = timeline
        .history
        .live_operations()
        .filter(of_place)
        .flat_map(inputs_of_operation);
    used.collect()
}

/// Returns the inputs that an operation used.
pub(super) fn inputs_of_operation(operation: &Operation) -> Vec<Input> {
    let inputs = operation.inputs.iter();
    inputs.filter_map(Input::from_value).collect()
}
