//! Open questions: questions of rulings, and prompts.

use crate::diag::Diagnostic;
use crate::doc::Viewer;
use crate::game::ruling::waiting_ruling::waiting_rulings;
use crate::game::timeline::Timeline;
use crate::script::{self, GM, OwnNumbers, Question, Seats, open_prompts, seat_numbers_of_prompt};
use crate::value::{Name, Value};

/// A question that waits for an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenQuestion {
    /// Its number for the reader. For the game master it has two parts, such as `41.2`. The first part is the log line
    /// of the asking ruling's beginning. The second part is the place in that ruling, or the number among the prompts
    /// of the game. A prompt without a recorded ruling has only the second part. For a seat it is the seat's own number
    /// of the question, empty if there is none yet.
    pub number: String,
    /// The question.
    pub question: Question,
    /// Its numbers for the seats that it asks.
    pub(in crate::game) numbers: OwnNumbers,
    pub(in crate::game) place: QuestionPlace,
}

impl OpenQuestion {
    /// Returns whether the ruling with a ruling number waits for this question.
    pub fn is_of_ruling(&self, ruling_number: u64) -> bool {
        matches!(self.place, QuestionPlace::Ruling { ruling_number: of, .. } if of == ruling_number)
    }

    /// Returns the number of the ruling that waits for this question, as the game master sees it; nothing for a prompt.
    pub fn waiting_ruling_number_for_gm(&self) -> Option<&str> {
        match &self.place {
            QuestionPlace::Ruling { .. } => self.number.split('.').next(),
            QuestionPlace::Prompt(_) => None,
        }
    }

    /// Returns whether a number without a dot may name the question, for a reader with access to all its numbers. That
    /// number is the one of the asking ruling, of the prompt, or of a seat that is asked.
    pub(in crate::game) fn has_short_number(&self, number: &str) -> bool {
        let mut parts = self.number.splitn(2, '.');
        let is_of_ruling = parts.next() == Some(number);
        let is_prompt =
            matches!(self.place, QuestionPlace::Prompt(_)) && parts.next() == Some(number);
        let mut own = self.numbers.values();
        is_of_ruling || is_prompt || own.any(|own| own.to_string() == number)
    }

    /// Returns whether another open question is the same question in the view of another user.
    pub fn is_same_question(&self, other: &OpenQuestion) -> bool {
        self.place == other.place
    }

    /// Returns the recorded line of an automatic answer. The line contains no number, because a repeated question would
    /// have another number.
    pub(in crate::game) fn line_of_automatic_answer(&self) -> String {
        format!("answer {} of {}", self.question.key, self.question.to)
    }

    /// Returns the best word to name the question in an answer: its number, or its key if it has none.
    pub fn number_or_key(&self) -> &str {
        match self.number.as_str() {
            "" => &self.question.key,
            number => number,
        }
    }
}

/// Place of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::game) enum QuestionPlace {
    /// In a ruling that waits.
    Ruling { ruling_number: u64, address: String },
    /// It is a prompt.
    Prompt(Name),
}

/// Returns the number of a question of a ruling: the first part is the ruling number in saved data, and the log line
/// for people.
pub(in crate::game) fn question_number(ruling: u64, ordinal: usize) -> String {
    format!("{ruling}.{ordinal}")
}

/// Returns every open question: questions of rulings by ruling number, then prompts.
pub fn open_questions(timeline: &Timeline) -> Vec<OpenQuestion> {
    let mut found = Vec::new();
    let mut answered = Vec::new();
    for mut waiting in waiting_rulings(&timeline.state) {
        let open = std::mem::take(&mut waiting.open).into_iter();
        let missing = open.filter(|open| open.answer.is_none());
        found.extend(missing.map(|open| OpenQuestion {
            number: question_number(
                timeline.log_line_of_ruling(waiting.ruling_number),
                open.ordinal,
            ),
            numbers: waiting.seat_numbers_of_question(open.ordinal),
            question: open.question,
            place: QuestionPlace::Ruling {
                ruling_number: waiting.ruling_number,
                address: open.address,
            },
        }));
        answered.push(waiting.rule);
    }
    // A prompt counts as answered while the continuation with its answer waits itself.
    let names = timeline.state.names();
    let is_open = |row: &Name| !answered.iter().any(|rule| **rule == *names.text(*row));
    let prompts = open_prompts(&timeline.state).into_iter().filter(is_open);
    found.extend(prompts.filter_map(|row| open_question_of_prompt(timeline, row)));
    found
}

