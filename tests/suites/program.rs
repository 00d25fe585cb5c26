//! Tests the program: arguments, scripts of commands, bad input, exit codes.

use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde_json::Value as Json;
use tempfile::TempDir;

/// Returns the program, started in the project folder.
pub(crate) fn arbiter_in_project() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arbiter-under-test"));
    command
        .current_dir(project())
        .env_remove("ARBITER_HOME")
        .env("ARBITER_NO_CACHE", "true")
        .env("NO_COLOR", "1");
    command
}

pub(crate) fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .unwrap()
        .to_path_buf()
}

/// Runs lines in a new game of mini; returns the exit code, the JSON objects and the error output.
pub(crate) fn run_mini_lines(lines: impl Into<Vec<u8>>, more: &[&str]) -> (i32, Vec<Json>, String) {
    run_lines(
        arbiter_running_lines("mini", "x")
            .args(["--mods", "tests/mini"])
            .args(more),
        lines,
    )
}

/// Returns the program with arguments to play input lines in a new game and to answer in JSON.
pub(crate) fn arbiter_running_lines(ruleset: &str, seed: &str) -> Command {
    let mut command = arbiter_in_project();
    command.args(["run", "-", "--ruleset", ruleset, "--seed", seed]);
    command.args(["--format", "json"]);
    command
}

/// Gives lines to the program; returns the exit code, the JSON objects and the error output.
pub(crate) fn run_lines(
    command: &mut Command,
    lines: impl Into<Vec<u8>>,
) -> (i32, Vec<Json>, String) {
    let output = command.write_stdin(lines).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let objects = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")));
    let talk = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code().unwrap(), objects.collect(), talk)
}

fn text_of_object(object: &Json) -> &str {
    object["text"].as_str().unwrap_or_default()
}

fn error_code_of_object(object: &Json) -> &str {
    object["error"]["code"].as_str().unwrap_or_default()
}

#[test]
fn commands_are_answered_one_object_a_document() {
    let (exit, objects, _) = run_mini_lines(
        "# a comment\n\nmood Ann\ncharm Ann with cheer\nmood ann\n",
        &[],
    );
    assert_eq!(exit, 0);
    let texts: Vec<&str> = objects.iter().map(text_of_object).collect();
    assert_eq!(texts, ["Ann feels 4.", "Ann feels 6.", "Ann feels 6."]);
    assert_eq!(objects[1]["data"]["mood"], 6);
    assert_eq!(objects[1]["audience"], "public");
    assert!(objects[0]["op"].is_null() && objects[1]["op"].is_u64());
}

/// Provisional text is marked, and a seat gets no operation numbers, which would count the lines of
/// others.
#[test]
fn objects_say_what_is_provisional_and_number_operations_for_the_game_master_alone() {
    let home = arbiter_tests::Scratch::mini();
    home.command(
        "dare",
        "act:say('public', 'a dare') act:ask({ to = 'Ann', key = 'sure', type = 'YesNo', text = 'Sure?' }) return 'dared'",
    );
    let mut command = arbiter_in_project();
    command.args([
        "run",
        "-",
        "--ruleset",
        "mini",
        "--seed",
        "x",
        "--format",
        "json",
        "--home",
    ]);
    let lines = "dare\nas Ann\nanswer yes\ncharm Ann with cheer\nas gm\ncharm Ann with cheer\n";
    let (exit, objects, talk) = run_lines(command.arg(home.path()), lines);
    assert_eq!(exit, 0, "{talk}");
    let of = |text: &str| -> Vec<&Json> {
        let objects = objects.iter();
        objects
            .filter(|one| one["text"].as_str() == Some(text))
            .collect()
    };
    let dares = of("a dare");
    assert_eq!(dares.len(), 2, "{objects:?}");
    let first = (&dares[0]["provisional"], &dares[0]["op"]);
    assert_eq!(first, (&Json::from(true), &Json::from(2)));
    assert!(dares[1]["provisional"].is_null() && dares[1]["op"].is_null());
    let said = of("dared");
    assert!(said.len() == 1 && said[0]["op"].is_null(), "{said:?}");
    let asked = objects
        .iter()
        .find(|one| !one["data"]["question"].is_null());
    assert!(asked.unwrap()["provisional"].is_null(), "a question counts");
    let last = objects.last().unwrap();
    assert!(last["op"].is_u64(), "the game master gets them: {last}");
}

