//! This module moves a game on for somebody at the prompt: not past a plan whose file has a mistake, unless they say so.
//!
//! Such a plan may be missing from the rules, and what is missing is never due: the game would pass over it without a word.

use crate::diag::Diagnostic;
use crate::game::attempt::plans::steps::move_on;
use crate::game::ruling::caller::Caller;
use crate::game::ruling::given::Ruling;
use crate::game::timeline::Timeline;
use crate::game::timeline::command_words::Extent;
use crate::game::timeline::reply::Reply;
use crate::script::{GM, PLANS};

/// The word that moves on past plans that are broken.
const ANYWAY: &str = "anyway";

/// Moves on as [`move_on`] does. Errors: `plan/broken`, unless the line ends with `anyway`.
pub fn advance(timeline: &mut Timeline, extent: Extent, ruling: &Ruling<'_>) -> Reply {
    let (by, line) = (ruling.by(), ruling.line);
    let is_meant = line.split_whitespace().last() == Some(ANYWAY);
    match broken_plan(ruling.caller) {
        Some(refusal) if by == GM && !is_meant => {
            Reply::refused(refusal.hint(format!("{} {ANYWAY} moves on without it", line.trim())))
        }
        Some(_) | None => move_on(timeline, extent, ruling),
    }
}

/// Returns the first mistake in a file of a plan, as a refusal.
fn broken_plan(caller: &Caller<'_>) -> Option<Diagnostic> {
    let mut findings = caller.findings().iter().filter(|one| one.is_error());
    findings.find_map(|finding| {
        let place = finding.place.as_ref()?;
        let file = place.source.name();
        let line = place.source.position(place.span.start).line;
        let message = format!("{file} is broken in line {line}: {}", finding.message);
        let refusal = Diagnostic {
            message,
            code: "plan/broken".into(),
            fix: None,
            ..finding.clone()
        };
        let advice = "when the file is mended, the next command follows it";
        is_plan(file).then(|| refusal.hint(advice))
    })
}

/// Returns whether a file of the rules holds a plan.
fn is_plan(file: &str) -> bool {
    let folders = file.rsplit_once('/').map_or("", |(folders, _)| folders);
    file.ends_with(".luau") && folders.split('/').any(|folder| folder == PLANS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_is_a_script_in_the_folder_of_plans() {
        assert!(is_plan("mini/plans/dawn.luau"));
        assert!(is_plan("features/tides/plans/ebb.luau"));
        for other in [
            "mini/commands/plans.luau",
            "mini/plans/dawn.test.txt",
            "plans.luau",
        ] {
            assert!(!is_plan(other), "{other}");
        }
    }
}
