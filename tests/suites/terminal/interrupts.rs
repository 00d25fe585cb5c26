//! Interrupts long commands with Ctrl-C, in the REPL and in the shell: the prompt returns, and
//! nothing is half done.

use std::fs;
use std::time::Duration;

use arbiter_tests::Scratch;

use super::shell::{PROGRAM, start_shell, type_program_command};
use super::start_mini;

#[expect(
    clippy::disallowed_methods,
    reason = "a person presses the key a moment later"
)]
fn wait_a_moment() {
    std::thread::sleep(Duration::from_millis(300));
}

/// A replay takes seconds, because its rulings are busy inside the host.
#[test]
fn ctrl_c_ends_every_command_that_plays_again_and_leaves_all_as_it_was() {
    let home = Scratch::mini();
    home.command(
        "ponder",
        "for _ = 1, 8 do dice.distribution('400d6') end return 'pondered'",
    );
    let mut session = start_mini(home.path());
    for (line, said) in [
        ("charm Ann with cheer", "Ann feels 6."),
        ("ponder", "pondered"),
        ("ponder", "pondered"),
        ("ponder", "pondered"),
    ] {
        session.send_line(line).unwrap();
        session.exp_string(said).unwrap();
        session.exp_string("mini night 1> ").unwrap();
    }
    for line in [
        "verify",
        "verify dice",
        "revert 2",
        "revert 2 yes",
        "revert 2 details",
        "replace 2 with charm Bo with cheer",
        "replace 2 yes with charm Bo with cheer",
        "why 5",
    ] {
        session.send_line(line).unwrap();
        wait_a_moment();
        session.send_control('c').unwrap();
        let ended = session.exp_string("limit/interrupted");
        assert!(ended.is_ok(), "{line}: {ended:?}");
        session.exp_string("mini night 1> ").unwrap();
    }
    for (line, said) in [
        ("verify", "5 are the same"),
        ("mood Ann", "Ann feels 6."),
        ("mood Bo", "Bo feels 3."),
        ("redo", "nothing to redo"),
    ] {
        session.send_line(line).unwrap();
        let ended = session.exp_string(said);
        assert!(ended.is_ok(), "{line}: {ended:?}");
    }
}

/// Programs that only look, or write when they are done, end at once.
#[test]
fn ctrl_c_at_the_shell_ends_what_the_program_does_and_leaves_no_half_of_a_file() {
    let home = Scratch::shipped("wwrf");
    fs::write(home.path().join("r.json"), "mine").unwrap();
    let mut session = start_shell(&home);
    for words in [
        "simulate low_tide --games 100000 --jobs 1 --out r.json --anyway",
        "check scripts content",
        "test scripts",
    ] {
        // An interrupt that comes before the shell has begun the line interrupts only the shell. The
        // typed line does not hold the word that it prints.
        let line = format!("echo be''gun; {PROGRAM} {words}");
        session.send_line(&line).unwrap();
        session.exp_string("begun").unwrap();
        wait_a_moment();
        session.send_control('c').unwrap();
        session.exp_string("shell> ").unwrap();
    }
    let said = type_program_command(&mut session, "--version");
    assert!(said.ends_with("ended: 0."), "{said}");
    let kept: Vec<_> = fs::read_dir(home.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.contains("r.json"))
        .collect();
    assert_eq!(kept, ["r.json"]);
    assert_eq!(
        fs::read_to_string(home.path().join("r.json")).unwrap(),
        "mine"
    );
}
