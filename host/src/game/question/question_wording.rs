//! Wording of a question: its possible answers, and its deadline.

use crate::script::{Question, ReplyType, YES_NO, shown_answer};
use crate::store::clock::Times;
use crate::text::Class;
use crate::value::Value;

/// Returns the possible answers, the default, and the deadline in words.
pub fn answers_and_deadline_in_words(question: &Question, times: Times) -> String {
    let mut text = match &question.reply {
        ReplyType::Named(name) if name == YES_NO => "yes or no".to_owned(),
        ReplyType::Named(name) => match Class::noun_of_type(name) {
            Some(noun) => noun.to_owned(),
            None => format!("a {name}"),
        },
        ReplyType::Options(options) => options.join(" or "),
    };
    if !question.default.is_nil() {
        text += &format!(", else {}", shown_answer(&question.default));
    }
    if let Some(due) = &question.deadline {
        text += &format!(", until {}", game_time_in_words(due, times));
    }
    text
}

/// Returns a game time as people read it; a value that is not a whole number of seconds stays as it is.
pub(in crate::game) fn game_time_in_words(time: &Value, times: Times) -> String {
    let seconds = time.as_i64().and_then(|time| u64::try_from(time).ok());
    seconds.map_or_else(|| time.to_string(), |seconds| times.full_time_text(seconds))
}
