//! Takes the answers that people type: finds the question that the answer names, and gives the answer.

use crate::diag::{Diagnostic, near_hint};
use crate::game::answer::deadlines::game_time;
use crate::game::answer::prompt_answer::answer_prompt;
use crate::game::answer::ruling_resumption::{continue_ruling, drop_waiting_ruling};
use crate::game::question::open_questions::{OpenQuestion, QuestionPlace, open_questions_for};
use crate::game::question::question_wording::game_time_in_words;
use crate::game::ruling::input_source::GivenAnswer;
use crate::game::ruling::ruling_context::Ruling;
use crate::game::ruling::waiting_ruling::waiting_ruling_by_ruling_number;
use crate::game::timeline::Timeline;
use crate::game::timeline::reply::Reply;
use crate::script::{BROKEN, GM};

/// Takes an answer. `text` begins with the number or key of the question, unless only one question is open, and ends
/// with the answer.
pub fn take_typed_answer(timeline: &mut Timeline, ruling: &Ruling<'_>, text: &str) -> Reply {
    let by = ruling.by();
    match parse_question_and_answer(timeline, by, text.trim()) {
        Ok((open, answer)) => {
            let given = GivenAnswer {
                stakes: open.question.stakes(),
                answer: Err(answer),
                by: by.to_owned(),
            };
            let is_of_another = is_from_ruling_of_another(timeline, by, &open);
            let reply = give_answer(timeline, &open, given, ruling);
            Reply {
                is_of_another,
                ..drop_broken_ruling(timeline, &open, reply, ruling)
            }
        }
        Err(refusal) => Reply::refused(*refusal),
    }
}

/// Returns whether the question belongs to a ruling that another user gave.
pub(in crate::game) fn is_from_ruling_of_another(
    timeline: &Timeline,
    by: &str,
    open: &OpenQuestion,
) -> bool {
    match &open.place {
        QuestionPlace::Ruling { ruling_number, .. } => {
            waiting_ruling_by_ruling_number(&timeline.state, *ruling_number)
                .is_some_and(|waiting| waiting.by != by)
        }
        QuestionPlace::Prompt(_) => false,
    }
}

/// Drops the ruling of a failed rule if the answer ended the ruling. Any other refusal leaves the question open.
pub(in crate::game) fn drop_broken_ruling(
    timeline: &mut Timeline,
    open: &OpenQuestion,
    mut reply: Reply,
    ruling: &Ruling<'_>,
) -> Reply {
    let is_over = reply.refusal.is_some() && open.question.key.starts_with(BROKEN);
    if let QuestionPlace::Ruling { ruling_number, .. } = &open.place
        && is_over
        && reply
            .refusal
            .as_ref()
            .is_none_or(|one| !one.code.starts_with("ask/"))
    {
        reply.op = drop_waiting_ruling(timeline, *ruling_number, ruling).op;
    }
    reply
}

/// Gives an answer to a question that waits.
pub(in crate::game) fn give_answer(
    timeline: &mut Timeline,
    open: &OpenQuestion,
    given: GivenAnswer,
    ruling: &Ruling<'_>,
) -> Reply {
    match &open.place {
        QuestionPlace::Ruling {
            ruling_number,
            address,
        } => {
            let waiting = waiting_ruling_by_ruling_number(&timeline.state, *ruling_number)
                .expect("invariant: an open question was found in a ruling that waits");
            continue_ruling(timeline, waiting, [(address.clone(), given)], ruling)
        }
        QuestionPlace::Prompt(row) => answer_prompt(timeline, *row, &given, ruling),
    }
}

/// Returns the question that a user names, and the answer. Errors: no question fits, or several do.
fn parse_question_and_answer(
    timeline: &Timeline,
    by: &str,
    text: &str,
) -> Result<(OpenQuestion, String), Box<Diagnostic>> {
    let mine = open_questions_for(timeline, by);
    let open = match text.split_once(char::is_whitespace) {
        Some((word, rest)) => match question_by_number_or_key(by, &mine, word)? {
            Some(open) => (open, rest.trim().to_owned()),
            None => (only_open_question(by, &mine, Some(word))?, text.to_owned()),
        },
        None => (only_open_question(by, &mine, None)?, text.to_owned()),
    };
    check_deadline(timeline, by, &open.0)?;
    Ok(open)
}

