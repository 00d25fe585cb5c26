//! Outcomes of re-run rulings and of the correction that caused them.

use crate::diag::Diagnostic;
use crate::doc::Document;
use crate::game::past::correction::announcements::RulingAnnouncement;
use crate::game::past::correction::phase::Phase;
use crate::game::past::correction::recorded_ruling::RecordedRuling;
use crate::game::ruling::input_source::{HandDie, WaitingQuestion};
use crate::game::ruling::waiting_ruling::Waiting;
use crate::store::{Change, StateHash, What};
use crate::value::Value;

/// What becomes of a ruling that is ruled again.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum RerunOutcome {
    Same,
    /// What it does otherwise: each cell as it is behind the ruling now, and as it would be.
    Changed(Vec<Change>),
    /// Why.
    Refused(Box<Diagnostic>),
    /// It asks what nobody answered.
    Asks(Vec<WaitingQuestion>),
}

/// One ruling that is ruled again.
pub(super) struct Step {
    pub(super) seq: u64,
    pub(super) by: String,
    pub(super) command: String,
    pub(super) became: RerunOutcome,
    /// Whether its own rules are not known any more.
    pub(super) is_under_others: bool,
    /// The phase behind it, where that is known and the ruleset has phases.
    pub(super) phase: Option<Phase>,
}

/// A correction that was tried.
pub(super) struct TriedCorrection {
    /// The correction itself.
    pub(super) what: What,
    pub(super) steps: Vec<Step>,
    /// What the command of a replacement says, and the slot in which it waits.
    pub(super) said: Vec<Document>,
    /// What rulings say that said something else before.
    pub(super) said_again: Vec<RulingAnnouncement>,
    pub(super) waits: Option<u64>,
    /// The dice and answers that were not recorded before.
    pub(super) inputs: Vec<Value>,
    /// The typed dice that wait then.
    pub(super) hand: Vec<HandDie>,
    /// The rulings that wait then.
    pub(super) waiting: Vec<Waiting>,
    pub(super) changes: Vec<Change>,
    /// What changes, in the words of the game.
    pub(super) words: Vec<String>,
    pub(super) hash: StateHash,
}

/// A correction that came to a question that nobody answered.
pub(super) struct AskingCorrection {
    /// The correction itself.
    pub(super) what: What,
    /// What was ruled again; the last one asks.
    pub(super) steps: Vec<Step>,
    /// How many more stand behind that.
    pub(super) behind: usize,
    /// Its questions; one at least has no answer.
    pub(super) open: Vec<WaitingQuestion>,
}

/// How far ruling again came.
pub(super) enum DryRun {
    Over(Box<TriedCorrection>),
    Asks(AskingCorrection),
}

/// Returns what becomes of a ruling as a line of the table.
pub(super) fn outcome_step(
    one: &RecordedRuling,
    became: RerunOutcome,
    (is_under_others, phase): (bool, Option<Phase>),
) -> Step {
    Step {
        seq: one.seq,
        by: one.operation.by.to_string(),
        command: one.operation.command.to_string(),
        became,
        is_under_others,
        phase,
    }
}

/// Notes in a correction which rulings it changes.
pub(super) fn note_changed_rulings(what: &mut What, steps: &[Step]) {
    if let What::Revert {
        changed, refused, ..
    }
    | What::Replace {
        changed, refused, ..
    } = what
    {
        for step in steps {
            match step.became {
                RerunOutcome::Same | RerunOutcome::Asks(_) => {}
                RerunOutcome::Changed(_) => changed.push(step.seq),
                RerunOutcome::Refused(_) => refused.push(step.seq),
            }
        }
    }
}
