//! Tests the transfer of games: saved, packed, opened elsewhere and under other rules, with waiting
//! rulings.

use std::fs;
use std::path::PathBuf;

use arbiter_tests::{Scratch, open_read_only};
use assert_cmd::Command;
use host::game::{RulesChoice, Solo};

use super::program::run_lines;

/// Returns the program in its own home, with answers in JSON.
pub(crate) fn arbiter_in_home(home: &Scratch, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arbiter-under-test"));
    command
        .current_dir(home.path())
        .env_remove("ARBITER_HOME")
        .env_remove("ARBITER_GAMES")
        .env("XDG_STATE_HOME", home.path().join("state"))
        .env("XDG_CACHE_HOME", home.path().join("cache"))
        .env("NO_COLOR", "1")
        .args(arguments);
    command
}

/// Runs lines and returns the exit code, the texts and codes of the answers, and the error output.
pub(crate) fn run_and_collect_answers(
    home: &Scratch,
    arguments: &[&str],
    lines: &str,
) -> (i32, Vec<String>, String) {
    let arguments = [&["run", "-", "--format", "json"], arguments].concat();
    let (exit, objects, talk) = run_lines(&mut arbiter_in_home(home, &arguments), lines);
    let text = |object: &serde_json::Value| {
        let part = |key: &str| object[key].as_str().map(str::to_owned);
        part("text").or_else(|| object["error"]["code"].as_str().map(str::to_owned))
    };
    (exit, objects.iter().filter_map(text).collect(), talk)
}

/// Plays lines without a terminal, and returns the exit code, the results and the error output.
pub(crate) fn play_and_collect_talk(
    home: &Scratch,
    arguments: &[&str],
    lines: &str,
) -> (i32, String, String) {
    let mut command = arbiter_in_home(home, &[&["play"], arguments].concat());
    let output = command.write_stdin(lines).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (
        output.status.code().unwrap(),
        text(output.stdout),
        text(output.stderr),
    )
}

/// Returns all entries of a history.
fn history_entries(solo: &Solo) -> Vec<String> {
    let operations = solo.timeline().history().operations().iter();
    let names = solo.timeline().state().names();
    let told = operations.map(|one| {
        let changes = one.changes.iter().map(|change| {
            let (row, field) = (names.text(change.row), names.text(change.field));
            format!("{row}.{field} {:?} {:?}", change.old, change.new)
        });
        let (inputs, documents, causes) = (&one.inputs, &one.documents, &one.causes);
        format!(
            "{} {} {} {} {:?} {inputs:?} {documents:?} {causes:?} {} {:?}",
            one.seq,
            one.by,
            one.command,
            one.rules,
            one.slot,
            one.state,
            changes.collect::<Vec<_>>()
        )
    });
    told.collect()
}

pub(crate) const MINI_ARGUMENTS: [&str; 4] = ["--ruleset", "mini", "--seed", "x"];

