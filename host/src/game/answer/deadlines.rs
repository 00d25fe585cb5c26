//! Answers overdue questions: questions with a default whose deadline has come. A standing answer of the person asked
//! is used before the default.

use crate::game::answer::auto_answer::{answer_by_standing_answer, answer_new_prompts};
use crate::game::answer::typed_answer::give_answer;
use crate::game::question::open_questions::{OpenQuestion, open_questions};
use crate::game::ruling::caller::Caller;
use crate::game::ruling::input_source::GivenAnswer;
use crate::game::ruling::ruling_context::Ruling;
use crate::game::timeline::Timeline;
use crate::game::timeline::input::DEADLINE;
use crate::game::timeline::reply::Reply;
use crate::store::What;
use crate::value::Value;

/// Maximum number of answers after one command: each may lead to a further question.
pub(crate) const MOST: usize = 1_000;

/// Returns the game time, if the game has a clock.
pub(in crate::game) fn game_time(timeline: &Timeline) -> Option<Value> {
    let names = timeline.state.names();
    let (row, field) = (names.find("@clock")?, names.find("time")?);
    Some(timeline.state.get(row, field).clone()).filter(|time| !time.is_nil())
}

/// Answers the overdue questions, each as an operation of its own, in the order of their deadlines.
///
/// A question whose ruling cannot go on stays open and is reported as a finding.
pub fn answer_overdue_questions(timeline: &mut Timeline, caller: &Caller<'_>) -> Reply {
    let mut all = Reply::default();
    let mut stuck: Vec<String> = Vec::new();
    for _ in 0..MOST {
        let Some(open) = longest_overdue_question(timeline, &stuck) else {
            break;
        };
        if let Some(reply) = answer_by_standing_answer(timeline, caller, &open) {
            let is_answered = reply.op.is_some();
            all.absorb(reply);
            if is_answered {
                continue;
            }
        }
        let given = GivenAnswer {
            stakes: open.question.stakes(),
            answer: Ok(open.question.default.clone()),
            by: DEADLINE.to_owned(),
        };
        let line = format!("{} in time", open.line_of_automatic_answer());
        let mut reply = give_answer(
            timeline,
            &open,
            given,
            &Ruling::live(DEADLINE, &line, caller),
        );
        if let Some(refusal) = reply.refusal.take() {
            stuck.push(open.number);
            all.findings.push(refusal);
        }
        all.absorb(reply);
    }
    all
}

/// Answers questions that need no person, after a command that changed the game; its operations begin at `next`. First
/// come prompts that a standing answer or the policy answers, then overdue questions. After an undo nothing is
/// answered, because the same answers would come again.
pub(in crate::game) fn answer_without_people(
    timeline: &mut Timeline,
    caller: &Caller<'_>,
    mut reply: Reply,
    mut next: usize,
) -> Reply {
    let is_ruling = reply
        .op
        .and_then(|seq| timeline.history.operation(seq))
        .is_some_and(|one| one.what == What::Ruling || one.what.corrected_number().is_some());
    if !is_ruling {
        return reply;
    }
    for _ in 0..MOST {
        let before = timeline.history.operations().len();
        reply.absorb(answer_new_prompts(timeline, caller, &mut next));
        if timeline.history.operations().len() == before {
            reply.absorb(answer_overdue_questions(timeline, caller));
        }
        if timeline.history.operations().len() == before {
            break;
        }
    }
    reply
}

fn longest_overdue_question(timeline: &Timeline, stuck: &[String]) -> Option<OpenQuestion> {
    let now = game_time(timeline)?;
    let open = open_questions(timeline).into_iter();
    let due = open.filter(|one| {
        let is_due = one
            .question
            .deadline
            .as_ref()
            .is_some_and(|due| *due <= now);
        is_due && !one.question.default.is_nil() && !stuck.contains(&one.number)
    });
    due.min_by(|one, other| one.question.deadline.cmp(&other.question.deadline))
}
