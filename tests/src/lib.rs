//! This crate is the harness that the test suites share: homes, sessions, lines and their answers.

mod background_work;
mod script_cases;
pub mod fuel_cost;
pub mod fingerprint;
pub mod folder_copy;
mod test_game;
mod golden_file;
mod scratch_home;
pub mod durability;
mod kept_game;
pub mod readers;
mod game_thread;

pub use background_work::{beside, beside_busy_threads};
pub use script_cases::{Case, Expected, read_cases};
pub use test_game::{Game, below, why, why_not};
pub use golden_file::golden;
pub use scratch_home::{Scratch, files_below, project};
pub use kept_game::{keeping, looked_at};
pub use game_thread::on_game_thread;
