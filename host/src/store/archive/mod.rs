//! Games on disk: the journal, snapshots, pinned rules, the lock, and repairs.
//!
//! A game is a folder: `journal.jsonl`, `snapshots/`, `rules/`, `blobs/`, `secret`, `lock`. The journal is the truth.
//! All other files can be made again from the journal or prove their own content. Nothing here reads the clock or
//! runs a script.

mod chain;
mod disk;
mod error;
mod first_line;
pub(crate) mod game_creation;
mod game_inspection;
mod game_opening;
pub(crate) mod hashed_files;
pub(crate) mod journal;
mod journal_load;
mod journal_repair;
mod journal_scanner;
mod lock;
mod migration;
mod open_game;
pub(crate) mod operation_line;
mod pack;
pub(crate) mod packed_files;
mod pinned_rules;
mod seed_in_rest;
pub(crate) mod snapshot;
#[cfg(test)]
mod tests;
pub(crate) mod unpack;
mod write_behind;

pub use chain::{Chain, sha256};
pub use error::ArchiveError;
pub use first_line::{First, VERSION};
pub use game_creation::NewGame;
pub use game_inspection::Reading;
pub use game_opening::{Opened, Opening};
pub use journal::{FileSink, Journal, Sink, SyncMode};
pub use journal_load::read_first_line;
pub use journal_repair::{Recovered, check_outside_game, copy_game, recover_copy};
pub use journal_scanner::{Scan, Scanner, Tail};
pub use lock::ReadOnly;
pub use migration::{can_migrate, migrate_game};
pub use open_game::{Game, JOURNAL, SECRET};
pub use operation_line::{Entry, LINE_BYTES};
pub use pack::{Packed, pack_game_into_file};
pub use pinned_rules::{RuleFile, generation_name, generation_name_of_hashes};
pub use seed_in_rest::is_seed_in_rest;
pub use unpack::unpack_game;
pub use write_behind::{Ahead, Behind, write_behind_channel};
