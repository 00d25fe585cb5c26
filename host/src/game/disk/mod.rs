//! This module is a game on disk, and how it is handed over.

pub(super) mod keeping;
mod welcome;
