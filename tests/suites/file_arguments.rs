//! Tests commands that read files, when the files change or disappear later: the read content
//! belongs to the ruling.

use std::fs;

use arbiter_tests::Scratch;
use sha2::{Digest, Sha256};

use super::game_transfer::{MINI_ARGUMENTS, arbiter_in_home, run_and_collect_answers};

const ONE_NEWCOMER: &str = r#"{ "people": [{ "name": "Cid", "mood": 7 }] }"#;
const OTHER_NEWCOMER: &str = r#"{ "people": [{ "name": "Dora" }] }"#;

/// Returns a home that asks about each newcomer in a file, if the file says so.
fn home_importing_newcomers() -> Scratch {
    let home = Scratch::mini();
    home.write("came.json", ONE_NEWCOMER).write(
        "asking.json",
        r#"{ "ask": true, "people": [{ "name": "Eli" }] }"#,
    );
    home.edit(
        "scripts/mini/loaders/newcomers.luau",
        "    local names =",
        "    if file.data.ask and not act:ask({ to = \"gm\", key = \"come\", type = \"YesNo\", default = false, text = \"Shall they come?\" }) then\n\
         return act:fail(\"no\", \"they do not come\")\nend\n    local names =",
    );
    home
}

/// Runs lines in a saved game and returns the exit code and the answers.
fn run_lines_in_saved_game(home: &Scratch, more: &[&str], lines: &str) -> (i32, Vec<String>) {
    let (exit, mut texts, talk) = run_and_collect_answers(home, more, lines);
    assert!(!talk.contains("panicked"), "{talk}");
    texts.retain(|text| !text.starts_with("the game continues after"));
    (exit, texts)
}

fn saved_game_arguments(game: &str) -> Vec<&str> {
    [&MINI_ARGUMENTS[..], &["--game", game]].concat()
}

/// Verifies a game under its own rules.
fn verify_saved_game(home: &Scratch, game: &str) -> String {
    let output = arbiter_in_home(home, &["verify", game, "--dice"])
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let (out, talk) = (text(output.stdout), text(output.stderr));
    assert_eq!(output.status.code(), Some(0), "{out}{talk}");
    out + &talk
}

#[test]
fn a_file_that_changes_or_goes_changes_no_ruling() {
    let home = home_importing_newcomers();
    let given = "throw d6\nload came.json\nundo\nredo\n";
    let (exit, texts) = run_lines_in_saved_game(&home, &saved_game_arguments("g"), given);
    assert_eq!((exit, texts[1].as_str()), (0, "Cid came."), "{texts:?}");
    home.write("came.json", OTHER_NEWCOMER);
    verify_saved_game(&home, "g");
    // When a ruling runs again because of an earlier change, it uses the recorded content. A
    // replacement line reads the file on disk.
    let (_, texts) = run_lines_in_saved_game(&home, &["--game", "g"], "revert 2 yes\nmood Cid\n");
    assert_eq!(texts.last().unwrap(), "Cid feels 7.", "{texts:?}");
    let (_, texts) = run_lines_in_saved_game(
        &home,
        &["--game", "g"],
        "replace 3 yes with load came.json\nmood Dora\n",
    );
    assert_eq!(texts.last().unwrap(), "Dora feels 3.", "{texts:?}");
    home.remove("came.json");
    verify_saved_game(&home, "g");
    let (exit, texts) =
        run_lines_in_saved_game(&home, &["--game", "g"], "mood Dora\nload came.json\n");
    assert_eq!(texts, ["Dora feels 3.", "content/missing-file"]);
    assert_eq!(exit, 1);
    verify_saved_game(&home, "g");
}

#[test]
fn a_ruling_that_waits_keeps_the_file_it_began_with() {
    let home = home_importing_newcomers();
    let (_, texts) =
        run_lines_in_saved_game(&home, &saved_game_arguments("g"), "load asking.json\n");
    assert!(
        texts[0].starts_with("question 2.1: Shall they come?"),
        "{texts:?}"
    );
    home.remove("asking.json");
    let (_, texts) = run_lines_in_saved_game(&home, &["--game", "g"], "answer yes\nmood Eli\n");
    assert_eq!(texts, ["Eli came.", "Eli feels 3."]);
    verify_saved_game(&home, "g");
    // A restarted ruling would need the present file.
    let (_, texts) = run_lines_in_saved_game(&home, &["--game", "g"], "undo\nrestart\nprompts\n");
    assert!(texts.contains(&"ask/stale".to_owned()), "{texts:?}");
}

#[test]
fn a_path_may_hold_blanks_with_and_without_quotes() {
    let home = home_importing_newcomers();
    home.write("who came.json", ONE_NEWCOMER);
    for line in ["load who came.json\n", "load \"who came.json\"\n"] {
        let (exit, texts) = run_lines_in_saved_game(&home, &MINI_ARGUMENTS, line);
        assert_eq!((exit, texts[0].as_str()), (0, "Cid came."), "{line}");
    }
}