/// A mark names the other readers of a text; text for the game master alone has no mark in their
/// view.
#[test]
fn people_read_once_what_counts_later_and_no_mark_at_what_is_theirs() {
    let home = arbiter_tests::Scratch::mini();
    home.command(
        "dare",
        "act:say('public', 'a dare') act:say('gm', 'a trap') act:say('Ann', 'a hint')
    act:ask({ to = 'Ann', key = 'sure', type = 'YesNo', text = 'Sure?' }) return 'dared'",
    );
    let shown = |format: &str, lines: &str| {
        let mut command = arbiter_in_project();
        command.args(["run", "-", "--ruleset", "mini", "--seed", "x"]);
        command
            .args(["--format", format, "--home"])
            .arg(home.path());
        let output = command.write_stdin(lines).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let to_gm = "This becomes final when the question is answered:\na dare\na trap\n[Ann] a hint\n\
        [Ann] question 1 [gm: 2.1]: Sure? (yes or no)\n";
    assert_eq!(shown("terminal", "dare\n"), to_gm);
    let to_bo = "This becomes final when the question is answered:\na dare\n\
        [Bo] this is waiting for somebody else's answer\n";
    assert_eq!(shown("terminal", "as Bo\ndare\n"), to_bo);
    assert!(shown("html", "dare\n").contains("<p>a trap</p>"));
    assert!(shown("json", "dare\n").contains("\"audience\":\"gm\""));
}

/// A standing answer to the prompt of a line is a separate operation, and its text has its own
/// number.
#[test]
fn what_a_line_says_has_its_number_and_what_follows_by_itself_the_number_of_that() {
    let home = super::questions::home_with_toll_prompt();
    let mut command = arbiter_in_project();
    command.args(["run", "-", "--ruleset", "mini", "--seed", "x"]);
    command
        .args(["--format", "json", "--home"])
        .arg(home.path());
    let lines = "for Bo: always toll refuse\ntoll\ncharm Ann with cheer\n";
    let (exit, objects, talk) = run_lines(&mut command, lines);
    assert_eq!(exit, 0, "{talk}");
    let number_of = |said: &str| {
        let mut objects = objects.iter();
        let found = objects.find(|one| text_of_object(one) == said);
        found.unwrap_or_else(|| panic!("{said}: {objects:?}"))["op"].clone()
    };
    assert_eq!(number_of("prompt#1"), 3);
    assert_eq!(number_of("refuse"), 4);
    assert_eq!(number_of("Ann feels 6."), 5);
}

/// One document per line, separated as the format requires.
#[test]
fn every_format_can_be_asked_for() {
    let cases = [
        ("terminal", "Ann feels 4.\nAnn feels 4.\n"),
        ("markdown", "Ann feels 4.\n\nAnn feels 4.\n"),
        ("bbcode", "Ann feels 4.\n\nAnn feels 4.\n"),
        ("discord", "Ann feels 4.\n\nAnn feels 4.\n"),
        ("rst", "Ann feels 4.\n\nAnn feels 4.\n"),
        ("csv", "Ann feels 4.\r\n\r\nAnn feels 4.\r\n"),
        (
            "html",
            "<article>\n<p>Ann feels 4.</p>\n</article>\n<article>\n<p>Ann feels 4.</p>\n</article>\n",
        ),
    ];
    for (format, expected) in cases {
        let mut command = arbiter_in_project();
        command.args(["run", "-", "--ruleset", "mini", "--mods", "tests/mini"]);
        command.args(["--format", format]);
        let shown = command
            .write_stdin("mood Ann\nmood Ann\n")
            .output()
            .unwrap();
        assert_eq!(
            String::from_utf8(shown.stdout).unwrap(),
            expected,
            "{format}"
        );
    }
    let mut command = arbiter_in_project();
    let switched = command.args(["run", "-", "--ruleset", "mini", "--mods", "tests/mini"]);
    let lines = "mood Ann\nformat html\nmood Ann\nformat bbcode\nmood Ann\n";
    let shown = switched.write_stdin(lines).output().unwrap();
    let expected = "Ann feels 4.\n<article>\n<p>Ann feels 4.</p>\n</article>\nAnn feels 4.\n";
    assert_eq!(String::from_utf8(shown.stdout).unwrap(), expected);
    for shell in ["bash", "fish", "zsh"] {
        let script = arbiter_in_project()
            .args(["completions", shell])
            .output()
            .unwrap();
        let script = String::from_utf8(script.stdout).unwrap();
        assert!(
            script.contains("bbcode") && script.contains("discord"),
            "{shell}"
        );
    }
}

#[test]
fn a_refusal_stops_the_script_unless_told_to_keep_going() {
    let script = "mood Nobody\nmood Ann\n";
    let (exit, objects, _) = run_mini_lines(script, &[]);
    assert_eq!((exit, objects.len()), (1, 1));
    assert_eq!(error_code_of_object(&objects[0]), "phrase/unknown-name");
    let (exit, objects, _) = run_mini_lines(script, &["--keep-going"]);
    assert_eq!((exit, objects.len()), (1, 2));
    assert_eq!(text_of_object(&objects[1]), "Ann feels 4.");
}

/// Each bad line is refused with a code, and the next command is answered as if the line had not
/// been sent.
#[test]
fn bad_lines_are_refused_and_the_next_command_works() {
    let long = "x".repeat(1 << 20);
    let cases: Vec<(Vec<u8>, &str)> = vec![
        (b"chram Ann with cheer".to_vec(), "phrase/no-match"),
        (b"charm Ann with chear".to_vec(), "phrase/unknown-name"),
        (b"throw 4d6zz".to_vec(), "dice/unknown-modifier"),
        (b"throw 1001d6".to_vec(), "dice/too-many"),
        (b"throw d9999999".to_vec(), "dice/bad-size"),
        (long.into_bytes(), "limit/size"),
        (b"mood \xff\xfe".to_vec(), "phrase/encoding"),
        (b"mood \x1b[31mAnn".to_vec(), "phrase/control-character"),
        (b"= error('no')".to_vec(), "script/error"),
        (b"= act:get('nobody', 'mood')".to_vec(), "script/no-row"),
        (b"= (function() while true do end end)()".to_vec(), "limit/fuel"),
        (b"= (function() local t = {} while true do t[#t + 1] = ('x'):rep(99999) .. #t end end)()".to_vec(), "limit/memory"),
    ];
    for (line, expected) in cases {
        let shown = String::from_utf8_lossy(&line[..line.len().min(60)]).into_owned();
        let script = [line, b"\nmood Ann\n".to_vec()].concat();
        let (_, objects, _) = run_mini_lines(script, &["--keep-going"]);
        assert_eq!(objects.len(), 2, "{shown}: {objects:?}");
        assert_eq!(error_code_of_object(&objects[0]), expected, "{shown}");
        assert_eq!(text_of_object(&objects[1]), "Ann feels 4.", "{shown}");
    }
}

#[test]
fn exit_codes_tell_what_went_wrong() {
    let exit = |line: &str| run_mini_lines(line, &[]).0;
    assert_eq!(exit("mood Ann"), 0);
    assert_eq!(exit("mood Nobody"), 1);
    assert_eq!(exit("= error('x')"), 4);
    assert_eq!(exit("= (function() while true do end end)()"), 5);
    assert_eq!(
        arbiter_in_project()
            .arg("--no-such-flag")
            .output()
            .unwrap()
            .status
            .code(),
        Some(2)
    );
    let unknown = arbiter_in_project()
        .args(["run", "-", "--ruleset", "minni"])
        .write_stdin("")
        .output()
        .unwrap();
    assert_eq!(unknown.status.code(), Some(2));
    let broken = arbiter_tests::Scratch::mini();
    broken.write("scripts/mini/ruleset.luau", "return ruleset {");
    let mut command = arbiter_in_project();
    command
        .args(["run", "-", "--ruleset", "mini", "--home"])
        .arg(broken.path());
    assert_eq!(
        command
            .write_stdin("mood Ann")
            .output()
            .unwrap()
            .status
            .code(),
        Some(3)
    );
}

/// A ruleset without a name is not played; a saved game of one continues with its recorded rules.
#[test]
fn a_ruleset_without_a_name_is_not_played() {
    for (text, code) in [
        ("return {}", "schema/missing-key"),
        ("return ruleset {}", "schema/missing-key"),
        (
            "return ruleset { source = 's', name = '', summary = '' }",
            "schema/wrong-type",
        ),
        (
            "return ruleset { source = 's', name = 'Solo', summary = 5 }",
            "schema/wrong-type",
        ),
        ("return 5", "script/no-definition"),
        ("", "script/no-definition"),
    ] {
        let home = arbiter_tests::Scratch::mini();
        home.write("scripts/solo/ruleset.luau", text);
        home.write("content/solo/note.txt", "");
        let mut command = arbiter_in_project();
        command.args(["run", "-", "--ruleset", "solo", "--home"]);
        let output = command.arg(home.path()).write_stdin("roll 1d6").output();
        let output = output.unwrap();
        let talk = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(3), "{text}: {talk}");
        assert!(talk.contains(code), "{text}: {talk}");
    }
}

