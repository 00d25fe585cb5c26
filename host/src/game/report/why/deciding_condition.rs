//! Finds the cause of a refusal in a trace: its place, its rule, and the first condition that failed before it.

use crate::diag::Diagnostic;
use crate::game::report::why::cause_tree::{named_cause_text, place_text};
use crate::script::{Line, Step};

/// The cause of a refused command.
pub(super) struct RefusalCause {
    /// The rule: `collection/id`.
    pub(super) rule: String,
    /// File and line, with the places from which it was called.
    pub(super) place: String,
    /// The rule's name for this part of its run.
    pub(super) work: Option<String>,
    /// The first condition on the way there that failed.
    pub(super) condition: Option<Condition>,
}

/// A condition that failed.
pub(super) struct Condition {
    /// The text of the condition.
    pub(super) text: String,
    /// File and line, with the places from which it was called.
    pub(super) place: String,
    /// The rule's name for this part of its run.
    pub(super) work: Option<String>,
}

/// Returns the cause of a refusal; `rule` is the rule that the command ran.
pub(super) fn refusal_cause_in_trace(
    lines: &[Line],
    rule: &str,
    refusal: &Diagnostic,
) -> RefusalCause {
    let is_it = |line: &Line| match &line.step {
        Step::Refused { code, message } => *code == refusal.code && *message == refusal.message,
        _ => false,
    };
    let at = lines.iter().rposition(is_it);
    let end = at.unwrap_or(lines.len());
    let last = lines.len().checked_sub(1);
    let way = lines_up_to_command(lines, at.or(last));
    let failed = lines[..end].iter().find_map(|line| match &line.step {
        Step::Tested {
            text, holds: false, ..
        } if line.parent.is_none_or(|parent| way.contains(&parent)) => Some(Condition {
            text: text.clone(),
            place: place_text(&line.at),
            work: named_cause_at_line(lines, line.parent),
        }),
        _ => None,
    });
    let found = at.map(|at| place_text(&lines[at].at));
    RefusalCause {
        rule: rule_at_line(lines, at).unwrap_or_else(|| rule.to_owned()),
        place: found
            .filter(|place| !place.is_empty())
            .unwrap_or_else(|| finding_place_text(refusal)),
        work: named_cause_at_line(lines, at),
        condition: failed,
    }
}

/// Returns the lines from a line up to the command.
fn lines_up_to_command(lines: &[Line], from: Option<usize>) -> Vec<usize> {
    std::iter::successors(from, |at| lines[*at].parent).collect()
}

/// Returns the rule that ran at a line.
pub(super) fn rule_at_line(lines: &[Line], at: Option<usize>) -> Option<String> {
    lines_up_to_command(lines, at)
        .into_iter()
        .find_map(|at| match &lines[at].step {
            Step::Began(parts) => parts.get("rule").as_str().map(str::to_owned),
            _ => None,
        })
}

/// Returns the name that the rule at a line gave to this part of its run, if there is one.
pub(super) fn named_cause_at_line(lines: &[Line], at: Option<usize>) -> Option<String> {
    let began = lines_up_to_command(lines, at)
        .into_iter()
        .filter_map(|at| match &lines[at].step {
            Step::Began(parts) => Some(parts),
            _ => None,
        });
    let mut own = began.take_while(|parts| parts.get("rule").is_nil());
    own.find_map(named_cause_text)
}

/// Returns the place of a finding; a script that failed names its own line.
fn finding_place_text(finding: &Diagnostic) -> String {
    if let Some(first) = finding.trace.first() {
        return first.clone();
    }
    let place = finding.place.as_ref();
    place.map_or_else(String::new, ToString::to_string)
}
