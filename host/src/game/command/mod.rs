//! What takes a line and gives it to its command.

pub(in crate::game) mod dispatch;
pub(in crate::game) mod lines_for_seats;
pub(in crate::game) mod luau_evaluation;
