//! This module is the only unsafe code: string atoms, the interrupt, fast methods, the turn that a frame shares with
//! the host, and a protected call that tells why it failed. Each has a safe stand-in, which the tests run too.
#![allow(unsafe_code)]

mod atom;
mod fast;
mod interrupt;
mod protected;
mod results;
mod slot;
mod stack;
mod turn;

pub(crate) use atom::install_atoms;
pub(crate) use fast::{Call, fast_function};
pub(crate) use interrupt::install_interrupt;
pub(crate) use protected::protected_call;
pub(crate) use results::Given;
pub(crate) use slot::Slot;
pub(crate) use turn::TurnItems;
