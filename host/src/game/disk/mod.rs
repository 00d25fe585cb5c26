//! This module is a game on disk, and how it is handed over.

pub(super) mod hand_over;
pub(super) mod keeping;
