//! Waiting corrections: a later ruling asks a question that nobody answered.
//!
//! The answer runs the correction again over the past of that moment. A waiting correction is stored like any waiting
//! ruling. Its used inputs stay with it and are found by address. An answer without a question makes the correction
//! stale.

use crate::diag::Diagnostic;
use crate::game::answer::ruling_resumption::run_resumption;
use crate::game::attempt::command_kind::{host_effect_of_line, host_effect_of_past_line};
use crate::game::attempt::lifecycle::running_or_next_ruling_number;
use crate::game::attempt::ruling_run::{draft_operation, root_causes};
use crate::game::attempt::ruling_suspension::{Halt, answers_given_so_far, record_waiting_ruling};
use crate::game::command::dispatch::dispatch_line;
use crate::game::past::correction::extra_inputs::ExtraInputs;
use crate::game::past::correction::manner::{add_manner_note, manner_of_correction};
use crate::game::past::correction::outcome::AskingCorrection;
use crate::game::past::correction::preview::waiting_correction_report;
use crate::game::past::correction::recorded_ruling::inputs_of_operation;
use crate::game::past::correction::rerun_stop::Refusal;
use crate::game::past::replay::{
    recorded_resumption, ruling_number_of_waiting_correction, ruling_of_operation,
    waiting_correction_name,
};
use crate::game::question::stale_rulings::add_ways_out_hint;
use crate::game::ruling::caller::Caller;
use crate::game::ruling::input_source::{GivenAnswer, WaitingQuestion};
use crate::game::ruling::resumption::Resumption;
use crate::game::ruling::ruling_context::{Inputs, Ruling};
use crate::game::ruling::waiting_ruling::Waiting;
use crate::game::ruling::{typed_dice, waiting_ruling};
use crate::game::timeline::Timeline;
use crate::game::timeline::command_words::CommandEffect;
use crate::game::timeline::input::{Input, is_automatic_giver};
use crate::game::timeline::reply::Reply;
use crate::game::timeline::seat_replies::STALE;
use crate::store::Operation;

/// Lets a correction wait for an answer. The inputs that were used up to the question are stored with it.
pub(super) fn suspend_correction(
    timeline: &mut Timeline,
    asking: &AskingCorrection,
    means: ExtraInputs,
    ruling: &Ruling<'_>,
) -> Reply {
    let earlier = ruling
        .waiting_ruling()
        .map_or(&[][..], |waiting| &waiting.transcript);
    let mut used = earlier.to_vec();
    let is_new = |one: &Input| earlier.iter().all(|known| known.address() != one.address());
    let manner = means.manner;
    used.extend(means.used.into_iter().filter(is_new));
    let rule = waiting_correction_name(running_or_next_ruling_number(timeline, ruling));
    let halt = Halt {
        open: renumbered_questions(&asking.open, &used),
        used,
        hand: typed_dice::typed_dice_not_yet_used(&timeline.state),
        said: vec![waiting_correction_report(timeline, asking, manner)],
        step: None,
        root: root_causes(&rule),
        rule,
    };
    record_waiting_ruling(timeline, ruling, halt)
}

/// Refuses a correction. The refusal of a waiting correction is recorded with the used inputs, and its question stays
/// open.
pub(super) fn refuse_correction(
    timeline: &mut Timeline,
    refusal: Diagnostic,
    means: &ExtraInputs,
    ruling: &Ruling<'_>,
) -> Reply {
    let Some(waiting) = ruling.waiting_ruling() else {
        return Reply::refused(refusal);
    };
    if ruling.is_continued_by_standing_answer() && means.is_no_answer {
        // A standing answer that does not answer the open question counts as no standing answer.
        return Reply::default();
    }
    let refusal = match &*refusal.code {
        STALE => add_ways_out_hint(timeline, refusal, waiting),
        _ => refusal,
    };
    let root = add_manner_note(
        root_causes(&waiting_correction_name(waiting.ruling_number)),
        means.manner,
    );
    let draft = draft_operation(timeline, ruling, &means.used, (&[], root));
    let (code, message) = (refusal.code.to_string(), refusal.message.clone());
    timeline
        .history
        .record_refused_command(&timeline.state, draft, code, message);
    Reply::refused(refusal)
}

