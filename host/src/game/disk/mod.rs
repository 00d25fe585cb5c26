//! This module is a game on disk, and how it is handed over.

pub(super) mod keeping;
pub(in crate::game) mod welcome;
