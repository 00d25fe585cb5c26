//! This module is what waits for people, and their answers: questions of rulings, and prompts.

use super::rows::{in_slot, waiting};
use super::wording::time_in_words;
use crate::diag::{Diagnostic, near_hint};
use crate::game::reply::Reply;
use crate::game::ruling::given::Ruling;
use crate::game::ruling::oracle::Given;
use crate::game::timeline::Timeline;
use crate::game::waiting::due::game_time;
use crate::game::waiting::prompt::answer_prompt;
use crate::game::waiting::prompt::open_prompt;
use crate::game::waiting::resume::give_up;
use crate::game::waiting::resume::go_on;
use crate::script::{BROKEN, GM, OwnNumbers, Question, Seats, prompts};
use crate::value::Name;

/// Who gives the answers that nobody gives in person.
pub(in crate::game) const DEADLINE: &str = "deadline";
pub(in crate::game) const ORDER: &str = "order";
pub(in crate::game) const POLICY: &str = "policy";

/// Returns whether an answer was given by nobody in person.
pub(in crate::game) fn is_nobody(by: &str) -> bool {
    [DEADLINE, ORDER, POLICY].contains(&by)
}

/// A question that waits for an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenQuestion {
    /// Its number for whoever looks. For the game master the slot of the ruling that asks it, and its place there or its
    /// number among the prompts of the game, such as `41.2`; for a seat the number of what it was asked, empty where it
    /// has none yet.
    pub number: String,
    /// The question.
    pub question: Question,
    /// Its numbers for the seats that it asks.
    pub(in crate::game) numbers: OwnNumbers,
    pub(in crate::game) place: Place,
}

impl OpenQuestion {
    /// Returns whether a ruling waits for it.
    pub fn is_of(&self, slot: u64) -> bool {
        matches!(self.place, Place::Ruling { slot: of, .. } if of == slot)
    }

    /// Returns the slot of the ruling that waits for it; nothing for a prompt.
    pub fn holds_up(&self) -> Option<u64> {
        match &self.place {
            Place::Ruling { slot, .. } => Some(*slot),
            Place::Prompt(_) => None,
        }
    }

    /// Returns whether whoever sees all of its numbers may mean it by one without a dot: that of the ruling that asks it,
    /// of the prompt, or of a seat that it asks.
    fn may_be_called(&self, number: &str) -> bool {
        let mut parts = self.number.splitn(2, '.');
        let is_of_ruling = parts.next() == Some(number);
        let is_prompt = matches!(self.place, Place::Prompt(_)) && parts.next() == Some(number);
        let mut own = self.numbers.values();
        is_of_ruling || is_prompt || own.any(|own| own.to_string() == number)
    }

    /// Returns whether another is the same question, as somebody else sees it.
    pub fn is_same(&self, other: &OpenQuestion) -> bool {
        self.place == other.place
    }

    /// Returns the word that names it best in an answer: its number, or its key where it has none.
    pub fn word(&self) -> &str {
        match self.number.as_str() {
            "" => &self.question.key,
            number => number,
        }
    }
}

/// Where a question stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::game) enum Place {
    /// In a ruling that waits.
    Ruling { slot: u64, address: String },
    /// It is a prompt.
    Prompt(Name),
}

/// Returns the number of a question of a ruling.
pub(in crate::game) fn number(slot: u64, ordinal: usize) -> String {
    format!("{slot}.{ordinal}")
}

/// Returns every question that waits: of rulings by slot, then prompts.
pub fn open_questions(timeline: &Timeline) -> Vec<OpenQuestion> {
    let mut found = Vec::new();
    let mut answered = Vec::new();
    for mut waiting in waiting(&timeline.state) {
        let open = std::mem::take(&mut waiting.open).into_iter();
        let missing = open.filter(|open| open.answer.is_none());
        found.extend(missing.map(|open| OpenQuestion {
            number: number(waiting.slot, open.ordinal),
            numbers: waiting.numbers_of(open.ordinal),
            question: open.question,
            place: Place::Ruling {
                slot: waiting.slot,
                address: open.address,
            },
        }));
        answered.push(waiting.rule);
    }
    // A prompt is answered while what goes on with its answer waits itself.
    let names = timeline.state.names();
    let is_open = |row: &Name| !answered.iter().any(|rule| **rule == *names.text(*row));
    let prompts = prompts(&timeline.state).into_iter().filter(is_open);
    found.extend(prompts.filter_map(|row| open_prompt(timeline, row)));
    found
}

