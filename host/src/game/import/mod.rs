//! Lines of a file, given one behind the other.

pub(in crate::game) mod file_import;
pub(in crate::game) mod report;