#[test]
fn a_file_is_as_large_as_a_data_file_may_be() {
    let home = home_importing_newcomers();
    let people: Vec<String> = (0..2_000)
        .map(|number| {
            format!(
                r#"{{ "name": "P{number}", "mood": 1, "about": "{}" }}"#,
                "x".repeat(900)
            )
        })
        .collect();
    home.write(
        "many.json",
        format!(r#"{{ "people": [{}] }}"#, people.join(",")),
    );
    let (exit, texts) = run_lines_in_saved_game(
        &home,
        &saved_game_arguments("g"),
        "load many.json\nmood P1999\n",
    );
    assert_eq!(
        (exit, texts[1].as_str()),
        (0, "P1999 feels 1."),
        "{:?}",
        texts.get(1)
    );
    fs::write(home.path().join("many.json"), "").unwrap();
    verify_saved_game(&home, "g");
    home.write("huge.json", "x".repeat((8 << 20) + 1));
    let (exit, texts) = run_lines_in_saved_game(&home, &["--game", "g"], "load huge.json\n");
    assert_eq!((exit, texts[0].as_str()), (5, "limit/size"));
}

#[test]
fn what_is_kept_of_a_file_of_data_is_its_text() {
    let home = home_importing_newcomers();
    home.write("moods.json", r#"{ "moods": { "Bo": 5, "Ann": 2 } }"#);
    let (exit, texts) =
        run_lines_in_saved_game(&home, &saved_game_arguments("g"), "load moods.json\n");
    assert_eq!((exit, &*texts[0]), (0, "Moods: Bo 5, Ann 2."), "{texts:?}");
    let journal = journal_text(&home);
    let text = r#""answer":{"name":"moods.json","reads":"json","text":"{ \"moods\": { \"Bo\": 5, \"Ann\": 2 } }"}"#;
    assert!(journal.contains(text), "{journal}");
    home.remove("moods.json");
    verify_saved_game(&home, "g");
}

/// Earlier versions stored the content of a file without order and places.
#[test]
fn a_ruling_that_kept_the_data_of_a_file_is_ruled_again_all_the_same() {
    let home = home_importing_newcomers();
    let given = "throw d6\nload came.json\nload strangers.json\n";
    home.write("strangers.json", r#"{ "moods": { "Zoe": 1, "Cid": 5 } }"#);
    let (_, texts) = run_lines_in_saved_game(&home, &saved_game_arguments("g"), given);
    assert_eq!(texts[1..], ["Cid came.", "mini/no-person"], "{texts:?}");
    let old = [
        (
            ONE_NEWCOMER,
            r#"{"people":[{"mood":7,"name":"Cid"}]}"#,
            "came.json",
        ),
        (
            r#"{ "moods": { "Zoe": 1, "Cid": 5 } }"#,
            r#"{"moods":{"Cid":5,"Zoe":1}}"#,
            "strangers.json",
        ),
    ];
    let mut journal = journal_text(&home);
    for (text, data, name) in old {
        let text = serde_json::Value::from(text).to_string();
        let new = format!(r#"{{"name":"{name}","reads":"json","text":{text}}}"#);
        assert_eq!(journal.matches(&new).count(), 1, "{journal}");
        let old = format!(r#"{{"data":{data},"name":"{name}"}}"#);
        journal = journal.replace(&new, &old);
    }
    // Data without places named no place.
    assert_eq!(
        journal.matches("strangers.json:1:14").count(),
        1,
        "{journal}"
    );
    journal = journal.replace("strangers.json:1:14", "strangers.json");
    let mut chain = String::new();
    let chained = journal.lines().map(|line| {
        let json = line.split_once('\t').unwrap().0;
        let hash = Sha256::digest(format!("{chain}{json}"));
        chain = hash.iter().map(|byte| format!("{byte:02x}")).collect();
        format!("{json}\t{chain}\n")
    });
    let chained: String = chained.collect();
    fs::write(home.path().join("g/journal.jsonl"), chained).unwrap();
    for name in ["came.json", "strangers.json"] {
        home.remove(name);
    }
    verify_saved_game(&home, "g");
    let (_, texts) = run_lines_in_saved_game(
        &home,
        &["--game", "g"],
        "undo\nredo\nrevert 2 yes\nmood Cid\n",
    );
    assert_eq!(texts.last().unwrap(), "Cid feels 7.", "{texts:?}");
    verify_saved_game(&home, "g");
}

fn journal_text(home: &Scratch) -> String {
    fs::read_to_string(home.path().join("g/journal.jsonl")).unwrap()
}

/// `~/` is the user's home folder wherever a path is typed: in the REPL and, in quotes, on the
/// command line.
#[test]
fn the_own_folder_is_found_wherever_a_path_is_typed() {
    let home = home_importing_newcomers();
    let own = tempfile::tempdir().unwrap();
    fs::write(own.path().join("came.json"), ONE_NEWCOMER).unwrap();
    let mut command = arbiter_in_home(
        &home,
        &[&["run", "-"], &saved_game_arguments("~/g")[..]].concat(),
    );
    let lines = "load ~/came.json\nmood Cid\nexport to ~/out.md\n";
    let done = command
        .env("HOME", own.path())
        .write_stdin(lines)
        .output()
        .unwrap();
    let talk = String::from_utf8_lossy(&done.stderr);
    assert_eq!(done.status.code(), Some(0), "{talk}");
    assert!(own.path().join("g").is_dir() && own.path().join("out.md").is_file());
    for arguments in [
        &["verify", "~/g"][..],
        &["export", "~/g", "--out", "~/other.md"],
    ] {
        let done = arbiter_in_home(&home, arguments)
            .env("HOME", own.path())
            .output()
            .unwrap();
        let talk = String::from_utf8_lossy(&done.stderr);
        assert_eq!(done.status.code(), Some(0), "{arguments:?}: {talk}");
    }
    assert!(own.path().join("other.md").is_file());
}
