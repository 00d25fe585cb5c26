//! The room of games on disk: the journal, snapshots, pinned rules, the lock, and how they are repaired.
//!
//! A game is a folder: `journal.jsonl`, `snapshots/`, `rules/`, `blobs/`, `secret`, `lock`. The journal is the truth;
//! all else can be made again from it, or says itself what it is. Nothing here reads the clock or runs a script.

mod chain;
mod disk;
mod error;
mod first;
mod folder;
mod game_creation;
mod game_inspection;
mod hashed_files;
mod journal;
mod journal_load;
mod journal_repair;
mod line;
mod lock;
mod migration;
mod open;
mod pack;
mod parts;
mod rules;
mod scan;
mod snapshot;
#[cfg(test)]
mod tests;
mod unpack;
mod write_behind;

pub use chain::{Chain, sha256};
pub use error::ArchiveError;
pub use first::{First, VERSION};
pub use folder::{Game, JOURNAL, SECRET};
pub use game_creation::NewGame;
pub use game_inspection::Reading;
pub use journal::{FileSink, Journal, Sink, SyncMode};
pub use journal_load::read_first_line;
pub use journal_repair::{Recovered, check_outside_game, copy_game, recover_copy};
pub use line::{Entry, LINE_BYTES};
pub use lock::ReadOnly;
pub use migration::{can_migrate, migrate_game};
pub use open::{Opened, Opening};
pub use pack::{Packed, pack_game};
pub use rules::{RuleFile, generation_name, generation_name_of_hashes};
pub use scan::{Scan, Scanner, Tail};
pub use unpack::unpack_game;
pub use write_behind::{Ahead, Behind, write_behind_channel};
