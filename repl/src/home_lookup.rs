//! Finds the folder with the rules, and the ruleset to use.

use std::path::{Path, PathBuf};

use host::content::Cache;
use host::diag::{Diagnostic, near_hint, there_is_or_are_text};
use host::game::{Home, Seed, find_home_folder};
use rand::TryRng;
use rand::rngs::SysRng;

use crate::arguments::{Common, RulesOf};
use crate::game_folder::{self, Folder};
use crate::game_thread::{Start, Wanted};
use crate::io_error_words::io_error_words;
use crate::save_pack_open::Disk;
use crate::typed_path;
use crate::user_folder;

/// Returns the home folder: the named one, else the nearest at or above `start`, else above the program.
///
/// A folder named with `--mods` is the home only if there is no other. Errors: there is none.
pub(crate) fn named_or_nearest_home(
    common: &Common,
    start: &Path,
) -> Result<Home, Box<Diagnostic>> {
    let (mods, content) = (common.mods.clone(), common.content.clone());
    for folder in &mods {
        check_scripts_or_content_below(folder, WHAT_MODS_ARE)?;
    }
    content.as_deref().map_or(Ok(()), check_content_folder)?;
    if let Some(folder) = &common.home {
        return check_home_folder(folder).map(|folder| Home {
            folder,
            mods,
            content,
        });
    }
    let program = std::env::current_exe().ok();
    let beside = || {
        program
            .as_deref()
            .and_then(Path::parent)
            .and_then(find_home_folder)
    };
    nearest_home_at_or_above(start, &mods)
        .or_else(beside)
        .or_else(|| mods.first().cloned())
        .map(|folder| Home {
            folder,
            mods,
            content,
        })
        .ok_or_else(|| no_home_refusal(start))
}

/// Returns whether a home was neither named nor found at or above the current folder: it is the program's own.
pub(crate) fn is_home_of_program(common: &Common, home: &Home) -> bool {
    let is_named = common.home.is_some() || common.mods.contains(&home.folder);
    !is_named && nearest_home_at_or_above(&current_folder(), &common.mods).is_none()
}

/// Returns the home for a game: a saved game with its recorded rules needs none. Errors: there is none; if the game is
/// saved, a hint says how to open it.
pub(crate) fn home_for_game(
    common: &Common,
    named: Option<&Path>,
) -> Result<Home, Box<Diagnostic>> {
    let found = named_or_nearest_home(common, &current_folder());
    match common.rules {
        RulesOf::Recorded if common.home.is_none() => {
            Ok(found.unwrap_or_else(|_| empty_home(common)))
        }
        RulesOf::Recorded | RulesOf::Now => found.map_err(|refusal| {
            let games = game_folder::games_folder(common);
            let game = named.or(common.game.as_deref());
            let game = game.map(|game| game_folder::find_game_by_path_or_name(&games, game));
            match game {
                Some(Folder::Kept(_)) if refusal.code == "content/no-home" => {
                    Box::new(refusal.hint(RECORDED_RULES))
                }
                _ => refusal,
            }
        }),
    }
}

/// Returns a home for a game that needs none.
pub(crate) fn empty_home(common: &Common) -> Home {
    Home {
        folder: PathBuf::from("."),
        mods: common.mods.clone(),
        content: common.content.clone(),
    }
}

/// Returns the flags that were given to a game and that it needs again, each after a space.
pub(crate) fn flags_to_repeat(common: &Common) -> String {
    let flag =
        |name: &str, path: &PathBuf| format!(" --{name} {}", game_folder::shell_word_of_path(path));
    let named = std::env::var_os("ARBITER_HOME").map(typed_path::path_of_shell_word);
    let home = common
        .home
        .iter()
        .filter(|home| named.as_ref() != Some(*home));
    let home = home.map(|home| flag("home", home));
    home.chain(common.mods.iter().map(|one| flag("mods", one)))
        .chain(common.content.iter().map(|one| flag("content", one)))
        .collect()
}

/// Returns the nearest home at or above a path; folders of mods count only if there is no other.
pub(crate) fn nearest_home_at_or_above(start: &Path, mods: &[PathBuf]) -> Option<PathBuf> {
    home_outside_mods(start, mods).or_else(|| find_home_folder(start))
}

/// Returns the nearest home at or above a folder that is not a folder of mods.
fn home_outside_mods(start: &Path, mods: &[PathBuf]) -> Option<PathBuf> {
    let real = |path: &Path| path.canonicalize().ok();
    let mods: Vec<PathBuf> = mods.iter().filter_map(|folder| real(folder)).collect();
    let mut home = find_home_folder(start)?;
    while real(&home).is_some_and(|home| mods.contains(&home)) {
        home = find_home_folder(home.parent()?)?;
    }
    Some(home)
}

