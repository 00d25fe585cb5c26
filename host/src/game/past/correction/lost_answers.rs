//! Answers that a correction removes, because their question is gone or they are no longer valid.
//!
//! The person who gave the answer gets a message about it. The message shows whether the question is asked again.

use std::collections::{BTreeMap, BTreeSet};

use crate::doc::build::paragraph;
use crate::doc::{Audience, Document};
use crate::game::past::correction::announcements::RulingAnnouncement;
use crate::game::past::correction::recorded_prompt::prompt_of_past_line;
use crate::game::past::correction::recorded_ruling::{RecordedRuling, recorded_ruling};
use crate::game::past::correction::rerun_result::RerunResult;
use crate::game::past::correction::ruling_effect::RulingEffect;
use crate::game::past::replay::rule_of_operation;
use crate::game::ruling::waiting_ruling;
use crate::game::timeline::Timeline;
use crate::game::timeline::input::{Answer, Input, is_automatic_giver};
use crate::script::{BROKEN, GM, PROMPT, Question, shown_answer};
use crate::store::{Operation, State};
use crate::value::Value;
use crate::words::Words;

/// An answer that a correction removes.
#[derive(Debug)]
pub(super) struct LostAnswer {
    seq: u64,
    answer: Answer,
    /// The question of the answer, if it is known.
    question: Option<Question>,
    /// Whether the same question is asked of the same people after the correction.
    pub(super) is_asked_again: bool,
}

/// Returns, in order, the answers of people that count at present and not in the other state. `left` are the rulings
/// that are left out or replaced.
pub(super) fn lost_answers(
    timeline: &Timeline,
    (later, left): (&[RecordedRuling], &[u64]),
    (ran, now): (&[RerunResult], &BTreeMap<u64, RulingEffect>),
    last: &State,
) -> Vec<LostAnswer> {
    let ran_inputs = ran
        .iter()
        .flat_map(|one| inputs_from_values(&one.effect.inputs));
    let noted = waiting_ruling::waiting_rulings(last).into_iter();
    let noted = noted.flat_map(|one| {
        let open = one.open.iter().filter_map(|open| open.answer_as_input());
        open.chain(one.transcript.clone()).collect::<Vec<_>>()
    });
    let used: BTreeSet<String> = ran_inputs
        .chain(noted)
        .map(|input| input.address().to_owned())
        .collect();
    let left = left
        .iter()
        .filter_map(|seq| recorded_ruling(timeline, *seq));
    let left: Vec<RecordedRuling> = left.collect();
    let mut found: Vec<LostAnswer> = Vec::new();
    for one in left.iter().chain(later) {
        let counts = match now.get(&one.seq) {
            Some(effect) => inputs_from_values(&effect.inputs).collect(),
            None if one.in_place_of.is_none() => one.known.clone(),
            None => Vec::new(),
        };
        let answers = counts.into_iter().filter_map(|input| match input {
            Input::Answer(answer) if is_from_person(&answer) => Some(answer),
            Input::Answer(_) | Input::Die(_) => None,
        });
        for answer in answers.filter(|answer| !used.contains(&answer.address)) {
            if found
                .iter()
                .all(|known| known.answer.address != answer.address)
            {
                found.push(lost_answer(timeline, one, answer, last));
            }
        }
    }
    found.sort_by_key(|one| one.seq);
    found
}

/// Returns the messages to players about their lines that do not count any more. Answers have their own messages.
pub(super) fn lost_line_announcements(
    timeline: &Timeline,
    later: &[RecordedRuling],
    (ran, now): (&[RerunResult], &BTreeMap<u64, RulingEffect>),
) -> Vec<RulingAnnouncement> {
    let counted = |one: &RecordedRuling| {
        let before = now.get(&one.seq).and_then(|effect| effect.refusal.as_ref());
        before.is_none() && !one.goes_on && one.in_place_of.is_none()
    };
    let pairs = later.iter().zip(ran);
    let refused = pairs.filter(|(one, ran)| ran.effect.refusal.is_some() && counted(one));
    let told = refused.filter_map(|(one, _)| {
        let Operation { by, command, .. } = &one.operation;
        let is_answer =
            rule_of_operation(&one.operation).is_some_and(|rule| rule.starts_with(PROMPT));
        let to = Audience::parse(by).ok()?;
        if is_answer || **by == *GM || is_automatic_giver(by) {
            return None;
        }
        let text = timeline.words().fill("lost.line", &[("line", command)]);
        let document = Document::new([paragraph(text)]).limit_to_audience(to.clone());
        Some(RulingAnnouncement::of_lost_answer(one.seq, to, document))
    });
    told.collect()
}

