//! Continues the saved games of each ruleset: `tests/saves/RULESET`, and
//! `tests/saves/engine/RULESET` under the first rules with listening content. `tests/keep_games.sh`
//! recorded them.
//!
//! The recorded folders are the authority. The present program must open them, answer the open
//! question, rule on, undo and redo as the files beside this one state. Every operation must replay
//! identically under the recorded rules.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use arbiter_tests::project;
use host::store::archive::JOURNAL;
use serde_json::Value as Json;

use super::copy_saved_game;
use crate::program::arbiter_in_project;
use arbiter_tests::assert_golden_file;

/// Returns the path of a continuation file: `> line`, `| text`, `= state`.
fn continuation_file(name: &str) -> PathBuf {
    project().join(format!("tests/suites/saves/{name}.txt"))
}

/// Returns the lines that begin with a mark, without it.
fn lines_with_mark(text: &str, mark: &str) -> String {
    let lines = text.lines().filter_map(|line| line.strip_prefix(mark));
    lines.map(|line| line.to_owned() + "\n").collect()
}

fn mark_each_line(mark: &str, text: &str) -> String {
    let lines = text.lines();
    let lines = lines.map(|line| format!("{mark}{line}").trim_end().to_owned() + "\n");
    lines.collect()
}

/// Verifies a game with both verifiers, which must agree on the chain and on every face. Returns
/// the output of the program.
fn verify_both_ways(game: &Path) -> String {
    let ours = arbiter_in_project()
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

fn journal_operations(game: &Path) -> Vec<Json> {
    let text = fs::read_to_string(game.join(JOURNAL)).unwrap();
    let lines = text.lines().skip(1);
    let json = lines.map(|line| line.split_once('\t').unwrap().0);
    json.map(|json| serde_json::from_str(json).unwrap())
        .collect()
}

/// Texts that the journal of every saved game contains.
const KINDS_IN_EVERY_GAME: [&str; 12] = [
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

fn assert_continues_under_recorded_rules(ruleset: &str) {
    let home = tempfile::tempdir().unwrap();
    let game = copy_saved_game(ruleset, home.path());
    let text = fs::read_to_string(game.join(JOURNAL)).unwrap();
    for part in KINDS_IN_EVERY_GAME {
        assert!(text.contains(part), "{ruleset} holds no {part}");
    }
    assert_continues_as_file(&game, ruleset, ("recorded", 1));
}

/// Continues a game with the lines of a file, under the present or the recorded rules; this many of
/// its lines run no rule.
pub(super) fn assert_continues_as_file(game: &Path, name: &str, (rules, not_run): (&str, usize)) {
    let before = journal_operations(game);
    let found = verify_both_ways(game);
    let all = format!(
        "log lines: {} are the same, {not_run} were not run, 0 differ",
        before.len() - not_run
    );
    assert!(found.contains(&all), "{name}: {found}");
    let lines = lines_with_mark(&fs::read_to_string(continuation_file(name)).unwrap(), "> ");
    let ran = arbiter_in_project()
        .args(["run", "-", "--keep-going", "--rules", rules, "--game"])
        .arg(game)
        .write_stdin(&*lines)
        .output()
        .unwrap();
    let said = String::from_utf8([ran.stdout, ran.stderr].concat()).unwrap();
    let after = journal_operations(game);
    assert_eq!(after[..before.len()], before, "{name}");
    let last = after.last().unwrap()["state"].as_str().unwrap();
    let found = [("> ", &*lines), ("| ", &*said), ("= ", last)];
    let found = found.map(|(mark, text)| mark_each_line(mark, text));
    assert_golden_file(&continuation_file(name), &found.concat());
    let found = verify_both_ways(game);
    assert!(found.contains("0 differ"), "{name}: {found}");
}

#[test]
fn the_kept_games_of_fortune_go_on() {
    assert_continues_under_recorded_rules("fortune");
    assert_continues_under_recorded_rules("engine/fortune");
}

#[test]
fn the_kept_games_of_opend6_go_on() {
    assert_continues_under_recorded_rules("opend6");
    assert_continues_under_recorded_rules("engine/opend6");
}

#[test]
fn the_kept_games_of_dungeon_go_on() {
    assert_continues_under_recorded_rules("dungeon");
    assert_continues_under_recorded_rules("engine/dungeon");
}

#[test]
fn the_kept_games_of_wwrf_go_on() {
    assert_continues_under_recorded_rules("wwrf");
    assert_continues_under_recorded_rules("engine/wwrf");
}

#[test]
fn the_kept_games_of_features_go_on() {
    assert_continues_under_recorded_rules("features");
    assert_continues_under_recorded_rules("engine/features");
}
