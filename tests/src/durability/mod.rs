//! Tries to lose what was acknowledged: kills, disks that fail, damage, replays in another process.

mod program_process;
mod kill_proof;
mod file_damage;
mod game_on_disk;
mod random_lines;
mod numbered_jobs;
mod power_loss;
mod replay_proof;
mod memory_game;

pub use program_process::RUN;
pub use kill_proof::{Crash, KILLS, kill_game_repeatedly};
pub use file_damage::{Damage, Whole};
pub use game_on_disk::Folder;
pub use random_lines::Lines;
pub use numbered_jobs::run_numbered_jobs;
pub use power_loss::{Power, lose_power_repeatedly};
pub use replay_proof::{replay_and_verify, compare_replay_elsewhere};