/// Returns the questions that wait for whoever looks; the game master may answer all. Those of a seat are in the order
/// in which it was asked, which says nothing of the rulings that ask.
pub fn questions_for(timeline: &Timeline, by: &str) -> Vec<OpenQuestion> {
    let open = open_questions(timeline);
    if by == GM || open.is_empty() {
        return open;
    }
    let seats = seats(timeline);
    let seat = seats.seat(by).unwrap_or_else(|_| by.to_owned());
    let is_asked = |to: &str| to == seat || seats.members(to).contains(&seat);
    let own = open.into_iter().filter(|one| is_asked(&one.question.to));
    let mut own: Vec<(i64, OpenQuestion)> = own.map(|one| for_seat(one, &seat)).collect();
    own.sort_by_key(|(number, _)| *number);
    own.into_iter().map(|(_, one)| one).collect()
}

/// Returns a seat as the ruleset writes it; one that it does not know stays as it is.
pub fn seat_of(timeline: &Timeline, by: &str) -> String {
    seats(timeline).seat(by).unwrap_or_else(|_| by.to_owned())
}

/// Returns who gives a line, as the ruleset writes it: the game master or a seat. Errors: `ask/unknown-seat`.
pub fn seated(timeline: &Timeline, by: &str) -> Result<String, Box<Diagnostic>> {
    if by.eq_ignore_ascii_case(GM) {
        return Ok(GM.to_owned());
    }
    seats(timeline).seat(by)
}

/// Returns who plays. Errors: the function of the ruleset that says so fails.
pub fn known_seats(timeline: &Timeline) -> Result<Seats, Box<Diagnostic>> {
    timeline
        .generation()
        .machine()
        .seats(&timeline.state)
        .map_err(Box::new)
}

/// Returns who plays; where the ruleset's function fails, nobody is known.
pub fn seats(timeline: &Timeline) -> Seats {
    timeline
        .generation()
        .machine()
        .seats(&timeline.state)
        .unwrap_or_default()
}

/// Takes an answer: `text` names the question by number or key, unless only one waits; then comes the answer.
pub fn answer(timeline: &mut Timeline, ruling: &Ruling<'_>, text: &str) -> Reply {
    let by = ruling.by();
    match meant(timeline, by, text.trim()) {
        Ok((open, answer)) => {
            let given = Given {
                stakes: open.question.stakes(),
                answer: Err(answer),
                by: by.to_owned(),
            };
            let is_of_another = is_of_another(timeline, by, &open);
            let reply = give(timeline, &open, given, ruling);
            Reply {
                is_of_another,
                ..stopped(timeline, &open, reply, ruling)
            }
        }
        Err(refusal) => Reply::refused(*refusal),
    }
}

/// Returns whether a ruling asks that somebody else gave.
fn is_of_another(timeline: &Timeline, by: &str, open: &OpenQuestion) -> bool {
    match &open.place {
        Place::Ruling { slot, .. } => {
            in_slot(&timeline.state, *slot).is_some_and(|waiting| waiting.by != by)
        }
        Place::Prompt(_) => false,
    }
}

/// Drops the ruling of a rule that breaks, if the answer ended it; any other refusal leaves its question open.
pub(in crate::game) fn stopped(
    timeline: &mut Timeline,
    open: &OpenQuestion,
    mut reply: Reply,
    ruling: &Ruling<'_>,
) -> Reply {
    let is_over = reply.refusal.is_some() && open.question.key.starts_with(BROKEN);
    if let Place::Ruling { slot, .. } = &open.place
        && is_over
        && reply
            .refusal
            .as_ref()
            .is_none_or(|one| !one.code.starts_with("ask/"))
    {
        reply.op = give_up(timeline, *slot, ruling).op;
    }
    reply
}

/// Gives an answer to a question that waits.
pub(in crate::game) fn give(
    timeline: &mut Timeline,
    open: &OpenQuestion,
    given: Given,
    ruling: &Ruling<'_>,
) -> Reply {
    match &open.place {
        Place::Ruling { slot, address } => {
            let waiting = in_slot(&timeline.state, *slot)
                .expect("invariant: an open question was found in a ruling that waits");
            go_on(timeline, waiting, [(address.clone(), given)], ruling)
        }
        Place::Prompt(row) => answer_prompt(timeline, *row, &given, ruling),
    }
}

