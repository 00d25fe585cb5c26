//! Results of re-run commands, and the refusals that end a correction.

use crate::diag::Diagnostic;
use crate::doc::Document;
use crate::game::past::correction::recorded_ruling::RecordedRuling;
use crate::game::past::correction::ruling_effect::RulingEffect;
use crate::game::ruling::waiting_ruling;
use crate::store::{Change, State};

/// Result of a command that ran again.
pub(super) struct RerunResult {
    pub(super) seq: u64,
    pub(super) effect: RulingEffect,
    /// Messages of the command, also those before an answer.
    pub(super) said: Vec<Document>,
    /// Ruling number under which the command waits.
    pub(super) waits: Option<u64>,
    /// The state after the command.
    pub(super) after: State,
    /// Whether its own rules are not known any more.
    pub(super) is_under_others: bool,
}

pub(super) fn result_without_messages(
    one: &RecordedRuling,
    effect: RulingEffect,
    after: State,
) -> RerunResult {
    RerunResult {
        seq: one.seq,
        effect,
        said: Vec::new(),
        waits: None,
        after,
        is_under_others: false,
    }
}

/// Returns the state with host changes as they were recorded; nothing if the changes do not fit the state.
pub(super) fn state_with_host_changes(before: &State, changes: &[Change]) -> Option<State> {
    let mut after = before.fork();
    let mark = after.mark();
    after.apply_changes(changes).ok()?;
    after.commit(mark);
    Some(after)
}

/// Keeps a waiting correction as it was recorded. The correction continues with the past of the moment when it is
/// answered.
pub(super) fn keep_waiting_correction(one: &RecordedRuling, before: State) -> RerunResult {
    let changes = &one.operation.changes;
    let names = before.names();
    let is_row = |change: &&Change| {
        waiting_ruling::ruling_number_from_row_id(&names.text(change.row)).is_some()
    };
    let row: Vec<Change> = changes.iter().filter(is_row).cloned().collect();
    // The questions to seats may be counted from another number there.
    let after = state_with_host_changes(&before, changes)
        .or_else(|| state_with_host_changes(&before, &row));
    match after {
        Some(after) => result_without_messages(
            one,
            RulingEffect::of_operation(&one.operation, one.waits),
            after,
        ),
        None => {
            let message = "what it waits for is not asked there";
            let effect = RulingEffect::of_refusal(Diagnostic::error("ask/not-waiting", message));
            result_without_messages(one, effect, before)
        }
    }
}

/// Returns whether a refusal comes from the rules and is not an accident.
pub(super) fn is_refused_by_rules(refusal: &Diagnostic) -> bool {
    let is_accident = |area: &str| refusal.code.starts_with(area);
    !["limit/", "script/", "host/bug", "ask/stale"]
        .into_iter()
        .any(is_accident)
}

/// Returns the finding that a correction ends at a ruling.
pub(super) fn cannot_rerun_finding(one: &RecordedRuling, why: Diagnostic) -> Diagnostic {
    let RecordedRuling { seq, operation, .. } = one;
    let command = &operation.command;
    Diagnostic {
        message: format!(
            "log line {seq} `{command}` cannot be run again: {}",
            why.message
        ),
        ..why
    }
    .hint("nothing was changed")
}
