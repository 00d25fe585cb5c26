//! The checks that apply to the calls of a run.
//!
//! All checks apply to a line that is given now. A line that is run again from its record may have been accepted by a
//! program that had fewer checks. Such a line runs as it ran then.

/// The checks that apply to the calls of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Checks {
    /// All checks: the line is given now.
    #[default]
    Now,
    /// The checks that have always existed: the line is one of the past.
    Then,
}

impl Checks {
    /// Returns the weaker of two sets of checks: all checks apply only if both are the checks of now.
    #[must_use]
    pub fn combined_with(self, other: Checks) -> Checks {
        match (self, other) {
            (Checks::Now, Checks::Now) => Checks::Now,
            (Checks::Then, _) | (_, Checks::Then) => Checks::Then,
        }
    }
}
