//! This module keeps from a seat what the host says of the rules: where they break, what others rolled, what scripts print.
//!
//! What is said has its audience. A refusal has none: a seat is told what is about its own line, and what a rule says
//! to it in refusing; of what goes wrong inside the rules only that it does. The game master finds all of it by `why`.

use super::reply::Reply;
use crate::diag::Diagnostic;
use crate::script::{GM, Printed};

/// What the files of rules are called begins with this.
const RULES: &str = "scripts/";

impl Reply {
    /// Returns what of it whoever gave the line may be told; documents have audiences of their own.
    #[must_use]
    pub fn told_to(self, by: &str) -> Reply {
        if by == GM {
            return self;
        }
        let refusal = self.refusal.map(|refusal| match self.is_of_another {
            true => about_the_answer(refusal),
            false => told(refusal),
        });
        Reply {
            refusal,
            findings: Vec::new(),
            printed: Printed::default(),
            ..self
        }
    }
}

/// Returns what a seat is told of a refusal.
pub(super) fn told(refusal: Diagnostic) -> Diagnostic {
    if refusal.code == "ask/stale" {
        return cannot_go_on(refusal);
    }
    let place = refusal.place.as_ref();
    let is_in_rules = place.is_some_and(|place| place.source.name().starts_with(RULES));
    if !is_in_rules && refusal.trace.is_empty() {
        return refusal;
    }
    let message = "a rule of the game goes wrong here, so that nothing was done";
    Diagnostic::error(refusal.code, message).hint("the game master can find out why")
}

/// Returns what a seat is told of a refusal of its answer: what the rules say is for whoever gave the command.
pub(super) fn about_the_answer(refusal: Diagnostic) -> Diagnostic {
    let of_answers = ["answer/", "phrase/", "host/"];
    if of_answers.iter().any(|area| refusal.code.starts_with(area)) {
        return told(refusal);
    }
    cannot_go_on(refusal)
}

fn cannot_go_on(refusal: Diagnostic) -> Diagnostic {
    let message = "with this answer it cannot go on as it was asked";
    Diagnostic::error(refusal.code, message).hint("the game master decides what becomes of it")
}
