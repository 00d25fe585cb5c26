//! Bounds the work of one exact distribution.

use crate::diag::Span;
use crate::dice::expr::Fault;

/// Steps that one distribution may take; some 50 milliseconds.
pub(crate) const MOST_STEPS: u64 = 25_000_000;

/// Most neighbouring values that are counted at once; a longer range takes too much memory.
pub(crate) const MOST_CELLS: u64 = 2_000_000;

/// The reason why there is no distribution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trouble {
    /// The work exceeds its budget.
    TooLarge,
    /// Some outcome has no total.
    Fault(Fault, Span),
}

/// The result of a step.
pub(super) type Done<T> = Result<T, Trouble>;

/// The steps that are left.
pub(super) struct Work {
    left: u64,
    /// Steps that one product of counts takes.
    unit: u64,
}

impl Work {
    /// Returns the budget for counts of 128 bits.
    pub(super) fn for_small_counts() -> Work {
        Work {
            left: MOST_STEPS,
            unit: 1,
        }
    }

    /// Returns the budget for counts of about this many bits; a step is one to three nanoseconds.
    pub(super) fn for_wide_counts(bits: u64) -> Work {
        Work {
            left: MOST_STEPS,
            unit: 12 + bits / 96,
        }
    }

    /// Returns the steps that were taken.
    pub(super) fn steps_taken(&self) -> u64 {
        MOST_STEPS - self.left
    }

    /// Takes steps that touch no counts.
    pub(super) fn spend_steps(&mut self, steps: u64) -> Done<()> {
        self.left = self.left.checked_sub(steps).ok_or(Trouble::TooLarge)?;
        Ok(())
    }

    /// Takes one step for each of `products` products of counts.
    pub(super) fn spend_products(&mut self, products: usize) -> Done<()> {
        let products = u64::try_from(products).unwrap_or(u64::MAX);
        self.spend_steps(products.saturating_mul(self.unit))
    }
}
