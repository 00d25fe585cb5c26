//! Runs commands again in order, each under its ruling number.
//!
//! Each command runs under its own rules if they are known. It uses the dice and answers that were recorded for the
//! addresses it asks for.

use std::collections::BTreeMap;

use crate::diag::Diagnostic;
use crate::game::answer::ruling_resumption::typed_dice_of_transcript;
use crate::game::attempt::command_kind::effect_of_host_command;
use crate::game::attempt::line_parser::{is_query_command, parse_command_line};
use crate::game::attempt::recorded_rules::copy_under_recorded_rules;
use crate::game::attempt::salts::salted_seed_of_ruling;
use crate::game::command::dispatch::dispatch_line;
use crate::game::command::lines_for_seats::parse_for_seat_line;
use crate::game::past::correction::extra_inputs::{ExtraInputs, questions_stopped_at};
use crate::game::past::correction::recorded_prompt::{
    RecordedPrompt, prompt_of_past_line, question_of_prompt,
};
use crate::game::past::correction::recorded_ruling::RecordedRuling;
use crate::game::past::correction::rerun_result::{
    RerunResult, cannot_rerun_finding, is_refused_by_rules, keep_waiting_correction,
    result_without_messages, state_with_host_changes,
};
use crate::game::past::correction::rerun_stop::{Refusal, RerunStop};
use crate::game::past::correction::ruling_effect::RulingEffect;
use crate::game::past::replay::{
    ScratchRun, continue_as_recorded, has_broken_rule_answer, recorded_address_start_of_ruling,
    rerun_rule_of_line, ruling_number_of_waiting_correction, ruling_of_operation,
};
use crate::game::question::stored_standing_answers::standing_answers_by_seat_and_key;
use crate::game::ruling::caller::Caller;
use crate::game::ruling::input_source::{
    GivenAnswer, HandDie, SharedInputs, still_answers_question,
};
use crate::game::ruling::ruling_context::{Inputs, Responders, Ruling};
use crate::game::ruling::seed_secrecy::are_seed_draws_forbidden;
use crate::game::ruling::{typed_dice, waiting_ruling};
use crate::game::timeline::Timeline;
use crate::game::timeline::command_words::CommandEffect;
use crate::game::timeline::input::{Answer, Input};
use crate::game::timeline::seed::encode_address_part;
use crate::script::{Owner, owner_of_template, reserve_ids_before, shown_answer};
use crate::store::{Operation, State, Write};
use crate::value::{Name, Value};

/// Runs commands again from a state on and adds their results to `ran`. `means` contains the inputs that they may use
/// beyond their own.
///
/// Errors: a command cannot run again and no rule is the reason, or a command asks a question that nobody answered.
pub(super) fn rerun_rulings(
    timeline: &Timeline,
    caller: &Caller<'_>,
    first: &State,
    (all, means): (&[RecordedRuling], &mut ExtraInputs),
    ran: &mut Vec<RerunResult>,
) -> Result<(), RerunStop> {
    for group in all.chunk_by(|one, other| one.operation.rules == other.operation.rules) {
        let rules = &*group[0].operation.rules;
        let is_live = *rules == *timeline.generation().hash();
        let is_known = is_live || caller.rule_files_by_hash(rules).is_some();
        let there = match is_known && !is_live {
            true => Some(copy_under_recorded_rules(timeline, caller, rules)?),
            false => None,
        };
        let there = there.as_ref().unwrap_or(timeline);
        for one in group {
            let before = ran.last().map_or(first, |last| &last.after).fork();
            let mut again = rerun_ruling(there, caller, before, (one, means))?;
            if let Some(refusal) = there.generation().machine().interruption_refusal() {
                return Err(RerunStop::from(cannot_rerun_finding(one, refusal)));
            }
            again.is_under_others = !is_known;
            ran.push(again);
        }
    }
    Ok(())
}

