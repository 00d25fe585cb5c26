//! This module is what is told of what happened: entries, rolls, disputes, reports, and why a value is what it is.

pub(super) mod chronicle;
pub(super) mod dispute;
pub(super) mod entries;
pub(super) mod fiat;
pub(super) mod for_seats;
pub(in crate::game) mod looked_back;
pub(in crate::game) mod moments;
pub(super) mod rolls;
pub(super) mod standing;
pub(super) mod status;
pub(super) mod why;
