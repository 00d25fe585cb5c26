//! Lists the events and works around the present place, for findings and limits.

use crate::diag::Diagnostic;
use crate::script::run::Run;
use crate::script::run::cause::Cause;
use crate::value::Name;

/// Adds the events and works around a finding, the outermost first.
pub(crate) fn add_cause_chain(run: &Run, finding: Diagnostic) -> Diagnostic {
    let causes = || run.motion.causes.causes_at_work();
    let mut links: Vec<String> = causes()
        .filter_map(|cause| cause_link(run, cause))
        .collect();
    if links.is_empty() {
        return finding;
    }
    links.reverse();
    let shown = match links.as_slice() {
        [first, second, .., last] if links.len() > 6 => {
            format!("{first} -> {second} -> … -> {last}")
        }
        links => links.join(" -> "),
    };
    let what = match causes().any(|cause| matches!(cause, Cause::Work { .. })) {
        true => "causes",
        false => "events",
    };
    finding.hint(format!("chain of {what}: {shown}"))
}

pub(crate) fn cause_link(run: &Run, cause: &Cause) -> Option<String> {
    let text = |name: Name| run.state.names().text(name);
    match cause {
        Cause::Handler {
            rule,
            element,
            event,
        } => {
            let bearer = run.state.bearer(*element);
            Some(format!("{event} ({} of {})", text(*rule), text(bearer)))
        }
        Cause::Work { what, row: None } => Some(what.to_string()),
        Cause::Work {
            what,
            row: Some(row),
        } => Some(format!("{what} (of {})", text(*row))),
        Cause::Command | Cause::Step { .. } | Cause::Batch { .. } => None,
    }
}