#[test]
fn a_game_that_was_packed_goes_on_elsewhere_with_the_rules_it_was_kept_with() {
    let (here, there) = (Scratch::mini(), Scratch::mini());
    let lines = "charm Ann with cheer\nthrow 4d6\nundo\nthrow 3d20\npack\n";
    let (exit, texts, talk) = run_and_collect_answers(
        &here,
        &[&MINI_ARGUMENTS[..], &["--game", "games/one"]].concat(),
        lines,
    );
    assert_eq!(exit, 0, "{texts:?} {talk}");
    assert!(
        texts.last().unwrap().contains("compute future dice"),
        "{texts:?}"
    );
    // The other machine has different rules with the same name.
    there.edit("scripts/mini/commands/mood.luau", " feels ", " is at ");
    fs::create_dir(there.path().join("mail")).unwrap();
    fs::copy(
        here.path().join("games/one.tar"),
        there.path().join("mail/one.tar"),
    )
    .unwrap();
    let (exit, out, talk) = play_and_collect_talk(
        &there,
        &["mail/one.tar", "--rules", "recorded"],
        "mood Ann\nthrow 1d20\n",
    );
    assert_eq!(exit, 0, "{out} {talk}");
    assert!(
        talk.contains("unpacked mail/one.tar into mail/one"),
        "{talk}"
    );
    assert!(talk.contains("save/recorded-rules"), "{talk}");
    assert!(out.contains("Ann feels"), "{out}");
    let throw = |text: &str| {
        text.lines()
            .find(|line| line.contains("1d20"))
            .unwrap()
            .to_owned()
    };
    let (_, out_here, _) = play_and_collect_talk(&here, &["games/one"], "throw 1d20\n");
    assert_eq!(throw(&out), throw(&out_here), "the same dice come");
    let (mine, theirs) = (
        open_read_only(&here.path().join("games/one"), &here, RulesChoice::Now),
        open_read_only(
            &there.path().join("mail/one"),
            &there,
            RulesChoice::Recorded,
        ),
    );
    assert_eq!(
        mine.timeline().state().hash(),
        theirs.timeline().state().hash()
    );
    assert_eq!(
        mine.timeline().state().recomputed_hash(),
        theirs.timeline().state().recomputed_hash()
    );
    assert_eq!(history_entries(&mine), history_entries(&theirs));
    let (exit, out, talk) = play_and_collect_talk(&there, &["mail/one"], "mood Ann\n");
    assert_eq!(exit, 0, "{talk}");
    assert!(out.contains("Ann is at"), "the rules of now: {out}");
    assert!(
        talk.contains("save/other-rules") && talk.contains("--rules recorded"),
        "{talk}"
    );
    let (exit, _, talk) = play_and_collect_talk(&there, &["mail/one.tar"], "");
    assert_eq!(exit, 2);
    assert!(talk.contains("arbiter play mail/one"), "{talk}");
}

/// With its recorded rules, a game needs no home.
#[test]
fn a_packed_game_is_played_where_there_are_no_rules() {
    let here = Scratch::mini();
    let lines = "charm Ann with cheer\npack";
    run_and_collect_answers(
        &here,
        &[&MINI_ARGUMENTS[..], &["--game", "one"]].concat(),
        lines,
    );
    let empty = tempfile::tempdir().unwrap();
    fs::copy(here.path().join("one.tar"), empty.path().join("one.tar")).unwrap();
    let mut command = arbiter_in_home(&here, &["play", "one.tar", "--rules", "recorded"]);
    let output = command
        .current_dir(empty.path())
        .write_stdin("mood Ann\n")
        .output()
        .unwrap();
    let talk = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        String::from_utf8_lossy(&output.stdout).contains("Ann feels 6."),
        "{talk}"
    );
}

