//! Tries a correction in another state.
//!
//! The later rulings run again, and their effects are compared with their present effects.

use std::collections::BTreeMap;

use crate::game::past::correction::announcements::{RulingAnnouncement, changed_announcements};
use crate::game::past::correction::correction_text::correction_in_words;
use crate::game::past::correction::extra_inputs::ExtraInputs;
use crate::game::past::correction::lost_answers::{lost_answers, lost_line_announcements};
use crate::game::past::correction::outcome::{
    AskingCorrection, DryRun, RerunOutcome, Step, TriedCorrection, note_changed_rulings,
    outcome_step,
};
use crate::game::past::correction::phase::Phase;
use crate::game::past::correction::preview::add_giver_hint;
use crate::game::past::correction::recorded_ruling::{
    RecordedRuling, inputs_drawn_by_corrections, ruling_to_rerun,
};
use crate::game::past::correction::rerun::{is_answer_line, rerun_rulings};
use crate::game::past::correction::rerun_result::RerunResult;
use crate::game::past::correction::rerun_stop::{Refusal, RerunStop};
use crate::game::past::correction::ruling_effect::RulingEffect;
use crate::game::past::former_sentences::is_same_messages;
use crate::game::past::replay::ruling_number_of_waiting_correction;
use crate::game::ruling::caller::Caller;
use crate::game::ruling::ruling_context::Manner;
use crate::game::ruling::{typed_dice, waiting_ruling};
use crate::game::timeline::Timeline;
use crate::game::timeline::input::Input;
use crate::script::{ASKED, IDS, reserve_ids_of_state};
use crate::store::{Operation, State, StoreError, What};
use crate::value::{Name, Value};