fn inputs_from_values(all: &[Value]) -> impl Iterator<Item = Input> {
    all.iter().filter_map(Input::from_value)
}

fn is_from_person(answer: &Answer) -> bool {
    let is_broken = |key: &str| key.starts_with(BROKEN);
    let key = answer.address.split('/').nth(1);
    !is_automatic_giver(&answer.by)
        && !Input::Answer(answer.clone()).holds_file()
        && !key.is_some_and(is_broken)
}

fn lost_answer(
    timeline: &Timeline,
    one: &RecordedRuling,
    answer: Answer,
    last: &State,
) -> LostAnswer {
    let is_prompt = rule_of_operation(&one.operation).is_some_and(|rule| rule.starts_with(PROMPT));
    let prompt = is_prompt
        .then(|| prompt_of_past_line(timeline, one))
        .flatten();
    let question = match prompt {
        Some(then) => then.question(),
        None => question_of_ruling(timeline, one, &answer),
    };
    let is_asked_again = question.as_ref().is_some_and(|then| {
        let mut open = unanswered_questions_of_state(last, None).into_iter();
        open.any(|now| (&now.to, &now.key, &now.who) == (&then.to, &then.key, &then.who))
    });
    LostAnswer {
        seq: one.seq,
        answer,
        question,
        is_asked_again,
    }
}

/// Returns the question of a ruling that waited, as it was asked then.
fn question_of_ruling(
    timeline: &Timeline,
    one: &RecordedRuling,
    answer: &Answer,
) -> Option<Question> {
    let before = timeline.history.state_before(one.seq).ok()?;
    let waiting = waiting_ruling::waiting_ruling_by_ruling_number(&before, one.ruling_number)?;
    let mut open = waiting.open.into_iter();
    let open = open.find(|open| open.address == answer.address)?;
    Some(open.question)
}

/// Returns all questions of a state that have no answer, except those under one ruling number.
pub(super) fn unanswered_questions_of_state(state: &State, but: Option<u64>) -> Vec<Question> {
    let waiting = waiting_ruling::waiting_rulings(state).into_iter();
    let waiting = waiting.filter(|one| Some(one.ruling_number) != but);
    let open = waiting.flat_map(|one| one.open);
    let open = open.filter(|open| open.answer.is_none());
    let prompts = crate::script::open_prompts(state).into_iter();
    let prompts = prompts.filter_map(|row| super::recorded_prompt::question_of_prompt(state, row));
    open.map(|open| open.question).chain(prompts).collect()
}

impl LostAnswer {
    /// Returns whether the lost question is asked again with this text of these people.
    pub(super) fn is_asked_again_by(&self, (to, text): &(String, String)) -> bool {
        let asked = self.question.as_ref().filter(|_| self.is_asked_again);
        asked.is_some_and(|one| (&one.to, &one.text) == (to, text))
    }

    /// Returns the text about the lost answer for the game master.
    pub(super) fn in_words(&self) -> String {
        let (by, answer) = (&self.answer.by, shown_answer(&self.answer.answer));
        let to = self.question.as_ref().map(|one| (&one.to, &one.text));
        match to {
            Some((to, text)) if self.is_asked_again => {
                format!("{to} is asked again: {text} (the answer was \"{answer}\")")
            }
            Some((to, text)) => {
                format!("{to} is not asked any more: {text} (the answer was \"{answer}\")")
            }
            None => format!("the answer \"{answer}\" of {by} does not count any more"),
        }
    }

    /// Returns the message to the person who gave the answer; nothing for the game master, who gets the correction
    /// report.
    pub(super) fn announcement_to_giver(&self, words: &Words) -> Option<RulingAnnouncement> {
        let by = match self.answer.by.as_str() {
            GM => self.answer.stakes.get("to").as_str().unwrap_or(GM),
            by => by,
        };
        let to = Audience::parse(by).ok().filter(|to| *to != Audience::Gm)?;
        let answer = shown_answer(&self.answer.answer);
        let is_own = self.answer.by != GM;
        let key = match (&self.question, self.is_asked_again) {
            (None, _) if is_own => "lost.own_answer",
            (None, _) => "lost.answer",
            (Some(_), false) if is_own => "lost.own_answer_to",
            (Some(_), false) => "lost.answer_to",
            (Some(_), true) if is_own => "lost.own_answer_again",
            (Some(_), true) => "lost.answer_again",
        };
        let question = self.question.as_ref().map(|question| &*question.text);
        let question = question.unwrap_or_default();
        let text = words.fill(key, &[("answer", &answer), ("question", &question)]);
        let document = Document::new([paragraph(text)]).limit_to_audience(to.clone());
        Some(RulingAnnouncement::of_lost_answer(self.seq, to, document))
    }
}