#[test]
fn open_leaves_a_game_that_is_kept_and_asks_before_one_is_lost() {
    let home = Scratch::mini();
    run_and_collect_answers(
        &home,
        &[&MINI_ARGUMENTS[..], &["--game", "games/one"]].concat(),
        "charm Ann with cheer\n",
    );
    let lines = "charm Bo with gloom\nopen one\nsave games/two\nopen one\nmood Ann\nopen games/two\nmood Bo\nopen tow\nmood Bo\nopen games/two\n";
    let (_, texts, talk) = run_and_collect_answers(
        &home,
        &[&MINI_ARGUMENTS[..], &["--keep-going"]].concat(),
        lines,
    );
    let expected = [
        "Bo feels 2.",
        "save/not-kept",
        "saved in games/two from now on: every command is saved there before its answer appears",
        "the game continues after log line 2 charm Ann with cheer",
        "Ann feels 6.",
        "the game continues after log line 2 charm Bo with gloom",
        "Bo feels 2.",
        "save/no-game",
        "Bo feels 2.",
        "save/open",
    ];
    assert_eq!(texts, expected, "{talk}");
    // In the REPL, opening the current game again selects other rules; a failed opening changes
    // nothing.
    home.edit("scripts/mini/commands/mood.luau", " feels ", " is at ");
    let lines = "mood Ann\nopen games/one --rules recorded\nmood Ann\nopen nothing\nopen scripts\ncharm Ann with cheer\nopen two\nmood Bo\n";
    let (_, out, talk) = play_and_collect_talk(&home, &["one"], lines);
    let moods: Vec<&str> = out
        .lines()
        .filter(|line| line.contains("Ann ") || line.contains("Bo "))
        .collect();
    assert_eq!(
        moods,
        [
            "the game continues after log line 2 charm Ann with cheer",
            "Ann is at 6.",
            "the game continues after log line 2 charm Ann with cheer",
            "Ann feels 6.",
            "Ann feels 8.",
            "the game continues after log line 2 charm Bo with gloom",
            "Bo is at 2.",
        ],
        "{talk}"
    );
    assert!(
        talk.contains("to continue, type `arbiter play games/two`"),
        "{talk}"
    );
    home.write("scripts/mini/ruleset.luau", "return ruleset {");
    let (exit, out, talk) = play_and_collect_talk(
        &home,
        &["one", "--rules", "recorded"],
        "open one --rules now\nmood Ann\n",
    );
    assert_eq!(exit, 0);
    assert!(
        talk.contains("the present game continues") && out.contains("Ann feels 8."),
        "{out} {talk}"
    );
}

/// Returns a home with a command that asks a question; `change_asking_command` changes its question
/// and text.
fn home_with_asking_command() -> Scratch {
    let home = Scratch::mini();
    home.command(
        "dare",
        "local face = act:roll('1d20', 'dare')
         local sure = act:ask({ to = 'Ann', key = 'sure', type = 'YesNo', text = 'Sure?' })
         return 'old ' .. tostring(sure) .. ' ' .. face",
    );
    home
}

fn change_asking_command(home: &Scratch) {
    home.command(
        "dare",
        "local face = act:roll('1d6', 'other')
         local sure = act:ask({ to = 'Ann', key = 'really', type = 'YesNo', text = 'Really?' })
         return 'new ' .. tostring(sure)",
    );
}

#[test]
fn what_waits_survives_the_program_and_is_answered_finished_restarted_or_dropped() {
    let face = {
        let home = home_with_asking_command();
        let (_, texts, _) = run_and_collect_answers(&home, &MINI_ARGUMENTS, "dare\nanswer yes\n");
        texts.last().unwrap().rsplit(' ').next().unwrap().to_owned()
    };
    let old = format!("old true {face}");
    // (whether the rule changes meanwhile, the text then, the result)
    let cases: [(bool, &str, &[&str]); 6] = [
        (false, "answer yes", &[&old]),
        (false, "drop", &["dropped: 2 dare"]),
        (true, "answer yes", &["ask/stale"]),
        (true, "finish\nanswer yes", &[&old]),
        (true, "restart\nanswer yes", &["new true"]),
        (true, "drop\nundo\nfinish\nanswer yes", &[&old]),
    ];
    for (is_changed, lines, expected) in cases {
        let home = home_with_asking_command();
        let game = ["--game", "g"];
        let (exit, _, talk) =
            run_and_collect_answers(&home, &[&MINI_ARGUMENTS[..], &game].concat(), "dare\n");
        assert_eq!(exit, 0, "{talk}");
        if is_changed {
            change_asking_command(&home);
        }
        let (_, out, talk) = play_and_collect_talk(&home, &["./g"], "");
        assert!(
            out.contains("1 question is open; `questions` shows it"),
            "{out} {talk}"
        );
        assert_eq!(
            out.contains("started under other rules"),
            is_changed,
            "{out}"
        );
        let (_, texts, talk) = run_and_collect_answers(&home, &game, lines);
        let last = texts.last().map(String::as_str).unwrap_or_default();
        assert_eq!([last], expected, "{lines}: {texts:?} {talk}");
    }
    // Finished in one session and answered in the next: the old rules come from the folder of the
    // game.
    let home = home_with_asking_command();
    run_and_collect_answers(
        &home,
        &[&MINI_ARGUMENTS[..], &["--game", "g"]].concat(),
        "dare\n",
    );
    change_asking_command(&home);
    run_and_collect_answers(&home, &["--game", "g"], "finish\n");
    let (_, texts, _) = run_and_collect_answers(&home, &["--game", "g"], "answer yes\n");
    assert_eq!(texts.last(), Some(&old));
    let (_, texts, _) =
        run_and_collect_answers(&home, &["--game", "g"], "undo\nundo\nrestart\nanswer no\n");
    assert_eq!(
        texts.last().map(String::as_str),
        Some("new false"),
        "{texts:?}"
    );
}

