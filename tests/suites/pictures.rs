//! Pictures: charts of an answer and of a simulation in SVG files, by the rules of exports.

use std::fs;
use std::path::Path;
use std::process::Output;

use arbiter_tests::{Scratch, project};
use assert_cmd::Command;

use crate::program::arbiter_in_project;

/// Plays lines of the harbour in a folder.
fn play_in_folder(folder: &Path, lines: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_arbiter-under-test"))
        .current_dir(folder)
        .env("ARBITER_HOME", project())
        .env("XDG_STATE_HOME", folder.join("state"))
        .env("XDG_CACHE_HOME", folder.join("cache"))
        .env("NO_COLOR", "1")
        .args([
            "run",
            "-",
            "--keep-going",
            "--ruleset",
            "harbour",
            "--in-memory",
        ])
        .arg("--mods")
        .arg(project().join("tests/mini"))
        .write_stdin(lines)
        .output()
        .unwrap()
}

fn output_text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn is_svg(text: &str) -> bool {
    text.starts_with("<svg class=\"plot\" xmlns=\"http://www.w3.org/2000/svg\"")
        && text.ends_with("</svg>\n")
        && !text.contains("<script")
}

#[test]
fn the_charts_of_a_query_are_also_drawn_into_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let lines = "odds 2d6 to pictures/two.svg\ncompare 2d6 or 1d12 to \"a to b.svg\"\nodds 2d6\n";
    let said = play_in_folder(folder.path(), lines);
    let out = output_text(&said.stdout);
    assert_eq!(output_text(&said.stderr).matches("error[").count(), 0);
    assert!(
        out.contains("wrote pictures/two.svg: ") && out.contains("wrote a to b.svg: "),
        "{out}"
    );
    assert_eq!(out.matches("odds of 2d6").count(), 2, "{out}");
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    let two = read("pictures/two.svg");
    assert!(
        is_svg(&two) && two.contains("<title>odds 2d6</title>"),
        "{two}"
    );
    assert!(two.contains("7: 16.7 %, at least 58.3 %"), "{two}");
    let both = read("a to b.svg");
    assert!(
        is_svg(&both) && both.contains("1d12: 1: 8.3 %, at least 100.0 %"),
        "{both}"
    );
}

#[test]
fn a_picture_is_refused_by_the_rules_of_an_export() {
    let folder = tempfile::tempdir().unwrap();
    let mine = folder.path().join("mine.svg");
    fs::write(&mine, "mine").unwrap();
    for (line, code) in [
        ("odds 2d6 to mine.svg", "save/file-used"),
        ("odds 2d6 to ../nowhere/mine.svg", "save/bad-path"),
        ("odds 2d6 to a|b.svg", "save/bad-path"),
        ("odds 2d6 to mine.png", "picture/ending"),
        ("odds 2d6 to mine.svq", "picture/ending"),
        ("as Ann\nodds 2d6 to ann.svg", "host/gm-only"),
    ] {
        let said = output_text(&play_in_folder(folder.path(), &format!("{line}\n")).stderr);
        assert!(said.contains(&format!("error[{code}]")), "{line}: {said}");
    }
    assert_eq!(fs::read_to_string(&mine).unwrap(), "mine");
    let files = fs::read_dir(folder.path()).unwrap();
    let drawn = files.filter(|one| one.as_ref().unwrap().path().extension().is_some());
    assert_eq!(drawn.count(), 1);
    let said = play_in_folder(
        folder.path(),
        "odds 2d6 to mine.svg anyway\nodds 3d6 to mine.svg\n",
    );
    let out = output_text(&said.stdout);
    assert_eq!(out.matches("wrote mine.svg").count(), 2, "{out}");
    assert!(is_svg(&fs::read_to_string(&mine).unwrap()));
}

#[test]
fn a_simulation_draws_its_winners_and_lengths() {
    let home = Scratch::harbour();
    let run = |arguments: &[&str]| {
        let mut command = arbiter_in_project();
        let output = command
            .current_dir(home.path())
            .args(["simulate", "village", "--ruleset", "harbour", "--home", "."])
            .args(["--games", "5", "--seed", "s"])
            .args(arguments)
            .output()
            .unwrap();
        (output.status.code().unwrap(), output_text(&output.stderr))
    };
    let (exit, said) = run(&["--plot", "village.svg"]);
    assert!(exit == 0 && said.contains("wrote village.svg"), "{said}");
    let drawn = fs::read_to_string(home.path().join("village.svg")).unwrap();
    assert!(
        is_svg(&drawn) && drawn.contains("<title>village: 5 games</title>"),
        "{drawn}"
    );
    assert!(
        drawn.contains("nobody: ") && drawn.contains("days: mean "),
        "{drawn}"
    );
    let (exit, said) = run(&["--plot", "village.png"]);
    assert!(
        exit == 2 && said.contains("picture/ending"),
        "{exit} {said}"
    );
    assert!(said.contains("write --plot village.svg"), "{said}");
    fs::write(home.path().join("mine.svg"), "mine").unwrap();
    let (exit, said) = run(&["--plot", "mine.svg"]);
    assert!(
        exit == 2 && said.contains("save/file-used"),
        "{exit} {said}"
    );
    let (exit, said) = run(&["--plot", "mine.svg", "--anyway"]);
    assert!(
        exit == 0 && said.contains("wrote mine.svg"),
        "{exit} {said}"
    );
}
