//! Adds to a reply the questions that are open since this line. They are for the giver of the line.
//!
//! A question of a ruling is shown by the ruling itself. Prompts are not, and neither are questions that an undo opens
//! again. A line that is refused while a ruling waits gets the question of that ruling again. These notices are not
//! saved. They contain only questions that the giver of the line may answer.

use crate::doc::build::paragraph;
use crate::doc::{Audience, Document, plain};
use crate::game::question::open_questions::{OpenQuestion, QuestionPlace, open_questions_for};
use crate::game::question::possible_answers::possible_answers;
use crate::game::question::question_wording::answers_and_deadline_in_language;
use crate::game::question::stored_standing_answers::standing_answers_by_seat_and_key;
use crate::game::ruling::waiting_ruling::waiting_rulings;
use crate::game::timeline::Timeline;
use crate::game::timeline::reply::Reply;
use crate::script::{GM, ReplyType, open_prompts};
use crate::store::What;
use crate::text::Class;
use crate::value::Value;
use crate::words::Hole;

/// Maximum number of questions that are shown one by one; the others are counted.
const TOLD: usize = 8;
/// Maximum number of questions that a refusal repeats.
const REPEATED: usize = 3;

/// Returns the places of the open questions.
pub(in crate::game) fn places_of_open_questions(timeline: &Timeline) -> Vec<QuestionPlace> {
    let of_rulings = waiting_rulings(&timeline.state)
        .into_iter()
        .flat_map(|waiting| {
            let ruling_number = waiting.ruling_number;
            let missing = waiting
                .open
                .into_iter()
                .filter(|open| open.answer.is_none());
            missing.map(move |open| QuestionPlace::Ruling {
                ruling_number,
                address: open.address,
            })
        });
    let prompts = open_prompts(&timeline.state)
        .into_iter()
        .map(QuestionPlace::Prompt);
    of_rulings.chain(prompts).collect()
}

/// Adds to the reply to a line the questions that are open since this line and were not shown yet.
pub(in crate::game) fn show_new_questions(
    timeline: &Timeline,
    by: &str,
    before: &[QuestionPlace],
    reply: &mut Reply,
) {
    let is_told = |place: &QuestionPlace| match place {
        QuestionPlace::Ruling { ruling_number, .. } => reply.waits == Some(*ruling_number),
        QuestionPlace::Prompt(_) => false,
    };
    let mut new = places_of_open_questions(timeline);
    new.retain(|place| !before.contains(place));
    if reply
        .op
        .is_some_and(|op| was_ruling_or_correction(timeline, op))
    {
        let unanswered = unmatched_standing_answer_notices(timeline, &new);
        reply.aside.extend(unanswered);
    }
    new.retain(|place| !is_told(place));
    if new.is_empty() {
        return;
    }
    let mut open = open_questions_for(timeline, by);
    open.retain(|one| new.contains(&one.place));
    let more = open.len().saturating_sub(TOLD);
    let told: Vec<Document> = open
        .iter()
        .take(TOLD)
        .map(|one| question_notice(timeline, one, &reply.documents))
        .collect();
    reply.aside.extend(told);
    if more > 0 {
        let text = timeline.words().count("question.more", more, &[]);
        let audience = Audience::parse(by).unwrap_or(Audience::Gm);
        reply
            .aside
            .push(Document::new([paragraph(text)]).limit_to_audience(audience));
    }
}

/// Returns whether the operation of a line is a ruling or a correction. Questions that an undo opens again were
/// answered before.
fn was_ruling_or_correction(timeline: &Timeline, op: u64) -> bool {
    let operation = timeline.history.operation(op);
    operation.is_some_and(|one| one.what == What::Ruling || one.what.corrected_number().is_some())
}

/// Returns notices to seats about standing answers that do not fit new questions; these questions wait for the seats.
fn unmatched_standing_answer_notices(timeline: &Timeline, new: &[QuestionPlace]) -> Vec<Document> {
    let mut told = Vec::new();
    if new.is_empty() {
        return told;
    }
    for ((seat, key), answer) in standing_answers_by_seat_and_key(&timeline.state) {
        let mut open = open_questions_for(timeline, &seat).into_iter();
        let is_unanswered =
            |one: &OpenQuestion| one.question.key == key && new.contains(&one.place);
        if let (Some(one), Ok(audience)) = (open.find(is_unanswered), Audience::parse(&seat)) {
            let number = one.number_or_key();
            let holes: [Hole<'_>; 3] = [("key", &key), ("answer", &answer), ("number", &number)];
            let text = timeline.words().fill("standing.unfit", &holes);
            told.push(Document::new([paragraph(text)]).limit_to_audience(audience));
        }
    }
    told
}

/// Adds to the reply to a refused line the open questions of its giver, up to a limit. For the game master it is the
/// question of a ruling, or the only one that waits; many questions for others are in a list. For a seat it is any
/// question that waits for the seat.
pub(in crate::game) fn show_questions_after_refusal(
    timeline: &Timeline,
    by: &str,
    reply: &mut Reply,
) {
    let mut open = open_questions_for(timeline, by);
    let is_theirs = by != GM || open.len() == 1;
    open.retain(|one| is_theirs || matches!(one.place, QuestionPlace::Ruling { .. }));
    let told = open
        .iter()
        .take(REPEATED)
        .map(|one| question_notice(timeline, one, &[]));
    reply.aside.extend(told);
}

/// Returns the notice of a question to the people asked, with a line that answers it. The text of the question is left
/// out if one of the documents above showed it to them.
fn question_notice(timeline: &Timeline, open: &OpenQuestion, above: &[Document]) -> Document {
    let (number, question) = (open.number_or_key(), &open.question);
    let (text, words) = (&question.text, timeline.words());
    let may_be = answers_and_deadline_in_language(question, timeline.state.times(), &words);
    let answer = example_answer(timeline, open);
    let audience = Audience::parse(&question.to).unwrap_or(Audience::Gm);
    let mut to_them = above.iter().filter(|one| one.audience == audience);
    let key = match to_them.any(|one| plain(one).contains(text.as_str())) {
        true => "question.shown",
        false => "question.open",
    };
    let holes: [Hole<'_>; 4] = [
        ("number", &number),
        ("question", text),
        ("answers", &may_be),
        ("example", &answer),
    ];
    let line = words.fill(key, &holes);
    let mut data = question.to_value().as_map().cloned().unwrap_or_default();
    data.insert("question".into(), number.into());
    Document::new([paragraph(line)])
        .limit_to_audience(audience)
        .data(Value::map(data))
}

/// Returns an answer that a user could type: the first possible answer of the people asked, else one of the question's
/// type.
fn example_answer(timeline: &Timeline, open: &OpenQuestion) -> String {
    let mut known = possible_answers(timeline, &open.question.to, open);
    if !known.is_empty() {
        return known.swap_remove(0);
    }
    match &open.question.reply {
        ReplyType::Named(name) => {
            let rules = timeline.rules();
            let words = rules.ruleset.get("types").get(name).get("words");
            let word = words.items().first().and_then(Value::as_str);
            let class = word.or_else(|| Class::example_of_type(name));
            class.map_or_else(|| name.to_uppercase(), str::to_owned)
        }
        ReplyType::Options(_) => "…".to_owned(),
    }
}
