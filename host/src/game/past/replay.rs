//! Runs a recorded operation again as it ran then, and records the result.
//!
//! The run starts with the state before the operation, and the history begins there. The inputs that the operation
//! used are found by their addresses: the seed, people and policies are not asked. The rules of that time are used,
//! if they are saved. Nothing of the run is kept.

use crate::diag::Diagnostic;
use crate::game::answer::prompt_answer::rerun_prompt_answer;
use crate::game::answer::ruling_resumption::{
    drop_waiting_ruling, run_resumption, typed_dice_of_transcript,
};
use crate::game::attempt::command_kind::{host_effect_of_line, host_effect_of_past_line};
use crate::game::attempt::line_parser::{line_in_present_words, parse_command_line};
use crate::game::attempt::plans::steps::move_game_on;
use crate::game::attempt::ruling_run::run_setup_ruling;
use crate::game::command::dispatch::dispatch_line;
use crate::game::past::replay::recorded_operation::{
    first_address_in, ruling_number_of_dropped_ruling, ruling_number_of_operation, was_attended,
};
use crate::game::past::run_difference::{CAUSES, END, differing_parts, differing_parts_in_words};
use crate::game::ruling::caller::Caller;
use crate::game::ruling::input_source::{HandDie, SharedInputs};
use crate::game::ruling::resumption::Resumption;
use crate::game::ruling::ruling_context::{Giver, Inputs, Responders, Ruling, Trace};
use crate::game::ruling::{typed_dice, waiting_ruling};
use crate::game::timeline::Timeline;
use crate::game::timeline::command_words::{CommandEffect, PlanExtent};
use crate::game::timeline::input::{Input, ruling_number_of_address};
use crate::game::timeline::reply::Reply;
use crate::script::{Checks, Line, Owner, PLANS, PROMPT, owner_of_template};
use crate::store::{Operation, What};

mod recorded_operation;
mod scratch_run;

pub(in crate::game) use recorded_operation::has_broken_rule_answer;
pub(in crate::game) use recorded_operation::records_outside_fact;
pub(in crate::game) use recorded_operation::rule_of_operation;
pub(in crate::game) use recorded_operation::ruling_number_of_waiting_correction;
pub(in crate::game) use recorded_operation::ruling_of_operation;
pub(in crate::game) use recorded_operation::waiting_correction_name;
pub(in crate::game) use scratch_run::ScratchRun;

/// Result of an operation that runs again.
pub(in crate::game) struct ReplayResult {
    /// The rule that ran.
    pub(in crate::game) rule: String,
    /// Trace lines, if the run was traced.
    pub(in crate::game) lines: Vec<Line>,
    /// Number of further trace lines that are left out.
    pub(in crate::game) left_out: usize,
    /// Success, or the refusal.
    pub(in crate::game) result: Result<(), Diagnostic>,
    /// The resulting operation.
    pub(in crate::game) operation: Option<Operation>,
    /// Whether the run ended at a question.
    pub(in crate::game) waits: bool,
}

/// Reason why an operation is not run again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::game) enum NotReplayable {
    /// The rules of that time are not saved or cannot be used.
    RulesGone,
    /// The operation ran no rule: undo, redo, commands of the host.
    NoRule,
}

/// Comparison of an operation with its re-run from the recorded inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplayComparison {
    /// The re-run did the same.
    Same,
    /// The re-run did something else, described in words.
    Differs(String),
    /// The operation ran no rule, or its rules are not saved.
    NotRun,
}

/// Runs an operation again with tracing. Errors: the reason why it cannot run again.
pub(in crate::game) fn replay_traced(
    timeline: &Timeline,
    caller: &Caller<'_>,
    operation: &Operation,
) -> Result<ReplayResult, NotReplayable> {
    replay_operation(timeline, caller, operation, Trace::On)
}

