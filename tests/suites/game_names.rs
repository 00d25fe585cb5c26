//! Tests names of saved games: missing, packed, read-only, or kept by a fork.

use std::fs;

use arbiter_tests::Scratch;

use super::game_transfer::{
    MINI_ARGUMENTS, arbiter_in_home, play_and_collect_talk, run_and_collect_answers,
};

#[test]
fn what_is_only_looked_at_is_not_begun() {
    let home = Scratch::mini();
    run_and_collect_answers(
        &home,
        &[&MINI_ARGUMENTS[..], &["--game", "games/one"]].concat(),
        "charm Ann with cheer\n",
    );
    let run = |arguments: &[&str]| {
        let arguments = [&["run", "-", "--read-only"], arguments].concat();
        let output = arbiter_in_home(&home, &arguments)
            .write_stdin("mood Ann\n")
            .output()
            .unwrap();
        let talk = String::from_utf8(output.stderr).unwrap();
        (output.status.code().unwrap(), talk)
    };
    for (arguments, hint) in [
        (&["--game", "games/ono"][..], "did you mean \"games/one\"?"),
        (&["--ruleset", "mini"][..], "there is games/one"),
    ] {
        let (exit, talk) = run(arguments);
        assert_eq!(exit, 2, "{arguments:?} {talk}");
        assert!(
            talk.contains("save/no-game") && talk.contains(hint),
            "{talk}"
        );
    }
    for arguments in [
        &["games/ono", "--read-only", "--ruleset", "mini"][..],
        &["mini", "--read-only"],
        &["--read-only", "--game", "games/ono"],
    ] {
        let (exit, _, talk) = play_and_collect_talk(&home, arguments, "");
        assert_eq!(exit, 2, "{arguments:?} {talk}");
        assert!(talk.contains("save/no-game"), "{arguments:?} {talk}");
    }
    let games = fs::read_dir(home.path().join("games")).unwrap().count();
    assert_eq!(games, 1);
    assert_eq!(run(&["--game", "games/one"]).0, 0);
}

#[test]
fn syncing_in_groups_is_said() {
    let home = Scratch::mini();
    let group = [&MINI_ARGUMENTS[..], &["--sync", "group"]].concat();
    let (_, _, talk) = run_and_collect_answers(
        &home,
        &[&group[..], &["--game", "one"]].concat(),
        "mood Ann\n",
    );
    assert_eq!(talk.matches("saved in groups").count(), 1, "{talk}");
    let (_, _, talk) = run_and_collect_answers(&home, &group, "mood Ann\n");
    assert!(!talk.contains("groups"), "nothing is kept: {talk}");
    let (_, _, talk) = play_and_collect_talk(&home, &["one", "--sync", "group"], "mood Ann\n");
    assert!(talk.contains("save/sync"), "{talk}");
    let (_, _, talk) = play_and_collect_talk(&home, &["one"], "mood Ann\n");
    assert!(!talk.contains("save/sync"), "{talk}");
}

#[test]
fn a_verb_that_finds_no_game_says_which_there_are() {
    let home = Scratch::mini();
    let lines = "charm Ann with cheer\npack to with blank/g.tar\n";
    let (exit, texts, _) = run_and_collect_answers(
        &home,
        &[&MINI_ARGUMENTS[..], &["--game", "games/one"]].concat(),
        lines,
    );
    assert_eq!(exit, 0, "{texts:?}");
    assert!(home.path().join("with blank/g.tar").is_file());
    assert!(
        texts
            .concat()
            .contains("arbiter play 'with blank/g.tar'` unpacks"),
        "{texts:?}"
    );
    let told = |arguments: &[&str]| {
        let output = arbiter_in_home(&home, arguments).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (
            output.status.code().unwrap(),
            text(output.stdout) + &text(output.stderr),
        )
    };
    for verb in [
        &["verify", "with blank/g.tar"][..],
        &["recover", "with blank/g.tar", "x"],
    ] {
        let (exit, text) = told(verb);
        assert_eq!(exit, 2, "{text}");
        assert!(
            text.contains("is a file, not the folder of a game"),
            "{text}"
        );
        assert!(
            text.contains("arbiter play 'with blank/g.tar'` unpacks"),
            "{text}"
        );
    }
    for verb in [
        &["verify", "zork"][..],
        &["recover", "zork", "x"],
        &["export", "zork"],
    ] {
        let (exit, text) = told(verb);
        assert_eq!(exit, 2, "{text}");
        assert!(text.contains("there is games/one"), "{text}");
    }
    let (exit, text) = told(&["verify", "one"]);
    assert_eq!(exit, 0, "a name among the games will do: {text}");
    let (_, _, talk) = play_and_collect_talk(&home, &["one"], "open zork\n");
    assert!(talk.contains("there is games/one"), "{talk}");
    for copy in ["games/one/x", "games/one/a/b", "games/one"] {
        let (exit, text) = told(&["recover", "one", copy]);
        assert_eq!(exit, 2, "{text}");
        assert!(text.contains("save/within"), "{text}");
    }
    assert!(!home.path().join("games/one/a").exists());
    let (_, _, talk) = play_and_collect_talk(&home, &["one"], "save games/one/a/b\n");
    assert!(talk.contains("save/within"), "{talk}");
    assert!(!home.path().join("games/one/a").exists());
}

#[test]
fn a_game_that_a_fork_keeps_is_reached_as_the_fork() {
    let home = Scratch::mini();
    let lines = "fork b\nsave to own\nfork main\nopen own\nfork b\nopen ./one\nfork main\nfork drop b\nopen own\nmood Ann\n";
    let hint = "`fork b` leads there; after `fork drop b` you can open it";
    let (exit, texts, talk) = {
        let arguments = [&MINI_ARGUMENTS[..], &["--game", "one", "--keep-going"]].concat();
        run_and_collect_answers(&home, &arguments, lines)
    };
    assert_eq!(exit, 1, "{talk}");
    let codes: Vec<&String> = texts
        .iter()
        .filter(|text| text.starts_with("save/"))
        .collect();
    assert_eq!(codes, ["save/open", "save/open"], "{texts:?}");
    assert_eq!(texts.last().map(String::as_str), Some("Ann feels 4."));
    fs::remove_dir_all(home.path().join("own")).unwrap();
    let (_, out, talk) = play_and_collect_talk(&home, &["./one"], lines);
    assert!(
        talk.contains(hint) && !talk.contains("in use by"),
        "{out} {talk}"
    );
}
