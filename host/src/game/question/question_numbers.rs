//! Numbers the open questions for each seat that may answer them, and shows the questions to these seats.
//!
//! The game master's numbers are the numbers of rulings and prompts: they lead to the log, and count the actions of
//! everybody. A seat has numbers of its own, given when it is asked and stored in the state. A seat gets no information
//! about the questions of others.

use crate::diag::Diagnostic;
use crate::doc::build::{line, paragraph, text};
use crate::doc::{Audience, Document};
use crate::game::question::open_questions::{
    OpenQuestion, QuestionPlace, open_questions, question_number, seats_in_play,
};
use crate::game::question::question_wording::answers_and_deadline_in_language;
use crate::game::ruling::input_source::{SharedInputs, WaitingQuestion};
use crate::game::ruling::resumption::Resumption;
use crate::game::ruling::ruling_context::Ruling;
use crate::game::ruling::waiting_ruling;
use crate::game::ruling::waiting_ruling::{Waiting, waiting_ruling_by_ruling_number};
use crate::game::timeline::Timeline;
use crate::game::timeline::input::{Input, is_automatic_giver};
use crate::game::timeline::ruling_numbers::NUMBER;
use crate::script::{
    GM, GROUP, OwnNumbers, PROMPT, Seats, advance_numbers, renumber_prompt, take_next_numbers,
};
use crate::store::StoreError;
use crate::value::Value;
use crate::words::Hole;

/// Numbers the questions of a ruling that is about to wait; a question that is already open keeps its numbers.
///
/// Out: the ruling, and the places of its new questions.
pub(in crate::game) fn number_new_questions(
    timeline: &mut Timeline,
    ruling: &Ruling<'_>,
    mut waiting: Waiting,
) -> Result<(Waiting, Vec<usize>), StoreError> {
    number_questions_for_newcomers(timeline)?;
    let before = waiting_ruling_by_ruling_number(&timeline.state, waiting.ruling_number);
    if let Some(before) = &before {
        waiting.given.clone_from(&before.given);
    }
    let open: Vec<WaitingQuestion> = unanswered_questions(&waiting)
        .into_iter()
        .cloned()
        .collect();
    let seats =
        seats_if_group_is_asked(timeline, open.iter().map(|open| open.question.to.as_str()));
    // A ruling that runs again from its start asks its questions again.
    let is_anew = ruling
        .waiting_ruling()
        .is_some_and(|one| one.open.is_empty());
    let mut new = Vec::new();
    for open in open {
        if let Some(own) = before
            .as_ref()
            .and_then(|before| earlier_numbers_of_question(before, &open))
        {
            waiting.numbers.insert(open.ordinal, own);
            if is_anew {
                new.push(open.ordinal);
            }
            continue;
        }
        new.push(open.ordinal);
        let own = take_next_numbers(
            &mut timeline.state,
            &seats.answering_seats(&open.question.to),
        )?;
        waiting.add_seat_numbers(open.ordinal, own);
    }
    Ok((waiting, new))
}

/// Numbers the questions that a seat may answer although it was not asked at first, because it joined the group later.
fn number_questions_for_newcomers(timeline: &mut Timeline) -> Result<(), StoreError> {
    let open = open_questions(timeline);
    let seats =
        seats_if_group_is_asked(timeline, open.iter().map(|open| open.question.to.as_str()));
    for open in open {
        let mut members = seats.answering_seats(&open.question.to);
        members.retain(|seat| !open.numbers.contains_key(seat));
        let new = take_next_numbers(&mut timeline.state, &members)?;
        if !new.is_empty() {
            add_question_numbers(timeline, &open, new)?;
        }
    }
    Ok(())
}

/// Updates the numbers after a ruling that is over, as a part of the ruling. Its questions are counted, whether it
/// waited or not, and questions for newcomers are numbered.
pub(in crate::game) fn number_questions_after_ruling(
    timeline: &mut Timeline,
    ruling: &Ruling<'_>,
    rule: &str,
    input_source: &SharedInputs,
) -> Result<(), Diagnostic> {
    if input_source.is_waiting() {
        return Ok(());
    }
    let counted =
        count_questions_answered_at_once(timeline, ruling, rule, &input_source.used_inputs());
    let settled = counted.and_then(|()| number_questions_for_newcomers(timeline));
    settled.map_err(|error| error.to_diagnostic())
}