#[test]
fn missing_files_and_folders_are_named() {
    let empty = TempDir::new().unwrap();
    let script = empty.path().join("none.txt");
    let missing = arbiter_in_project()
        .args(["run", "--ruleset", "fortune"])
        .arg(&script)
        .output()
        .unwrap();
    assert!(!missing.status.success());
    let talk = String::from_utf8_lossy(&missing.stderr).into_owned();
    assert!(
        talk.contains("none.txt cannot be read: the file or folder does not exist"),
        "{talk}"
    );
    let folder = arbiter_in_project()
        .args(["run", "--ruleset", "fortune"])
        .arg(empty.path())
        .output()
        .unwrap();
    assert!(!folder.status.success());
    let home = arbiter_in_project()
        .args(["run", "-", "--ruleset", "fortune", "--home"])
        .arg(empty.path())
        .write_stdin("")
        .output()
        .unwrap();
    assert!(!home.status.success());
    let talk = String::from_utf8_lossy(&home.stderr).into_owned();
    assert!(talk.contains("scripts"), "{talk}");
    for flag in ["--home", "--mods"] {
        let output = arbiter_in_project()
            .args([flag, "/nope", "check"])
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2), "{flag}");
    }
}

#[test]
fn continued_lines_are_bounded_and_the_next_command_works() {
    let lines = format!("{}\nmood Ann\n", "mood \\\n".repeat(3_000));
    let (_, objects, _) = run_mini_lines(lines, &["--keep-going"]);
    assert_eq!(objects.len(), 2);
    assert_eq!(error_code_of_object(&objects[0]), "limit/size");
    assert_eq!(text_of_object(&objects[1]), "Ann feels 4.");
}

