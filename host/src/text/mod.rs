//! This module is the text layer.

mod close;
mod finding;
mod table;
mod token;
mod tree;

pub use close::{Ratio, close_matches, ratio};
pub use finding::Finding;
pub use table::TokenTable;
pub use token::{Gap, Kind, Token, Tokens};
pub use tree::Tree;
