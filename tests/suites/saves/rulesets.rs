//! This module goes on with the kept game of each ruleset: `tests/saves/RULESET`, as `tests/keep_games.sh` recorded it.
//!
//! The recorded folders are the authority: whatever becomes of the program, it opens them, answers the question that
//! waits in them, rules on, takes that back and does it again as the files beside this one say, and finds that every
//! operation of them does the same again. They are played under the rules that they were kept with.

use std::fs;
use std::path::Path;
use std::process::Command;

use arbiter_tests::project;
use host::store::archive::JOURNAL;
use serde_json::Value as Json;

use super::copied;
use crate::program::arbiter;

/// What somebody goes on with, what is said of it, and the state that it ends in.
struct Continued {
    lines: String,
    said: String,
    state: String,
}

impl Continued {
    /// Reads the file of a ruleset: `> line`, `| what is said`, `= state`.
    fn of(ruleset: &str) -> Continued {
        let file = format!("tests/suites/saves/{ruleset}.txt");
        let text = fs::read_to_string(project().join(file)).unwrap();
        let marked = |mark: &str| -> String {
            let lines = text.lines().filter_map(|line| line.strip_prefix(mark));
            lines.map(|line| line.to_owned() + "\n").collect()
        };
        let (lines, said, state) = (marked("> "), marked("| "), marked("= "));
        Continued { lines, said, state }
    }
}

/// Verifies a game with both verifiers; they must agree on the chain and on every face. Returns what the program says.
fn verified(game: &Path) -> String {
    let ours = arbiter()
        .arg("verify")
        .arg(game)
        .arg("--dice")
        .output()
        .unwrap();
    let theirs = Command::new("python3")
        .arg(project().join("tests/verify.py"))
        .arg(game)
        .output()
        .unwrap();
    let [ours, theirs] = [ours, theirs].map(|ran| {
        let said = String::from_utf8([ran.stdout, ran.stderr].concat()).unwrap();
        assert!(ran.status.success(), "{}: {said}", game.display());
        said
    });
    let common = |text: &str| -> Vec<String> {
        let lines = text.lines().map(str::to_owned);
        lines
            .filter(|line| line.starts_with("chain: ") || line.starts_with("faces: "))
            .collect()
    };
    assert_eq!(common(&ours), common(&theirs), "{}", game.display());
    assert_eq!(common(&ours).len(), 2, "{ours}");
    ours
}

fn operations(game: &Path) -> Vec<Json> {
    let text = fs::read_to_string(game.join(JOURNAL)).unwrap();
    let lines = text.lines().skip(1);
    let json = lines.map(|line| line.split_once('\t').unwrap().0);
    json.map(|json| serde_json::from_str(json).unwrap())
        .collect()
}

/// What is in every kept game, as its journal shows it.
const HELD: [&str; 12] = [
    r#""kind":"undo""#,
    r#""kind":"redo""#,
    r#""kind":"revert""#,
    r#""kind":"replace""#,
    r#""kind":"refused""#,
    r#""limit/fuel""#,
    r#""limit/output""#,
    r#""script/error""#,
    r#""answer/wrong-type""#,
    r#""answer":"skip this rule""#,
    r#""typed":true"#,
    r#""address":"trial:"#,
];

fn goes_on(ruleset: &str) {
    let home = tempfile::tempdir().unwrap();
    let game = copied(ruleset, home.path());
    let before = operations(&game);
    let text = fs::read_to_string(game.join(JOURNAL)).unwrap();
    for part in HELD {
        assert!(text.contains(part), "{ruleset} holds no {part}");
    }
    let found = verified(&game);
    let all = format!(
        "operations: {} did the same again, 1 were not run, 0 differ",
        before.len() - 1
    );
    assert!(found.contains(&all), "{ruleset}: {found}");
    let continued = Continued::of(ruleset);
    let ran = arbiter()
        .args(["run", "-", "--keep-going", "--rules", "recorded", "--game"])
        .arg(&game)
        .write_stdin(continued.lines)
        .output()
        .unwrap();
    let said = String::from_utf8(ran.stdout).unwrap();
    let said: Vec<&str> = said.lines().map(str::trim_end).collect();
    let expected: Vec<&str> = continued.said.lines().map(str::trim_end).collect();
    assert_eq!(said, expected, "{ruleset}");
    let after = operations(&game);
    assert_eq!(after[..before.len()], before, "{ruleset}");
    let last = after.last().unwrap()["state"].as_str().unwrap();
    assert_eq!(last, continued.state.trim_end(), "{ruleset}");
    let found = verified(&game);
    assert!(found.contains("0 differ"), "{ruleset}: {found}");
}

#[test]
fn the_kept_game_of_fortune_goes_on() {
    goes_on("fortune");
}

#[test]
fn the_kept_game_of_opend6_goes_on() {
    goes_on("opend6");
}

#[test]
fn the_kept_game_of_dungeon_goes_on() {
    goes_on("dungeon");
}

#[test]
fn the_kept_game_of_wwrf_goes_on() {
    goes_on("wwrf");
}

#[test]
fn the_kept_game_of_features_goes_on() {
    goes_on("features");
}
