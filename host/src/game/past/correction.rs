//! Corrections of the past: a ruling is left out, or another command replaces it under the same ruling number.
//!
//! The later rulings run again from their records. A preview shows the outcome of each ruling and changes nothing. With
//! consent, the net difference becomes one operation. Undo takes that operation back, and it can be reverted itself.
//! Nothing is rewritten. A correction frees neither ruling numbers nor record numbers, so that valid rulings keep their
//! dice and their names. A re-run may fail for a reason that does not come from a rule (a limit, a script error). Then
//! the correction ends and everything is as it was. A waiting ruling is asked again like any other. If the ruling asks
//! the same question, it continues to wait. If a ruling asks a question that nobody answered, the correction itself
//! waits, like any ruling that asks a question.

mod announcements;
pub(in crate::game) mod correction_suspension;
mod correction_text;
mod dry_run;
mod extra_inputs;
mod lost_answers;
mod manner;
mod outcome;
mod phase;
mod preview;
mod recorded_prompt;
mod recorded_ruling;
mod report_sentences;
mod rerun;
mod rerun_result;
pub(in crate::game) mod rerun_stop;
mod ruling_effect;

use crate::diag::Diagnostic;
use crate::doc::{Document, Viewer};
use crate::game::attempt::lifecycle::running_or_next_ruling_number;
use crate::game::attempt::ruling_run::draft_operation;
use crate::game::attempt::salts::salted_seed_of_ruling;
use crate::game::past::correction::correction_suspension::{
    past_changed_refusal, refuse_correction, suspend_correction,
};
use crate::game::past::correction::dry_run::try_correction;
use crate::game::past::correction::extra_inputs::ExtraInputs;
use crate::game::past::correction::outcome::{DryRun, TriedCorrection};
use crate::game::past::correction::preview::{
    PreviewDetail, correction_preview, correction_report, preview_until_question,
};
use crate::game::past::correction::rerun_stop::Refusal;
use crate::game::past::replay::{ruling_number_of_waiting_correction, waiting_correction_name};
use crate::game::past::undo::not_gm_refusal;
use crate::game::question::stored_standing_answers::standing_answers_by_seat_and_key;
use crate::game::ruling::ruling_context::{Inputs, Manner, Ruling};
use crate::game::timeline::Timeline;
use crate::game::timeline::log_entries::no_line_refusal;
use crate::game::timeline::reply::{Reply, RuleRun};
use crate::store::{Draft, What};

pub(in crate::game) use announcements::{
    CorrectionNotice, notices_of_correction, rulings_with_changed_messages,
};
pub(in crate::game) use phase::{Phase, phases_in_correction};

/// Whether a correction is only previewed or carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Consent {
    /// Shows the outcome of all rulings and changes nothing. Dice that are not rolled yet stay unknown.
    Asked,
    /// Shows the same, and each cell that would be different.
    Details,
    /// Carries the correction out.
    Given,
}

/// Leaves out a ruling or a correction, as if it had never been given.
///
/// Standing answers answer the questions that nobody answered then. Texts that come with the consent also answer them,
/// in the order of the questions. These texts are answers of the game master. For any other answer, the correction
/// waits.
///
/// Errors: the ruling is not valid; a later ruling cannot run again; there is one answer too many; an answer is not
/// valid.
pub fn revert_ruling(
    timeline: &mut Timeline,
    of: u64,
    consent: (Consent, &[String]),
    ruling: &Ruling<'_>,
) -> Reply {
    let (changed, refused) = (Vec::new(), Vec::new());
    let what = What::Revert {
        of,
        changed,
        refused,
    };
    preview_or_correct(timeline, what, consent, ruling)
}

/// Runs another command under the number of a ruling, as if the same person had given it then.
///
/// Errors: the errors of [`revert_ruling`], and the errors of the command.
pub fn replace_ruling(
    timeline: &mut Timeline,
    (of, with): (u64, &str),
    consent: (Consent, &[String]),
    ruling: &Ruling<'_>,
) -> Reply {
    let what = What::Replace {
        of,
        with: with.into(),
        changed: Vec::new(),
        refused: Vec::new(),
    };
    preview_or_correct(timeline, what, consent, ruling)
}

fn preview_or_correct(
    timeline: &mut Timeline,
    what: What,
    (consent, answers): (Consent, &[String]),
    ruling: &Ruling<'_>,
) -> Reply {
    if let Some(refusal) = not_gm_refusal(ruling.by()) {
        return Reply::refused(refusal);
    }
    match consent {
        Consent::Asked => {
            preview_correction(timeline, ruling, (what, PreviewDetail::Words), answers)
        }
        Consent::Details => {
            preview_correction(timeline, ruling, (what, PreviewDetail::Cells), answers)
        }
        Consent::Given => carry_out_correction(timeline, ruling, what, answers),
    }
}

/// Shows the outcome of all rulings.
fn preview_correction(
    timeline: &Timeline,
    ruling: &Ruling<'_>,
    (what, shown): (What, PreviewDetail),
    answers: &[String],
) -> Reply {
    let mut means = ExtraInputs {
        is_preview: true,
        ..extra_inputs_for(timeline, ruling, answers)
    };
    let checked = check_correction(timeline, &what, None);
    let tried = checked.and_then(|()| try_correction(timeline, ruling.caller, what, &mut means));
    let given = (answers, means.has_previewed, shown);
    match tried {
        Ok(DryRun::Over(tried)) => Reply::document(correction_preview(timeline, &tried, given)),
        Ok(DryRun::Asks(asking)) => {
            Reply::document(preview_until_question(timeline, &asking, given))
        }
        Err(refusal) => Reply::refused(*refusal),
    }
}

