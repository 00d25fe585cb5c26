//! This module is the only unsafe code: string atoms, the interrupt, and a protected call that tells
//! why it failed. Each has a safe stand-in, which the tests run too.
#![allow(unsafe_code)]

mod atom;
mod interrupt;
mod protected;
mod stack;

pub(crate) use atom::{Atoms, NameArgument, install_atoms};
pub(crate) use interrupt::install_interrupt;
pub(crate) use protected::protected_call;
pub(crate) use stack::{Argument, Checked, Numbers, Returned, Texts, This, wrong_type};