fn rerun_ruling(
    timeline: &Timeline,
    caller: &Caller<'_>,
    mut before: State,
    (one, means): (&RecordedRuling, &mut ExtraInputs),
) -> Result<RerunResult, RerunStop> {
    let mark = before.mark();
    let passed = reserve_ids_before(&mut before, &one.operation.changes);
    before.commit(mark);
    passed.map_err(|error| cannot_rerun_finding(one, error.to_diagnostic()))?;
    let waited = waiting_ruling::waiting_ruling_by_ruling_number(&before, one.ruling_number);
    if one.goes_on && waited.is_none() {
        let message = "its ruling asks nothing any more";
        let effect = RulingEffect::of_refusal(Diagnostic::error("ask/not-waiting", message));
        return Ok(result_without_messages(one, effect, before));
    }
    if ruling_number_of_waiting_correction(&one.operation).is_some() {
        return Ok(keep_waiting_correction(one, before));
    }
    let rule = one.operation.causes.first().map(|cause| cause.get("rule"));
    let rule = rule.and_then(Value::as_str).map(str::to_owned);
    let asked = (means.manner.finds_questions_by_person_asked() && waited.is_none())
        .then(|| prompt_of_past_line(timeline, one))
        .flatten();
    let asked = asked.map(|then| (then.prompt_in_state(&before, &means.taken), then));
    let rule = match &asked {
        Some((None, then)) => {
            return Ok(result_without_messages(
                one,
                RulingEffect::of_refusal(not_asked_refusal(then)),
                before,
            ));
        }
        Some((Some(row), _)) if rule.is_none() => return give_prompt_up_again(one, *row, &before),
        Some((Some(row), _)) => {
            if let Some(refusal) = invalid_answer_refusal(one, &before, *row) {
                means.taken.push(*row);
                return Ok(result_without_messages(
                    one,
                    RulingEffect::of_refusal(refusal),
                    before,
                ));
            }
            Some(before.names().text(*row).to_string())
        }
        None => rule,
    };
    let is_host = rule.is_none() && !one.operation.changes.is_empty();
    if is_host && let Some(after) = state_with_host_changes(&before, &one.operation.changes) {
        let effect = RulingEffect::of_operation(&one.operation, one.waits);
        return Ok(result_without_messages(one, effect, after));
    }
    if rule.is_none()
        && let Err(refusal) = check_line_for_past(timeline, one)
    {
        return Ok(result_without_messages(
            one,
            RulingEffect::of_refusal(*refusal),
            before,
        ));
    }
    let rule = rule.as_deref().unwrap_or_default();
    let mut given = means.answers_given_to(one);
    loop {
        let place = (&before, &given);
        let (done, input_source) = give_command_again(
            timeline,
            caller,
            place,
            (one, means),
            (rule, waited.clone()),
        );
        if !given.is_empty()
            && let Some(refusal) = input_source.wrong_answer_refusal()
        {
            means.note_inputs_of_ruling(one, input_source.used_inputs(), &[]);
            means.is_no_answer = true;
            // The giver of the answer gets only the message about the answer.
            return Err(RerunStop::from(match means.is_answered {
                true => refusal,
                false => cannot_rerun_finding(one, refusal),
            }));
        }
        let more = means.take_answers_for(one, &done);
        if more.is_empty() {
            let open = questions_stopped_at(one, &done);
            means.note_inputs_of_ruling(one, input_source.used_inputs(), &open);
            if !open.is_empty() {
                return Err(RerunStop::Asks(open));
            }
            let ran = rerun_result_of_run(one, before, done)?;
            if ran.effect.refusal.is_some() {
                means.taken.extend(asked.and_then(|(row, _)| row));
            }
            return Ok(ran);
        }
        given.extend(more);
    }
}

/// Returns the refusal of an answer to a question that nobody asks any more.
fn not_asked_refusal(then: &RecordedPrompt) -> Diagnostic {
    let asked = then.question();
    let message = match &asked {
        Some(one) => format!("{} is not asked any more: {}", one.to, one.text),
        None => "nobody asks that any more".to_owned(),
    };
    Diagnostic::error("answer/no-question", message)
}

/// Returns the refusal of an earlier answer that is not valid for its present prompt; nothing if the answer may still
/// be given.
fn invalid_answer_refusal(one: &RecordedRuling, before: &State, row: Name) -> Option<Diagnostic> {
    let asked = question_of_prompt(before, row)?;
    let is_it = |given: &Answer| {
        let mut parts = given.address.rsplit('/').skip(1);
        parts.next() == Some(&encode_address_part(&asked.who))
            && parts.next() == Some(&encode_address_part(&asked.key))
    };
    let given = one.known.iter().find_map(|input| match input {
        Input::Answer(given) if is_it(given) => Some(given),
        Input::Answer(_) | Input::Die(_) => None,
    })?;
    let message = format!(
        "\"{}\" is not a valid answer any more: expected {}",
        shown_answer(&given.answer),
        asked.reply.answer_texts().join(" or ")
    );
    let is_answer = given.stakes == asked.stakes() || still_answers_question(given, &asked);
    (!is_answer).then(|| Diagnostic::error("answer/wrong-type", message))
}

