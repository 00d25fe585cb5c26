//! This module is the only unsafe code: string atoms, the interrupt, fast methods, the turn that a frame shares with
//! the host, and a protected call that tells why it failed. Each has a safe stand-in, which the tests run too.
#![allow(unsafe_code)]

mod atom;
mod event_cursor;
mod fast;
mod interrupt;
mod owner;
mod protected;
mod results;
mod slot;
mod stack;

pub(crate) use atom::install_atoms;
pub(crate) use event_cursor::TurnItems;
#[cfg(test)]
pub(crate) use fast::ANSWERED;
pub(crate) use fast::{Call, Fast, Way, fast_function};
pub(crate) use interrupt::install_interrupt;
pub(crate) use owner::Owner;
pub(crate) use protected::protected_call;
pub(crate) use results::Given;
pub(crate) use slot::Slot;
