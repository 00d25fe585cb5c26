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

pub use background_work::{work_beside_loop, work_beside_busy_threads};
pub use script_cases::{Case, Expected, read_cases};
pub use test_game::{Game, random_below, explain_why, explain_why_not};
pub use golden_file::assert_golden_file;
pub use scratch_home::{Scratch, files_below, project};
pub use kept_game::{keeping, open_read_only};
pub use game_thread::on_game_thread;
