//! Lines of a file, given one behind the other.

pub(in crate::game) mod lines;
pub(in crate::game) mod told;
