//! This module is a game in play: sessions, rulings, dice by address, reload.

mod again;
mod assist;
mod check;
mod command;
mod hand;
mod home;
mod oracle;
mod past;
mod reload;
mod reply;
mod seed;
mod seen;
mod session;
mod structure;
mod trial;
mod why;

pub use crate::content::find_home;
pub use check::{Checked, check_ruleset};
pub use command::{Call, HostCommand};
pub use hand::{keep as keep_hand_dice, waiting as waiting_hand_dice};
pub use home::{Files, Home};
pub use oracle::{HandDie, Input, SharedOracle, Stream};
pub use reload::Reloaded;
pub use reply::{Reply, Wish};
pub use seed::{Seed, encoded};
pub use seen::Entry;
pub use session::{Session, SessionOptions};
pub use structure::{Collection, Defined, Structure};
pub use trial::TestFile;
