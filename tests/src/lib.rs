//! This crate is the harness that the test suites share: homes, sessions, lines and their answers.

mod busy;
mod cases;
pub mod covers;
pub mod fingerprint;
pub mod folders;
mod game;
mod golden;
mod home;
pub mod keep;
mod kept;
pub mod readers;
mod thread;

pub use busy::{beside, beside_busy_threads};
pub use cases::{Case, Expected, read_cases};
pub use game::{Game, below, why, why_not};
pub use golden::golden;
pub use home::{Scratch, files_below, project};
pub use kept::{keeping, looked_at};
pub use thread::on_game_thread;