/// Gives up the present prompt in place of the prompt that was given up then.
fn give_prompt_up_again(
    one: &RecordedRuling,
    row: Name,
    before: &State,
) -> Result<RerunResult, RerunStop> {
    let mut after = before.fork();
    let mark = after.mark();
    let removed = after.apply(Write::Remove { row });
    removed.map_err(|error| cannot_rerun_finding(one, error.to_diagnostic()))?;
    after.commit(mark);
    let cells = before
        .field_names_of_row(row)
        .into_iter()
        .map(|field| (row, field));
    let effect = RulingEffect {
        changes: before.changes_among_cells(&after, cells),
        ..RulingEffect::of_operation(&one.operation, one.waits)
    };
    Ok(result_without_messages(one, effect, after))
}

/// Runs a command again, or continues its ruling, in another state. `given` contains, by address, answers to questions
/// that nobody answered then.
fn give_command_again(
    timeline: &Timeline,
    caller: &Caller<'_>,
    (before, given): (&State, &BTreeMap<String, GivenAnswer>),
    (one, means): (&RecordedRuling, &mut ExtraInputs),
    (rule, waited): (&str, Option<waiting_ruling::Waiting>),
) -> (ScratchRun, SharedInputs) {
    let earlier = waited
        .iter()
        .flat_map(|waited| typed_dice_of_transcript(&waited.transcript));
    let hand: Vec<HandDie> = earlier
        .chain(typed_dice::typed_dice_not_yet_used(before))
        .collect();
    let is_drawn = |input: &&Input| matches!(input, Input::Die(_)) || input.holds_file();
    let drawn = means.drawn.iter().filter(is_drawn);
    let mut known: Vec<Input> = one.known.iter().chain(drawn).cloned().collect();
    let is_other_answer = waited.is_some() && one.in_place_of.is_some();
    known.retain(|input| !given.contains_key(input.address()));
    if is_other_answer {
        // The line replaces this answer, so the answer is not given any more.
        let open = waited.iter().flat_map(|waited| &waited.open);
        let open: Vec<&str> = open.map(|open| &*open.address).collect();
        known.retain(|input| matches!(input, Input::Die(_)) || !open.contains(&input.address()));
    }
    // The salts are the present ones, when the dice are rolled.
    let place = recorded_address_start_of_ruling(timeline, one.ruling_number, &one.operation);
    let is_attended = one.waits || has_broken_rule_answer(&one.operation);
    let responders = Responders {
        attended: is_attended,
        ..Responders::default()
    };
    let caller = Caller {
        responders: &responders,
        ..*caller
    };
    let given_then = ruling_of_operation(&one.operation, &caller);
    let seed = means.seed.clone();
    let seed = seed.unwrap_or_else(|| salted_seed_of_ruling(timeline, &given_then));
    let input_source = match means.is_preview {
        true => SharedInputs::with_preview_dice(&seed, &place, hand),
        false => SharedInputs::with_seeded_dice(&seed, &place, hand),
    };
    let input_source = match are_seed_draws_forbidden(timeline) {
        true => input_source.with_revealed_seed(),
        false => input_source,
    };
    let input_source = input_source
        .with_remembered_inputs(&known)
        .with_offered_answers(given.clone())
        .with_standing_answers(standing_answers_for_rerun(before, (one, means)))
        .with_policy(means.policy.clone().filter(|_| !one.may_wait))
        .letting_questions_wait();
    let is_new = timeline.history.operation(one.seq).is_none();
    let ruling = Ruling {
        inputs: Inputs::Source(&input_source),
        checks: if is_new {
            means.checks
        } else {
            given_then.checks
        },
        ..given_then
    };
    // The operation of a waiting ruling has a ruling number that was given out before.
    let ruling_number = one.ruling_number + u64::from(waited.is_some());
    let next = timeline
        .history
        .next_numbers_before(one.seq)
        .with_ruling_number(ruling_number);
    let there = timeline.beginning_with_state(before.fork(), next);
    let done = ScratchRun::of(there, |there| match waited {
        Some(_) if is_other_answer => dispatch_line(there, &ruling),
        Some(waited) => continue_as_recorded(there, waited, &one.operation, &ruling),
        None => rerun_rule_of_line(there, rule, &ruling),
    });
    means.has_previewed |= input_source.has_previewed_dice();
    (done, input_source)
}

