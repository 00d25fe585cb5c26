//! This module is the store layer: the state of a game as rows and fields, its changes and its history.

mod apply;
mod bytes;
mod change;
mod check;
mod error;
mod fields;
mod fold;
mod hash;
mod history;
mod kinds;
pub mod limits;
mod log;
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
pub use fold::{Explanation, Step, explain, shown, unmodified};
pub use hash::StateHash;
pub use history::History;
pub use log::{Mark, Written};
pub use modifier::Operator;
pub use operation::{Draft, HistoryError, Operation, What};
pub use reserved::Reserved;
pub use stat::{Fold, Seen, StatDeclaration, Stats};
pub use state::State;
pub use write::Write;
