//! This module starts the program as whoever has just come does: without a terminal, without a word, with lines for nobody.

use std::process::Output;

use crate::program::arbiter;

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Holds that two games were shown, and all that the demonstration is for.
fn is_shown(done: &Output) {
    let (out, talk) = (text(&done.stdout), text(&done.stderr));
    assert_eq!(done.status.code(), Some(0), "{talk}");
    for part in [
        "features> turn Oruk",
        "question 1",
        "features> answer yes",
        "Oruk attacks Third Raider",
        "Operation 6 is `attack Third Raider`",
        "reckless",
        "undone: 6",
        "fortune> pool Mara",
        "undone: 3",
        "arbiter play RULESET",
    ] {
        assert!(out.contains(part), "{part} is missing in:\n{out}");
    }
    // The one slip is shown on purpose.
    assert_eq!(talk.matches("error[").count(), 1, "{talk}");
    assert!(talk.contains("did you mean \"choose\""), "{talk}");
}

#[test]
fn the_demonstration_is_the_same_wherever_it_is_asked_for() {
    let asked = arbiter().arg("demo").output().unwrap();
    is_shown(&asked);
    for input in ["", "\n \n"] {
        let nothing = arbiter().write_stdin(input).output().unwrap();
        is_shown(&nothing);
        assert_eq!(nothing.stdout, asked.stdout);
    }
}

#[test]
fn lines_without_a_ruleset_are_told_how_they_are_run() {
    let done = arbiter().write_stdin("throw 2d6\n").output().unwrap();
    let talk = text(&done.stderr);
    assert_eq!(done.status.code(), Some(2), "{talk}");
    assert!(
        talk.contains("arbiter run - --ruleset NAME") && done.stdout.is_empty(),
        "{talk}"
    );
}

#[test]
fn a_home_without_what_is_shown_says_so() {
    let done = arbiter()
        .args(["demo", "--home", "tests/mini"])
        .output()
        .unwrap();
    let talk = text(&done.stderr);
    assert_eq!(done.status.code(), Some(2), "{talk}");
    assert!(talk.contains("features and fortune"), "{talk}");
}