/// Returns the result of a command. Errors: the command did not end by its rules.
fn rerun_result_of_run(
    one: &RecordedRuling,
    before: State,
    done: ScratchRun,
) -> Result<RerunResult, Refusal> {
    let reply = done.reply;
    if let Some(refusal) = reply.refusal {
        return match is_refused_by_rules(&refusal) {
            true => Ok(result_without_messages(
                one,
                RulingEffect::of_refusal(refusal),
                before,
            )),
            false => Err(Box::new(cannot_rerun_finding(one, refusal))),
        };
    }
    let Some(last) = done.operations.last() else {
        let message = format!("\"{}\" rules on nothing", one.operation.command);
        let effect = RulingEffect::of_refusal(Diagnostic::error("revert/no-ruling", message));
        return Ok(result_without_messages(one, effect, before));
    };
    let cells = done.operations.iter().flat_map(|one| &one.changes);
    let cells = cells.map(|change| (change.row, change.field));
    let effect = RulingEffect {
        changes: before.changes_among_cells(&done.after, cells),
        documents: last.documents.clone(),
        inputs: last.inputs.clone(),
        waits: reply.waits.is_some(),
        refusal: None,
    };
    Ok(RerunResult {
        said: reply
            .documents
            .into_iter()
            .chain(reply.provisional)
            .collect(),
        waits: reply.waits,
        ..result_without_messages(one, effect, done.after)
    })
}

/// Checks that a line may be a ruling of the past. Errors: it is not a command, or it would do something other than
/// make a ruling.
fn check_line_for_past(timeline: &Timeline, one: &RecordedRuling) -> Result<(), Refusal> {
    let Operation { by, command, .. } = &one.operation;
    let (phrase, _) = parse_command_line(timeline, by, command).map_err(Box::new)?;
    let no_ruling = |hint: &str| {
        let message = format!("\"{command}\" does not make a ruling");
        Err(Box::new(
            Diagnostic::error("revert/no-ruling", message).hint(hint),
        ))
    };
    let does = |id: &str| effect_of_host_command(timeline, id);
    match owner_of_template(&phrase.template) {
        Some(owner) if is_query_command(timeline, &owner) => {
            no_ruling("it changes nothing; to remove a ruling, use `revert`")
        }
        Some(Owner::Host(id)) if one.goes_on && does(&id) == CommandEffect::Answers => Ok(()),
        _ if let Some(of) = one.in_place_of.filter(|_| one.goes_on) => {
            let message = format!("log line {of} is an answer, but \"{command}\" is not");
            let hint = format!(
                "`replace {of} with answer …` gives another answer; `revert {of}` only takes the answer back"
            );
            Err(Box::new(
                Diagnostic::error("revert/no-answer", message).hint(hint),
            ))
        }
        Some(Owner::Host(id)) if !does(&id).may_replace_past_ruling() => {
            match (parse_for_seat_line(command), one.in_place_of) {
                (Some((_, line)), Some(of)) => no_ruling(&format!(
                    "the new command is given by {by} too, like log line {of}: type `replace {of} with {line}`"
                )),
                (_, _) => {
                    no_ruling("use a command of the ruleset; to remove a ruling, use `revert`")
                }
            }
        }
        Some(_) | None => Ok(()),
    }
}

/// Returns whether a line answers a question.
pub(super) fn is_answer_line(timeline: &Timeline, by: &str, line: &str) -> bool {
    let owner = parse_command_line(timeline, by, line).ok();
    let owner = owner.and_then(|(phrase, _)| owner_of_template(&phrase.template));
    matches!(
        owner,
        Some(Owner::Host(id)) if effect_of_host_command(timeline, &id) == CommandEffect::Answers,
    )
}

/// Returns the standing answers of that time. If the ruling may not wait for a player, the present standing answers
/// complete them.
fn standing_answers_for_rerun(
    before: &State,
    (one, means): (&RecordedRuling, &ExtraInputs),
) -> BTreeMap<(String, String), String> {
    let mut all = match one.may_wait {
        true => BTreeMap::new(),
        false => means.orders.clone(),
    };
    all.extend(standing_answers_by_seat_and_key(before));
    all
}
