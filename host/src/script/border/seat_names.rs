//! Names that the host itself gives: the game master, and the prefix of groups.

/// The game master, who may answer everything.
pub const GM: &str = "gm";
/// The prefix of the name of a group.
pub const GROUP: &str = "group:";
