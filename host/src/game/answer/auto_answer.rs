//! Answers open questions without people: by a standing answer of the person asked, else by the policy.
//!
//! Each prompt is tried once, when the prompt or the standing answer is new. Each answer is a ruling of its own. The
//! input source answers questions inside a running ruling. Questions that already wait get a new standing answer here.

use crate::game::answer::prompt_answer::continuation_of_prompt;
use crate::game::answer::typed_answer::{drop_broken_ruling, give_answer};
use crate::game::attempt::lifecycle::running_or_next_ruling_number;
use crate::game::attempt::procedure::Procedure;
use crate::game::attempt::ruling_run::{attempt_procedure, settle_attempt};
use crate::game::question::open_questions::{
    OpenQuestion, QuestionPlace, open_question_of_prompt, open_questions, seats_in_play,
};
use crate::game::question::stored_standing_answers::{self, standing_answers_by_seat_and_key};
use crate::game::ruling::caller::Caller;
use crate::game::ruling::input_source::GivenAnswer;
use crate::game::ruling::ruling_context::Ruling;
use crate::game::timeline::Timeline;
use crate::game::timeline::input::{Input, ORDER, POLICY};
use crate::game::timeline::reply::Reply;
use crate::game::timeline::seed::encode_address_part;
use crate::script::{PROMPT, open_prompts};
use crate::store::{Operation, What};
use crate::value::Name;

/// Answers the prompts from the operations at `next` and later, and moves `next` past these operations. A new standing
/// answer is tried on all prompts, and on the questions of rulings that wait.
pub(in crate::game) fn answer_new_prompts(
    timeline: &mut Timeline,
    caller: &Caller<'_>,
    next: &mut usize,
) -> Reply {
    let mut all = Reply::default();
    let end = timeline.history.operations().len();
    let new = &timeline.history.operations()[*next..];
    let met: Vec<Name> = new
        .iter()
        .flat_map(|operation| prompts_to_try_after_operation(timeline, operation))
        .collect();
    let is_ordered = new
        .iter()
        .any(|operation| changes_standing_answers(timeline, operation));
    *next = end;
    if is_ordered {
        all.absorb(try_standing_answers_on_rulings(timeline, caller));
    }
    for row in met {
        if let Some(reply) = answer_prompt_automatically(timeline, caller, row) {
            all.absorb(reply);
        }
    }
    all
}

/// Returns the prompts that an operation made; if it changed the standing answers, all open prompts.
fn prompts_to_try_after_operation(timeline: &Timeline, operation: &Operation) -> Vec<Name> {
    if !is_ruling_or_correction(operation) {
        return Vec::new();
    }
    if changes_standing_answers(timeline, operation) {
        return open_prompts(&timeline.state);
    }
    let kind = timeline.state.reserved().kind;
    let made = operation.changes.iter();
    made.filter(|change| change.field == kind && change.new.as_str() == Some(PROMPT))
        .map(|change| change.row)
        .collect()
}

/// Returns whether an operation changed the standing answers.
fn changes_standing_answers(timeline: &Timeline, operation: &Operation) -> bool {
    let names = timeline.state.names();
    let mut changes = operation.changes.iter();
    is_ruling_or_correction(operation)
        && changes.any(|change| *names.text(change.row) == *stored_standing_answers::ROW)
}

/// Answers questions of rulings that wait, as far as standing answers fit.
fn try_standing_answers_on_rulings(timeline: &mut Timeline, caller: &Caller<'_>) -> Reply {
    let mut all = Reply::default();
    for known in open_questions(timeline) {
        let mut open = open_questions(timeline).into_iter();
        // An earlier answer may have led the ruling another way.
        let is_ruling = matches!(known.place, QuestionPlace::Ruling { .. });
        if let Some(open) = open.find(|open| is_ruling && *open == known) {
            all.absorb(answer_by_standing_answer(timeline, caller, &open).unwrap_or_default());
        }
    }
    all
}

