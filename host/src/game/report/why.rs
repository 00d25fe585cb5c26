//! Answers to `why`: effects of an operation, parts of a stat's shown value, the origin of a row, and reasons for a
//! refusal.
//!
//! Little is stored for this. The operation is run again in the state before it, with tracing and under its own rules.
//! If those rules are not saved, the causes that the operation recorded are shown.

pub(in crate::game) mod cause_tree;
mod cell;
pub(in crate::game) mod cell_origin;
mod deciding_condition;
mod operation;
mod operation_sentence;
mod redaction;
mod row;
pub(in crate::game) mod subject;
mod waiting_ruling_outcome;
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

/// Explains the subject that a text names: the number of an operation, a row, or a field of a row as `ROW.FIELD` or
/// `ROW FIELD`.
///
/// Errors: the text names nothing that the user may know of.
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

/// Explains why a command is refused, or why nothing changes a field.
///
/// Errors: the text is neither a command nor a field.
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

/// Returns an answer in the form for the viewer. For errors inside the rules, a seat gets only the short form, as for
/// any other line. An interrupted answer is refused.
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

/// Returns the audience that consists of the viewer.
fn audience_of_viewer(viewer: &Viewer) -> Audience {
    match viewer {
        Viewer::Gm => Audience::Gm,
        Viewer::Public => Audience::Public,
        Viewer::Seat { name, .. } => Audience::Seat(name.clone()),
    }
}
