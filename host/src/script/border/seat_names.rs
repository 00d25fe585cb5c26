//! The names of those who play that the host itself gives: the game master, and what groups begin with.

/// The game master, who may answer everything.
pub const GM: &str = "gm";
/// What the name of a group begins with.
pub const GROUP: &str = "group:";