#[test]
fn a_broken_game_is_refused_and_recovered_in_a_copy() {
    let home = Scratch::mini();
    let lines = "charm Ann with cheer\ncharm Bo with gloom\nthrow 2d6\n";
    run_and_collect_answers(
        &home,
        &[&MINI_ARGUMENTS[..], &["--game", "one"]].concat(),
        lines,
    );
    let journal = home.path().join("one/journal.jsonl");
    let text = fs::read_to_string(&journal).unwrap();
    fs::write(&journal, text.replacen("charm Bo", "charm Xo", 1)).unwrap();
    let (exit, _, talk) = play_and_collect_talk(&home, &["./one"], "");
    assert_eq!(exit, 3, "{talk}");
    assert!(
        talk.contains("save/broken") && talk.contains("`arbiter recover ./one COPY`"),
        "{talk}"
    );
    let recover = |arguments: &[&str]| {
        let output = arbiter_in_home(&home, &[&["recover"], arguments].concat())
            .output()
            .unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (
            output.status.code().unwrap(),
            text(output.stdout) + &text(output.stderr),
        )
    };
    let (exit, said_of) = recover(&["one", "mended"]);
    assert_eq!(exit, 0, "{said_of}");
    for part in [
        "saved 2 log lines in mended",
        "line 4 of the journal is broken",
        "mended/journal.broken",
        "`arbiter play mended` continues the game",
    ] {
        assert!(said_of.contains(part), "{part} in {said_of}");
    }
    let (exit, out, talk) =
        play_and_collect_talk(&home, &["./mended"], "mood Ann\ncharm Bo with gloom\n");
    assert_eq!(exit, 0, "{talk}");
    assert!(
        out.contains("Ann feels 6.") && out.contains("Bo feels 2."),
        "{out}"
    );
    assert_eq!(recover(&["one", "mended"]).0, 2, "the copy is there");
    assert_eq!(recover(&["scripts", "copy"]).0, 2, "no game");
    assert_eq!(recover(&["one"]).0, 2);
    let (exit, json) = recover(&["mended", "again", "--format", "json"]);
    assert_eq!(exit, 0);
    let json: serde_json::Value = serde_json::from_str(json.trim()).unwrap();
    assert_eq!(
        (&json["operations"], &json["fault"]),
        (&3.into(), &serde_json::Value::Null)
    );
}

