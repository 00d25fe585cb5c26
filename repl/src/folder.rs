//! This module is where games are kept: which folder a game is in, or will be made in, and what the clock says.

use std::path::{Path, PathBuf};

use host::diag::Diagnostic;
use host::game::{Keeping, Under};
use host::store::archive::{JOURNAL, SyncMode};

use crate::arguments::{Common, RulesOf, Sync};

/// The folder that new games get their folders in, where nothing else is said.
const GAMES: &str = "games";

/// Where a game is, or will be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Folder {
    /// Nowhere: it ends with the session.
    Nowhere,
    /// A folder that is not there yet, or empty.
    New(PathBuf),
    /// A game that was kept.
    Kept(PathBuf),
}

impl Folder {
    /// Returns what is at a path: a game, or a place for one.
    pub(crate) fn at(path: &Path) -> Folder {
        if is_game(path) {
            Folder::Kept(path.to_owned())
        } else {
            Folder::New(path.to_owned())
        }
    }

    /// Returns the first free place for a game of a ruleset among the games.
    pub(crate) fn next(common: &Common, ruleset: &str) -> Folder {
        let games = common.games.clone().unwrap_or_else(|| GAMES.into());
        let free = (1..).map(|number: u64| games.join(format!("{ruleset}-{number}")));
        let free = free.into_iter().find(|path| !path.exists());
        Folder::New(free.expect("invariant: numbers do not end"))
    }
}

/// Returns whether a folder holds a game.
pub(crate) fn is_game(path: &Path) -> bool {
    path.join(JOURNAL).symlink_metadata().is_ok()
}

/// Returns whether a word can only be a path.
pub(crate) fn is_path(word: &str) -> bool {
    word.contains(['/', '\\', '.'])
}

/// Makes the folders above a new game. Errors: the machine does not.
pub(crate) fn make_parent(path: &Path) -> Result<(), Box<Diagnostic>> {
    let Some(parent) = path.parent().filter(|one| !one.as_os_str().is_empty()) else {
        return Ok(());
    };
    std::fs::create_dir_all(parent).map_err(|error| {
        let message = format!(
            "the folder {} cannot be made: {}",
            parent.display(),
            crate::place::reason(&error)
        );
        let finding = Diagnostic::error("save/not-made", message);
        Box::new(finding.hint("--game FOLDER keeps the game elsewhere, --in-memory nowhere"))
    })
}

/// Returns how games are kept.
pub(crate) fn keeping(sync: Sync) -> Keeping {
    Keeping {
        holder: format!("process {} since {}", std::process::id(), now()),
        sync: match sync {
            Sync::Each => SyncMode::Each,
            Sync::Group => SyncMode::Group,
        },
        clock: Box::new(now),
    }
}

/// Returns which rules a game goes on with.
pub(crate) fn under(rules: RulesOf) -> Under {
    match rules {
        RulesOf::Now => Under::Now,
        RulesOf::Recorded => Under::Recorded,
    }
}

#[expect(
    clippy::disallowed_types,
    reason = "the journal notes the time for people"
)]
fn now() -> String {
    humantime::format_rfc3339_seconds(std::time::SystemTime::now()).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_games_get_the_first_free_number() {
        let games = tempfile::tempdir().unwrap();
        let common = Common {
            games: Some(games.path().to_owned()),
            ..Common::default()
        };
        let next = |ruleset| Folder::next(&common, ruleset);
        assert_eq!(next("mini"), Folder::New(games.path().join("mini-1")));
        std::fs::create_dir(games.path().join("mini-1")).unwrap();
        assert_eq!(next("mini"), Folder::New(games.path().join("mini-2")));
        assert_eq!(next("maxi"), Folder::New(games.path().join("maxi-1")));
        std::fs::write(games.path().join("mini-1").join(JOURNAL), "").unwrap();
        let one = games.path().join("mini-1");
        assert_eq!(Folder::at(&one), Folder::Kept(one));
    }
}
