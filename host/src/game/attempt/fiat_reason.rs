//! Requests the reason for a change by fiat and stores the reason with the ruling.

use crate::diag::Diagnostic;
use crate::game::attempt::ruling_run::Attempt;
use crate::game::ruling::input_source::SharedInputs;
use crate::game::ruling::ruling_context::Ruling;
use crate::game::timeline::Timeline;
use crate::game::timeline::fiat::fiat_in_first_cause;
use crate::script::Recorded;
use crate::value::Value;

/// The audience of a roll if neither the roll nor the ruleset defines one.
const ROLLS: &str = "gm";

/// Adds the records of a run for people to the first of its causes.
pub(in crate::game) fn add_run_records_to_causes(
    timeline: &Timeline,
    recorded: &Recorded,
    causes: &mut [Value],
) {
    let rules = timeline.rules();
    let seen = rules.ruleset.get("rolls").as_str().unwrap_or(ROLLS);
    recorded.add_to_causes(causes, seen);
}

/// Checks that a change by fiat has a reason if the ruleset requires one. Errors: `fiat/no-reason`.
pub(in crate::game) fn check_fiat_reason(
    timeline: &Timeline,
    recorded: &Recorded,
    input_source: &SharedInputs,
) -> Result<(), Diagnostic> {
    let is_required = timeline.rules().ruleset.get("reasons").as_str() == Some("required");
    let is_over = input_source.questions_at_stop().is_none();
    if !(is_required && is_over && recorded.fiat_reason() == Some(None)) {
        return Ok(());
    }
    let message = "this game requires a reason for a change by fiat";
    Err(Diagnostic::error("fiat/no-reason", message)
        .hint("add `because REASON` at the end of the command"))
}

/// Returns a request for the missing reason of a change by fiat, if a person is present to answer.
pub(in crate::game) fn missing_fiat_reason_request(
    ruling: &Ruling<'_>,
    attempt: &Attempt,
) -> Option<Diagnostic> {
    let is_over = attempt.result.is_ok() && attempt.input_source.questions_at_stop().is_none();
    let is_wanted = is_over && ruling.caller.responders.attended;
    let fiat = fiat_in_first_cause(&attempt.causes).filter(|_| is_wanted)?;
    if fiat.reason.is_some() {
        return None;
    }
    let message = "this change by fiat has no reason in the log";
    let finding = Diagnostic::warning("fiat/no-reason", message);
    Some(finding.hint("type `undo`, then repeat the command with `because REASON` at the end"))
}
