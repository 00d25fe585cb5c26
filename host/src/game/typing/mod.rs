//! This module is what helps a person type: what may come next, the list of commands, pages of help.

pub(super) mod assist;
pub(in crate::game) mod family;
pub(super) mod offer;
pub(in crate::game) mod page;
