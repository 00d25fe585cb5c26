//! Places of saved games: the folder of a present or new game, and the present time.

use std::path::{Path, PathBuf};

use host::diag::{Diagnostic, did_you_mean_hint, nearest_names, shell_word, there_is_or_are_text};
use host::game::{RulesChoice, SaveOptions};
use host::store::archive::{JOURNAL, SyncMode};

use crate::arguments::{Common, RulesOf, Sync};

/// The default folder for the folders of new games.
const GAMES: &str = "games";
/// Number of games that a hint names; the others are counted.
const LISTED: usize = 10;

/// Place of a present or new game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Folder {
    /// No place: the game ends with the session.
    Nowhere,
    /// A folder that does not exist yet, or is empty.
    New(PathBuf),
    /// A saved game.
    Kept(PathBuf),
    /// A file, which may be a packed game.
    Packed(PathBuf),
}

impl Folder {
    /// Returns the content of a path: a game, or a place for one.
    pub(crate) fn at_path(path: &Path) -> Folder {
        if is_game_folder(path) {
            Folder::Kept(path.to_owned())
        } else if path.is_file() {
            Folder::Packed(path.to_owned())
        } else {
            Folder::New(path.to_owned())
        }
    }

    /// Returns the first free place for a game of a ruleset in the folder of games.
    pub(crate) fn next_free(games: &Path, ruleset: &str) -> Folder {
        let free = (1..).map(|number: u64| games.join(format!("{ruleset}-{number}")));
        let free = free.into_iter().find(|path| !path.exists());
        Folder::New(free.expect("invariant: numbers do not end"))
    }
}

/// Returns the folder that contains the folders of games.
pub(crate) fn games_folder(common: &Common) -> PathBuf {
    common.games.clone().unwrap_or_else(|| GAMES.into())
}

/// Returns the games in a folder, in order.
pub(crate) fn games_in_folder(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let mut found: Vec<PathBuf> = paths.filter(|path| is_game_folder(path)).collect();
    found.sort();
    found
}

/// Returns the game at a path, else the game of that name in the folder of games.
pub(crate) fn find_game_by_path_or_name(games: &Path, path: &Path) -> Folder {
    let found = Folder::at_path(path);
    let is_bare = path.components().count() == 1;
    match found {
        Folder::New(_) if is_bare && !path.exists() => match Folder::at_path(&games.join(path)) {
            Folder::Kept(game) => Folder::Kept(game),
            _ => found,
        },
        _ => found,
    }
}

/// Returns the refusal of a path without a game, with similar games.
pub(crate) fn no_game_refusal(games: &Path, path: &Path) -> Diagnostic {
    let shown = path.display().to_string();
    let finding = Diagnostic::error("save/no-game", format!("no game found in {shown}"));
    let inside = path_texts(games_in_folder(path));
    if !inside.is_empty() {
        return finding.hint(format!("games found below it: {}", inside.join(", ")));
    }
    finding
        .hint(near_games_hint(games, path))
        .hint(games_hint(games))
}

/// Returns a hint that lists the games; empty if there are none.
pub(crate) fn games_hint(games: &Path) -> String {
    let mut known = path_texts(games_in_folder(games));
    let more = known.len().saturating_sub(LISTED);
    known.truncate(LISTED);
    match (known.is_empty(), more) {
        (true, _) => String::new(),
        (false, 0) => there_is_or_are_text(&known, ""),
        (false, more) => format!("games: {} and {more} more", known.join(", ")),
    }
}

/// Returns the folder of the game that a verb names by its path, or by its name in the folder of games.
///
/// Errors: `save/no-game`; a packed game has to be unpacked first.
pub(crate) fn folder_of_named_game(games: &Path, named: &Path) -> Result<PathBuf, Box<Diagnostic>> {
    match find_game_by_path_or_name(games, named) {
        Folder::Kept(folder) => Ok(folder),
        Folder::Packed(file) => {
            let message = format!("{} is a file, not the folder of a game", file.display());
            let finding = Diagnostic::error("save/no-game", message);
            let hint = format!(
                "`arbiter play {}` unpacks a packed game",
                shell_word_of_path(&file)
            );
            Err(Box::new(finding.hint(hint)))
        }
        Folder::New(path) => Err(Box::new(no_game_refusal_with_hint(games, &path))),
        Folder::Nowhere => Err(Box::new(no_game_refusal_with_hint(games, named))),
    }
}

/// Returns the refusal of a path without a game. If no game is near, its hint says what the folder of a game contains.
fn no_game_refusal_with_hint(games: &Path, path: &Path) -> Diagnostic {
    let refusal = no_game_refusal(games, path);
    match refusal.hints.is_empty() {
        true => refusal.hint(format!(
            "name the folder of a saved game, with a file {JOURNAL}"
        )),
        false => refusal,
    }
}

/// Returns a path as one word of a command line: quoted if a shell would split it.
pub(crate) fn shell_word_of_path(path: &Path) -> String {
    shell_word(&path.display().to_string())
}

