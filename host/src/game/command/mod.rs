//! What takes a line and gives it to its command.

pub(in crate::game) mod dispatch;
pub(in crate::game) mod evaluate;
pub(in crate::game) mod on_behalf;
