//! This module is the store layer: the state of a game as rows and fields, its changes and its history.

mod apply;
mod bytes;
mod change;
mod check;
mod error;
mod explain;
mod expression;
mod fields;
mod fold;
mod hash;
mod history;
mod kinds;
pub mod limits;
mod live;
mod log;
mod look;
mod memo;
mod modifier;
mod operation;
mod reserved;
mod row;
mod stat;
mod state;
mod table;
#[cfg(test)]
mod tests;
mod watched;
mod write;

pub use change::Change;
pub use check::is_host_name;
pub use error::StoreError;
pub use explain::{Explanation, Off, Step};
pub use expression::{Expression, Role, Vocabulary};
pub use fold::{remembered, unmodified};
pub use hash::StateHash;
pub use history::History;
pub use log::{Mark, Written};
pub use look::{Alone, Frame, Look, Outside};
pub use modifier::Operator;
pub use operation::{Draft, HistoryError, Operation, What};
pub use reserved::Reserved;
pub use stat::{Fold, Seen, StatDeclaration, Stats};
pub use state::{State, View};
pub use write::Write;
