//! How much a state may hold.

/// Rows without an owner, without those of the host.
pub const ENTITIES: usize = 10_000;

/// Rows with an owner, without queue rows, polls and prompts.
pub const RECORDS: usize = 5_000;

/// Rows of all queues.
pub const QUEUE_ROWS: usize = 10_000;

/// Polls that are there at once.
pub const POLLS: usize = 200;

/// Prompts that are open at once.
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

/// Bytes that may be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// Of all cells of a game, as they are written for the hash.
    pub game: u64,
    /// That one command writes; what goes is not counted.
    pub command: u64,
}

impl Room {
    /// What a line that is given now has.
    pub const GIVEN: Room = Room {
        game: 256 << 20,
        command: 16 << 20,
    };

    /// What is recorded was written once.
    pub const ENDLESS: Room = Room {
        game: u64::MAX,
        command: u64::MAX,
    };
}