/// Refuses to begin a new game if a game is to be opened read-only.
///
/// Errors: `save/no-game`, with similar games.
pub(crate) fn refuse_new_game_read_only(
    common: &Common,
    place: &Folder,
) -> Result<(), Box<Diagnostic>> {
    let games = games_folder(common);
    match place {
        _ if !common.read_only => Ok(()),
        Folder::Kept(_) | Folder::Packed(_) => Ok(()),
        Folder::New(path) => {
            let finding = no_game_refusal(&games, path);
            Err(Box::new(finding.hint(
                "--read-only opens an existing game; it cannot start a new one",
            )))
        }
        Folder::Nowhere => {
            let message = "the game for --read-only is missing";
            let finding = Diagnostic::error("save/no-game", message);
            Err(Box::new(
                finding
                    .hint("name it with --game FOLDER")
                    .hint(games_hint(&games)),
            ))
        }
    }
}

/// Returns a hint with the games whose names are similar to a path; empty if there are none.
pub(crate) fn near_games_hint(games: &Path, path: &Path) -> String {
    let is_name = path.components().count() == 1;
    let meant = match is_name {
        true => games.join(path),
        false => path.to_owned(),
    };
    let mut found = near_game_names(
        &common_folder(games, &meant),
        &meant,
        games_in_folder(games),
    );
    if let Some(beside) = path.parent().filter(|one| *one != games) {
        found.extend(near_game_names(beside, path, games_in_folder(beside)));
    }
    found.sort();
    found.dedup();
    did_you_mean_hint(&found.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Returns the games below a folder with paths similar to a path; the folder, which both share, is not compared.
fn near_game_names(folder: &Path, path: &Path, games: Vec<PathBuf>) -> Vec<String> {
    let rest = |path: &Path| {
        let rest = path.strip_prefix(folder).unwrap_or(path);
        rest.display().to_string()
    };
    let word = rest(path);
    let is_near = |game: &PathBuf| !nearest_names(&word, [rest(game).as_str()], 1).is_empty();
    let found = games.into_iter().filter(is_near);
    found.map(|game| game.display().to_string()).collect()
}

/// Returns the folder that two paths have in common.
fn common_folder(one: &Path, other: &Path) -> PathBuf {
    let both = one.components().zip(other.components());
    let same = both.take_while(|(one, other)| one == other);
    same.map(|(one, _)| one).collect()
}

fn path_texts(paths: Vec<PathBuf>) -> Vec<String> {
    let names = paths.into_iter();
    names.map(|path| path.display().to_string()).collect()
}

/// Returns whether a folder holds a game.
pub(crate) fn is_game_folder(path: &Path) -> bool {
    path.join(JOURNAL).symlink_metadata().is_ok()
}

/// Refuses a new file or folder inside the folder of a game, where it could replace a file of the game.
///
/// Errors: `save/within`.
pub(crate) fn check_outside_games(path: &Path) -> Result<(), Box<Diagnostic>> {
    // A path that does not exist yet is checked by its nearest existing parent folder.
    let mut above = path
        .ancestors()
        .map(|one| match one.as_os_str().is_empty() {
            true => Path::new("."),
            false => one,
        });
    let Some(real) = above.find_map(|one| one.canonicalize().ok()) else {
        return Ok(());
    };
    let Some(game) = real.ancestors().find(|one| is_game_folder(one)) else {
        return Ok(());
    };
    let message = format!(
        "\"{}\" is inside the folder of the game {}",
        path.display(),
        game.display()
    );
    let finding = Diagnostic::error("save/within", message);
    Err(Box::new(
        finding.hint("name a place outside the folder of the game"),
    ))
}

/// Returns whether a word can only be a path.
pub(crate) fn can_only_be_path(word: &str) -> bool {
    word.contains(['/', '\\', '.'])
}

/// Makes the folders above a new game. Errors: the errors of the machine.
pub(crate) fn make_parent_folders(path: &Path) -> Result<(), Box<Diagnostic>> {
    let Some(parent) = path.parent().filter(|one| !one.as_os_str().is_empty()) else {
        return Ok(());
    };
    std::fs::create_dir_all(parent).map_err(|error| {
        let message = format!(
            "the folder {} cannot be created: {}",
            parent.display(),
            crate::io_error_words::io_error_words(&error)
        );
        let finding = Diagnostic::error("save/not-made", message);
        Box::new(
            finding.hint(
                "--game FOLDER saves the game in another folder, --in-memory does not save it",
            ),
        )
    })
}

/// Returns the options for saving games.
pub(crate) fn save_options_for_sync(sync: Sync) -> SaveOptions {
    SaveOptions {
        holder: format!(
            "process {} since {}",
            std::process::id(),
            current_time_text()
        ),
        sync: match sync {
            Sync::Each => SyncMode::Each,
            Sync::Group => SyncMode::Group,
        },
        clock: Box::new(current_time_text),
    }
}

/// Returns the rules under which a game continues.
pub(crate) fn rules_choice_of_flag(rules: RulesOf) -> RulesChoice {
    match rules {
        RulesOf::Now => RulesChoice::Now,
        RulesOf::Recorded => RulesChoice::Recorded,
    }
}

#[expect(
    clippy::disallowed_types,
    reason = "the journal notes the time for people"
)]
fn current_time_text() -> String {
    humantime::format_rfc3339_seconds(std::time::SystemTime::now()).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_games_get_the_first_free_number() {
        let games = tempfile::tempdir().unwrap();
        let next = |ruleset| Folder::next_free(games.path(), ruleset);
        assert_eq!(next("mini"), Folder::New(games.path().join("mini-1")));
        std::fs::create_dir(games.path().join("mini-1")).unwrap();
        assert_eq!(next("mini"), Folder::New(games.path().join("mini-2")));
        assert_eq!(next("maxi"), Folder::New(games.path().join("maxi-1")));
        std::fs::write(games.path().join("mini-1").join(JOURNAL), "").unwrap();
        let one = games.path().join("mini-1");
        assert_eq!(Folder::at_path(&one), Folder::Kept(one));
    }

    #[test]
    fn a_game_is_meant_by_its_path_or_its_name_and_a_slip_has_near_ones() {
        let home = tempfile::tempdir().unwrap();
        let games = home.path().join("games");
        let one = games.join("harbour-1");
        std::fs::create_dir_all(&one).unwrap();
        std::fs::write(one.join(JOURNAL), "").unwrap();
        std::fs::write(games.join("a.tar"), "").unwrap();
        assert_eq!(
            find_game_by_path_or_name(&games, &one),
            Folder::Kept(one.clone())
        );
        assert_eq!(
            find_game_by_path_or_name(&games, Path::new("harbour-1")),
            Folder::Kept(one.clone())
        );
        let tar = games.join("a.tar");
        assert_eq!(
            find_game_by_path_or_name(&games, &tar),
            Folder::Packed(tar.clone())
        );
        let other = Path::new("harbour-2").to_owned();
        assert_eq!(
            find_game_by_path_or_name(&games, &other),
            Folder::New(other.clone())
        );
        let hinted = format!("did you mean \"{}\"?", one.display());
        assert_eq!(
            near_games_hint(&games, &home.path().join("gmaes/harbour-1")),
            hinted
        );
        assert_eq!(near_games_hint(&games, Path::new("harbuor-1")), hinted);
        assert_eq!(near_games_hint(&games, Path::new("zork")), "");
        assert_eq!(
            near_games_hint(&games, &games.join("zork")),
            "",
            "the folder is no likeness"
        );
        let there = format!("there is {}", one.display());
        assert_eq!(no_game_refusal(&games, Path::new("zork")).hints, [there]);
        let below = no_game_refusal(&games, &games);
        assert_eq!(
            below.hints,
            [format!("games found below it: {}", one.display())]
        );
    }

    #[test]
    fn a_verb_is_given_a_folder_or_a_name_and_no_packed_game() {
        let home = tempfile::tempdir().unwrap();
        let games = home.path().join("games");
        let one = games.join("one");
        std::fs::create_dir_all(&one).unwrap();
        std::fs::write(one.join(JOURNAL), "").unwrap();
        let tar = games.join("a b.tar");
        std::fs::write(&tar, "").unwrap();
        assert_eq!(
            folder_of_named_game(&games, Path::new("one")),
            Ok(one.clone())
        );
        assert_eq!(folder_of_named_game(&games, &one), Ok(one));
        let refusal = folder_of_named_game(&games, &tar).unwrap_err();
        let hint = format!("`arbiter play '{}'` unpacks a packed game", tar.display());
        assert_eq!(
            (&*refusal.code, &*refusal.hints),
            ("save/no-game", &[hint][..])
        );
        assert_eq!(
            folder_of_named_game(&games, Path::new("two"))
                .unwrap_err()
                .code,
            "save/no-game"
        );
    }

    #[test]
    fn nothing_is_written_into_the_folder_of_a_game() {
        let games = tempfile::tempdir().unwrap();
        let one = games.path().join("one");
        std::fs::create_dir_all(one.join("rules")).unwrap();
        std::fs::write(one.join(JOURNAL), "").unwrap();
        for inside in ["one", "one/secret", "one/journal.jsonl", "one/rules/a/b"] {
            let refusal = check_outside_games(&games.path().join(inside)).unwrap_err();
            assert_eq!(refusal.code, "save/within", "{inside}");
        }
        for outside in ["one.md", "two/one.md", "."] {
            assert_eq!(check_outside_games(&games.path().join(outside)), Ok(()));
        }
    }

    #[test]
    fn many_games_are_counted() {
        let games = tempfile::tempdir().unwrap();
        for number in 10..22 {
            let game = games.path().join(format!("g{number}"));
            std::fs::create_dir(&game).unwrap();
            std::fs::write(game.join(JOURNAL), "").unwrap();
        }
        let hint = games_hint(games.path());
        assert!(
            hint.contains("g10") && hint.ends_with("g19 and 2 more"),
            "{hint}"
        );
        assert_eq!(games_hint(Path::new("nowhere/at/all")), "");
    }
}
