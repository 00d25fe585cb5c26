//! Computes exact distributions: for each total, the number of equally likely ways to get it.
//!
//! No outcome is enumerated: sums are products of polynomials, choices go through values, explosions are geometric
//! series with exact weights. Work above the budget is refused with `dice/distribution-too-large`.
//!
//! Rolls that the limit of explosions refuses have no total and are left out, so that all counts add up to the
//! outcomes. The budget for the dice of a whole evaluation is ignored.

mod count;
mod evaluate;
mod explosion;
pub(crate) mod fold;
mod fraction;
mod keep;
mod packed_product;
mod poly;
mod statistics;
mod table;
mod term;
pub(crate) mod work_budget;

pub use fold::{FoldError, FoldOutcome, fold_outcomes, fold_outcomes_and_step_count};
pub use fraction::Fraction;
pub use statistics::Distribution;
