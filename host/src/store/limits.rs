//! Limits on the size of a state.

/// Rows without an owner, without the rows of the host.
pub const ENTITIES: usize = 10_000;

/// Rows with an owner, without queue rows, polls and prompts.
pub const RECORDS: usize = 5_000;

/// Rows of all queues.
pub const QUEUE_ROWS: usize = 10_000;

/// Polls that exist at the same time.
pub const POLLS: usize = 200;

/// Prompts that are open at the same time.
pub const PROMPTS: usize = 1_000;

/// Fields of one row, not counting the reserved ones.
pub const FIELDS: usize = 256;

/// Stats of one row that modifiers may target.
pub const MODIFIED_STATS: usize = 256;

/// Bytes of one value in canonical form.
pub const VALUE_BYTES: usize = 4 * 1024;

/// Lists and maps around a value inside a cell.
pub const VALUE_DEPTH: usize = 16;

/// Characters of the id of an entity, of a kind or of a field.
pub const NAME_CHARACTERS: usize = 200;

/// The highest number of a record; above it a number is no longer a plain integer for scripts.
pub const RECORD_NUMBER: i64 = (1 << 53) - 2;

/// Limits of bytes that may be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// For all cells of a game, in the form used for the hash.
    pub game: u64,
    /// For one command; removed bytes are not counted.
    pub command: u64,
}

impl Room {
    /// Limits for a command that is given now.
    pub const GIVEN: Room = Room {
        game: 256 << 20,
        command: 16 << 20,
    };

    /// Limits for recorded data, which was checked when it was written.
    pub const ENDLESS: Room = Room {
        game: u64::MAX,
        command: u64::MAX,
    };
}