/// Answers an open question by a standing answer. Returns nothing if no standing answer fits the question.
pub(in crate::game) fn answer_by_standing_answer(
    timeline: &mut Timeline,
    caller: &Caller<'_>,
    open: &OpenQuestion,
) -> Option<Reply> {
    if let QuestionPlace::Prompt(row) = &open.place {
        let (to, key) = (&open.question.to, &open.question.key);
        let is_ordered = automatic_answerer(timeline, caller, to, key) == Some(ORDER);
        return is_ordered
            .then(|| answer_prompt_automatically(timeline, caller, *row))
            .flatten();
    }
    let line = format!("{} by {ORDER}", open.line_of_automatic_answer());
    let ruling = Ruling::live(ORDER, &line, caller);
    for text in standing_answer_texts(timeline, &open.question.to, &open.question.key) {
        let given = GivenAnswer {
            stakes: open.question.stakes(),
            answer: Err(text),
            by: ORDER.to_owned(),
        };
        let reply = give_answer(timeline, open, given, &ruling);
        let is_answer = reply.op.is_some() || reply.refusal.is_some();
        if is_answer {
            let mut reply = drop_broken_ruling(timeline, open, reply, &ruling);
            let refusal = reply.refusal.take();
            let stays = format!("question {} stays open", open.number);
            reply
                .findings
                .extend(refusal.map(|finding| finding.hint(stays)));
            return Some(reply);
        }
    }
    None
}

/// Answers a prompt by a standing answer, else by the policy. Returns nothing if only people can answer the prompt.
fn answer_prompt_automatically(
    timeline: &mut Timeline,
    caller: &Caller<'_>,
    row: Name,
) -> Option<Reply> {
    let open = open_question_of_prompt(timeline, row)?;
    let by = automatic_answerer(timeline, caller, &open.question.to, &open.question.key)?;
    let line = format!("{} by {by}", open.line_of_automatic_answer());
    let id = timeline.state.names().text(row);
    let next = continuation_of_prompt(timeline, row).ok()?;
    let ruling = Ruling::live(by, &line, caller);
    let (key, who) = (
        encode_address_part(&open.question.key),
        encode_address_part(&open.question.who),
    );
    let address = format!(
        "{}/{key}/{who}/1",
        timeline
            .prefixes
            .address_start_of_ruling(running_or_next_ruling_number(timeline, &ruling))
    );
    let goes_on = Procedure::Continuation(&next, row, &id, &open.question);
    let attempt = attempt_procedure(timeline, &ruling, goes_on);
    let used = attempt.input_source.used_inputs();
    let is_answer = |input: &Input| matches!(input, Input::Answer(one) if one.address == address);
    let reply = if !used.first().is_some_and(is_answer) {
        timeline.state.rollback(attempt.mark);
        None
    } else if let Err(refusal) = &attempt.result {
        let stays = format!("question {} stays open", open.number);
        let finding = refusal.clone().hint(stays);
        timeline.state.rollback(attempt.mark);
        Some(Reply {
            findings: vec![finding],
            ..Reply::default()
        })
    } else {
        let printed = attempt.printed.clone();
        Some(Reply {
            printed,
            ..settle_attempt(timeline, &ruling, attempt)
        })
    };
    timeline.generation().rebuild_spent_machine();
    reply
}

/// Returns the source of an automatic answer: a standing answer for the key, else the policy.
fn automatic_answerer(
    timeline: &Timeline,
    caller: &Caller<'_>,
    to: &str,
    key: &str,
) -> Option<&'static str> {
    if !standing_answer_texts(timeline, to, key).is_empty() {
        return Some(ORDER);
    }
    caller.responders.policy.as_ref().map(|_| POLICY)
}

/// Returns the texts of the standing answers for a key, of the seats that are asked.
fn standing_answer_texts(timeline: &Timeline, to: &str, key: &str) -> Vec<String> {
    let mut orders = standing_answers_by_seat_and_key(&timeline.state);
    if orders.is_empty() {
        return Vec::new();
    }
    let members = seats_in_play(timeline).answering_seats(to);
    let seats = members.iter().map(String::as_str).chain([to]);
    let texts = seats.filter_map(|seat| orders.remove(&(seat.to_owned(), key.to_owned())));
    texts.collect()
}

/// Returns whether an operation is a ruling or a correction, and not an undo, a redo or a refusal.
fn is_ruling_or_correction(operation: &Operation) -> bool {
    operation.what == What::Ruling || operation.what.corrected_number().is_some()
}