#[test]
fn a_copy_without_the_line_that_revealed_the_seed_warns_until_it_is_revealed_again() {
    let home = Scratch::mini();
    let arguments = [&MINI_ARGUMENTS[..], &["--game", "one"]].concat();
    run_and_collect_answers(&home, &arguments, "throw 2d6\nreveal\nundo\n");
    let journal = home.path().join("one/journal.jsonl");
    let text = fs::read_to_string(&journal).unwrap();
    fs::write(&journal, text.replacen("\"reveal\"", "\"revael\"", 1)).unwrap();
    let output = arbiter_in_home(&home, &["recover", "one", "mended"]).output();
    let said = String::from_utf8(output.unwrap().stdout).unwrap();
    assert!(said.contains("saved 2 log lines in mended"), "{said}");
    assert!(
        said.contains("the left-out part reveals the seed"),
        "{said}"
    );
    let talk_of = |lines: &str| {
        let (_, out, talk) = play_and_collect_talk(&home, &["./mended"], lines);
        out + &talk
    };
    for lines in ["", "throw 2d6\nreveal\n"] {
        let talk = talk_of(lines);
        assert!(talk.contains("warning[save/seed-revealed]"), "{talk}");
    }
    let talk = talk_of("throw 2d6\n");
    assert!(!talk.contains("save/seed-revealed"), "{talk}");
    assert!(talk.contains("the seed is revealed"), "{talk}");
}

#[test]
fn a_slip_in_the_name_of_a_game_begins_no_new_one() {
    let home = Scratch::mini();
    run_and_collect_answers(
        &home,
        &[&MINI_ARGUMENTS[..], &["--game", "games/mini-1"]].concat(),
        "charm Ann with cheer\n",
    );
    for (named, hint) in [
        ("gmaes/mini-1", "did you mean \"games/mini-1\"?"),
        ("games/mini-2", "did you mean \"games/mini-1\"?"),
        ("mini-2", "did you mean"),
        ("games", "games found below it: games/mini-1"),
    ] {
        let (exit, _, talk) = play_and_collect_talk(&home, &[named], "");
        assert_eq!(exit, 2, "{named} {talk}");
        assert!(talk.contains(hint), "{named}: {talk}");
    }
    assert!(!home.path().join("gmaes").exists() && !home.path().join("games/mini-2").exists());
    // The full name is not a mistyped one.
    let (exit, _, talk) = play_and_collect_talk(&home, &["games/mini-2", "--ruleset", "mini"], "");
    assert_eq!(exit, 0, "{talk}");
    assert!(
        talk.contains("to continue, type `arbiter play games/mini-2`"),
        "{talk}"
    );
    let (exit, out, _) = play_and_collect_talk(&home, &["mini-1"], "mood Ann\n");
    assert!(exit == 0 && out.contains("Ann feels 6."), "{out}");
    // With several rulesets the intended one is unknown.
    for part in ["scripts", "content"] {
        let mini = home.path().join(part).join("mini");
        home.copy(&mini, &format!("{part}/maxi"));
    }
    let (exit, _, talk) = play_and_collect_talk(&home, &["far/away"], "");
    assert_eq!(exit, 2);
    assert!(
        talk.contains("arbiter play far/away --ruleset NAME")
            && talk.contains("rulesets: maxi, mini"),
        "{talk}"
    );
}

#[test]
fn an_older_game_is_refused_by_its_format_and_left_alone() {
    let home = Scratch::mini();
    run_and_collect_answers(
        &home,
        &[&MINI_ARGUMENTS[..], &["--game", "one"]].concat(),
        "charm Ann with cheer\n",
    );
    let journal: PathBuf = home.path().join("one/journal.jsonl");
    let text = fs::read_to_string(&journal).unwrap();
    let first = text.lines().next().unwrap().split_once('\t').unwrap().0;
    let first = first.replacen("\"v\":1", "\"v\":0", 1);
    let (line, _) = host::store::archive::Chain::default().next_line(first.as_bytes());
    fs::write(&journal, &line).unwrap();
    for arguments in [&["./one"][..], &["./one", "--game", "new"]] {
        let (exit, _, talk) = play_and_collect_talk(&home, arguments, "");
        assert_eq!(exit, 2, "{talk}");
        assert!(
            talk.contains("has the older format 0") && talk.contains("games of format 0"),
            "{talk}"
        );
    }
    let (_, texts, _) = run_and_collect_answers(&home, &["--game", "one"], "mood Ann\n");
    assert_eq!(texts, ["save/older-version"]);
    assert_eq!(fs::read(&journal).unwrap(), line);
}

