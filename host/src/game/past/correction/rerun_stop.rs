//! Where ruling again comes to an end before its time.

use crate::diag::Diagnostic;
use crate::game::ruling::input_source::Open;

/// Why what stands behind a correction cannot all be ruled again.
#[derive(Debug)]
pub(super) enum Stop {
    /// For a reason that does not come from a rule.
    Refused(Refusal),
    /// A ruling asks what nobody answered; one of the questions at least has no answer.
    Asks(Vec<Open>),
}

impl From<Refusal> for Stop {
    fn from(refusal: Refusal) -> Stop {
        Stop::Refused(refusal)
    }
}

impl From<Diagnostic> for Stop {
    fn from(refusal: Diagnostic) -> Stop {
        Stop::Refused(Box::new(refusal))
    }
}

pub(in crate::game) type Refusal = Box<Diagnostic>;