/// Runs an operation again from its recorded inputs and compares all its effects.
pub fn verify_operation(timeline: &Timeline, caller: &Caller<'_>, number: u64) -> ReplayComparison {
    let Some(operation) = timeline.history.operation(number).cloned() else {
        return ReplayComparison::NotRun;
    };
    match replay_operation(timeline, caller, &operation, Trace::Off) {
        Ok(again) => replay_difference(&again, &operation)
            .map_or(ReplayComparison::Same, ReplayComparison::Differs),
        Err(NotReplayable::RulesGone | NotReplayable::NoRule) => ReplayComparison::NotRun,
    }
}

/// Runs a command as if it were given now, and takes the ruling back. Its dice differ from the dice of a real ruling.
///
/// Errors: the line is not a command of the rules.
pub(in crate::game) fn rehearse_line(
    timeline: &Timeline,
    caller: &Caller<'_>,
    (giver, line): (Giver<'_>, &str),
) -> Result<ReplayResult, Diagnostic> {
    let (phrase, _) = parse_command_line(timeline, giver.seat, line)?;
    if !matches!(
        owner_of_template(&phrase.template),
        Some(Owner::Definition { .. })
    ) {
        let renamed = line_in_present_words(timeline, line);
        let present = renamed.as_ref().map_or(line, |(present, _)| present);
        let message =
            format!("`why not` explains commands of the ruleset, and \"{present}\" is built in");
        let finding = Diagnostic::error("why/no-rule", message)
            .hint("type the command itself to see whether it is refused");
        return Err(match renamed {
            Some((_, (old, now))) => finding.hint(format!("`{old}` is called `{now}` now")),
            None => finding,
        });
    }
    let ruling_number = timeline.history.next_ruling_number();
    let hand = typed_dice::typed_dice_not_yet_used(&timeline.state);
    let input_source = SharedInputs::with_seeded_dice(
        &timeline.dice.seed,
        &format!("preview/{ruling_number}"),
        hand,
    );
    let input_source = input_source.letting_questions_wait();
    let ruling = Ruling {
        inputs: Inputs::Source(&input_source),
        trace: Trace::On,
        giver,
        ..Ruling::live(giver.seat, line, caller)
    };
    let done = ScratchRun::of(timeline.scratch_copy(), |there| {
        dispatch_line(there, &ruling)
    });
    done.into_replay_result().map_err(|reply| {
        let nothing = || Diagnostic::error("why/no-rule", "no rule ran");
        reply.refusal.unwrap_or_else(nothing)
    })
}

fn replay_operation(
    timeline: &Timeline,
    caller: &Caller<'_>,
    operation: &Operation,
    trace: Trace,
) -> Result<ReplayResult, NotReplayable> {
    if rule_of_operation(operation).is_none() {
        return Err(NotReplayable::NoRule);
    }
    let before = timeline.history.state_before(operation.seq);
    let before = before.map_err(|_| NotReplayable::NoRule)?;
    let next = timeline.history.next_numbers_before(operation.seq);
    let rules = caller.generation_by_hash(&operation.rules);
    let rules = rules.ok_or(NotReplayable::RulesGone)?;
    let there = timeline
        .beginning_with_state(before, next)
        .with_rules(&rules);
    replay_in_timeline(there, caller, operation, trace)
}

/// Runs an operation of the live rules again in a timeline that begins before it.
///
/// All present checks apply. If the operation then does something else, a program with fewer checks accepted it. In
/// that case, the operation runs with the checks of that time. A refused operation is checked by the checks that
/// refused it.
pub(in crate::game) fn replay_in_timeline(
    timeline: Timeline,
    caller: &Caller<'_>,
    operation: &Operation,
    trace: Trace,
) -> Result<ReplayResult, NotReplayable> {
    let before = timeline.scratch_copy();
    let given = (operation, trace);
    let now = replay_with_checks(timeline, caller, given, Checks::Now)?;
    if replay_difference(&now, operation).is_none() {
        return Ok(now);
    }
    let then = replay_with_checks(before, caller, given, Checks::Then)?;
    let was_refused = matches!(operation.what, What::Refused { .. });
    Ok(match replay_difference(&then, operation) {
        Some(_) if was_refused => now,
        Some(_) | None => then,
    })
}

/// Runs an operation of the live rules again with the given checks.
fn replay_with_checks(
    timeline: Timeline,
    caller: &Caller<'_>,
    (operation, trace): (&Operation, Trace),
    checks: Checks,
) -> Result<ReplayResult, NotReplayable> {
    let (before, next) = (timeline.state.fork(), timeline.history.next_numbers());
    let rule = rule_of_operation(operation)
        .ok_or(NotReplayable::NoRule)?
        .to_owned();
    let inputs = operation.inputs.iter().filter_map(Input::from_value);
    let inputs: Vec<Input> = inputs.collect();
    let said = ruling_number_of_operation(operation, &inputs);
    let waited =
        said.and_then(|number| waiting_ruling::waiting_ruling_by_ruling_number(&before, number));
    let ruling_number = waited
        .as_ref()
        .map_or(next.slot, |waited| waited.ruling_number);
    let earlier = waited
        .as_ref()
        .map(|waited| typed_dice_of_transcript(&waited.transcript));
    let mut hand = earlier.unwrap_or_default();
    hand.extend(typed_dice::typed_dice_not_yet_used(&before));
    let hand: Vec<HandDie> = hand
        .into_iter()
        .skip(typed_dice_of_transcript(&inputs).len())
        .collect();
    let place = recorded_address_start_of_ruling(&timeline, ruling_number, operation);
    let input_source = SharedInputs::of_recorded_inputs(&place, &inputs).with_hand_dice(hand);
    let input_source = input_source.letting_questions_wait();
    // The operation of a waiting ruling has a ruling number that was given out before.
    let next_number = next.slot.max(ruling_number + u64::from(waited.is_some()));
    let next = next.with_ruling_number(next_number);
    let responders = Responders {
        attended: was_attended(operation),
        ..Responders::default()
    };
    let caller = Caller {
        responders: &responders,
        ..*caller
    };
    let ruling = Ruling {
        inputs: Inputs::Source(&input_source),
        trace,
        checks,
        ..ruling_of_operation(operation, &caller)
    };
    let done = ScratchRun::of(
        timeline.beginning_with_state(before, next),
        |there| match waited {
            Some(waited) => continue_as_recorded(there, waited, operation, &ruling),
            None => rerun_rule_of_line(there, &rule, &ruling),
        },
    );
    done.into_replay_result().map_err(|_| NotReplayable::NoRule)
}

/// Runs a host command that ran no rule again, after the present history, and returns the resulting operation. Nothing
/// of the run is kept.
///
/// Some of these commands name lines of a log: the operations before them are read as they were then.
pub(in crate::game) fn redo_host_command(
    timeline: &Timeline,
    caller: &Caller<'_>,
    operation: &Operation,
) -> Option<Operation> {
    let ruling = ruling_of_operation(operation, caller);
    let given = (&*operation.by, &*operation.command);
    let given_up = ruling_number_of_dropped_ruling(&timeline.state, operation);
    let is_again = |does: CommandEffect| does.is_without_rule();
    if given_up.is_none() && !host_effect_of_line(timeline, given).is_some_and(is_again) {
        return None;
    }
    let mut there = timeline.copy();
    match given_up {
        Some(ruling_number) => drop_waiting_ruling(&mut there, ruling_number, &ruling),
        None => dispatch_line(&mut there, &ruling),
    };
    let before = timeline.history.operations().len();
    let found = there.history.operations().get(before);
    found.map(|one| Operation::clone(one))
}

/// Returns the text with which the addresses of a ruling number began. A game that is a fork kept the names in the
/// addresses of that time.
pub(in crate::game) fn recorded_address_start_of_ruling(
    timeline: &Timeline,
    ruling_number: u64,
    operation: &Operation,
) -> String {
    let asked = operation.changes.iter().filter(|change| {
        let row = timeline.state.names().text(change.row);
        waiting_ruling::ruling_number_from_row_id(&row) == Some(ruling_number)
    });
    let asked = asked.filter_map(|change| first_address_in(&change.new));
    let used = operation.inputs.iter().filter_map(first_address_in);
    let said = used.chain(asked).filter_map(ruling_number_of_address);
    let mut said = said.filter(|(_, place)| *place == ruling_number);
    let said = said.next().map(|(text, _)| text.to_owned());
    said.unwrap_or_else(|| timeline.prefixes.address_start_of_ruling(ruling_number))
}

/// Continues a waiting ruling as it continued then.
pub(in crate::game) fn continue_as_recorded(
    timeline: &mut Timeline,
    waiting: waiting_ruling::Waiting,
    operation: &Operation,
    ruling: &Ruling<'_>,
) -> Reply {
    run_resumption(
        timeline,
        &recorded_resumption(timeline, waiting, operation),
        ruling,
    )
}

/// Returns the resumption of a waiting ruling by a line of the past, without answers. The input source contains the
/// answers.
pub(in crate::game) fn recorded_resumption(
    timeline: &Timeline,
    mut waiting: waiting_ruling::Waiting,
    operation: &Operation,
) -> Resumption {
    // From the line that requests it, the ruling keeps the rules that it began with.
    let is_finished =
        host_effect_of_past_line(timeline, &operation.command) == Some(CommandEffect::Finishes);
    waiting.is_pinned |= is_finished;
    waiting.is_pinned &= *waiting.rules == *operation.rules;
    Resumption {
        waiting,
        by: operation.by.to_string(),
        entered_by: operation.through.as_deref().map(str::to_owned),
        line: operation.command.to_string(),
        given: std::collections::BTreeMap::new(),
        hand: Vec::new(),
    }
}

/// Returns the extent to which a line of the past moved the game.
fn extent_of_line(timeline: &Timeline, line: &str) -> PlanExtent {
    match host_effect_of_past_line(timeline, line) {
        Some(CommandEffect::Moves(extent)) => extent,
        Some(_) | None => PlanExtent::Rest,
    }
}

/// Runs the rule of an operation as the line of the operation did.
pub(in crate::game) fn rerun_rule_of_line(
    timeline: &mut Timeline,
    rule: &str,
    ruling: &Ruling<'_>,
) -> Reply {
    let plan = rule
        .strip_prefix(PLANS)
        .is_some_and(|id| id.starts_with('/'));
    let prompt = rule.strip_prefix(PROMPT).filter(|id| id.starts_with('#'));
    match rule {
        "setup" => run_setup_ruling(timeline, ruling),
        _ if prompt.is_some() => rerun_prompt_answer(timeline, rule, ruling),
        _ if plan || rule == "clock" => {
            move_game_on(timeline, extent_of_line(timeline, ruling.line), ruling)
        }
        _ => dispatch_line(timeline, ruling),
    }
}

/// Returns the differences between an operation and its re-run, in words; nothing if they are the same.
pub(in crate::game) fn replay_difference(
    again: &ReplayResult,
    operation: &Operation,
) -> Option<String> {
    if records_outside_fact(operation) {
        return None;
    }
    let Some(now) = &again.operation else {
        return Some("whether it makes a ruling at all".to_owned());
    };
    let mut parts = differing_parts(now, operation);
    // In a traced run each handler is a cause, so the numbers of causes differ.
    parts.retain(|(name, _)| *name != CAUSES || again.lines.is_empty());
    parts.retain(|(name, _)| *name != END || !now.what.is_same_outcome(&operation.what));
    parts.push(("the changes", now.changes != operation.changes));
    differing_parts_in_words(&parts)
}