/// Carries out a correction, lets it wait for an answer, or continues it with an answer.
fn carry_out_correction(
    timeline: &mut Timeline,
    ruling: &Ruling<'_>,
    what: What,
    answers: &[String],
) -> Reply {
    let mut means = ExtraInputs {
        seed: Some(salted_seed_of_ruling(timeline, ruling)),
        policy: ruling.caller.responders.policy.clone(),
        ..extra_inputs_for(timeline, ruling, answers)
    };
    if let Some(resumption) = ruling.resumption() {
        means.add_waiting_correction(resumption);
    }
    let checked = check_correction(timeline, &what, means.ruling_number);
    let checked = checked.map_err(|refusal| past_changed_refusal(&means, refusal));
    let tried = checked.and_then(|()| try_correction(timeline, ruling.caller, what, &mut means));
    let reply = match tried {
        Ok(DryRun::Over(tried)) => record_correction(timeline, (*tried, means.manner), ruling),
        Ok(DryRun::Asks(asking)) => suspend_correction(timeline, &asking, means, ruling),
        Err(refusal) => refuse_correction(timeline, *refusal, &means, ruling),
    };
    let rule = waiting_correction_name(running_or_next_ruling_number(timeline, ruling));
    let ran = Some(RuleRun {
        rule,
        ..RuleRun::default()
    });
    Reply { ran, ..reply }
}

fn extra_inputs_for(timeline: &Timeline, ruling: &Ruling<'_>, answers: &[String]) -> ExtraInputs {
    let mut means = ExtraInputs {
        answers: answers.iter().cloned().collect(),
        orders: standing_answers_by_seat_and_key(&timeline.state),
        checks: ruling.checks,
        ..ExtraInputs::default()
    };
    if let Inputs::Drawn(drawn, manner) = ruling.inputs {
        means.manner = manner;
        means.add_recorded_inputs(drawn);
    }
    means
}

/// Records a correction with its changes.
fn record_correction(
    timeline: &mut Timeline,
    (tried, manner): (TriedCorrection, Manner),
    ruling: &Ruling<'_>,
) -> Reply {
    let waited = ruling.waiting_ruling().map(|waiting| waiting.ruling_number);
    let told = correction_report(timeline, &tried, (waited, manner));
    let words = timeline.words();
    let documents = std::iter::once(told).chain(tried.said);
    let documents: Vec<Document> = documents
        .chain(
            tried
                .said_again
                .iter()
                .flat_map(|one| one.documents_as_told(&words)),
        )
        .collect();
    let draft = Draft {
        inputs: tried.inputs,
        ..draft_operation(timeline, ruling, &[], (&documents, Vec::new()))
    };
    let net = (tried.changes, tried.hash);
    match timeline
        .history
        .record_correction(&mut timeline.state, (draft, tried.what), net)
    {
        Ok(operation) => Reply {
            op: Some(operation.seq),
            documents,
            waits: tried.waits,
            ..Reply::default()
        },
        Err(error) => Reply::refused(error.to_diagnostic()),
    }
}

/// Checks that there is something to correct. `waits` is the ruling number under which the correction waits.
fn check_correction(timeline: &Timeline, what: &What, waits: Option<u64>) -> Result<(), Refusal> {
    let of = what.corrected_number().unwrap_or_default();
    let refused = |message: String, hint: String| {
        Err(Box::new(
            Diagnostic::error("revert/no-ruling", message).hint(hint),
        ))
    };
    let Some(operation) = timeline.history.operation(of) else {
        let finding = no_line_refusal("store/unknown-operation", timeline, &Viewer::Gm, of);
        return Err(Box::new(finding));
    };
    let is_replaced = matches!(what, What::Replace { .. });
    match &operation.what {
        What::Undo { .. } | What::Redo { .. } => {
            let message = format!("log line {of} is `{}`, not a ruling", operation.command);
            return refused(message, "`undo` and `redo` take each other back".to_owned());
        }
        What::Refused { .. } => {
            let message = format!("log line {of} was refused and changed nothing");
            return refused(message, "`log` lists the rulings".to_owned());
        }
        What::Posted { .. } | What::Withdrawn { .. } => {
            let message = format!("log line {of} is a note about a post and changed nothing");
            let hint = format!("`post not done {of}` takes a note back");
            return refused(message, hint);
        }
        What::Ruling | What::Revert { .. }
            if is_replaced
                && (operation.what != What::Ruling
                    || ruling_number_of_waiting_correction(operation).is_some()) =>
        {
            let message = format!("log line {of} is `{}`, not a ruling", operation.command);
            return refused(message, format!("`revert {of}` cancels its effect"));
        }
        What::Ruling | What::Revert { .. } | What::Replace { .. } => {}
    }
    let first = timeline
        .history
        .live_operations()
        .next()
        .map(|first| first.seq);
    if first == Some(of) {
        let message = format!("log line {of} set the game up and cannot be removed");
        return refused(message, "to use another setup, start a new game".to_owned());
    }
    if !timeline.history.live_operations().any(|one| one.seq == of) {
        let message = format!("log line {of} was taken back by undo");
        let hint = "`redo` restores what was taken back last".to_owned();
        return refused(message, hint);
    }
    let mut now = timeline.history.valid_ruling_seqs();
    now.retain(|seq| {
        let ruling_number = timeline.history.operation(*seq).and_then(|one| one.slot);
        waits.is_none() || ruling_number != waits
    });
    if timeline.history.valid_seqs_after_correction((what, waits)) == now {
        let by = timeline.history.ineffective_rulings().get(&of).copied();
        let message = match by {
            Some(by) => format!("log line {of} was already reverted, by log line {by}"),
            None => format!("log line {of} no longer has an effect"),
        };
        let hint = by.map_or_else(String::new, |by| format!("`revert {by}` restores it"));
        return refused(message, hint);
    }
    Ok(())
}
