//! Dispatch of lines to their commands.

pub(in crate::game) mod dispatch;
pub(in crate::game) mod lines_for_seats;
pub(in crate::game) mod luau_evaluation;
