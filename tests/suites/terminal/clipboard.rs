//! Copies posts to the clipboard of the terminal, and shows the posts of several readers one by one.

use std::process::Command;

use arbiter_tests::Scratch;
use rexpect::session::spawn_command;

use super::{PATIENCE_MS, start_mini};

/// The control sequence that copies "Ann feels 6.".
const COPIED: &str = "\x1b]52;c;QW5uIGZlZWxzIDYu\x07";

#[test]
fn a_post_is_copied_when_somebody_asks_for_it() {
    let home = Scratch::mini();
    let mut session = start_mini(home.path());
    session.send_line("charm Ann with cheer").unwrap();
    session.exp_string("Ann feels 6.").unwrap();
    session.send_line("post copy").unwrap();
    session.exp_string(COPIED).unwrap();
    session
        .exp_string("copied to the clipboard, if the terminal allows it")
        .unwrap();
}

#[test]
fn with_the_option_every_post_is_copied() {
    let home = Scratch::mini();
    let mut command = Command::new(env!("CARGO_BIN_EXE_arbiter-under-test"));
    command
        .current_dir(home.path())
        .args(["play", "mini", "--seed", "x", "--color", "never", "--copy"])
        .env("XDG_STATE_HOME", home.path().join("state"))
        .env("XDG_CACHE_HOME", home.path().join("cache"))
        .env("TERM", "xterm")
        .env_remove("ARBITER_HOME");
    let mut session = spawn_command(command, Some(PATIENCE_MS)).unwrap();
    session.exp_string("mini night 1> ").unwrap();
    session.send_line("charm Ann with cheer").unwrap();
    session.exp_string("Ann feels 6.").unwrap();
    session.send_line("post").unwrap();
    session.exp_string(COPIED).unwrap();
    session.exp_string("mini night 1> ").unwrap();
}

#[test]
fn posts_of_several_readers_wait_for_a_key() {
    let home = Scratch::mini();
    home.command(
        "whisper",
        "act:say('public', 'a whisper') act:say('Ann', 'the word is lamp') return act:done()",
    );
    let mut session = start_mini(home.path());
    session.send_line("whisper").unwrap();
    session.exp_string("the word is lamp").unwrap();
    session.send_line("post for each").unwrap();
    session
        .exp_string("-- post 1 of 2, Enter: next, q: end --")
        .unwrap();
    session.send_line("").unwrap();
    session.exp_string("the word is lamp").unwrap();
    session.exp_string("mini night 1> ").unwrap();
}