/// Runs the later rulings of a correction again, in another state.
///
/// Errors: a ruling cannot run again, or it takes another way than it did when it asked.
pub(super) fn try_correction(
    timeline: &Timeline,
    caller: &Caller<'_>,
    mut what: What,
    means: &mut ExtraInputs,
) -> Result<DryRun, Refusal> {
    let waits = means.ruling_number;
    let target = timeline.history.valid_seqs_after_correction((&what, waits));
    let (from, known) = timeline
        .history
        .nearest_common_place(&target, Some((&what, waits)));
    let first = timeline.history.state_before(from);
    let first = first.map_err(|error| Box::new(error.to_diagnostic()))?;
    let later = target[known..].iter();
    let drawn = inputs_drawn_by_corrections(timeline, (&what, waits));
    let ruled = |seq: &u64| ruling_to_rerun(timeline, *seq, (&what, waits), &drawn);
    let later: Vec<RecordedRuling> = later.map(ruled).collect();
    let mut ran = Vec::with_capacity(later.len());
    let open = match rerun_rulings(timeline, caller, &first, (&later, means), &mut ran) {
        Ok(()) => Vec::new(),
        Err(RerunStop::Asks(open)) => open,
        Err(RerunStop::Refused(refusal)) => return Err(refusal),
    };
    // Rulings after the ruling that asks are not compared.
    let compared = if open.is_empty() {
        later.len()
    } else {
        ran.len()
    };
    let now = present_effects(
        timeline,
        (caller, means.manner),
        &target,
        &later[..compared],
    )?;
    let own = timeline.history.operations().len() as u64 + 1;
    if let Some(one) = ran.iter().find(|one| one.seq == own)
        && let Some(refusal) = &one.effect.refusal
    {
        let of = what.corrected_number().unwrap_or_default();
        let hint = match refusal.code.starts_with("revert/") {
            true => String::new(),
            false => other_answer_advice(timeline, &what),
        };
        let refusal = Box::new((**refusal).clone().hint(hint));
        return Err(add_giver_hint(timeline, of, refusal));
    }
    means.check_answers_used(!open.is_empty())?;
    let mut steps = compared_steps(timeline, &what, (&later, means.manner), (&ran, &now));
    if !open.is_empty() {
        let became = RerunOutcome::Asks(open.clone());
        steps.extend(
            later
                .get(ran.len())
                .map(|one| outcome_step(one, became, (false, None))),
        );
        let behind = later.len().saturating_sub(ran.len() + 1);
        return Ok(DryRun::Asks(AskingCorrection {
            what,
            steps,
            behind,
            open,
        }));
    }
    note_changed_rulings(&mut what, &steps);
    let last = state_after_correction(timeline, &what, &first, &ran);
    let last = last.map_err(|error| Box::new(error.to_diagnostic()))?;
    let cells = timeline.history.operations()[usize::try_from(from - 1).unwrap_or_default()..]
        .iter()
        .flat_map(|operation| &operation.changes)
        .chain(ran.iter().flat_map(|one| &one.effect.changes))
        .map(|change| (change.row, change.field));
    let passed = cells_of_given_out_numbers(&timeline.state, &last);
    let changes = timeline
        .state
        .changes_among_cells(&last, cells.chain(passed));
    let replaced = ran.iter().find(|one| one.seq == own);
    let standing = timeline.history.valid_ruling_seqs();
    let only = |these: &[u64], others: &[u64]| -> Vec<u64> {
        let mut only = these.to_vec();
        only.retain(|seq| !others.contains(seq));
        only
    };
    let (left, mut back) = (only(&standing, &target), only(&target, &standing));
    back.retain(|seq| !now.contains_key(seq) && *seq != own);
    let mut said_again = changed_announcements(&ran, &now, (own, means.manner));
    let words = match means.manner {
        Manner::Rows => Vec::new(),
        Manner::Asked | Manner::Lines | Manner::Standing | Manner::Plain | Manner::LogLines => {
            let fallen = lost_answers(timeline, (&later, &left), (&ran, &now), &last);
            let mut told: Vec<RulingAnnouncement> = fallen
                .iter()
                .filter_map(|one| one.announcement_to_giver(&timeline.words()))
                .collect();
            if means.manner >= Manner::Lines {
                told.extend(lost_line_announcements(timeline, &later, (&ran, &now)));
            }
            if means.manner >= Manner::Standing {
                said_again.retain(|one| !told.iter().any(|told| told.is_to_same_reader(one)));
            }
            said_again.extend(told);
            let new = replaced.filter(|_| means.manner >= Manner::LogLines);
            let new = new.map_or(&[][..], |one| one.effect.documents.as_slice());
            let of = what.corrected_number();
            correction_in_words(
                timeline,
                (&left, &back, (of, new)),
                (&ran, &now),
                (&fallen, &last),
                (waits, means.manner),
            )
        }
    };
    Ok(DryRun::Over(Box::new(TriedCorrection {
        what,
        steps,
        said: replaced.map_or_else(Vec::new, |one| one.said.clone()),
        waits: replaced.and_then(|one| one.waits),
        said_again,
        inputs: inputs_to_record(&later, &ran, own),
        hand: typed_dice::typed_dice_not_yet_used(&last),
        waiting: waiting_ruling::waiting_rulings(&last),
        changes,
        words,
        hash: last.hash(),
    })))
}

/// Explains how to give another answer, if the replaced line is an answer and the replacement is not.
fn other_answer_advice(timeline: &Timeline, what: &What) -> String {
    let What::Replace { of, with, .. } = what else {
        return String::new();
    };
    let replaced = timeline.history.operation(*of);
    let is_one = |one: &Operation| is_answer_line(timeline, &one.by, &one.command);
    let is_other = |one: &Operation| is_one(one) && !is_answer_line(timeline, &one.by, with);
    match replaced.is_some_and(is_other) {
        true => {
            format!("log line {of} is an answer: `replace {of} with answer …` gives another one")
        }
        false => String::new(),
    }
}