/// Returns the folder in which the program was started.
pub(crate) fn current_folder() -> PathBuf {
    std::env::current_dir().unwrap_or_else(|_| PathBuf::from("."))
}

fn check_home_folder(folder: &Path) -> Result<PathBuf, Box<Diagnostic>> {
    check_scripts_or_content_below(folder, WHAT_A_HOME_IS).map(|()| folder.to_path_buf())
}

/// Refuses a path named with `--content` that is not a folder.
fn check_content_folder(content: &Path) -> Result<(), Box<Diagnostic>> {
    let why = match std::fs::metadata(content) {
        Ok(found) if found.is_dir() => return Ok(()),
        Ok(_) => "it is not a folder".to_owned(),
        Err(error) => io_error_words(&error),
    };
    let message = format!("the content {} cannot be read: {why}", content.display());
    let finding = Diagnostic::error("content/missing-folder", message);
    Err(Box::new(finding.hint(
        "--content must name a folder with content that the ruleset uses in place of its own",
    )))
}

/// Refuses a named folder without anything to read; the hint says what it must contain.
fn check_scripts_or_content_below(folder: &Path, hint: &str) -> Result<(), Box<Diagnostic>> {
    if folder.join("scripts").is_dir() || folder.join("content").is_dir() {
        return Ok(());
    }
    let message = match folder.is_dir() {
        true => format!(
            "{} contains neither a folder scripts nor a folder content",
            folder.display()
        ),
        false => format!("there is no folder {}", folder.display()),
    };
    // The folder above a relative path has no name.
    let above = find_home_folder(folder).filter(|above| !above.as_os_str().is_empty());
    let near = above.map(|above| format!("{} is such a folder", above.display()));
    let finding = Diagnostic::error("content/no-home", message)
        .hint(near.unwrap_or_default())
        .hint(hint);
    Err(Box::new(finding))
}

const WHAT_A_HOME_IS: &str = "a home folder contains scripts/NAME/ for each ruleset, and content/NAME/ for its \
                              content; name it with --home or ARBITER_HOME";

const RECORDED_RULES: &str =
    "or open the game with the rules that it was saved with: `--rules recorded`";

const WHAT_MODS_ARE: &str = "--mods needs a folder that contains scripts/NAME or content/NAME";

/// Returns the refusal of a start without a home; its hints say what is in the folder and what is missing there.
fn no_home_refusal(start: &Path) -> Box<Diagnostic> {
    let message = "no home folder found at or above this folder, or above the program";
    let here = if game_folder::is_game_folder(start) {
        "this is the folder of a saved game; `arbiter verify .` checks it"
    } else if start.join("scripts").is_dir() {
        "this folder has scripts, but no ruleset in them: the first file is scripts/NAME/ruleset.luau"
    } else if start.join("content").is_dir() {
        "this folder has content, but no scripts; to check the content of a ruleset elsewhere, write \
         `arbiter check content/NAME --ruleset NAME --home DIR`"
    } else {
        ""
    };
    let finding = Diagnostic::error("content/no-home", message).hint(here);
    Box::new(finding.hint(WHAT_A_HOME_IS))
}

/// Returns the ruleset to use: the named one, else the only one; else all to choose from.
///
/// Errors: there is no such ruleset, or none at all.
pub(crate) fn ruleset_choice(home: &Home, wanted: Option<&str>) -> Result<Chosen, Box<Diagnostic>> {
    choose_ruleset(home.rulesets(), wanted, &home.folder)
}

/// Result of the choice of a ruleset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Chosen {
    /// Exactly this one.
    One(String),
    /// Any of these.
    Among(Vec<String>),
}

impl Chosen {
    /// Returns the only one. Errors: there may be several.
    pub(crate) fn only_ruleset(self) -> Result<String, Box<Diagnostic>> {
        match self {
            Chosen::One(name) => Ok(name),
            Chosen::Among(names) => {
                let message = format!("there are several rulesets: {}", names.join(", "));
                let finding = Diagnostic::error("content/which-ruleset", message);
                Err(Box::new(finding.hint("choose one with --ruleset NAME")))
            }
        }
    }
}

