//! This module tries to lose what was acknowledged: kills, disks that fail, damage, replays in another process.

mod child;
mod crash;
mod damage;
mod folder;
mod lines;
mod power;
mod replay;
mod told;

pub use crash::{Crash, crash};
pub use damage::{Damage, cuts, flips};
pub use folder::Folder;
pub use lines::Lines;
pub use power::{Power, power};
pub use replay::{replay, replayed_elsewhere};