/// Returns the refusal of a waiting correction that cannot continue because the past has changed.
pub(super) fn past_changed_refusal(means: &ExtraInputs, why: Refusal) -> Refusal {
    if means.ruling_number.is_none() {
        return why;
    }
    let message =
        "the correction cannot continue: the log has changed since its question was asked";
    let finding = Diagnostic::error(STALE, message);
    Box::new(finding.hint(format!("it would be refused now: {}", why.message)))
}

/// Runs a line again that corrected the past, or that let a correction wait or continue. Uses the inputs that were
/// used then.
pub(in crate::game) fn redo_correction_line(
    timeline: &mut Timeline,
    operation: &Operation,
    caller: &Caller<'_>,
) -> Reply {
    let drawn = inputs_of_operation(operation);
    let ruling = Ruling {
        inputs: Inputs::Drawn(&drawn, manner_of_correction(operation)),
        ..ruling_of_operation(operation, caller)
    };
    let corrects = operation.what.corrected_number().is_some();
    let ruling_number =
        ruling_number_of_waiting_correction(operation).or(operation.slot.filter(|_| corrects));
    let waiting = ruling_number.and_then(|number| {
        waiting_ruling::waiting_ruling_by_ruling_number(&timeline.state, number)
    });
    match waiting {
        Some(waiting) => run_resumption(
            timeline,
            &resumption_by_line(timeline, waiting, operation),
            &ruling,
        ),
        None => match host_effect_of_line(timeline, (&operation.by, &operation.command)) {
            Some(CommandEffect::Walks) => dispatch_line(timeline, &ruling),
            Some(_) | None => Reply::default(),
        },
    }
}

/// Returns the resumption of a correction by a line of the past, with its answers.
fn resumption_by_line(timeline: &Timeline, waiting: Waiting, operation: &Operation) -> Resumption {
    if host_effect_of_past_line(timeline, &operation.command) == Some(CommandEffect::Restarts) {
        return recorded_resumption(timeline, without_transcript(waiting), operation);
    }
    let answers = operation.inputs.iter().filter_map(Input::from_value);
    let is_missing = |address: &str| {
        let mut open = waiting.open.iter();
        open.any(|open| open.address == address && open.answer.is_none())
    };
    let given = answers.filter_map(|input| match input {
        Input::Answer(one) if is_missing(&one.address) => {
            let by = match is_automatic_giver(&one.by) {
                true => one.by.clone(),
                false => operation.by.to_string(),
            };
            let (address, given) = (one.address.clone(), GivenAnswer::of(&one));
            Some((address, GivenAnswer { by, ..given }))
        }
        Input::Answer(_) | Input::Die(_) => None,
    });
    let given = answers_given_so_far(&waiting).chain(given).collect();
    Resumption {
        given,
        ..recorded_resumption(timeline, waiting, operation)
    }
}

/// Returns a waiting correction without its record.
fn without_transcript(waiting: Waiting) -> Waiting {
    Waiting {
        transcript: Vec::new(),
        open: Vec::new(),
        is_pinned: false,
        ..waiting
    }
}

/// Returns questions with their numbers within the correction, after the answers that it has.
fn renumbered_questions(open: &[WaitingQuestion], used: &[Input]) -> Vec<WaitingQuestion> {
    let answers = used.iter().filter(|one| matches!(one, Input::Answer(_)));
    let before = answers.filter(|one| !one.holds_file()).count();
    let open = open.iter().enumerate();
    let open = open.map(|(at, one)| WaitingQuestion {
        ordinal: before + at + 1,
        ..one.clone()
    });
    open.collect()
}
