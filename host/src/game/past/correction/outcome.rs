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

/// Outcome of a ruling that runs again.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum RerunOutcome {
    Same,
    /// Cells that differ: each with its present value after the ruling, and its value after the re-run.
    Changed(Vec<Change>),
    /// The reason of the refusal.
    Refused(Box<Diagnostic>),
    /// The ruling asks questions that nobody answered.
    Asks(Vec<WaitingQuestion>),
}

/// One ruling that runs again.
pub(super) struct Step {
    pub(super) seq: u64,
    pub(super) by: String,
    pub(super) command: String,
    pub(super) became: RerunOutcome,
    /// Whether its own rules are not known any more.
    pub(super) is_under_others: bool,
    /// The phase after it, if that is known and the ruleset has phases.
    pub(super) phase: Option<Phase>,
}

/// A correction that was tried.
pub(super) struct TriedCorrection {
    /// The correction itself.
    pub(super) what: What,
    pub(super) steps: Vec<Step>,
    /// Messages of a replacement command.
    pub(super) said: Vec<Document>,
    /// Messages of rulings that had other messages before.
    pub(super) said_again: Vec<RulingAnnouncement>,
    /// Ruling number under which the replacement command waits.
    pub(super) waits: Option<u64>,
    /// The dice and answers that were not recorded before.
    pub(super) inputs: Vec<Value>,
    /// The typed dice that wait after the correction.
    pub(super) hand: Vec<HandDie>,
    /// The rulings that wait after the correction.
    pub(super) waiting: Vec<Waiting>,
    pub(super) changes: Vec<Change>,
    /// The changes, in the words of the game.
    pub(super) words: Vec<String>,
    pub(super) hash: StateHash,
}

/// A correction that reached a question that nobody answered.
pub(super) struct AskingCorrection {
    /// The correction itself.
    pub(super) what: What,
    /// The rulings that ran again; the last one asks.
    pub(super) steps: Vec<Step>,
    /// Number of further rulings after the ruling that asks.
    pub(super) behind: usize,
    /// Questions of the correction; at least one has no answer.
    pub(super) open: Vec<WaitingQuestion>,
}

/// Result of trying a correction: it is complete, or it asks.
pub(super) enum DryRun {
    Over(Box<TriedCorrection>),
    Asks(AskingCorrection),
}

/// Returns the outcome of a ruling as a line of the table.
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

/// Records in a correction the rulings that it changes.
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
