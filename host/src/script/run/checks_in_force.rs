//! Says by which checks the calls of a run are held.
//!
//! A line that is given now is held by all of them. A line that is done again, from what was kept of it, may have been
//! accepted by a program that had fewer: it is done as it was done then.

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
