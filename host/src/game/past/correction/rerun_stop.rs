//! Reasons that stop a re-run of rulings early.

use crate::diag::Diagnostic;
use crate::game::ruling::input_source::WaitingQuestion;

/// Why what stands behind a correction cannot all be ruled again.
#[derive(Debug)]
pub(super) enum RerunStop {
    /// For a reason that does not come from a rule.
    Refused(Refusal),
    /// A ruling asks what nobody answered; one of the questions at least has no answer.
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