fn choose_ruleset(
    mut known: Vec<String>,
    wanted: Option<&str>,
    folder: &Path,
) -> Result<Chosen, Box<Diagnostic>> {
    let Some(wanted) = wanted else {
        return match known.len() {
            0 => {
                let message = format!("no ruleset found in {}", folder.display());
                let finding = Diagnostic::error("content/no-ruleset", message);
                Err(Box::new(finding.hint(
                    "a ruleset is a folder scripts/NAME/ with a file ruleset.luau",
                )))
            }
            1 => Ok(Chosen::One(known.remove(0))),
            _ => Ok(Chosen::Among(known)),
        };
    };
    if known.iter().any(|name| name == wanted) {
        return Ok(Chosen::One(wanted.to_owned()));
    }
    let message = format!("unknown ruleset \"{wanted}\" in {}", folder.display());
    let finding = unknown_ruleset_finding(message, wanted, &known);
    Err(Box::new(finding.hint(there_is_or_are_text(
        &known,
        "there are no rulesets",
    ))))
}

/// Returns the finding that a ruleset does not exist, with similar names.
pub(crate) fn unknown_ruleset_finding(
    message: String,
    wanted: &str,
    known: &[String],
) -> Diagnostic {
    let near = near_hint(wanted, known.iter().map(String::as_str));
    Diagnostic::error("content/unknown-ruleset", message).hint(near)
}

/// Returns the start of a saved game.
pub(crate) fn saved_game_start(common: &Common, home: Home, folder: PathBuf) -> Start {
    Start {
        home,
        game: Wanted::Kept {
            folder,
            rules: common.rules,
            read_only: common.read_only,
        },
        disk: disk_for_games(common),
        profiler: common.profiler.clone(),
        cache: rules_cache(common),
    }
}

/// Returns the cache, from start to start, of the results of reading rules; `None` if it is not wanted.
fn rules_cache(common: &Common) -> Option<Cache> {
    let folder = user_folder::cache_folder().filter(|_| !common.no_cache);
    folder.map(Cache::new)
}

/// Returns the settings of the disk for saved games.
pub(crate) fn disk_for_games(common: &Common) -> Disk {
    Disk {
        games: game_folder::games_folder(common),
        sync: common.sync,
    }
}

/// Returns the start of a new game of a ruleset, with its folder.
///
/// Errors: not every machine can make its folder; there is no source for its seed.
pub(crate) fn new_game_start(
    common: &Common,
    home: Home,
    (ruleset, place): (String, Folder),
) -> Result<Start, Box<Diagnostic>> {
    let folder = match place {
        Folder::New(path) => {
            check_game_folder(common, &path)?;
            Some(path)
        }
        Folder::Nowhere | Folder::Kept(_) | Folder::Packed(_) => None,
    };
    Ok(Start {
        home,
        game: Wanted::New {
            ruleset,
            seed: game_seed(common)?,
            folder,
        },
        disk: disk_for_games(common),
        profiler: common.profiler.clone(),
        cache: rules_cache(common),
    })
}

/// Refuses a folder in which a game must not be made. The named folder of games is made like the folder of a game.
///
/// Errors: `save/bad-path`.
fn check_game_folder(common: &Common, folder: &Path) -> Result<(), Box<Diagnostic>> {
    typed_path::check_path_names(folder)?;
    let games = game_folder::games_folder(common);
    match folder.parent() == Some(&games) {
        true => typed_path::check_parent_folder(&games),
        false => typed_path::check_parent_folder(folder),
    }
}

