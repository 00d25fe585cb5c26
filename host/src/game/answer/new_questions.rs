//! This module says beside an answer what whoever gave the line should know at once: which questions wait since then.
//!
//! A question that a ruling asks is told by the ruling; prompts are not, nor what an undo opens again. A line
//! that is refused while a ruling waits is told again what it waits for. Nothing of it is kept: it is for the screen of one
//! person, who is told of no question but those that they may answer.

use crate::doc::build::paragraph;
use crate::doc::{Audience, Document, plain};
use crate::game::question::open::{OpenQuestion, Place, questions_for};
use crate::game::question::wording::answers;
use crate::game::ruling::suspended::waiting;
use crate::game::timeline::Timeline;
use crate::game::timeline::reply::Reply;
use crate::script::{ReplyType, YES_NO, prompts};
use crate::store::clock::Times;
use crate::value::Value;

/// Questions that are told one by one; the others are counted.
const TOLD: usize = 8;
/// Questions that a refusal repeats.
const REPEATED: usize = 3;

/// Returns where questions stand that wait.
pub(in crate::game) fn open_places(timeline: &Timeline) -> Vec<Place> {
    let of_rulings = waiting(&timeline.state).into_iter().flat_map(|waiting| {
        let slot = waiting.slot;
        let missing = waiting
            .open
            .into_iter()
            .filter(|open| open.answer.is_none());
        missing.map(move |open| Place::Ruling {
            slot,
            address: open.address,
        })
    });
    let prompts = prompts(&timeline.state).into_iter().map(Place::Prompt);
    of_rulings.chain(prompts).collect()
}

/// Tells whoever gave a line of the questions that wait since then and that nobody told of yet.
pub(in crate::game) fn tell_new_questions(
    timeline: &Timeline,
    by: &str,
    before: &[Place],
    reply: &mut Reply,
) {
    let is_told = |place: &Place| match place {
        Place::Ruling { slot, .. } => reply.waits == Some(*slot),
        Place::Prompt(_) => false,
    };
    let mut new = open_places(timeline);
    new.retain(|place| !before.contains(place) && !is_told(place));
    if new.is_empty() {
        return;
    }
    let mut open = questions_for(timeline, by);
    open.retain(|one| new.contains(&one.place));
    let more = open.len().saturating_sub(TOLD);
    let times = timeline.state.times();
    let told: Vec<Document> = open
        .iter()
        .take(TOLD)
        .map(|one| told(one, times, &reply.documents))
        .collect();
    reply.aside.extend(told);
    if more > 0 {
        let text = format!("{more} more questions wait; prompts lists them");
        let audience = Audience::parse(by).unwrap_or(Audience::Gm);
        reply
            .aside
            .push(Document::new([paragraph(text)]).to(audience));
    }
}

/// Tells whoever gave a line that was refused, while a ruling waits for an answer of theirs, which question that is.
pub(in crate::game) fn tell_waiting_questions(timeline: &Timeline, by: &str, reply: &mut Reply) {
    let mut open = questions_for(timeline, by);
    open.retain(|one| matches!(one.place, Place::Ruling { .. }));
    let times = timeline.state.times();
    let told = open.iter().take(REPEATED).map(|one| told(one, times, &[]));
    reply.aside.extend(told);
}

/// Returns a question as it is told to those whom it asks, with a line that answers it. What it asks is left out where
/// one of the documents above told them.
fn told(open: &OpenQuestion, times: Times, above: &[Document]) -> Document {
    let (number, question) = (open.word(), &open.question);
    let (text, may_be) = (&question.text, answers(question, times));
    let answer = match &question.reply {
        ReplyType::Named(name) if name != YES_NO => name.to_uppercase(),
        reply => reply.texts().first().copied().unwrap_or("…").to_owned(),
    };
    let audience = Audience::parse(&question.to).unwrap_or(Audience::Gm);
    let mut to_them = above.iter().filter(|one| one.audience == audience);
    let asked = match to_them.any(|one| plain(one).contains(text.as_str())) {
        true => String::new(),
        false => format!(": {text}"),
    };
    let line = format!("question {number}{asked} ({may_be}) Write: answer {number} {answer}");
    let mut data = question.to_value().as_map().cloned().unwrap_or_default();
    data.insert("question".into(), number.into());
    Document::new([paragraph(line)])
        .to(audience)
        .data(Value::map(data))
}
