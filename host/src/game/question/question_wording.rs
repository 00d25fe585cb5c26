//! Wording of a question: its possible answers, and its deadline.

use crate::script::{Question, ReplyType, YES_NO, shown_answer};
use crate::store::clock::Times;
use crate::text::Class;
use crate::value::Value;
use crate::words::Words;

/// Returns the possible answers, the default, and the deadline in words.
pub fn answers_and_deadline_in_words(question: &Question, times: Times) -> String {
    answers_and_deadline_in_language(question, times, &Words::english())
}

/// Returns the possible answers, the default, and the deadline in the words of a language.
pub(in crate::game) fn answers_and_deadline_in_language(
    question: &Question,
    times: Times,
    words: &Words,
) -> String {
    let mut text = match &question.reply {
        ReplyType::Named(name) if name == YES_NO => words.text("question.yes_no"),
        ReplyType::Named(name) => match key_of_type(name) {
            Some(key) => words.text(key),
            None => words.fill("question.of_type", &[("type", name)]),
        },
        ReplyType::Options(options) => words.alternatives(options),
    };
    if !question.default.is_nil() {
        let default = shown_answer(&question.default);
        text = words.fill(
            "question.default",
            &[("answers", &text), ("default", &default)],
        );
    }
    if let Some(due) = &question.deadline {
        let time = game_time_in_words(due, times);
        text = words.fill("question.until", &[("answers", &text), ("time", &time)]);
    }
    text
}

/// Returns the key of the words for what a slot type of the host reads; nothing for any other type.
fn key_of_type(name: &str) -> Option<&'static str> {
    Some(match Class::of_type(name)? {
        Class::Word => "type.word",
        Class::Number => "type.number",
        Class::Integer => "type.integer",
        Class::Signed => "type.signed",
        Class::Quoted => "type.quoted",
        Class::Text | Class::Line | Class::Rest => "type.text",
        Class::Group => "type.group",
        Class::Token => "type.token",
        Class::Piece => "type.piece",
    })
}

/// Returns a game time as people read it; a value that is not a whole number of seconds stays as it is.
pub(in crate::game) fn game_time_in_words(time: &Value, times: Times) -> String {
    let seconds = time.as_i64().and_then(|time| u64::try_from(time).ok());
    seconds.map_or_else(|| time.to_string(), |seconds| times.full_time_text(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_for_types_are_those_of_messages() {
        let english = Words::english();
        for one in Class::descriptions() {
            let key = key_of_type(&one.name);
            let noun = Class::noun_of_type(&one.name);
            assert_eq!(
                key.map(|key| english.text(key)).as_deref(),
                noun,
                "{}",
                one.name
            );
        }
        assert_eq!(key_of_type("Person"), None);
    }
}