#[test]
fn the_same_seed_gives_the_same_game() {
    let lines = "throw 10d6\ncharm Bo with gloom\nundo\nthrow 3d20\nlog\n";
    let first = run_mini_lines(lines, &[]);
    assert_eq!(first, run_mini_lines(lines, &[]));
    assert_eq!(first.0, 0);
}

#[test]
fn hand_dice_are_checked_and_used_in_order() {
    let (_, objects, _) = run_mini_lines("dice next 3 d6:6\nthrow 2d6\n", &[]);
    assert_eq!(objects.last().unwrap()["data"]["total"], 9);
    let (_, objects, _) = run_mini_lines("dice next 7\nthrow d6\nthrow d8\n", &["--keep-going"]);
    assert_eq!(error_code_of_object(&objects[1]), "dice/wrong-die");
    assert_eq!(
        objects[2]["data"]["total"], 7,
        "the typed die waits for the next roll"
    );
    let (_, objects, _) = run_mini_lines("dice next 1\nthrow 2d6\n", &["--keep-going"]);
    assert_eq!(error_code_of_object(&objects[1]), "dice/too-few");
}

#[test]
fn twenty_planted_mistakes_are_all_found_in_one_run_at_their_places() {
    let output = arbiter_in_project()
        .current_dir(project().join("tests/planted"))
        .args(["check", "scripts", "content", "--format", "json"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).unwrap();
    let found: Vec<String> = text
        .lines()
        .map(|line| serde_json::from_str::<Json>(line).unwrap())
        .map(|one| {
            let part = |key: &str| one[key].to_string().trim_matches('"').to_owned();
            format!(
                "{}:{}:{} {}",
                part("path"),
                part("line"),
                part("column"),
                part("code")
            )
        })
        .collect();
    let expected: Vec<&str> = include_str!("../planted/expected.txt").lines().collect();
    assert!(expected.len() >= 20);
    assert_eq!(found, expected);
    let summary = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(summary.contains("error"), "{summary}");
}

#[test]
fn shipped_scripts_and_content_have_no_finding_and_their_tests_pass() {
    let check = arbiter_in_project()
        .args(["check", "scripts", "content", "tests/mini"])
        .args(["--mods", "tests/mini", "--deny-warnings"])
        .output()
        .unwrap();
    assert!(
        check.status.success(),
        "{}",
        String::from_utf8_lossy(&check.stdout)
    );
    let test = arbiter_in_project()
        .args(["test", "--mods", "tests/mini"])
        .output()
        .unwrap();
    assert!(
        test.status.success(),
        "{}",
        String::from_utf8_lossy(&test.stdout)
    );
}
