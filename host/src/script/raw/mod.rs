//! The only unsafe code: string atoms, the interrupt, fast methods with what they read and
//! give, a protected call that tells why it failed, and a call that tells where. Each has a safe stand-in, which the tests run too.
#![allow(unsafe_code)]

mod atom;
mod caught;
mod fast;
mod interrupt;
mod owner;
mod protected;
mod results;
mod slot;
mod stack;
mod stack_frames;
#[cfg(test)]
mod tests;
mod told;

pub(crate) use atom::install_atoms;
pub(crate) use caught::{carry_panics, resume_panic};
#[cfg(test)]
pub(crate) use fast::ANSWERED;
pub(crate) use fast::{Call, Fast, fast_function};
pub(crate) use interrupt::install_interrupt;
pub(crate) use owner::{Look, Met, Owner};
pub(crate) use protected::{guarded_call, protected_call};
pub(crate) use results::Given;
pub(crate) use stack_frames::{Frames, with_frames};
pub(crate) use told::told_call;