/// Returns the question that a word names by number or key. Errors: no question has the number, or several have it.
fn question_by_number_or_key(
    by: &str,
    mine: &[OpenQuestion],
    word: &str,
) -> Result<Option<OpenQuestion>, Box<Diagnostic>> {
    let is_number = word.starts_with(|c: char| c.is_ascii_digit())
        && word.chars().all(|c| c.is_ascii_digit() || c == '.');
    let fits =
        |one: &&OpenQuestion| one.question.key == word || is_number && one.has_short_number(word);
    let exact: Vec<&OpenQuestion> = mine.iter().filter(|one| one.number == word).collect();
    let found = match exact.is_empty() {
        true => mine.iter().filter(fits).collect(),
        false => exact,
    };
    match found.as_slice() {
        [one] => Ok(Some((*one).clone())),
        [] if is_number => {
            let message = format!("{} has no open question {word}", person_in_words(by));
            let finding = Diagnostic::error("answer/no-question", message);
            Err(Box::new(
                finding.hint("`questions` lists the open questions"),
            ))
        }
        [] => Ok(None),
        several => Err(several_questions_refusal(by, several.iter().copied())),
    }
}

fn check_deadline(
    timeline: &Timeline,
    by: &str,
    open: &OpenQuestion,
) -> Result<(), Box<Diagnostic>> {
    match (&open.question.deadline, game_time(timeline)) {
        (Some(due), Some(now)) if *due <= now && by != GM => {
            let times = timeline.state.times();
            let (due, now) = (
                game_time_in_words(due, times),
                game_time_in_words(&now, times),
            );
            let message = format!("the deadline has passed: it was {due}, and it is now {now}");
            let finding = Diagnostic::error("answer/too-late", message);
            Err(Box::new(finding.hint("the game master may still answer")))
        }
        (_, _) => Ok(()),
    }
}

/// Returns the only question that waits for a user. Errors: there is none, or there are several.
fn only_open_question(
    by: &str,
    mine: &[OpenQuestion],
    word: Option<&str>,
) -> Result<OpenQuestion, Box<Diagnostic>> {
    let own: Vec<&OpenQuestion> = mine.iter().filter(|one| one.question.to == by).collect();
    match (mine, own.as_slice()) {
        ([one], _) => Ok(one.clone()),
        (_, [one]) => Ok((*one).clone()),
        ([], _) => {
            let message = format!("{} has no open question", person_in_words(by));
            Err(Box::new(Diagnostic::error("answer/no-question", message)))
        }
        (several, _) => {
            let keys = several.iter().map(|one| one.question.key.as_str());
            let near = word.map_or_else(String::new, |word| near_hint(word, keys));
            let mut refusal = several_questions_refusal(by, several.iter());
            refusal.hints.insert(0, near);
            refusal.hints.retain(|hint| !hint.is_empty());
            Err(refusal)
        }
    }
}

/// Returns the giver of an answer in words.
fn person_in_words(by: &str) -> &str {
    if by == GM { "the game master" } else { by }
}

fn several_questions_refusal<'a>(
    by: &str,
    open: impl Iterator<Item = &'a OpenQuestion>,
) -> Box<Diagnostic> {
    let listed = open.map(|one| format!("{} {}", one.number, one.question.key));
    let listed: Vec<String> = listed.map(|one| one.trim_start().to_owned()).collect();
    let person = person_in_words(by);
    let message = format!("{} questions are open for {person}", listed.len());
    Box::new(Diagnostic::error("answer/which", message).hint(format!(
        "choose one by number or key: {}",
        listed.join(", ")
    )))
}
