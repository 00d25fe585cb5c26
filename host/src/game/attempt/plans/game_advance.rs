//! Moves a game on for a user of the REPL.
//!
//! The game stops at a plan with an error in its file, and at open questions, unless the line confirms the move. Such a
//! plan may be missing from the rules, and a missing plan is never due. Without the stop, the game would pass over it
//! without a message.

use crate::diag::Diagnostic;
use crate::game::attempt::lifecycle::one_at_a_time_refusal;
use crate::game::attempt::plans::plan_progress;
use crate::game::attempt::plans::steps::move_game_on;
use crate::game::question::open_questions::open_questions;
use crate::game::ruling::caller::Caller;
use crate::game::ruling::ruling_context::{Ruling, UnansweredPolicy};
use crate::game::timeline::Timeline;
use crate::game::timeline::command_words::PlanExtent;
use crate::game::timeline::reply::Reply;
use crate::script::{GM, PLANS};

/// The word that moves on past broken plans.
const ANYWAY: &str = "anyway";
/// The words that move on while answers are missing.
const WITHOUT: &str = "without answers";
/// The number of people with missing answers that the message names; the others are counted.
const NAMED: usize = 12;

/// Moves on as [`move_game_on`] does. Errors: `plan/broken`, unless the line contains `anyway`; `plan/unanswered` if
/// the responders require a report of missing answers first, unless the line contains `without answers`.
pub fn advance_game(timeline: &mut Timeline, extent: PlanExtent, ruling: &Ruling<'_>) -> Reply {
    let (by, words) = (ruling.by(), normalized_words(ruling.line));
    match broken_plan_refusal(ruling.caller) {
        Some(refusal) if by == GM && !words.contains(ANYWAY) => {
            let line = ruling.line.trim();
            return Reply::refused(refusal.hint(format!("`{line} {ANYWAY}` moves on without it")));
        }
        Some(_) | None => {}
    }
    let is_meant = by != GM || words.contains(WITHOUT);
    let owed = (!is_meant)
        .then(|| owed_answers_message(timeline, ruling))
        .flatten();
    match (ruling.caller.responders.unanswered, owed) {
        (UnansweredPolicy::Refused, Some(message)) => Reply::refused(
            Diagnostic::error("plan/unanswered", message)
                .hint(format!(
                    "`{} {WITHOUT}` moves on anyway",
                    ruling.line.trim()
                ))
                .hint("`questions` lists the open questions"),
        ),
        (UnansweredPolicy::Told, Some(message)) => {
            let mut reply = move_game_on(timeline, extent, ruling);
            if reply.refusal.is_none() {
                let finding = Diagnostic::warning("plan/unanswered", message);
                reply.findings.push(finding);
            }
            reply
        }
        (UnansweredPolicy::Passed | UnansweredPolicy::Told | UnansweredPolicy::Refused, _) => {
            move_game_on(timeline, extent, ruling)
        }
    }
}

/// Returns the words of a line, each in lower case, separated by one space.
fn normalized_words(line: &str) -> String {
    let words = line.split_whitespace().map(str::to_lowercase);
    words.collect::<Vec<_>>().join(" ")
}

/// Reports the missing answers that the game would pass over. Returns nothing if none is missing, or if the game does
/// not leave a phase. A question with a deadline is not reported, because its end at that deadline was announced.
fn owed_answers_message(timeline: &Timeline, ruling: &Ruling<'_>) -> Option<String> {
    if plan_progress::plan_in_progress(&timeline.state).is_some()
        || one_at_a_time_refusal(timeline, ruling, None).is_some()
    {
        return None;
    }
    let mut open = open_questions(timeline);
    open.retain(|one| one.question.deadline.is_none() && one.question.to != GM);
    let named = open.iter().take(NAMED).map(|one| {
        let question = &one.question;
        format!("{} {} ({})", question.to, question.key, one.number)
    });
    let named = named.collect::<Vec<_>>().join(", ");
    let more = match open.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    match open.len() {
        0 => None,
        1 => Some(format!("1 answer is still missing: {named}")),
        many => Some(format!("{many} answers are still missing: {named}{more}")),
    }
}

/// Returns the first error in a file of a plan, as a refusal.
fn broken_plan_refusal(caller: &Caller<'_>) -> Option<Diagnostic> {
    let mut findings = caller.findings().iter().filter(|one| one.is_error());
    findings.find_map(|finding| {
        let place = finding.place.as_ref()?;
        let file = place.source.name();
        let message = format!(
            "{file} has an error in line {}: {}",
            place.start_line(),
            finding.message
        );
        let refusal = Diagnostic {
            message,
            code: "plan/broken".into(),
            fix: None,
            ..finding.clone()
        };
        let advice = "after you fix the file, the next command uses it";
        is_plan_file(file).then(|| refusal.hint(advice))
    })
}

/// Returns whether a file of the rules contains a plan.
fn is_plan_file(file: &str) -> bool {
    let folders = file.rsplit_once('/').map_or("", |(folders, _)| folders);
    file.ends_with(".luau") && folders.split('/').any(|folder| folder == PLANS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_is_a_script_in_the_folder_of_plans() {
        assert!(is_plan_file("mini/plans/dawn.luau"));
        assert!(is_plan_file("features/tides/plans/ebb.luau"));
        for other in [
            "mini/commands/plans.luau",
            "mini/plans/dawn.test.txt",
            "plans.luau",
        ] {
            assert!(!is_plan_file(other), "{other}");
        }
    }
}
