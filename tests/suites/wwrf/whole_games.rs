//! Plays whole games of the books: recorded ones step by step, and simulated ones.

use std::fs;
use std::path::{Path, PathBuf};

use arbiter_tests::{Scratch, files_below};
use serde_json::Value as Json;
use tempfile::TempDir;

use super::super::program::{arbiter_in_project, project};
use super::{copy_folder, corpus_book, files_by_path, shipped_book, write_file};

/// The number of simulated games for each book and number of players.
const GAME_COUNT: &str = "12";

/// Returns the real book, with replacements for names that belong to missing parts.
fn real_book_with_stand_ins() -> Option<TempDir> {
    let book = copy_folder(&corpus_book()?.join("wwrf"));
    let stand_ins = files_by_path(&project().join("tests/wwrf/stand_ins"));
    // Two of its texts have errors; their replacements have the same names.
    for path in files_by_path(book.path()).into_keys() {
        if stand_ins.contains_key(&path.replace(' ', "_")) {
            fs::remove_file(book.path().join(path)).unwrap();
        }
    }
    for (path, text) in stand_ins {
        write_file(book.path(), &path, text);
    }
    Some(book)
}

/// Returns the books to play, with their temporary folders.
fn books_to_play() -> Vec<(PathBuf, Option<TempDir>)> {
    let real = real_book_with_stand_ins().map(|book| (book.path().to_path_buf(), Some(book)));
    [Some((shipped_book(), None)), real]
        .into_iter()
        .flatten()
        .collect()
}

/// Returns a home whose only tests are the games of the real book.
fn home_of_real_games() -> Scratch {
    let home = Scratch::shipped("wwrf");
    for file in files_below(&home.path().join("scripts/wwrf")) {
        if file.to_string_lossy().ends_with(".test.txt") {
            fs::remove_file(file).unwrap();
        }
    }
    for (path, text) in files_by_path(&project().join("tests/wwrf/games")) {
        let name = path.replace(".txt", ".test.txt");
        home.write(&format!("scripts/wwrf/games/{name}"), text);
    }
    home
}

#[test]
fn five_games_of_the_real_book_go_as_they_are_told() {
    let games = files_by_path(&project().join("tests/wwrf/games")).len();
    assert_eq!(games, 5);
    let Some(book) = real_book_with_stand_ins() else {
        // The games need this book; those with the shipped roles are beside the rules.
        assert!(files_by_path(&project().join("scripts/wwrf/games")).len() >= games);
        return;
    };
    let home = home_of_real_games();
    let output = arbiter_in_project()
        .current_dir(home.path())
        .args(["test", "--home", ".", "--ruleset", "wwrf"])
        .args(["scripts/wwrf/games", "--content"])
        .arg(book.path())
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    let talk = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{told}{talk}");
    assert!(
        talk.contains(&format!("{games} passed, 0 failed")),
        "{talk}"
    );
}

/// Simulates games and returns the report.
fn simulate_games(book: &Path, setup: &str) -> Json {
    let output = arbiter_in_project()
        .args(["simulate", setup, "--ruleset", "wwrf", "--verify"])
        .args(["--games", GAME_COUNT, "--seed", "x", "--format", "json"])
        .arg("--content")
        .arg(book)
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    let talk = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{setup}: {told}{talk}");
    let report: Json = serde_json::from_str(told.trim()).unwrap();
    report["data"].clone()
}

#[test]
fn games_without_people_end_and_replay_to_the_same_state() {
    for (book, _kept) in books_to_play() {
        for setup in ["random 6", "random 11", "random 16 haunting"] {
            let report = simulate_games(&book, setup);
            let told = format!("{setup} of {}: {report}", book.display());
            assert_eq!(
                report["games"],
                GAME_COUNT.parse::<u64>().unwrap(),
                "{told}"
            );
            assert!(
                report["errors"].as_array().is_none_or(Vec::is_empty),
                "{told}"
            );
        }
    }
}

/// A role whose first line always fails, and whose last line never runs.
const DUD_ROLE: &str = "**Dud** | Townsfolk Support
__Basics__
Does nothing.
__Details__
Does nothing.

__Simplified__
Does nothing.

__Formalized__
Start Night: Revoke `Knot` from @Self
Start Day: Learn `Good morning`
On Banishment: Learn `Never said`

__Card__
Does nothing.
";

const DUDS_SETUP: &str = "source: a test
name: Duds
summary: a role that does nothing
roles:
  - Dud
  - Wolf
  - Villager
  - Villager
";

#[test]
fn a_line_that_never_fires_or_always_fails_is_listed_by_role_and_who_took_no_part_as_such() {
    let book = copy_folder(&shipped_book());
    write_file(book.path(), "roles/townsfolk/dud", DUD_ROLE);
    write_file(book.path(), "setups/duds.yaml", DUDS_SETUP);
    let report = simulate_games(book.path(), "Duds");
    let of = |name: &str| -> Vec<(String, u64, u64)> {
        let rows = report["tried"].as_array().unwrap();
        let role = rows.iter().find(|one| one["of"] == name).unwrap();
        let lines = role["tried"].as_array().unwrap().iter();
        let count = |one: &Json, key: &str| one[key].as_u64().unwrap();
        lines
            .map(|one| {
                let what = one["what"].as_str().unwrap().to_owned();
                (what, count(one, "times"), count(one, "failures"))
            })
            .collect()
    };
    let dud = of("Dud");
    let line = |wanted: &str| dud.iter().find(|one| one.0.ends_with(wanted)).unwrap();
    let (_, times, failures) = line(": Revoke `Knot` from @Self");
    assert!(*times > 0 && times == failures, "{dud:?}");
    let (_, times, failures) = line(": Learn `Good morning`");
    assert!(*times > 0 && *failures == 0, "{dud:?}");
    assert_eq!(line("roles/townsfolk/dud:13 On Banishment").1, 0);
    assert_eq!(line(" On Banishment: Learn `Never said`").1, 0);
    assert!(of("Seer").is_empty(), "the Seer took no part");
}

#[test]
fn a_line_of_any_text_that_takes_part_is_counted_under_its_own_text() {
    let report = simulate_games(&shipped_book(), "Storm Season");
    let counted = |of: &str, what: &str| {
        let rows = report["tried"].as_array().unwrap();
        let text = rows.iter().find(|one| one["of"] == of);
        let lines = text.and_then(|one| one["tried"].as_array());
        lines.is_some_and(|lines| {
            let mut names = lines.iter().map(|one| one["what"].as_str().unwrap());
            names.any(|name| name.ends_with(what))
        })
    };
    for (of, what) in [
        ("Bell Warden", " Start Night: Lock #Harbour"),
        ("group Smugglers", " On Absence Defense"),
        ("group Drowned", " Starting"),
        ("team Drowned", " On Join"),
        ("poll Lynch", " On Poll Closed"),
    ] {
        assert!(counted(of, what), "{of}: {what} in {report}");
    }
    assert!(!counted("Drowned", ""), "two texts are one: {report}");
}
