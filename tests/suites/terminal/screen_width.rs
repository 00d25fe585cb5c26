//! Changes the screen size during play: text is wrapped between words, at the present width.

use std::process::Command;

use arbiter_tests::Scratch;

use rexpect::session::spawn_command;

use super::{PATIENCE_MS, start_mini_in_screen};

#[test]
fn what_is_said_is_broken_between_words_at_the_width_of_now() {
    let home = Scratch::mini();
    let mut session = start_mini_in_screen(home.path(), "rows 40 cols 200; tty > terminal");
    let terminal = std::fs::read_to_string(home.path().join("terminal")).unwrap();
    let resized = Command::new("stty")
        .args(["-F", terminal.trim(), "cols", "40"])
        .status()
        .unwrap();
    assert!(resized.success());
    session
        .send_line("quti with a line that no command of this game begins with at all")
        .unwrap();
    session.exp_string("error[phrase/no-match]").unwrap();
    session
        .send_line("open a folder that is not there")
        .unwrap();
    session.exp_string("error[save/no-game]").unwrap();
    let narrow = session.exp_regex("mini[a-z0-9 ]*> \r").unwrap().0;
    let is_within = |line: &str| line.trim_end().chars().count() <= 40;
    assert!(narrow.lines().all(is_within), "{narrow}");
}

/// The findings of `check` and `test` are results, but people read them on a screen.
#[test]
fn findings_that_are_results_are_broken_between_words() {
    let home = Scratch::mini();
    home.command("dig", "error(('nobody digs here '):rep(9))");
    home.write(
        "scripts/mini/commands/dig.test.txt",
        "--- digging is a mistake\n> dig\n| done\n",
    );
    home.write(
        "scripts/mini/commands/dug.luau",
        "return command { source = \"x\", summary = \"x\", syntax = \"dug {who: Nobody of all these people}\" }\n",
    );
    let program = env!("CARGO_BIN_EXE_arbiter-under-test");
    for words in ["check scripts", "test scripts/mini/commands/dig.test.txt"] {
        let line = format!("stty rows 40 cols 60; '{program}' {words} --color never");
        let mut command = Command::new("sh");
        command
            .current_dir(home.path())
            .args(["-c", &line])
            .env("XDG_STATE_HOME", home.path().join("state"))
            .env("XDG_CACHE_HOME", home.path().join("cache"))
            .env("TERM", "xterm")
            .env_remove("ARBITER_HOME");
        let mut session = spawn_command(command, Some(PATIENCE_MS)).unwrap();
        let said = session.exp_eof().unwrap();
        let found = match words {
            "check scripts" => "schema/missing-key",
            _ => "error[script/error]",
        };
        assert!(said.contains(found), "{words}: {said}");
        // Lines of files and of transcripts stay as they are.
        let is_prose = |line: &&str| !line.contains(" | ") && !line.trim_start().starts_with("+ ");
        let prose = said.lines().filter(is_prose);
        let wide: Vec<&str> = prose
            .filter(|line| line.trim_end().chars().count() > 60)
            .collect();
        assert!(wide.is_empty(), "{words}: {wide:?}");
    }
}