/// Returns the questions that wait for the reader; the game master may answer all. Questions of a seat are in the order
/// in which it was asked. This order reveals nothing about the rulings that ask.
pub fn open_questions_for(timeline: &Timeline, by: &str) -> Vec<OpenQuestion> {
    let open = open_questions(timeline);
    if by == GM || open.is_empty() {
        return open;
    }
    let seats = seats_in_play(timeline);
    let seat = seats.seat_by_name(by).unwrap_or_else(|_| by.to_owned());
    let is_asked = |to: &str| to == seat || seats.answering_seats(to).contains(&seat);
    let own = open.into_iter().filter(|one| is_asked(&one.question.to));
    let mut own: Vec<(i64, OpenQuestion)> = own.map(|one| numbered_for_seat(one, &seat)).collect();
    own.sort_by_key(|(number, _)| *number);
    own.into_iter().map(|(_, one)| one).collect()
}

/// Returns the name of a seat as the ruleset writes it; an unknown name stays as it is.
pub fn canonical_seat(timeline: &Timeline, by: &str) -> String {
    seats_in_play(timeline)
        .seat_by_name(by)
        .unwrap_or_else(|_| by.to_owned())
}

/// Returns the giver of a line, as the ruleset writes the name: the game master or a seat. Errors: `ask/unknown-seat`.
pub fn canonical_giver(timeline: &Timeline, by: &str) -> Result<String, Box<Diagnostic>> {
    if by.eq_ignore_ascii_case(GM) {
        return Ok(GM.to_owned());
    }
    seats_in_play(timeline).seat_by_name(by)
}

/// Returns the seats in play. Errors: the function of the ruleset that lists them fails.
pub fn seats_in_play_or_error(timeline: &Timeline) -> Result<Seats, Box<Diagnostic>> {
    script::seats_in_state(&timeline.generation().machine(), &timeline.state).map_err(Box::new)
}

/// Returns the seats in play; none if the ruleset's function fails.
pub fn seats_in_play(timeline: &Timeline) -> Seats {
    script::seats_in_state(&timeline.generation().machine(), &timeline.state).unwrap_or_default()
}

/// Returns a question as a seat sees it, with its number: one without a number comes last.
fn numbered_for_seat(open: OpenQuestion, seat: &str) -> (i64, OpenQuestion) {
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

/// Returns a prompt as an open question.
pub(in crate::game) fn open_question_of_prompt(
    timeline: &Timeline,
    row: Name,
) -> Option<OpenQuestion> {
    let names = timeline.state.names();
    let id = names.text(row);
    let fields = timeline.state.field_names_of_row(row).into_iter();
    let fields = fields.map(|field| (names.text(field), timeline.state.get(row, field).clone()));
    let own = id.rsplit_once('#')?.1;
    let cause = timeline.state.get(row, timeline.state.reserved().cause);
    let number = match cause.get("ruling") {
        Value::Nil => own.to_owned(),
        began => match began.as_i64().and_then(|number| u64::try_from(number).ok()) {
            Some(ruling_number) => format!("{}.{own}", timeline.log_line_of_ruling(ruling_number)),
            None => format!("{began}.{own}"),
        },
    };
    Some(OpenQuestion {
        number,
        question: Question::from_value(&Value::map(fields))?,
        numbers: seat_numbers_of_prompt(&timeline.state, row),
        place: QuestionPlace::Prompt(row),
    })
}

/// Returns the viewer of a user: the reader of messages to that user.
pub fn viewer_of_seat(timeline: &Timeline, by: &str) -> Viewer {
    script::viewer_in_state(&timeline.generation().machine(), &timeline.state, by)
}
