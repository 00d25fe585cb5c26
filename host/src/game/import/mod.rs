//! Import of files: their lines are given one after the other.

pub(in crate::game) mod file_import;
pub(in crate::game) mod report;
