//! Tries to lose what was acknowledged: kills, disks that fail, damage, replays in another process.

mod child;
mod crash;
mod damage;
mod folder;
mod lines;
mod many;
mod power;
mod replay;
mod told;

pub use child::RUN;
pub use crash::{Crash, KILLS, crash};
pub use damage::{Damage, Whole};
pub use folder::Folder;
pub use lines::Lines;
pub use many::many;
pub use power::{Power, power};
pub use replay::{replay, replayed_elsewhere};
