//! This module answers `why`: what an operation did, how a stat comes to show what it shows, what made a row, and what
//! stands in the way of a command.
//!
//! Little is stored for it: the operation is run again in the state before it, with tracing and under
//! its own rules. Where those are not kept, the causes that the operation kept are shown.

mod cell;
mod deciding;
mod meant;
mod not;
mod operation;
mod origin;
mod row;
mod sentence;
mod told;
mod tree;
mod waited;

use super::for_seats::told;
use crate::diag::Diagnostic;
use crate::doc::{Audience, Document, Viewer};
use crate::game::caller::Caller;
use crate::game::timeline::Timeline;
use meant::Meant;
pub(in crate::game) use operation::{in_words, worth};

/// What `why` answers.
pub(in crate::game) type Answer = Result<Document, Box<Diagnostic>>;

impl Timeline {
    /// Explains what a text names: the number of an operation, a row, or a field of a row as `ROW.FIELD` or `ROW FIELD`.
    ///
    /// Errors: it names nothing that the one who asks may know of.
    pub fn why(&self, caller: &Caller<'_>, by: &str, text: &str) -> Answer {
        let viewer = self.viewer(by);
        let answer = match self.asked_about(&viewer, text) {
            Ok(Meant::Operation(number)) => self.why_operation(caller, &viewer, number),
            Ok(Meant::Row(row)) => self.why_row(caller, &viewer, row),
            Ok(Meant::Cell(row, field)) => self.why_cell(caller, &viewer, row, field),
            Err(refusal) => Err(refusal),
        };
        answered(answer, &viewer)
    }

    /// Explains what stands in the way of a command, or why nothing changes a field.
    ///
    /// Errors: the text is neither.
    pub fn why_not(&self, caller: &Caller<'_>, by: &str, text: &str) -> Answer {
        let viewer = self.viewer(by);
        let answer = match self.asked_about(&viewer, text) {
            Ok(Meant::Cell(row, field)) if self.read(by, text).is_err() => {
                self.why_unchanged(caller, &viewer, row, field)
            }
            _ => self.why_refused(caller, &viewer, text),
        };
        answered(answer, &viewer)
    }

    /// Returns who reads what is said to somebody.
    pub fn viewer(&self, by: &str) -> Viewer {
        self.generation().machine().viewer(&self.state, by)
    }
}

/// Returns an answer as it is said to the one who asks: a seat learns no more of what goes wrong inside the rules here
/// than by any other line.
fn answered(answer: Answer, viewer: &Viewer) -> Answer {
    match (answer, viewer) {
        (Err(refusal), Viewer::Seat { .. } | Viewer::Public) => Err(Box::new(told(*refusal))),
        (answer, _) => answer.map(|document| document.to(audience(viewer))),
    }
}

/// Returns to whom an answer is said: to the one who asks.
fn audience(viewer: &Viewer) -> Audience {
    match viewer {
        Viewer::Gm => Audience::Gm,
        Viewer::Public => Audience::Public,
        Viewer::Seat { name, .. } => Audience::Seat(name.clone()),
    }
}
