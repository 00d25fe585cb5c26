//! Reasons that stop a re-run of rulings early.

use crate::diag::Diagnostic;
use crate::game::ruling::input_source::WaitingQuestion;

/// Reason why the later rulings of a correction cannot all run again.
#[derive(Debug)]
pub(super) enum RerunStop {
    /// A refusal that does not come from a rule.
    Refused(Refusal),
    /// A ruling asks questions that nobody answered; at least one has no answer.
    Asks(Vec<WaitingQuestion>),
}

impl From<Refusal> for RerunStop {
    fn from(refusal: Refusal) -> RerunStop {
        RerunStop::Refused(refusal)
    }
}

impl From<Diagnostic> for RerunStop {
    fn from(refusal: Diagnostic) -> RerunStop {
        RerunStop::Refused(Box::new(refusal))
    }
}

pub(in crate::game) type Refusal = Box<Diagnostic>;
