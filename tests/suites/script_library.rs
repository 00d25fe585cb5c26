//! Plays homes without a script library: they use the library that is built into the program.

use std::fs;

use arbiter_tests::Scratch;

use crate::program::arbiter_in_project;

/// Runs the program in a home and returns its exit code and all output.
fn run_program(home: &Scratch, arguments: &[&str], lines: &str) -> (i32, String) {
    let mut command = arbiter_in_project();
    command
        .current_dir(home.path())
        .env("XDG_STATE_HOME", home.path().join("state"));
    let done = command.args(arguments).write_stdin(lines).output().unwrap();
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    (
        done.status.code().unwrap(),
        said + &String::from_utf8_lossy(&done.stderr),
    )
}

/// Returns a home with one ruleset and no library.
fn home_of_one_ruleset() -> Scratch {
    let home = Scratch::mini();
    fs::remove_dir_all(home.path().join("scripts/library")).unwrap();
    home
}

#[test]
fn a_ruleset_alone_is_checked_and_played_and_its_game_verified() {
    let home = home_of_one_ruleset();
    let (exit, said) = run_program(&home, &["check", "--deny-warnings"], "");
    assert_eq!(exit, 0, "{said}");
    let lines = "charm Ann with cheer\nmood Ann\n";
    let (exit, said) = run_program(
        &home,
        &[
            "run",
            "-",
            "--ruleset",
            "mini",
            "--seed",
            "x",
            "--game",
            "g",
        ],
        lines,
    );
    assert!(exit == 0 && said.contains("Ann feels 6."), "{said}");
    let (exit, said) = run_program(&home, &["verify", "g"], "");
    assert_eq!(exit, 0, "{said}");
    // The game contains the library that it was played with.
    let manifests = fs::read_dir(home.path().join("g/rules")).unwrap();
    let texts = manifests.map(|file| fs::read_to_string(file.unwrap().path()).unwrap_or_default());
    assert!(
        texts
            .into_iter()
            .any(|text| text.contains("scripts/library/schemas/command.luau"))
    );
}

#[test]
fn a_library_of_the_home_wins() {
    let home = Scratch::mini();
    let play = ["run", "-", "--ruleset", "mini", "--seed", "x"];
    let line = "load nothing.txt\n";
    let (_, said) = run_program(&home, &play, line);
    assert!(said.contains("content/missing-file"), "{said}");
    fs::remove_file(home.path().join("scripts/library/commands/load.luau")).unwrap();
    let (_, said) = run_program(&home, &play, line);
    assert!(said.contains("phrase/no-match"), "{said}");
}
