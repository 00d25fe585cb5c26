//! This module is what is asked of rules and people while a ruling runs, and how their answers are read.

pub(crate) mod viewers;
