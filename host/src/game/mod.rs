//! This module is a game in play: sessions, rulings, dice by address, reload.

mod behalf;
mod command;
mod disk;
mod does;
mod import;
mod motion;
mod past;
mod permission;
mod record;
mod reply;
mod rules;
mod ruling;
mod session;
mod simulate;
mod typing;
mod waiting;

pub use crate::content::find_home;
pub use behalf::{entered, given_by};
pub use command::{Call, HostCommand};
pub use disk::keeping::{Clock, Keeping, Place, Under};
pub use does::Does;
pub use import::Importing;
pub use motion::plan::{Level, PlanStatus, PlanWait, Progress, StepStatus};
pub use motion::steps::Extent;
pub use past::correct::Consent;
pub use past::laws::{
    Broken, Held, Machines, Said, Script, back, hold_laws, hold_laws_with, saved_and_loaded, there,
    there_and_back,
};
pub use past::replay::Verified;
pub use past::reveal::Afterwards;
pub use past::verify::{Dice, Report, UsedDie, Verifier};
pub use permission::gm_only;
pub use record::chronicle::{Chapter, Chronicle, Event, Post};
pub use record::dispute::{Dispute, DisputeRuling, dispute_marks, disputes_table};
pub use record::entries::Entry;
pub use record::fiat::Fiat;
pub use record::rolls::{Fate, Roll, rolls_table};
pub use record::standing::{Standing, Standings, fate};
pub use record::status::{Due, OpenPoll, Status, Waits};
pub use reply::{Followed, Reply, Wish};
pub use rules::canonical::{Canonical, CanonicalFile, canonical};
pub use rules::check::{Checked, check_ruleset, check_texts};
pub use rules::home::{Files, Home};
pub use rules::reload::Reloaded;
pub use rules::rewrite::Rewrite;
pub use rules::structure::{Collection, Defined, Structure};
pub use rules::trial::TestFile;
pub use ruling::input::{Answer, Die, Input};
pub use ruling::oracle::{Given, HandDie, Open, SharedOracle};
pub use ruling::policy::{AnyChoice, Defaults, Policy, SharedPolicy};
pub use ruling::salts::{Salt, salts};
pub use ruling::seed::{Seed, decoded, encoded};
pub use ruling::stream::{SelfPlay, Stream};
pub use ruling::typed_dice::{keep as keep_hand_dice, waiting as waiting_hand_dice};
pub use session::{Session, SessionOptions};
pub use simulate::gathered::{Gathered, Shard, merged};
pub use simulate::simulator::{NotOpened, Played, Simulated, Simulator};
pub use simulate::tally::{Failure, Tally};
pub use waiting::answer::OpenQuestion;
pub use waiting::orders::orders;
pub use waiting::rows::{Waiting, waiting};
pub use waiting::stale::Stale;
pub use waiting::wording::answers;
