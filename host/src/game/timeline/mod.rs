//! One line of a game as a value, and its inputs and outputs: seeds and streams, inputs, replies, its folder.

pub(in crate::game) mod command_words;
pub(in crate::game) mod dice;
pub(in crate::game) mod fiat;
pub(in crate::game) mod game_on_disk;
pub(in crate::game) mod gm_only;
pub(in crate::game) mod input;
pub(in crate::game) mod log_entries;
pub(in crate::game) mod post_notes;
pub(in crate::game) mod prefixes;
pub(in crate::game) mod reply;
pub(in crate::game) mod ruling_numbers;
pub(in crate::game) mod seat_replies;
pub(in crate::game) mod seed;
pub(in crate::game) mod settings;
pub(in crate::game) mod stream;
pub(in crate::game) mod timeline_start;
pub(in crate::game) mod timeline_struct;

pub use settings::Settings;
pub use timeline_struct::Timeline;