/// Counts the questions of a ruling that were not numbered for each seat, because they were answered at once. So the
/// state does not depend on whether the ruling waited.
fn count_questions_answered_at_once(
    timeline: &mut Timeline,
    ruling: &Ruling<'_>,
    rule: &str,
    used: &[Input],
) -> Result<(), StoreError> {
    let answers = used.iter().filter_map(|input| match input {
        Input::Answer(one) => one.stakes.get("to").as_str(),
        Input::Die(_) => None,
    });
    // The first answer of a prompt's ruling answers the prompt, which was numbered when it was made.
    let is_prompt = rule.starts_with(&format!("{PROMPT}#"));
    let to: Vec<&str> = answers.skip(usize::from(is_prompt)).collect();
    let seats = seats_if_group_is_asked(timeline, to.iter().copied());
    let mut asked = OwnNumbers::new();
    for seat in to.iter().flat_map(|to| seats.answering_seats(to)) {
        *asked.entry(seat).or_default() += 1;
    }
    let numbered = ruling.waiting_ruling().map(|waiting| &waiting.given);
    for (seat, many) in &mut asked {
        let given = numbered.and_then(|given| given.get(seat));
        *many -= given.copied().unwrap_or_default();
    }
    asked.retain(|seat, many| *many > 0 && seat != GM);
    advance_numbers(&mut timeline.state, &asked).map(|_| ())
}

fn add_question_numbers(
    timeline: &mut Timeline,
    open: &OpenQuestion,
    new: OwnNumbers,
) -> Result<(), StoreError> {
    match &open.place {
        QuestionPlace::Prompt(row) => {
            let own = open.numbers.clone().into_iter().chain(new).collect();
            renumber_prompt(&mut timeline.state, *row, &own)
        }
        QuestionPlace::Ruling {
            ruling_number,
            address,
        } => {
            let mut waiting = waiting_ruling_by_ruling_number(&timeline.state, *ruling_number)
                .expect("invariant: an open question was found in a ruling that waits");
            let asked = waiting.open.iter().find(|one| one.address == *address);
            let ordinal = asked.map_or(0, |one| one.ordinal);
            waiting.add_seat_numbers(ordinal, new);
            waiting_ruling::store_question_numbers(&mut timeline.state, &waiting)
        }
    }
}

/// Returns the seats in play, if a question is for a group; a seat that is asked by its name is its own only member.
fn seats_if_group_is_asked<'a>(
    timeline: &Timeline,
    mut to: impl Iterator<Item = &'a str>,
) -> Seats {
    match to.any(|to| to.starts_with(GROUP)) {
        true => seats_in_play(timeline),
        false => Seats::default(),
    }
}

/// Returns messages about the new questions of a ruling.
pub(in crate::game) fn new_question_notices(
    timeline: &Timeline,
    ruling: &Ruling<'_>,
    waiting: &Waiting,
    new: &[usize],
) -> Vec<Document> {
    let asked = unanswered_questions(waiting).into_iter();
    let asked = asked.filter(|open| new.contains(&open.ordinal));
    let mut documents: Vec<Document> = asked
        .map(|open| question_document(timeline, waiting, open))
        .collect();
    if documents.is_empty() {
        documents.extend(missing_answers_notice(timeline, ruling, waiting));
    } else {
        documents.extend(waiting_notice_for_giver(timeline, ruling, waiting));
    }
    documents
}

/// Returns the notice of missing answers for the giver of the line that continued a ruling. The line gave an answer, or
/// changed the rules of the ruling. A seat gets the count of its own missing answers.
fn missing_answers_notice(
    timeline: &Timeline,
    ruling: &Ruling<'_>,
    waiting: &Waiting,
) -> Option<Document> {
    let resume = ruling.resumption();
    let by = resume.map_or(GM, |resume| resume.by.as_str());
    let left = match by {
        GM => unanswered_questions(waiting).len(),
        seat => count_missing_for_seat(timeline, waiting, seat),
    };
    let is_same = |resume: &Resumption| {
        unanswered_questions(&resume.waiting).len() == unanswered_questions(waiting).len()
    };
    let key = match (resume.is_some_and(is_same), left) {
        (true, 0) => "question.goes_on",
        (true, _) => "question.goes_on_missing",
        (false, 0) => "question.noted",
        (false, _) => "question.noted_missing",
    };
    let text = timeline.words().count(key, left, &[]);
    let audience = Audience::parse(by).unwrap_or(Audience::Gm);
    (!is_automatic_giver(by)).then(|| Document::new([paragraph(text)]).limit_to_audience(audience))
}

