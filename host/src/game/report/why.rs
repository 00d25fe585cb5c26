//! Answers `why`: what an operation did, how a stat comes to show what it shows, what made a row, and what
//! stands in the way of a command.
//!
//! Little is stored for it: the operation is run again in the state before it, with tracing and under
//! its own rules. Where those are not kept, the causes that the operation kept are shown.

pub(in crate::game) mod cause_tree;
mod cell;
pub(in crate::game) mod cell_origin;
mod deciding_condition;
mod operation;
mod operation_sentence;
mod redaction;
mod row;
pub(in crate::game) mod subject;
mod suspension;
mod why_not;

use crate::doc::{Audience, Viewer};
use crate::game::attempt::line_parser::parse_command_line;
use crate::game::question::open_questions::viewer_of_seat;
use crate::game::report::chronicle::check_not_interrupted;
use crate::game::report::why::cause_tree::Answer;
use crate::game::report::why::cell::why_cell;
use crate::game::report::why::operation::why_operation;
use crate::game::report::why::row::why_row;
use crate::game::report::why::subject::{Meant, read_subject};
use crate::game::report::why::why_not::{why_refused, why_unchanged};
use crate::game::ruling::caller::Caller;
use crate::game::timeline::Timeline;
use crate::game::timeline::seat_replies::refusal_for_seat;

/// Explains what a text names: the number of an operation, a row, or a field of a row as `ROW.FIELD` or `ROW FIELD`.
///
/// Errors: it names nothing that the one who asks may know of.
pub fn explain_subject(timeline: &Timeline, caller: &Caller<'_>, by: &str, text: &str) -> Answer {
    let viewer = viewer_of_seat(timeline, by);
    let answer = match read_subject(timeline, &viewer, text) {
        Ok(Meant::Operation(number)) => why_operation(timeline, caller, &viewer, number),
        Ok(Meant::Row(row)) => why_row(timeline, caller, &viewer, row),
        Ok(Meant::Cell(row, field)) => why_cell(timeline, caller, &viewer, row, field),
        Err(refusal) => Err(refusal),
    };
    answer_for_viewer(timeline, answer, &viewer)
}

/// Explains what stands in the way of a command, or why nothing changes a field.
///
/// Errors: the text is neither.
pub fn explain_why_not(timeline: &Timeline, caller: &Caller<'_>, by: &str, text: &str) -> Answer {
    let viewer = viewer_of_seat(timeline, by);
    let answer = match read_subject(timeline, &viewer, text) {
        Ok(Meant::Cell(row, field)) if parse_command_line(timeline, by, text).is_err() => {
            why_unchanged(timeline, caller, &viewer, row, field)
        }
        _ => why_refused(timeline, caller, &viewer, text),
    };
    answer_for_viewer(timeline, answer, &viewer)
}

/// Returns an answer as it is said to the one who asks: a seat learns no more of what goes wrong inside the rules here
/// than by any other line. What somebody interrupts explains nothing.
fn answer_for_viewer(timeline: &Timeline, answer: Answer, viewer: &Viewer) -> Answer {
    let answer = check_not_interrupted(timeline).and(answer);
    match (answer, viewer) {
        (Err(refusal), Viewer::Seat { .. } | Viewer::Public) => {
            Err(Box::new(refusal_for_seat(*refusal)))
        }
        (answer, _) => {
            answer.map(|document| document.limit_to_audience(audience_of_viewer(viewer)))
        }
    }
}

/// Returns to whom an answer is said: to the one who asks.
fn audience_of_viewer(viewer: &Viewer) -> Audience {
    match viewer {
        Viewer::Gm => Audience::Gm,
        Viewer::Public => Audience::Public,
        Viewer::Seat { name, .. } => Audience::Seat(name.clone()),
    }
}
