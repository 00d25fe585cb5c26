//! Suspends a ruling. The inputs that it used so far and its questions are stored as an operation; everything else is
//! discarded.

use std::collections::BTreeMap;

use crate::doc::Document;
use crate::game::attempt::lifecycle::running_or_next_ruling_number;
use crate::game::attempt::ruling_run::{Attempt, draft_operation};
use crate::game::attempt::salts::salt_count_of_ruling;
use crate::game::question::question_numbers::{new_question_notices, number_new_questions};
use crate::game::ruling::input_source::{GivenAnswer, HandDie, WaitingQuestion};
use crate::game::ruling::ruling_context::Ruling;
use crate::game::ruling::waiting_ruling::Waiting;
use crate::game::ruling::{typed_dice, waiting_ruling};
use crate::game::timeline::Timeline;
use crate::game::timeline::input::Input;
use crate::game::timeline::reply::Reply;
use crate::value::Value;

/// The state of a ruling when it asked questions.
pub(in crate::game) struct Halt {
    /// The questions that it asked together.
    pub(in crate::game) open: Vec<WaitingQuestion>,
    /// The inputs that it used so far.
    pub(in crate::game) used: Vec<Input>,
    /// The unused typed dice.
    pub(in crate::game) hand: Vec<HandDie>,
    /// Its output so far.
    pub(in crate::game) said: Vec<Document>,
    /// The rule that it runs.
    pub(in crate::game) rule: String,
    /// The present step of a plan.
    pub(in crate::game) step: Option<String>,
    /// The rule that it ran, and its rolls.
    pub(in crate::game) root: Vec<Value>,
}

/// Suspends a ruling that ran until it asked a question.
pub(in crate::game) fn suspend_ruling(
    timeline: &mut Timeline,
    ruling: &Ruling<'_>,
    (rule, attempt): (&str, Attempt),
    open: Vec<WaitingQuestion>,
) -> Reply {
    timeline.state.rollback(attempt.mark);
    let halt = Halt {
        open,
        used: attempt.input_source.used_inputs(),
        hand: attempt.input_source.unused_hand_dice(),
        said: attempt.documents,
        rule: rule.to_owned(),
        step: attempt.step,
        root: attempt.root,
    };
    record_waiting_ruling(timeline, ruling, halt)
}

/// Stores a waiting ruling as an operation, and asks its questions.
pub(in crate::game) fn record_waiting_ruling(
    timeline: &mut Timeline,
    ruling: &Ruling<'_>,
    halt: Halt,
) -> Reply {
    let before = ruling.waiting_ruling();
    let asked = before.map_or(&[][..], |waiting| &waiting.open);
    let waiting = Waiting {
        ruling_number: running_or_next_ruling_number(timeline, ruling),
        command: ruling.line.to_owned(),
        by: ruling.by().to_owned(),
        rule: halt.rule,
        rules: timeline.generation().hash().to_owned(),
        is_pinned: before.is_some_and(|waiting| waiting.is_pinned),
        salts: salt_count_of_ruling(timeline, ruling),
        step: halt.step,
        transcript: halt.used,
        open: halt
            .open
            .into_iter()
            .map(|one| keep_first_deadline(one, asked))
            .collect(),
        numbers: BTreeMap::new(),
        given: BTreeMap::new(),
    };
    let mark = timeline.state.mark();
    let kept = number_new_questions(timeline, ruling, waiting).and_then(|(waiting, new)| {
        waiting_ruling::store_waiting_ruling(&mut timeline.state, &waiting)?;
        typed_dice::store_typed_dice(&mut timeline.state, &halt.hand)?;
        Ok((waiting, new))
    });
    let (waiting, new) = match kept {
        Ok(kept) => kept,
        Err(error) => {
            timeline.state.rollback(mark);
            return Reply::refused(error.to_diagnostic());
        }
    };
    let documents = new_question_notices(timeline, ruling, &waiting, &new);
    let mut draft = draft_operation(timeline, ruling, &waiting.transcript, (&[], halt.root));
    let noted = waiting
        .open
        .iter()
        .filter_map(WaitingQuestion::answer_as_input);
    draft.inputs.extend(noted.map(|input| input.to_value()));
    let operation = timeline
        .history
        .record_ruling(&mut timeline.state, mark, draft);
    Reply {
        op: Some(operation.seq),
        provisional: halt.said,
        documents,
        waits: Some(waiting.ruling_number),
        ..Reply::default()
    }
}

/// Returns the answers of a waiting ruling that were given so far, by address; other answers are missing.
pub(in crate::game) fn answers_given_so_far(
    waiting: &Waiting,
) -> impl Iterator<Item = (String, GivenAnswer)> + '_ {
    waiting.open.iter().filter_map(|open| {
        let (answer, by) = open.answer.clone()?;
        let (stakes, answer) = (open.question.stakes(), Ok(answer));
        Some((open.address.clone(), GivenAnswer { stakes, answer, by }))
    })
}

/// Restores the first deadline of a question. The ruling runs again, and time has passed since the question was first
/// asked.
fn keep_first_deadline(mut open: WaitingQuestion, asked: &[WaitingQuestion]) -> WaitingQuestion {
    if let Some(first) = asked.iter().find(|one| one.address == open.address) {
        open.question.deadline.clone_from(&first.question.deadline);
    }
    open
}
