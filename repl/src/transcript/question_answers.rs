//! Answers the questions of a command as its case requires.

use host::diag::Diagnostic;
use host::game;
use host::game::{OpenQuestion, Reply, ScriptStep, Solo};
use host::script::{GM, Question};
use host::value::Value;

use super::transcript_parser::Setting;
use super::{Case, Step};
use crate::transcript::reply_lines::reply_lines;

/// The key of an answer to any next question.
const ANY_KEY: &str = "*";

/// The answer of a case that means the default of each question.
const BY_DEFAULT: &str = "default";

/// Maximum number of answers of a case to the questions of one command.
const MOST_ANSWERS: usize = 100;

/// Answers the questions of a command with the lines below it, then as its case requires, and returns the last reply.
///
/// Errors: the line of an answer without a question.
pub(super) fn answer_questions(
    solo: &mut Solo,
    (case, step): (&Case, &Step),
    mut reply: Reply,
    said: &mut Vec<(usize, ScriptStep)>,
) -> Result<Reply, (usize, Diagnostic)> {
    for answer in &step.answers {
        let Some(asked) = question_of_key(solo, &reply, &answer.key) else {
            return Err((
                answer.line,
                not_asked_refusal((&answer.key, &reply), &solo.session.options().ruleset),
            ));
        };
        reply = submit_answer(solo, &asked, answer, said);
    }
    if let Some(answer) = &case.answers {
        for _ in 0..MOST_ANSWERS {
            let Some(asked) = question_of_key(solo, &reply, ANY_KEY) else {
                break;
            };
            reply = submit_answer(solo, &asked, answer, said);
        }
    }
    Ok(reply)
}

/// Returns the question of a key that the ruling of a command waits for.
fn question_of_key(solo: &Solo, reply: &Reply, key: &str) -> Option<OpenQuestion> {
    let slot = reply.waits?;
    let mut open = game::open_questions(solo.timeline()).into_iter();
    open.find(|one| one.is_of_ruling(slot) && (key == ANY_KEY || key == one.question.key))
}

/// Returns the default answer of a question, as it is typed; yes if the question has none.
fn default_answer(question: &Question) -> String {
    match &question.default {
        Value::Bool(false) => "no".to_owned(),
        Value::Nil | Value::Bool(true) => "yes".to_owned(),
        Value::Text(text) => text.to_string(),
        other => other.to_string(),
    }
}

/// Returns the word that names a question to the game master: its key, if no other question has it. The key does not
/// depend on the number of earlier runs of a line. Without such a key, the word is empty if no other question waits,
/// else the number of the question.
fn question_word<'a>(own: &'a [OpenQuestion], asked: &'a OpenQuestion) -> &'a str {
    let key = asked.question.key.as_str();
    let is_word =
        !key.contains(char::is_whitespace) && !key.starts_with(|c: char| c.is_ascii_digit());
    let with_key = own.iter().filter(|one| one.question.key == key).count();
    match (is_word && with_key == 1, own.len()) {
        (true, _) => key,
        (false, 1) => "",
        (false, _) => question_number(own, asked),
    }
}

fn question_number<'a>(own: &'a [OpenQuestion], asked: &'a OpenQuestion) -> &'a str {
    let own = own.iter().find(|one| one.is_same_question(asked));
    own.unwrap_or(asked).number_or_key()
}

fn submit_answer(
    solo: &mut Solo,
    asked: &OpenQuestion,
    answer: &Setting,
    said: &mut Vec<(usize, ScriptStep)>,
) -> Reply {
    let members = game::seats_in_play(solo.timeline()).answering_seats(&asked.question.to);
    let by = members.first().unwrap_or(&asked.question.to).clone();
    let own = game::open_questions_for(solo.timeline(), &by);
    let word = match by.as_str() {
        GM => question_word(&own, asked),
        _ => question_number(&own, asked),
    };
    let value = match answer.value.as_str() {
        BY_DEFAULT => default_answer(&asked.question),
        value => value.to_owned(),
    };
    let line = match word {
        "" => format!("answer {value}"),
        word => format!("answer {word} {value}"),
    };
    let reply = game::submit_twice(solo, &by, &line).0;
    said.push((answer.line, ScriptStep::line(&by, &line)));
    reply
}

/// Returns the refusal of an answer that no question needs, with the output of the command.
fn not_asked_refusal((key, reply): (&str, &Reply), ruleset: &str) -> Diagnostic {
    let message = format!("the command does not ask a question with the key \"{key}\"");
    let said = reply_lines(reply, ruleset).join("\n");
    let finding = Diagnostic::error("test/not-asked", message);
    finding.hint(match said.as_str() {
        "" => "the command printed nothing".to_owned(),
        said => format!("the command printed: {said}"),
    })
}
