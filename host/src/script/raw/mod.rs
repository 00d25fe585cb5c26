//! The only unsafe code: string atoms, the interrupt, and fast methods with their arguments and results. It also holds
//! a protected call that reports the reason of a failure, and a call that reports its place. Each has a safe
//! replacement, which the tests run too.
#![allow(unsafe_code)]

mod atom;
mod callback_panics;
mod error_reporting_call;
mod fast_function;
mod interrupt;
mod machine_owner;
mod protected_call;
mod stack_arguments;
mod stack_frames;
mod stack_results;
mod stack_slot;
#[cfg(test)]
mod tests;

pub(crate) use atom::install_atoms;
pub(crate) use callback_panics::{carry_panics, resume_panic};
pub(crate) use error_reporting_call::error_reporting_call;
#[cfg(test)]
pub(crate) use fast_function::ANSWERED;
pub(crate) use fast_function::{Call, Fast, fast_function};
pub(crate) use interrupt::install_interrupt;
pub(crate) use machine_owner::{Look, Met, Owner};
pub(crate) use protected_call::{place_reporting_protected_call, protected_call};
pub(crate) use stack_frames::{Frames, with_frames};
pub(crate) use stack_results::Given;