/// Returns a notice to a seat that its command waits, unless the seat is asked itself or got the notice before. A seat
/// must not learn how often others are asked.
fn waiting_notice_for_giver(
    timeline: &Timeline,
    ruling: &Ruling<'_>,
    waiting: &Waiting,
) -> Option<Document> {
    let before = ruling.waiting_ruling();
    let was_told =
        before.is_some_and(|before| count_missing_for_seat(timeline, before, &waiting.by) == 0);
    let is_asked = count_missing_for_seat(timeline, waiting, &waiting.by) > 0;
    let audience = Audience::parse(&waiting.by).ok()?;
    let text = timeline.words().text("question.waits");
    let is_seat = waiting.by != GM && !is_automatic_giver(&waiting.by);
    (is_seat && !is_asked && !was_told)
        .then(|| Document::new([paragraph(text)]).limit_to_audience(audience))
}

/// Returns the number of missing answers that a seat may give.
fn count_missing_for_seat(timeline: &Timeline, waiting: &Waiting, seat: &str) -> usize {
    let open = unanswered_questions(waiting);
    let seats =
        seats_if_group_is_asked(timeline, open.iter().map(|open| open.question.to.as_str()));
    let members = open
        .iter()
        .map(|open| seats.answering_seats(&open.question.to));
    members
        .filter(|members| members.iter().any(|one| one == seat))
        .count()
}

/// Returns the questions of a ruling without an answer.
fn unanswered_questions(waiting: &Waiting) -> Vec<&WaitingQuestion> {
    let open = waiting.open.iter();
    open.filter(|open| open.answer.is_none()).collect()
}

/// Returns the numbers of a question that waited before for the same answer of the same people.
fn earlier_numbers_of_question(before: &Waiting, open: &WaitingQuestion) -> Option<OwnNumbers> {
    let is_same = |one: &&&WaitingQuestion| {
        one.address == open.address && one.question.to == open.question.to
    };
    let missing = unanswered_questions(before);
    let same = missing.iter().find(is_same)?;
    Some(before.seat_numbers_of_question(same.ordinal))
}

/// Returns the question of a ruling for the people asked, with the number that it has for each of them.
fn question_document(timeline: &Timeline, waiting: &Waiting, open: &WaitingQuestion) -> Document {
    let (question, words) = (&open.question, timeline.words());
    let may_be = answers_and_deadline_in_language(question, timeline.state.times(), &words);
    let audience = Audience::parse(&question.to).unwrap_or(Audience::Gm);
    let numbers = numbers_by_reader(waiting, open);
    // Each reader has another number, in a piece of its own with the space before it.
    let holes: [Hole<'_>; 2] = [("question", &question.text), ("answers", &may_be)];
    let (before, after) = words.around("question.asked", "number", &holes);
    let mut spans = vec![text(before.trim_end())];
    spans.extend(numbers.iter().map(|(reader, number)| {
        let span = text(format!(" {number}"));
        match *reader == audience {
            true => span,
            false => span.for_audience(reader.clone()),
        }
    }));
    spans.push(text(after));
    let mut data = question.to_value().as_map().cloned().unwrap_or_default();
    data.extend(numbers.iter().map(|(reader, number)| {
        let number = Value::from(number.as_str());
        match *reader == audience {
            true => (NUMBER.into(), number),
            false => (
                format!("@{reader}").as_str().into(),
                Value::map([(NUMBER, number)]),
            ),
        }
    }));
    Document::new([paragraph(line(spans))])
        .limit_to_audience(audience)
        .data(Value::map(data))
}

/// Returns the numbers of a question by reader: the seats, then the game master.
fn numbers_by_reader(waiting: &Waiting, open: &WaitingQuestion) -> Vec<(Audience, String)> {
    let own = waiting.seat_numbers_of_question(open.ordinal).into_iter();
    let own = own.map(|(seat, number)| (Audience::Seat(seat), number.to_string()));
    let gm = (
        Audience::Gm,
        question_number(waiting.ruling_number, open.ordinal),
    );
    own.chain([gm]).collect()
}