/// Returns the question that somebody means, and the answer. Errors: none, or several.
fn meant(
    timeline: &Timeline,
    by: &str,
    text: &str,
) -> Result<(OpenQuestion, String), Box<Diagnostic>> {
    let mine = questions_for(timeline, by);
    let open = match text.split_once(char::is_whitespace) {
        Some((word, rest)) => match named(timeline, by, &mine, word)? {
            Some(open) => (open, rest.trim().to_owned()),
            None => (only(by, &mine, Some(word))?, text.to_owned()),
        },
        None => (only(by, &mine, None)?, text.to_owned()),
    };
    check_in_time(timeline, by, &open.0)?;
    Ok(open)
}

/// Returns the question that a word names: by number or key. Errors: a number that nothing has, or several have.
fn named(
    timeline: &Timeline,
    by: &str,
    mine: &[OpenQuestion],
    word: &str,
) -> Result<Option<OpenQuestion>, Box<Diagnostic>> {
    let is_number = word.starts_with(|c: char| c.is_ascii_digit())
        && word.chars().all(|c| c.is_ascii_digit() || c == '.');
    let fits =
        |one: &&OpenQuestion| one.question.key == word || is_number && one.may_be_called(word);
    let exact: Vec<&OpenQuestion> = mine.iter().filter(|one| one.number == word).collect();
    let found = match exact.is_empty() {
        true => mine.iter().filter(fits).collect(),
        false => exact,
    };
    match found.as_slice() {
        [one] => Ok(Some((*one).clone())),
        [] if is_number => {
            let message = format!("no question {word} waits for an answer of {by}");
            let finding = Diagnostic::error("answer/no-question", message);
            Err(Box::new(finding.hint("prompts lists what waits")))
        }
        [] => Ok(None),
        several => Err(which(by, several.iter().copied())),
    }
}

fn check_in_time(
    timeline: &Timeline,
    by: &str,
    open: &OpenQuestion,
) -> Result<(), Box<Diagnostic>> {
    match (&open.question.deadline, game_time(timeline)) {
        (Some(due), Some(now)) if *due <= now && by != GM => {
            let times = timeline.state.times();
            let (due, now) = (time_in_words(due, times), time_in_words(&now, times));
            let message = format!("it is too late: the answer was due at {due}, now it is {now}");
            let finding = Diagnostic::error("answer/too-late", message);
            Err(Box::new(finding.hint("the game master may still answer")))
        }
        (_, _) => Ok(()),
    }
}

/// Returns a question as a seat sees it, with its number: one without a number comes last.
fn for_seat(open: OpenQuestion, seat: &str) -> (i64, OpenQuestion) {
    let own = open.numbers.get(seat).copied();
    let number = own.map_or_else(String::new, |own| own.to_string());
    let numbers = OwnNumbers::new();
    let open = OpenQuestion {
        number,
        numbers,
        ..open
    };
    (own.unwrap_or(i64::MAX), open)
}

/// Returns the only question that waits for somebody. Errors: there is none, or there are several.
fn only(
    by: &str,
    mine: &[OpenQuestion],
    word: Option<&str>,
) -> Result<OpenQuestion, Box<Diagnostic>> {
    let own: Vec<&OpenQuestion> = mine.iter().filter(|one| one.question.to == by).collect();
    match (mine, own.as_slice()) {
        ([one], _) => Ok(one.clone()),
        (_, [one]) => Ok((*one).clone()),
        ([], _) => {
            let message = format!("no question waits for an answer of {by}");
            Err(Box::new(Diagnostic::error("answer/no-question", message)))
        }
        (several, _) => {
            let keys = several.iter().map(|one| one.question.key.as_str());
            let near = word.map_or_else(String::new, |word| near_hint(word, keys));
            let mut refusal = which(by, several.iter());
            refusal.hints.insert(0, near);
            refusal.hints.retain(|hint| !hint.is_empty());
            Err(refusal)
        }
    }
}

fn which<'a>(by: &str, open: impl Iterator<Item = &'a OpenQuestion>) -> Box<Diagnostic> {
    let listed = open.map(|one| format!("{} {}", one.number, one.question.key));
    let listed: Vec<String> = listed.map(|one| one.trim_start().to_owned()).collect();
    let message = format!("{} questions wait for an answer of {by}", listed.len());
    Box::new(
        Diagnostic::error("answer/which", message)
            .hint(format!("name one by number or key: {}", listed.join(", "))),
    )
}