/// Returns the seed that the flags request, else a new random one of the machine.
///
/// Errors: the machine has no random source.
pub(crate) fn game_seed(common: &Common) -> Result<Seed, Box<Diagnostic>> {
    if let Some(text) = &common.seed {
        return Ok(Seed::from_text(text));
    }
    let mut bytes = [0; 32];
    match SysRng.try_fill_bytes(&mut bytes) {
        Ok(()) => Ok(Seed::from_bytes(bytes)),
        Err(error) => {
            let message = format!("the system gave no random numbers for a seed: {error}");
            Err(Box::new(
                Diagnostic::error("host/no-chance", message).hint("give a seed with --seed TEXT"),
            ))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choose_from(known: &[&str], wanted: Option<&str>) -> Result<Chosen, Box<Diagnostic>> {
        choose_ruleset(
            known.iter().map(|name| (*name).to_owned()).collect(),
            wanted,
            Path::new("home"),
        )
    }

    #[test]
    fn the_only_ruleset_needs_no_name() {
        assert_eq!(
            choose_from(&["mini"], None),
            Ok(Chosen::One("mini".to_owned()))
        );
        assert_eq!(
            choose_from(&["mini", "maxi"], Some("maxi")),
            Ok(Chosen::One("maxi".to_owned()))
        );
    }

    #[test]
    fn several_rulesets_are_named_and_a_wrong_name_has_near_ones() {
        let refusal = choose_from(&["mini", "maxi"], None)
            .unwrap()
            .only_ruleset()
            .unwrap_err();
        assert_eq!(refusal.message, "there are several rulesets: mini, maxi");
        let refusal = choose_from(&["mini", "maxi"], Some("mni")).unwrap_err();
        assert_eq!(
            refusal.hints,
            ["did you mean \"mini\"?", "there are mini and maxi"]
        );
        let refusal = choose_from(&["mini"], Some("zork")).unwrap_err();
        assert_eq!(refusal.hints, ["there is mini"]);
        assert_eq!(
            choose_from(&[], None).unwrap_err().code,
            "content/no-ruleset"
        );
    }

    #[test]
    fn a_named_home_must_hold_something() {
        let folder = tempfile::tempdir().unwrap();
        let common = Common {
            home: Some(folder.path().to_path_buf()),
            ..Common::default()
        };
        assert_eq!(
            named_or_nearest_home(&common, Path::new("."))
                .unwrap_err()
                .code,
            "content/no-home"
        );
        std::fs::create_dir(folder.path().join("scripts")).unwrap();
        assert_eq!(
            named_or_nearest_home(&common, Path::new("."))
                .unwrap()
                .folder,
            folder.path()
        );
    }

    #[test]
    fn a_folder_without_a_home_is_told_what_it_lacks() {
        let folder = tempfile::tempdir().unwrap();
        let hints = || no_home_refusal(folder.path()).hints;
        assert_eq!(hints(), [WHAT_A_HOME_IS]);
        std::fs::create_dir(folder.path().join("content")).unwrap();
        assert!(hints()[0].starts_with("this folder has content, but no scripts"));
        std::fs::create_dir(folder.path().join("scripts")).unwrap();
        assert!(hints()[0].starts_with("this folder has scripts, but no ruleset"));
        std::fs::write(folder.path().join(host::store::archive::JOURNAL), "").unwrap();
        assert!(hints()[0].contains("`arbiter verify .`"));
    }

    #[test]
    fn a_folder_of_mods_must_hold_something_too() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("scripts")).unwrap();
        let common = Common {
            home: Some(folder.path().to_path_buf()),
            mods: vec![folder.path().join("nope")],
            ..Common::default()
        };
        let refusal = named_or_nearest_home(&common, Path::new(".")).unwrap_err();
        assert_eq!(refusal.code, "content/no-home");
        assert!(refusal.message.contains("nope"), "{}", refusal.message);
        assert_eq!(refusal.hints.last().unwrap(), WHAT_MODS_ARE);
    }

    #[test]
    fn a_saved_game_without_a_home_can_be_opened_with_its_recorded_rules() {
        let folder = tempfile::tempdir().unwrap();
        let game = folder.path().join("one");
        std::fs::create_dir(&game).unwrap();
        std::fs::write(game.join(host::store::archive::JOURNAL), "").unwrap();
        let hints = |named: &Path| {
            let common = Common {
                mods: vec![folder.path().join("nope")],
                ..Common::default()
            };
            home_for_game(&common, Some(named)).unwrap_err().hints
        };
        let is_told =
            |hints: Vec<String>| hints.iter().any(|hint| hint.contains("--rules recorded"));
        assert!(is_told(hints(&game)));
        assert!(!is_told(hints(&folder.path().join("two"))));
    }

    #[test]
    fn a_folder_of_mods_is_the_home_only_where_there_is_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let toy = folder.path().join("tests/toy");
        for part in ["scripts", "content"] {
            std::fs::create_dir_all(toy.join(part)).unwrap();
        }
        let common = Common {
            mods: vec![toy.join("../toy")],
            ..Common::default()
        };
        assert_eq!(named_or_nearest_home(&common, &toy).unwrap().folder, toy);
        for part in ["scripts", "content"] {
            std::fs::create_dir(folder.path().join(part)).unwrap();
        }
        assert_eq!(
            named_or_nearest_home(&common, &toy).unwrap().folder,
            folder.path()
        );
        assert_eq!(
            named_or_nearest_home(&Common::default(), &toy)
                .unwrap()
                .folder,
            toy
        );
    }

    #[test]
    fn a_text_makes_a_test_seed_and_chance_a_secret_one() {
        let named = Common {
            seed: Some("a".to_owned()),
            ..Common::default()
        };
        assert!(game_seed(&named).unwrap().is_test());
        assert_ne!(
            game_seed(&Common::default()).unwrap(),
            game_seed(&Common::default()).unwrap()
        );
    }
}
