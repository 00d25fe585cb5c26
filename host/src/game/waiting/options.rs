//! This module is what may be answered to a question that waits, and the hint for somebody who gives an answer as a command.

use super::answer::OpenQuestion;
use crate::game::timeline::Timeline;
use crate::game::typing::assist::names_of;
use crate::game::waiting::answer::questions_for;
use crate::script::{ReplyType, YES_NO};

/// Returns the texts that somebody may answer to a question, as far as they can be listed.
pub fn answers_to(timeline: &Timeline, by: &str, open: &OpenQuestion) -> Vec<String> {
    match &open.question.reply {
        ReplyType::Named(name) if name != YES_NO => {
            names_of(timeline, by, name).unwrap_or_default()
        }
        reply => reply.texts().into_iter().map(str::to_owned).collect(),
    }
}

/// Returns how a line that is no command is given as an answer, where it is one to a question that waits for somebody.
pub(in crate::game) fn meant_as_answer(
    timeline: &Timeline,
    by: &str,
    line: &str,
) -> Option<String> {
    let open = questions_for(timeline, by);
    let said = line.to_lowercase();
    let fits = |one: &&OpenQuestion| {
        let mut options = answers_to(timeline, by, one).into_iter();
        options.any(|option| option.to_lowercase() == said)
    };
    let asks: Vec<&OpenQuestion> = open.iter().filter(fits).collect();
    let lines: Vec<String> = match (open.len(), asks.as_slice()) {
        (1, [_]) => vec![format!("`answer {line}`")],
        (_, asks) => asks
            .iter()
            .map(|one| format!("`answer {} {line}`", one.word()))
            .collect(),
    };
    (!lines.is_empty()).then(|| format!("a question waits for that: {}", lines.join(" or ")))
}
