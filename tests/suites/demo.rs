//! Starts the program as a new user does: without a terminal, without arguments, with lines but no
//! ruleset.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::program::arbiter_in_project;

/// The smallest valid ruleset.
const LEAST_RULESET: &str = "--!strict\nreturn ruleset { source = \"tests\", name = \"Solo\", summary = \"a ruleset alone\" }\n";

/// Copies the program into a folder that has no home above it.
fn program_copy_without_home(folder: &Path) -> PathBuf {
    let program = folder.join("arbiter");
    std::fs::copy(arbiter_in_project().get_program(), &program).unwrap();
    program
}

fn output_text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Checks that the demonstration shows two games and all of its features.
fn assert_demonstration_shown(done: &Output) {
    let (out, talk) = (output_text(&done.stdout), output_text(&done.stderr));
    assert_eq!(done.status.code(), Some(0), "{talk}");
    for part in [
        "features> turn Oruk",
        "question 1",
        "features> answer yes",
        "Oruk attacks Third Raider",
        "Log line 6 is `attack Third Raider`",
        "reckless",
        "undone: 6",
        "fortune> pool Mara",
        "undone: 3",
        "arbiter play RULESET",
    ] {
        assert!(out.contains(part), "{part} is missing in:\n{out}");
    }
    // The one mistyped line is part of the demonstration.
    assert_eq!(talk.matches("error[").count(), 1, "{talk}");
    assert!(talk.contains("did you mean \"choose\""), "{talk}");
}

#[test]
fn the_demonstration_is_the_same_wherever_it_is_asked_for() {
    let asked = arbiter_in_project().arg("demo").output().unwrap();
    assert_demonstration_shown(&asked);
    for input in ["", "\n \n"] {
        let nothing = arbiter_in_project().write_stdin(input).output().unwrap();
        assert_demonstration_shown(&nothing);
        assert_eq!(nothing.stdout, asked.stdout);
    }
}

#[test]
fn the_demonstration_is_the_same_where_there_is_no_home() {
    let folder = tempfile::tempdir().unwrap();
    let program = program_copy_without_home(folder.path());
    let started = |input: &[&str], here: &Path| {
        let mut command = Command::new(&program);
        let command = command.current_dir(here).env_remove("ARBITER_HOME");
        command.env("ARBITER_NO_CACHE", "true").env("NO_COLOR", "1");
        command.args(input).output().unwrap()
    };
    let here = folder.path().join("here");
    std::fs::create_dir(&here).unwrap();
    let known = arbiter_in_project().arg("demo").output().unwrap();
    for input in [&["demo"][..], &[]] {
        let shown = started(input, &here);
        assert_demonstration_shown(&shown);
        assert_eq!(output_text(&shown.stdout), output_text(&known.stdout));
        // Files that are built into the program name their origin.
        let notice = "System Reference Document 5.1";
        assert!(output_text(&shown.stderr).contains(notice));
        assert!(!output_text(&known.stderr).contains(notice));
    }
    // The demonstration also works in a home with other rulesets.
    let solo = here.join("scripts/solo");
    std::fs::create_dir_all(&solo).unwrap();
    std::fs::write(solo.join("ruleset.luau"), LEAST_RULESET).unwrap();
    assert_demonstration_shown(&started(&["demo"], &here));
}

/// A folder with one ruleset is a home; so is a folder of mods if there is no other.
#[test]
fn a_folder_with_a_ruleset_alone_is_a_home_and_so_are_mods_alone() {
    let folder = tempfile::tempdir().unwrap();
    let program = program_copy_without_home(folder.path());
    let home = folder.path().join("below/solo");
    std::fs::create_dir_all(home.join("scripts/solo")).unwrap();
    std::fs::write(home.join("scripts/solo/ruleset.luau"), LEAST_RULESET).unwrap();
    let mods = folder.path().join("m");
    std::fs::create_dir_all(mods.join("content/more")).unwrap();
    let below = folder.path().join("below");
    let rules = home.join("scripts/solo");
    for (arguments, here) in [
        (&["check"][..], &home),
        (&["check", "scripts/solo"], &home),
        (&["check"], &rules),
        (&["check", "solo"], &below),
        (&["check", "solo/scripts/solo"], &below),
        (&["check", "--mods", "solo"], &below),
    ] {
        let mut command = Command::new(&program);
        let command = command.current_dir(here).env_remove("ARBITER_HOME");
        let done = command.args(arguments).output().unwrap();
        let talk = output_text(&done.stderr);
        assert_eq!(done.status.code(), Some(0), "{arguments:?}: {talk}");
    }
    let mut command = Command::new(&program);
    let command = command.current_dir(&below).env_remove("ARBITER_HOME");
    let done = command.args(["check", "--mods", "../m"]).output().unwrap();
    let talk = output_text(&done.stderr) + &output_text(&done.stdout);
    assert!(!talk.contains("no-home"), "{talk}");
}

/// `check` without paths names the home, and says if it is not the one that somebody may expect.
#[test]
fn check_without_paths_names_the_home_that_it_checks() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().join("own");
    std::fs::create_dir_all(home.join("scripts/solo")).unwrap();
    std::fs::write(home.join("scripts/solo/ruleset.luau"), LEAST_RULESET).unwrap();
    let program = program_copy_without_home(&home);
    let elsewhere = folder.path().join("elsewhere");
    std::fs::create_dir(&elsewhere).unwrap();
    let talk = |here: &Path, arguments: &[&str]| {
        let mut command = Command::new(&program);
        let command = command.current_dir(here).env_remove("ARBITER_HOME");
        output_text(&command.args(arguments).output().unwrap().stderr)
    };
    let of_home = format!(" of {}\n", home.display());
    let told = talk(&elsewhere, &["check"]);
    assert!(
        told.starts_with("no home folder found at or above this folder: checking"),
        "{told}"
    );
    assert!(told.ends_with(&of_home), "{told}");
    let told = talk(&home, &["check"]);
    assert!(
        told.starts_with("0 errors") && told.ends_with(&of_home),
        "{told}"
    );
    let told = talk(&home, &["check", "scripts"]);
    assert!(
        !told.ends_with(&of_home) && !told.contains("home"),
        "{told}"
    );
    let alone = program_copy_without_home(folder.path());
    let mut command = Command::new(alone);
    let command = command.current_dir(&elsewhere).env_remove("ARBITER_HOME");
    std::fs::create_dir(elsewhere.join("content")).unwrap();
    let done = command.arg("check").output().unwrap();
    let told = output_text(&done.stdout) + &output_text(&done.stderr);
    assert!(
        told.contains("this folder has content, but no scripts"),
        "{told}"
    );
}

#[test]
fn lines_without_a_ruleset_are_told_how_they_are_run() {
    let done = arbiter_in_project()
        .write_stdin("throw 2d6\n")
        .output()
        .unwrap();
    let talk = output_text(&done.stderr);
    assert_eq!(done.status.code(), Some(2), "{talk}");
    assert!(
        talk.contains("arbiter run - --ruleset NAME") && done.stdout.is_empty(),
        "{talk}"
    );
}

#[test]
fn a_home_without_what_is_shown_says_so() {
    let done = arbiter_in_project()
        .args(["demo", "--home", "tests/mini"])
        .output()
        .unwrap();
    let talk = output_text(&done.stderr);
    assert_eq!(done.status.code(), Some(2), "{talk}");
    assert!(talk.contains("features and fortune"), "{talk}");
}
