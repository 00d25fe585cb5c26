//! Plays the shipped rulesets with the file cache of an earlier start: the state has the same
//! bytes, and the fuel is the same, as without a cache.

use std::fs;
use std::path::{Path, PathBuf};

use arbiter_tests::{Game, Scratch, on_game_thread};
use host::content::Cache;
use host::game::ReloadResult;
use host::script::{Compiled, EngineOptions};
use repl::COMMANDS;

use super::game_transfer::{MINI_ARGUMENTS, arbiter_in_home};

/// Plays the opening lines of a ruleset and some more; returns the text, the fuel and the state.
fn play_opening_lines(ruleset: &str, lines: &[&str], cache: Option<&Cache>) -> String {
    let engine = EngineOptions {
        cache: cache.cloned(),
        ..EngineOptions::default()
    };
    let home = Scratch::shipped(ruleset);
    let mut game = Game::with_engine(&home, ruleset, &COMMANDS, engine);
    let mut said = String::new();
    for line in lines {
        let reply = game.line(line);
        let fuel = game.solo.session.generations().live().machine().fuel_used();
        assert!(reply.refusal.is_none(), "{line}: {:?}", reply.refusal);
        said += &format!("> {line}\n{reply:?}\nfuel {fuel}\n");
    }
    said + &format!("{:?}", game.hash())
}

/// Plays a ruleset without a cache, with an empty one, and with the cache of an earlier start.
fn assert_cache_changes_nothing(ruleset: &'static str, lines: &'static [&'static str]) {
    on_game_thread(move || {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::new(folder.path().to_owned());
        let without = play_opening_lines(ruleset, lines, None);
        assert_eq!(play_opening_lines(ruleset, lines, Some(&cache)), without);
        assert!(fs::read_dir(folder.path()).unwrap().next().is_some());
        assert_eq!(play_opening_lines(ruleset, lines, Some(&cache)), without);
    });
}

#[test]
fn a_village_plays_the_same_without_the_cache() {
    assert_cache_changes_nothing(
        "wwrf",
        &[
            "new game Quay with Ann, Bo, Cy, Dee, Eve, Fay",
            "next",
            "next",
            "status",
            "next",
            "next",
            "status",
        ],
    );
}

#[test]
fn an_encounter_plays_the_same_without_the_cache() {
    assert_cache_changes_nothing(
        "features",
        &[
            "encounter new The Frozen Ford",
            "turn Ilsabet",
            "attack Third Raider",
            "status",
        ],
    );
}

#[test]
fn spells_a_dungeon_and_a_toll_play_the_same_without_the_cache() {
    assert_cache_changes_nothing(
        "opend6",
        &[
            "spell display Cold Lamp",
            "mage Mara: alteration 5D",
            "cast Cold Lamp by Mara",
        ],
    );
    assert_cache_changes_nothing(
        "dungeon",
        &[
            "new dungeon The Orc Gate",
            "for Pim: attack hill orc #1",
            "wait 1d",
        ],
    );
    assert_cache_changes_nothing(
        "fortune",
        &["play Toll Night", "pool d10 d8", "odds d10 d8 vs 12"],
    );
}

/// Returns the files of the user's cache folder after a run of the program in a home.
fn cache_files_after_program(home: &Scratch, arguments: &[&str]) -> Vec<PathBuf> {
    let done = arbiter_in_home(home, arguments).output().unwrap();
    assert!(
        matches!(done.status.code(), Some(0 | 1)),
        "{arguments:?}: {}",
        String::from_utf8_lossy(&done.stderr)
    );
    arbiter_tests::files_below(&home.path().join("cache"))
}

#[test]
fn games_leave_what_they_know_of_files_in_the_cache_folder_of_the_user_and_nothing_else_does() {
    let home = Scratch::mini();
    home.write("lines", "people\n");
    let run = [&["run", "lines"], &MINI_ARGUMENTS[..]].concat();
    let game = [&run[..], &["--game", "game"]].concat();
    let without = [&game[..], &["--no-cache"]].concat();
    assert_eq!(
        cache_files_after_program(&home, &without),
        [""; 0].map(Path::new)
    );
    for arguments in [
        &["check", "scripts", "content"][..],
        &["test", "scripts"],
        &["verify", "game"],
    ] {
        assert_eq!(
            cache_files_after_program(&home, arguments),
            [""; 0].map(Path::new),
            "{arguments:?}"
        );
    }
    let left = cache_files_after_program(&home, &run);
    assert_eq!(left.len(), 1, "{left:?}");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&left[0]), 0o600);
        assert_eq!(mode(left[0].parent().unwrap()), 0o700);
    }
    let kept = fs::read(&left[0]).unwrap();
    assert_eq!(cache_files_after_program(&home, &run), left);
    assert_eq!(fs::read(&left[0]).unwrap(), kept);
}

#[test]
fn a_look_back_at_rules_of_another_time_leaves_alone_what_is_known_of_the_rules_of_now() {
    on_game_thread(|| {
        let (home, folder) = (Scratch::mini(), tempfile::tempdir().unwrap());
        let engine = EngineOptions {
            cache: Some(Cache::new(folder.path().to_owned())),
            ..EngineOptions::default()
        };
        let mut game = Game::with_engine(&home, "mini", &COMMANDS, engine);
        let kept = || {
            let files = arbiter_tests::files_below(folder.path());
            assert_eq!(files.len(), 1);
            fs::read(&files[0]).unwrap()
        };
        let before = kept();
        game.text("set Ann mood 5");
        game.text("charm Bo with gloom");
        home.edit(
            "scripts/mini/commands/charm.luau",
            "--!strict",
            "--!strict\n-- Another.",
        );
        let reloaded = game.solo.session.reload(Compiled::default());
        assert!(
            matches!(reloaded, ReloadResult::Swapped { .. }),
            "{reloaded:?}"
        );
        let now = kept();
        assert!(now != before);
        // The later command is replayed under the rules of its time.
        game.text("revert 2 yes");
        assert!(kept() == now);
    });
}