/// A test file beside the scripts belongs to the author of the rules and writes nothing to disk. A
/// saved game can be verified from its folder during play; a game in memory cannot.
#[test]
fn the_game_at_hand_is_verified() {
    let home = Scratch::mini();
    let (exit, out, talk) = play_and_collect_talk(
        &home,
        &["mini", "--game", "one"],
        "roll 2d6\nverify\nverify dice\n",
    );
    assert_eq!(exit, 0, "{talk}");
    assert_eq!(
        out.matches("log lines: 2 are the same, 0 were not run, 0 differ")
            .count(),
        2,
        "{out}"
    );
    assert!(out.contains("faces: 2 from the seed"), "{out}");
    let (_, out, talk) =
        play_and_collect_talk(&home, &["mini", "--in-memory"], "verify\nas Ann\nverify\n");
    assert!(
        !out.contains("log lines:") && talk.contains("save/in-memory"),
        "{out} {talk}"
    );
    assert!(talk.contains("host/gm-only"), "{talk}");
}

#[test]
fn a_transcript_saves_and_packs_nothing() {
    let home = Scratch::mini();
    home.write(
        "scripts/mini/commands/mood.test.txt",
        "--- nothing is saved\n> charm Ann with cheer\n| Ann feels 6.\n> save stolen\n> pack stolen\n> open stolen anyway\n> mood Nobody\n| error[phrase/unknown-name]: x\n",
    );
    let output = arbiter_in_home(&home, &["test"]).output().unwrap();
    assert!(output.status.code().is_some());
    assert!(!home.path().join("stolen").exists() && !home.path().join("stolen.tar").exists());
}

#[test]
fn without_its_secret_a_game_says_what_was_promised_and_that_no_dice_come_along() {
    let home = Scratch::mini();
    let begun = ["--game", "g", "--ruleset", "mini"];
    assert_eq!(run_and_collect_answers(&home, &begun, "throw 1d6\n").0, 0);
    let game = home.path().join("g");
    let first = fs::read_to_string(game.join("journal.jsonl")).unwrap();
    let first = first.lines().next().unwrap();
    let promised = &first[first.find("\"seed\":\"").unwrap() + 8..][..64];
    let zeros = "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925";
    // A wrong secret counts as a missing one.
    for other in [None, Some([1; 32])] {
        let secret = game.join("secret");
        match other {
            None => fs::remove_file(&secret).unwrap(),
            Some(bytes) => fs::write(&secret, bytes).unwrap(),
        }
        let name = format!("copy-{}", other.is_some());
        let lines =
            format!("save {name}\npack {name}\nfork trial\nthrow 1d6\nreveal\nsave mine\nquit\n");
        let (_, said, talk) = play_and_collect_talk(&home, &["g"], &lines);
        let all = format!("{said}{talk}").replace('\n', " ");
        let commitment = format!("commitment: {promised} (the secret itself is missing)");
        assert!(talk.contains(&commitment), "{all}");
        for text in [
            "read-only: the file \"secret\", which all dice come from, is missing",
            "no dice can be rolled",
            "without future dice, because the file \"secret\" is missing",
            "is missing, so the packed game is read-only",
            "dice/no-secret",
            "reveal/no-secret",
            "save/secret",
        ] {
            assert!(all.contains(text), "{text}: {all}");
        }
        for text in [
            zeros,
            "opened to look at it",
            "same future dice",
            "compute future dice",
        ] {
            assert!(!all.contains(text), "{text}: {all}");
        }
        assert!(!home.path().join("mine").exists());
        let exported = arbiter_in_home(&home, &["export", "g"]).output().unwrap();
        let exported = String::from_utf8(exported.stdout).unwrap();
        assert!(
            exported.contains(promised) && !exported.contains(zeros),
            "{exported}"
        );
    }
}
