//! Plays while files cannot grow, as on a full disk: commands are refused, and answered lines stay.
#![cfg(unix)]

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use arbiter_tests::Scratch;
use arbiter_tests::durability::RUN;
use host::store::archive::JOURNAL;
use serde_json::Value as Json;

use super::{LONG_PROGRAM, create_saved_mini_game};

/// Plays lines with a limit of file size in blocks of 512 bytes; returns the exit code, the answers
/// and the error output.
fn run_with_file_limit(
    home: &Scratch,
    blocks: Option<u64>,
    lines: &str,
) -> (i32, Vec<Json>, String) {
    run_with_sync_and_limit("each", home, blocks, lines)
}

fn run_with_sync_and_limit(
    sync: &str,
    home: &Scratch,
    blocks: Option<u64>,
    lines: &str,
) -> (i32, Vec<Json>, String) {
    // A process started by another test holds the lock of this game until it runs its own program.
    let mut tries = (0..100).map(|_| run_once(sync, home, blocks, lines));
    let is_free = |ran: &(i32, Vec<Json>, String)| {
        let is_held = |one: &Json| one["error"]["code"] == "save/read-only";
        !ran.1.iter().any(is_held)
    };
    tries.find(is_free).expect("the lock is given up")
}

fn run_once(
    sync: &str,
    home: &Scratch,
    blocks: Option<u64>,
    lines: &str,
) -> (i32, Vec<Json>, String) {
    // Without the trap a signal ends the process, and nothing is refused.
    let limit = blocks.map_or_else(String::new, |blocks| {
        format!("trap '' XFSZ; ulimit -f {blocks}; ")
    });
    let mut command = Command::new("sh");
    command
        .args(["-c", &format!("{limit}exec \"$0\" \"$@\""), LONG_PROGRAM])
        .args(RUN)
        .args(["--sync", sync])
        .arg("--home")
        .arg(home.path())
        .arg("--game")
        .arg(home.path().join("game"))
        .env("ARBITER_NO_CACHE", "true")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    // A program that failed to start reads no input.
    let _ = input.write_all(lines.as_bytes());
    drop(input);
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let objects = text.lines().map(|line| serde_json::from_str(line).unwrap());
    let talk = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code().unwrap(), objects.collect(), talk)
}

fn journal_text(home: &Scratch) -> String {
    fs::read_to_string(home.path().join("game").join(JOURNAL)).unwrap()
}

fn game_folder(home: &Scratch) -> std::path::PathBuf {
    home.path().join("game")
}

fn is_continuation_notice(object: &Json) -> bool {
    let text = object["text"].as_str();
    text.is_some_and(|text| text.starts_with("the game continues after"))
}

fn mood_in_answer(object: &Json) -> i64 {
    let text = object["text"]
        .as_str()
        .unwrap_or_else(|| panic!("{object}"));
    let number = text.trim_end_matches('.').rsplit(' ').next().unwrap();
    number.parse().unwrap()
}

#[test]
fn a_full_disk_refuses_commands_and_the_game_goes_on_when_there_is_room() {
    let home = Scratch::mini();
    create_saved_mini_game(
        &home,
        &game_folder(&home),
        &["charm Ann with cheer", "charm Bo with gloom"],
    );
    let before = journal_text(&home);
    let blocks = before.len() as u64 / 512 + 4;
    let (exit, objects, talk) = run_with_sync_and_limit(
        "group",
        &home,
        Some(blocks),
        &"charm Ann with cheer\nmood Ann\n".repeat(20),
    );
    assert_eq!(exit, 1, "{talk}");
    let objects: Vec<&Json> = objects
        .iter()
        .filter(|one| !is_continuation_notice(one))
        .collect();
    let (mut now, mut answered, mut refused) = (6, 0, 0);
    for pair in objects.chunks(2) {
        if pair[0]["error"].is_null() {
            (now, answered) = (mood_in_answer(pair[0]), answered + 1);
        } else {
            refused += 1;
            let error = &pair[0]["error"];
            assert_eq!(error["code"], "save/disk-full");
            assert_eq!(error["message"], "the disk is full, nothing was saved");
            assert_eq!(error["hints"][0], "free space on the disk and try again");
        }
        assert_eq!(
            mood_in_answer(pair[1]),
            now,
            "the state is the one of the last answer"
        );
    }
    assert!(
        answered > 0 && refused > 10,
        "{answered} answered, {refused} refused"
    );
    let full = journal_text(&home);
    assert!(full.starts_with(&before) && full.ends_with('\n'));
    assert_eq!(full.lines().count(), before.lines().count() + answered);
    let (exit, objects, talk) =
        run_with_file_limit(&home, None, "mood Ann\ncharm Ann with cheer\n");
    assert_eq!((exit, talk.contains("torn")), (0, false), "{talk}");
    let moods: Vec<i64> = objects.iter().skip(1).map(mood_in_answer).collect();
    assert_eq!(moods[0], now, "{objects:?}");
    assert!(moods[1] > now, "{moods:?}");
}

