//! This module damages.
pub struct Damage;
pub fn cuts() {}
pub fn flips() {}
