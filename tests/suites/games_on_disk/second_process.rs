//! Opens one game in two processes: the second one learns the name of the first, may look, and
//! changes nothing.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use arbiter_tests::Scratch;
use host::store::archive::JOURNAL;

use super::LONG_PROGRAM;

fn arbiter_on_game(home: &Scratch) -> Command {
    let mut command = Command::new(LONG_PROGRAM);
    command
        .args(["arbiter", "run", "-", "--ruleset", "mini", "--keep-going"])
        .arg("--home")
        .arg(home.path())
        .arg("--game")
        .arg(home.path().join("game"))
        .env("ARBITER_NO_CACHE", "true")
        .env("NO_COLOR", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Runs all lines and returns the exit code, the results and the error output.
fn run_lines_to_end(home: &Scratch, lines: &str) -> (i32, String, String) {
    let mut child = arbiter_on_game(home).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(lines.as_bytes()).unwrap();
    drop(input);
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (
        output.status.code().unwrap(),
        text(output.stdout),
        text(output.stderr),
    )
}

#[test]
fn the_second_process_is_refused_by_name_and_can_look() {
    let home = Scratch::mini();
    let journal = home.path().join("game").join(JOURNAL);
    let mut first = arbiter_on_game(&home).spawn().unwrap();
    let mut input = first.stdin.take().unwrap();
    let mut said = BufReader::new(first.stdout.take().unwrap()).lines();
    writeln!(input, "charm Ann with cheer").unwrap();
    assert_eq!(said.next().unwrap().unwrap(), "Ann feels 6.");
    let kept = fs::read(&journal).unwrap();

    let lines = "mood Ann\ncharm Ann with gloom\nundo\nmood Ann\n";
    let (exit, results, talk) = run_lines_to_end(&home, lines);
    let holder = format!("it is in use by process {} since ", first.id());
    assert_eq!(
        (exit, results.as_str()),
        (
            1,
            "the game continues after log line 2 charm Ann with cheer\nAnn feels 6.\nAnn feels 6.\n"
        ),
        "{talk}"
    );
    let opening = format!("warning[save/read-only]: read-only: {holder}");
    let refusal = format!("error[save/read-only]: the game is read-only: {holder}");
    assert!(
        talk.starts_with(&opening) || talk.contains(&format!("\n{opening}")),
        "{talk}"
    );
    assert_eq!(talk.matches(&refusal).count(), 2, "{talk}");
    assert_eq!(fs::read(&journal).unwrap(), kept, "it wrote nothing");

    writeln!(input, "charm Ann with cheer").unwrap();
    assert_eq!(said.next().unwrap().unwrap(), "Ann feels 8.");
    drop(input);
    assert!(first.wait().unwrap().success());
    let (exit, results, talk) = run_lines_to_end(&home, "charm Ann with gloom\n");
    assert!(!talk.contains("save/read-only"), "{talk}");
    assert_eq!((exit, results.lines().count()), (0, 2), "{results}");
}