/// The lines ahead of the disk depend on an unsaved ruling: the script ends.
#[test]
fn a_full_disk_ends_a_script_that_goes_ahead_of_it() {
    let home = Scratch::mini();
    create_saved_mini_game(&home, &game_folder(&home), &["charm Ann with cheer"]);
    let before = journal_text(&home);
    let blocks = before.len() as u64 / 512 + 4;
    let lines = "charm Ann with cheer\n# a remark\n\nmood Ann\n".repeat(20);
    let (exit, objects, talk) = run_with_file_limit(&home, Some(blocks), &lines);
    assert_eq!(exit, 1, "{talk}");
    let objects: Vec<&Json> = objects
        .iter()
        .filter(|one| !is_continuation_notice(one))
        .collect();
    let (last, answered) = objects.split_last().unwrap();
    assert_eq!(last["error"]["code"], "save/disk-full");
    let line = last["error"]["line"].as_u64().unwrap();
    let stopped = format!(
        "stopped at stdin:{line}: all answered commands are saved, and the lines after it were not run"
    );
    assert!(talk.contains(&stopped), "{talk}");
    assert_eq!(
        answered.len() as u64,
        (line - 1) / 2,
        "each line before it has an answer"
    );
    let now = answered
        .iter()
        .map(|one| mood_in_answer(one))
        .next_back()
        .unwrap();
    let kept = journal_text(&home).lines().count() - before.lines().count();
    assert_eq!(kept, answered.len() / 2);
    let (exit, objects, talk) =
        run_with_file_limit(&home, None, "mood Ann\ncharm Ann with cheer\n");
    assert_eq!((exit, talk.contains("torn")), (0, false), "{talk}");
    let moods: Vec<i64> = objects.iter().skip(1).map(mood_in_answer).collect();
    assert_eq!(moods[0], now, "{objects:?}");
    assert!(moods[1] > now, "{moods:?}");
}

/// Recorded rules, a large operation and a snapshot are all files that may not fit.
#[test]
fn a_full_disk_refuses_new_rules_and_large_operations_too() {
    let home = Scratch::with_lasting_commands();
    create_saved_mini_game(&home, &game_folder(&home), &["charm Ann with cheer"]);
    let before = journal_text(&home);
    let blocks = before.len() as u64 / 512 + 20;
    let (exit, objects, _) = run_with_file_limit(
        &home,
        Some(blocks),
        "hoard 1\nmood Ann\ncharm Ann with cheer\nmood Ann\n",
    );
    let codes: Vec<&Json> = objects.iter().map(|one| &one["error"]["code"]).collect();
    assert_eq!(
        (exit, codes[1].as_str()),
        (1, Some("save/disk-full")),
        "{objects:?}"
    );
    assert_eq!(mood_in_answer(&objects[2]), 6);
    assert!(codes[3].is_null(), "what is small still fits: {objects:?}");
    assert_eq!(mood_in_answer(&objects[4]), mood_in_answer(&objects[3]));
    let grown = format!("-- {}\nreturn {{}}\n", "x".repeat(60_000));
    home.write("scripts/mini/pipeline/grown.luau", grown);
    let before = journal_text(&home);
    let (_, objects, _) = run_with_file_limit(
        &home,
        Some(before.len() as u64 / 512 + 20),
        "charm Ann with cheer\nmood Ann\n",
    );
    assert_eq!(objects[1]["error"]["code"], "save/disk-full", "{objects:?}");
    assert_eq!(journal_text(&home), before);
    let (exit, objects, talk) =
        run_with_file_limit(&home, None, "charm Ann with cheer\nhoard 2\nundo\n");
    assert_eq!(exit, 0, "{objects:?} {talk}");
}

#[test]
fn a_game_that_does_not_fit_is_not_begun() {
    let home = Scratch::mini();
    for blocks in [0, 1, 2] {
        let (exit, _, talk) = run_with_file_limit(&home, Some(blocks), "mood Ann\n");
        assert_eq!(exit, 3, "{talk}");
        assert!(
            talk.contains("error[save/disk-full]: the disk is full, nothing was saved"),
            "{talk}"
        );
        assert!(!Path::exists(&game_folder(&home)), "nothing is left");
        let left = fs::read_dir(home.path()).unwrap().filter_map(Result::ok);
        let left = left.filter(|one| one.file_name().to_string_lossy().starts_with('.'));
        assert_eq!(left.count(), 0);
    }
    let (exit, _, talk) = run_with_file_limit(&home, None, "mood Ann\n");
    assert_eq!(exit, 0, "{talk}");
}