/// Returns the state that a correction leads to. Ids and numbers are not given out again. Exception: a correction is
/// reverted and no ruling runs again. Then the numbers are as if that correction had never been made.
fn state_after_correction(
    timeline: &Timeline,
    what: &What,
    first: &State,
    ran: &[RerunResult],
) -> Result<State, StoreError> {
    let mut last = ran.last().map_or(first, |one| &one.after).fork();
    let of = what
        .corrected_number()
        .and_then(|of| timeline.history.operation(of));
    let is_of_correction = of.is_some_and(|one| one.what.corrected_number().is_some());
    if !(is_of_correction && matches!(what, What::Revert { .. }) && ran.is_empty()) {
        let mark = last.mark();
        reserve_ids_of_state(&mut last, &timeline.state)?;
        last.commit(mark);
    }
    Ok(last)
}

/// Returns the present effects of rulings: the recorded effects, unless a correction came after them.
fn present_effects(
    timeline: &Timeline,
    (caller, manner): (&Caller<'_>, Manner),
    target: &[u64],
    later: &[RecordedRuling],
) -> Result<BTreeMap<u64, RulingEffect>, Refusal> {
    let standing = timeline.history.valid_ruling_seqs();
    let corrections = timeline
        .history
        .live_operations()
        .filter(|one| one.what.corrected_number().is_some());
    let last = corrections.map(|one| one.seq).max().unwrap_or(0);
    let is_corrected = |one: &&RecordedRuling| one.seq <= last && standing.contains(&one.seq);
    let own = timeline.history.operations().len() as u64 + 1;
    let mut effects: BTreeMap<u64, RulingEffect> = later
        .iter()
        .filter(|one| one.seq > last && one.seq != own)
        .map(|one| {
            (
                one.seq,
                RulingEffect::of_operation(&one.operation, one.waits),
            )
        })
        .collect();
    let pairs = standing.iter().zip(target);
    let common = pairs.take_while(|(one, other)| one == other).count();
    let is_left_out = |seq: &u64| *seq <= last && !target.contains(seq);
    let leaves_corrected = manner >= Manner::Standing && standing[common..].iter().any(is_left_out);
    if leaves_corrected || later.iter().any(|one| is_corrected(&one)) {
        let (from, known) = timeline
            .history
            .nearest_common_place(&standing[..common], None);
        let first = timeline.history.state_before(from);
        let first = first.map_err(|error| Box::new(error.to_diagnostic()))?;
        let none = (&What::Ruling, None);
        let present = standing[known..].iter();
        let drawn = inputs_drawn_by_corrections(timeline, none);
        let present: Vec<RecordedRuling> = present
            .map(|seq| ruling_to_rerun(timeline, *seq, none, &drawn))
            .collect();
        let mut ran = Vec::with_capacity(present.len());
        let mut of_present = ExtraInputs {
            manner,
            ..ExtraInputs::default()
        };
        let ended = rerun_rulings(
            timeline,
            caller,
            &first,
            (&present, &mut of_present),
            &mut ran,
        );
        if let Err(RerunStop::Refused(refusal)) = ended {
            return Err(refusal);
        }
        // If a ruling asks because its rules are missing, the effects of that ruling and of later ones are not known.
        effects.extend(ran.into_iter().map(|one| (one.seq, one.effect)));
    }
    Ok(effects)
}

/// Compares the present effects of rulings with their effects after the correction.
fn compared_steps(
    timeline: &Timeline,
    what: &What,
    (later, manner): (&[RecordedRuling], Manner),
    (ran, now): (&[RerunResult], &BTreeMap<u64, RulingEffect>),
) -> Vec<Step> {
    let own = timeline.history.operations().len() as u64 + 1;
    let back = restored_steps(timeline, what, later);
    let again = later.iter().zip(ran).filter(|(one, _)| one.seq != own);
    // A ruling that an earlier correction caused to be refused, and that is refused here too, is not valid before or
    // after.
    let is_refused = |effect: &RulingEffect| manner >= Manner::Standing && effect.refusal.is_some();
    let stands =
        |ran: &RerunResult| !is_refused(&ran.effect) || !now.get(&ran.seq).is_some_and(&is_refused);
    let again = again.filter(|(_, ran)| stands(ran));
    let again = again.map(|(one, ran)| {
        let became = rerun_outcome(timeline, one, ran, now.get(&one.seq));
        outcome_step(one, became, (ran.is_under_others, Phase::of(&ran.after)))
    });
    back.into_iter().chain(again).collect()
}

/// Returns the rulings that do the same again as before the correction that is taken back.
fn restored_steps(timeline: &Timeline, what: &What, later: &[RecordedRuling]) -> Vec<Step> {
    let of = match what {
        What::Revert { of, .. } => timeline.history.operation(*of),
        _ => None,
    };
    // A correction that waited is taken back together with the line that asked.
    let (ruling_number, left_out) = (
        of.and_then(ruling_number_of_waiting_correction),
        timeline.history.ineffective_rulings(),
    );
    let is_of = |one: &&Operation| {
        let is_asked = ruling_number.is_some()
            && one.slot == ruling_number
            && !left_out.contains_key(&one.seq);
        is_asked || of.is_some_and(|of| of.seq == one.seq)
    };
    let corrections = timeline.history.live_operations().filter(is_of);
    let mut back: Vec<u64> = corrections
        .flat_map(|one| {
            let (changed, refused) = one.what.rulings_changed_and_refused();
            changed.iter().chain(refused).copied()
        })
        .collect();
    back.sort_unstable();
    back.retain(|seq| !later.iter().any(|one| one.seq == *seq));
    let found = back
        .iter()
        .filter_map(|seq| timeline.history.operation(*seq));
    found
        .map(|one| Step {
            seq: one.seq,
            by: one.by.to_string(),
            command: one.command.to_string(),
            became: RerunOutcome::Changed(Vec::new()),
            is_under_others: false,
            phase: None,
        })
        .collect()
}

fn rerun_outcome(
    timeline: &Timeline,
    one: &RecordedRuling,
    ran: &RerunResult,
    now: Option<&RulingEffect>,
) -> RerunOutcome {
    let then = &ran.effect;
    if ruling_number_of_waiting_correction(&one.operation).is_some() && then.refusal.is_none() {
        // A waiting correction continues as it would have.
        return RerunOutcome::Same;
    }
    match (&then.refusal, now) {
        (Some(_), Some(now)) if now.refusal.is_some() => RerunOutcome::Same,
        (Some(refusal), _) => RerunOutcome::Refused(refusal.clone()),
        (None, None) => RerunOutcome::Changed(then.changes.clone()),
        (None, Some(now)) => {
            let cells = now.differing_cells(then, &ran.after, || {
                timeline.history.state_before(one.seq + 1).ok()
            });
            let is_same = cells.is_empty()
                && now.refusal.is_none()
                && now.waits == then.waits
                && is_same_messages(&now.documents, &then.documents);
            if is_same {
                RerunOutcome::Same
            } else {
                RerunOutcome::Changed(cells)
            }
        }
    }
}

/// Returns the cells that store the ids and numbers that were given out.
fn cells_of_given_out_numbers(one: &State, other: &State) -> Vec<(Name, Name)> {
    let rows = [IDS, ASKED]
        .into_iter()
        .filter_map(|row| one.names().find(row));
    let cells = rows.flat_map(|row| {
        let fields = one
            .field_names_of_row(row)
            .into_iter()
            .chain(other.field_names_of_row(row));
        fields.map(move |field| (row, field))
    });
    cells.collect()
}

/// Returns the used inputs that are recorded nowhere, and all inputs of a replacement command.
fn inputs_to_record(later: &[RecordedRuling], ran: &[RerunResult], own: u64) -> Vec<Value> {
    let pairs = later.iter().zip(ran);
    let new = pairs.flat_map(|(one, ran)| {
        // An answer that differs from the known one is new as well.
        let is_new = move |input: &&Value| {
            let input = Input::from_value(input);
            one.seq == own
                || input.is_none_or(|new| one.known.iter().all(|one| !one.is_same_input(&new)))
        };
        ran.effect.inputs.iter().filter(is_new).cloned()
    });
    new.collect()
}
