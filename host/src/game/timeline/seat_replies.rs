//! Hides from a seat the host's reports about the rules: errors in them, rolls of others, output printed by scripts.
//!
//! Documents have an audience. A refusal has none: a seat gets the parts about its own line and a rule's refusal to it.
//! For an error inside the rules, a seat gets only a general message. The game master gets all details with `why`.

use crate::diag::Diagnostic;
use crate::game::timeline::reply::Reply;
use crate::script::{GM, Printed};

/// The prefix of the names of rule files.
const RULES: &str = "scripts/";

/// Code areas of errors inside the rules, with or without a known place: such a finding names rows, values, rules.
const OF_RULES: [&str; 7] = [
    "clock/",
    "content/",
    "language/",
    "schema/",
    "expr/",
    "script/",
    "store/",
];

/// Limits that only rules exceed: the finding names the events that led there.
const LIMITS_OF_RULES: [&str; 2] = ["limit/depth", "limit/events"];

/// Codes of errors in a line about the log, in an area of the rules.
const OF_LINES: [&str; 3] = [
    "store/nothing-to-redo",
    "store/nothing-to-undo",
    "store/unknown-operation",
];

impl Reply {
    /// Returns the parts that the giver of the line may see; documents have their own audiences.
    #[must_use]
    pub fn visible_to_giver(self, by: &str) -> Reply {
        if by == GM {
            return self;
        }
        let refusal = self.refusal.map(|refusal| match self.is_of_another {
            true => answer_refusal_for_seat(refusal),
            false => refusal_for_seat(refusal),
        });
        Reply {
            refusal,
            findings: Vec::new(),
            printed: Printed::default(),
            ..self
        }
    }
}

/// Returns a refusal in the form for a seat.
pub(in crate::game) fn refusal_for_seat(refusal: Diagnostic) -> Diagnostic {
    if refusal.code == STALE {
        return stale_answer_refusal();
    }
    if !is_finding_about_rules(&refusal) {
        return refusal;
    }
    let message = "a rule of the game has an error here, so nothing was done";
    Diagnostic::error(refusal.code, message).hint("ask the game master to find the error")
}

/// Returns whether a finding is about the rules: by its code, its place in them, or its trace through them.
fn is_finding_about_rules(finding: &Diagnostic) -> bool {
    let code = &*finding.code;
    let is_of_area =
        OF_RULES.iter().any(|area| code.starts_with(area)) && !OF_LINES.contains(&code);
    let place = finding.place.as_ref();
    let is_in_rules = place.is_some_and(|place| place.source.name().starts_with(RULES));
    is_of_area || LIMITS_OF_RULES.contains(&code) || is_in_rules || !finding.trace.is_empty()
}

/// Returns the refusal of an answer in the form for a seat: the output of the rules is for the giver of the command.
pub(in crate::game) fn answer_refusal_for_seat(refusal: Diagnostic) -> Diagnostic {
    if is_answer_refusal_code(&refusal.code) {
        return refusal_for_seat(refusal);
    }
    stale_answer_refusal()
}

/// Returns the code of a refusal in the form for a seat: of a line that answers, or of another.
pub(in crate::game) fn refusal_code_for_seat(is_answer: bool, code: &str) -> &str {
    if is_answer && !is_answer_refusal_code(code) {
        return STALE;
    }
    code
}

fn is_answer_refusal_code(code: &str) -> bool {
    let of_answers = ["answer/", "phrase/", "host/"];
    of_answers.iter().any(|area| code.starts_with(area))
}

/// Returns the single refusal that a seat gets for every reason why a ruling cannot continue with an answer.
fn stale_answer_refusal() -> Diagnostic {
    let message = "your answer no longer fits the changed game";
    Diagnostic::error(STALE, message).hint("the game master must decide how to continue")
}

/// The code for a ruling that cannot continue.
pub(in crate::game) const STALE: &str = "ask/stale";
