//! The first line of a journal: the format of the file, and the promises made before the game.

use serde::{Deserialize, Serialize};

use super::chain::is_sha256;

/// The journal version that this host writes. Earlier versions are migrated, later versions are read.
pub const VERSION: u32 = 1;

/// The version of a line that notes what was published. Other lines have the version of the first line, so that a game
/// without notes opens in programs that do not know them.
pub(super) const NOTE_VERSION: u32 = 2;

/// Format name in the first line.
const FORMAT: &str = "arbiter journal";

/// Characters of a text of the first line.
const TEXT: usize = 64;

/// The first line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct First {
    /// The version of the journal.
    pub v: u32,
    /// The format of the file.
    format: String,
    /// The ruleset that is played.
    pub ruleset: String,
    /// The SHA-256 of the 32 secret bytes in hex.
    pub seed: String,
    /// Whether a user chose the seed; such a game is only a test.
    pub test: bool,
    /// The version of the host that began the game.
    pub host: String,
    /// The real time of the clock, for people.
    pub at: String,
}

impl First {
    /// Returns the first line of a new game.
    pub(super) fn new(ruleset: &str, seed: String, test: bool, at: &str) -> First {
        First {
            v: VERSION,
            format: FORMAT.to_owned(),
            ruleset: ruleset.to_owned(),
            seed,
            test,
            host: env!("CARGO_PKG_VERSION").to_owned(),
            at: at.to_owned(),
        }
    }

    /// Reads a first line, also of another version; none if it is not such a line.
    pub(super) fn parse(json: &[u8]) -> Option<First> {
        let first: First = serde_json::from_slice(json).ok()?;
        let is_text =
            |text: &str| text.chars().count() <= TEXT && !text.chars().any(char::is_control);
        let is_sound = first.format == FORMAT
            && is_ruleset_name(&first.ruleset)
            && is_sha256(&first.seed)
            && is_text(&first.host)
            && is_text(&first.at);
        is_sound.then_some(first)
    }

    /// Returns whether a later host wrote this line.
    pub(super) fn is_from_newer_host(&self) -> bool {
        self.v > VERSION
    }
}

/// Returns whether a ruleset may have this name.
pub(super) fn is_ruleset_name(name: &str) -> bool {
    let is_part = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-');
    (1..=64).contains(&name.len()) && name.bytes().all(is_part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_first_line_is_one() {
        let first = First::new("mini", "0".repeat(64), true, "2026-01-01");
        let json = serde_json::to_string(&first).unwrap();
        assert_eq!(First::parse(json.as_bytes()), Some(first));
        let newer = json.replace("\"v\":1", "\"v\":2,\"more\":[]");
        assert!(First::parse(newer.as_bytes()).is_some_and(|first| first.is_from_newer_host()));
        for (from, to) in [
            ("arbiter journal", "another journal"),
            ("mini", "../mini"),
            ("mini", ""),
            ("\"seed\":\"0", "\"seed\":\"z"),
            ("2026", "\\n2026"),
            ("\"v\":1", "\"v\":-1"),
            ("{", "["),
        ] {
            assert_eq!(
                First::parse(json.replacen(from, to, 1).as_bytes()),
                None,
                "{to}"
            );
        }
    }
}
