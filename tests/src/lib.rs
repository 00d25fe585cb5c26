//! The harness that the test suites share: homes, sessions, lines and their answers.

mod background_work;
pub mod durability;
pub mod fingerprint;
pub mod folder_copy;
pub mod fuel_cost;
mod game_thread;
mod golden_file;
pub mod readers;
mod saved_game;
mod scratch_home;
mod script_cases;
mod test_game;

pub use background_work::{run_while_repeating, run_with_busy_cores};
pub use game_thread::on_game_thread;
pub use golden_file::assert_golden_file;
pub use saved_game::{open_read_only, save_options};
pub use scratch_home::{Scratch, files_below, project};
pub use script_cases::{Case, Expected, read_cases};
pub use test_game::{Game, explain_why, explain_why_not, random_below};
