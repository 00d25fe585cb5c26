//! This module changes the size of the screen while somebody plays: what is said is broken between words, at the width of now.

use std::process::Command;

use arbiter_tests::Scratch;

use super::in_a_screen;

#[test]
fn what_is_said_is_broken_between_words_at_the_width_of_now() {
    let home = Scratch::mini();
    let mut session = in_a_screen(home.path(), "rows 40 cols 200; tty > terminal");
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
