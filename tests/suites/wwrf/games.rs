//! This module plays whole games of the books: those that are told step by step, and games that nobody sits at.

use std::path::{Path, PathBuf};

use serde_json::Value as Json;
use tempfile::TempDir;

use super::super::program::{arbiter, project};
use super::{copied, corpus, files, shipped, write};

/// Games that are played without people, of each book and number of players.
const GAMES: &str = "12";

/// Returns the real book, with stand-ins for what its texts name and what lies in a part that is not there.
fn with_stand_ins() -> Option<TempDir> {
    let book = copied(&corpus()?.join("wwrf"));
    for (path, text) in files(&project().join("tests/wwrf/stand_ins")) {
        write(book.path(), &path, text);
    }
    Some(book)
}

/// Returns the books to play with, by what they are.
fn played() -> Vec<(PathBuf, Option<TempDir>)> {
    let real = with_stand_ins().map(|book| (book.path().to_path_buf(), Some(book)));
    [Some((shipped(), None)), real]
        .into_iter()
        .flatten()
        .collect()
}

#[test]
fn five_games_of_the_real_book_go_as_they_are_told() {
    let Some(book) = with_stand_ins() else {
        // Without the book there is nothing to tell: the same games stand beside the rules with our own roles.
        assert!(project().join("scripts/wwrf/games").is_dir());
        return;
    };
    let output = arbiter()
        .args(["test", "--ruleset", "wwrf", "tests/wwrf/games", "--content"])
        .arg(book.path())
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    let talk = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{told}{talk}");
    let games = files(&project().join("tests/wwrf/games")).len();
    assert!(talk.contains(&format!("{games} passed, 0 failed")), "{talk}");
}

/// Plays games and returns what the report says.
fn simulated(book: &Path, setup: &str) -> Json {
    let output = arbiter()
        .args(["simulate", setup, "--ruleset", "wwrf", "--verify"])
        .args(["--games", GAMES, "--seed", "x", "--format", "json"])
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
    for (book, _kept) in played() {
        for setup in ["random 6", "random 11", "random 16 haunting"] {
            let report = simulated(&book, setup);
            let told = format!("{setup} of {}: {report}", book.display());
            assert_eq!(report["games"], GAMES.parse::<u64>().unwrap(), "{told}");
            assert!(report["errors"].as_array().is_none_or(Vec::is_empty), "{told}");
        }
    }
}
