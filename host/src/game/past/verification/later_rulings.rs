//! Later rulings of a correction: the rulings that run again with it.

use crate::game::past::replay::{rule_of_operation, ruling_number_of_waiting_correction};
use crate::game::ruling::caller::Caller;
use crate::game::ruling::waiting_ruling;
use crate::game::timeline::Timeline;
use crate::store::Operation;

/// Returns the rulings that a correction must run again and that have missing rules.
pub(super) fn rulings_with_missing_rules<'a>(
    timeline: &'a Timeline,
    caller: &Caller<'_>,
    operation: &Operation,
) -> Vec<&'a Operation> {
    let history = &timeline.history;
    let corrected = |of: &u64| {
        let one = history.operation(*of)?;
        one.what
            .corrected_number()
            .or_else(|| waiting_correction_target(timeline, one))
    };
    let of = operation.what.corrected_number();
    let of = of.or_else(|| corrected_line_number(timeline, operation));
    let way = std::iter::successors(of, corrected);
    let first = way.take(history.operations().len()).last();
    let behind = history
        .live_operations()
        .filter(|one| Some(one.seq) >= first);
    let is_gone = |one: &&Operation| {
        rule_of_operation(one).is_some()
            && *one.rules != *timeline.generation().hash()
            && caller.rule_files_by_hash(&one.rules).is_none()
    };
    behind.filter(is_gone).collect()
}

/// Returns the corrected number of the correction that waited when an operation asked.
fn waiting_correction_target(timeline: &Timeline, asked: &Operation) -> Option<u64> {
    let ruling_number = ruling_number_of_waiting_correction(asked)?;
    let mut live = timeline.history.live_operations();
    live.find_map(|one| {
        one.what
            .corrected_number()
            .filter(|_| one.slot == Some(ruling_number))
    })
}

/// Returns the number in the line of a correction that waits or begins to wait.
fn corrected_line_number(timeline: &Timeline, operation: &Operation) -> Option<u64> {
    let waiting = waiting_ruling::waiting_ruling_by_ruling_number(
        &timeline.state,
        ruling_number_of_waiting_correction(operation)?,
    );
    let line = waiting.map_or_else(|| operation.command.to_string(), |one| one.command);
    line.split_whitespace().nth(1)?.parse().ok()
}
