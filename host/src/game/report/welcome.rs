//! Message to the game master when a game is opened.

use crate::doc::build::paragraph;
use crate::doc::{Audience, Document};
use crate::game::question::open_questions::open_questions;
use crate::game::ruling::waiting_ruling::{Waiting, waiting_rulings};
use crate::game::timeline::Timeline;
use crate::game::timeline::reply::Reply;
use crate::store::What;

/// Reports to the game master the last log line of an opened game, the count of open questions, and the rulings that
/// began under other rules.
pub fn welcome_reply(timeline: &Timeline) -> Reply {
    let operations = timeline.history.operations().iter().rev();
    let mut said =
        operations.filter(|one| !matches!(one.what, What::Refused { .. }) && !one.what.is_note());
    let Some(last) = said.next() else {
        return Reply::default();
    };
    let mut lines = vec![format!(
        "the game continues after log line {} {}",
        last.seq, last.command
    )];
    match open_questions(timeline).len() {
        0 => {}
        1 => lines.push("1 question is open; `questions` shows it".to_owned()),
        more => lines.push(format!("{more} questions are open; `questions` lists them")),
    }
    let waiting = waiting_rulings(&timeline.state).into_iter();
    let is_older = |one: &Waiting| !one.is_pinned && one.rules != timeline.generation().hash();
    lines.extend(waiting.filter(is_older).map(|one| {
        let (number, command) = (timeline.log_line_of_ruling(one.ruling_number), &one.command);
        format!(
            "ruling {number} ({command}) started under other rules: answer it, or type restart {number}, finish {number} or drop {number}"
        )
    }));
    let lines = lines.into_iter().map(paragraph);
    Reply::document(Document::new(lines).limit_to_audience(Audience::Gm))
}
