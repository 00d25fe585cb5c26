//! What helps a person type: what may come next, the list of commands, pages of help.

pub(in crate::game) mod about;
pub(in crate::game) mod command_list;
pub(in crate::game) mod completer;
pub(in crate::game) mod language;
pub(in crate::game) mod page;
pub(in crate::game) mod suggestions;
