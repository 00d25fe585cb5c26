//! Tries to lose acknowledged operations: kills, failing disks, damage, replays in another process.

mod file_damage;
mod game_on_disk;
mod kill_proof;
mod memory_game;
mod numbered_jobs;
mod power_loss;
mod program_process;
mod random_lines;
mod replay_proof;

pub use file_damage::{Damage, Whole};
pub use game_on_disk::Folder;
pub use kill_proof::{Crash, KILLS, kill_game_repeatedly};
pub use numbered_jobs::run_numbered_jobs;
pub use power_loss::{Power, lose_power_repeatedly};
pub use program_process::RUN;
pub use random_lines::Lines;
pub use replay_proof::{compare_with_other_process_replay, replay_and_verify};
