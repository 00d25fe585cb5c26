//! The checks that apply to the calls of a run.
//!
//! All checks apply to a line that is given now. A line that is run again from its record may have been accepted by a
//! program that had fewer checks. Such a line runs as it ran then.

/// By which checks the calls of a run are held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Checks {
    /// By all of them: the line is given now.
    #[default]
    Now,
    /// By those that have always been: the line is one of the past.
    Then,
}

impl Checks {
    /// Returns the checks that hold what either of two keeps from those of now.
    #[must_use]
    pub fn combined_with(self, other: Checks) -> Checks {
        match (self, other) {
            (Checks::Now, Checks::Now) => Checks::Now,
            (Checks::Then, _) | (_, Checks::Then) => Checks::Then,
        }
    }
}
