//! Describes the outcome of a ruling that waited for an answer. It still waits, or a log line completed it, cancelled
//! it or ran it again.

use crate::game::attempt::command_kind::host_effect_of_past_line;
use crate::game::command::lines_for_seats::giver_in_words;
use crate::game::ruling::waiting_ruling::{changes_end_waiting, changes_suspend_ruling};
use crate::game::timeline::Timeline;
use crate::game::timeline::command_words::CommandEffect;
use crate::store::Operation;

/// Returns the outcome of an operation whose ruling waited for an answer.
pub(super) fn fate_of_waiting_ruling(timeline: &Timeline, operation: &Operation) -> String {
    let is_live = timeline
        .history
        .live_operations()
        .any(|one| one.seq == operation.seq);
    let Some(ruling_number) = operation.slot.filter(|_| is_live) else {
        return "It waited for an answer.".to_owned();
    };
    let names = timeline.state.names();
    let behind = timeline
        .history
        .live_operations()
        .filter(|one| one.seq > operation.seq);
    for one in behind {
        let is_over = changes_end_waiting(&one.changes, names, ruling_number);
        let goes_on = is_over
            || one.slot == Some(ruling_number)
            || changes_suspend_ruling(&one.changes, names, ruling_number);
        let did = match host_effect_of_past_line(timeline, &one.command) {
            _ if !goes_on => continue,
            Some(CommandEffect::Restarts) => "ran it again from its start",
            Some(CommandEffect::Drops) if is_over => "cancelled it",
            _ if is_over => "completed it",
            _ => continue,
        };
        let (seq, command, by) = (one.seq, &one.command, giver_in_words(one));
        return format!("It waited; log line {seq} `{command}` by {by} {did}.");
    }
    "It is waiting for an answer.".to_owned()
}
