//! Types commands of the program in a shell: errors of a broken rule are not blessed, foreign files
//! stay, and Ctrl-C leaves nothing half done.

use std::fs;
use std::process::Command;

use arbiter_tests::Scratch;
use rexpect::session::{PtySession, spawn_command};

use super::PATIENCE_MS;

pub(super) const PROGRAM: &str = env!("CARGO_BIN_EXE_arbiter-under-test");

pub(super) fn start_shell(home: &Scratch) -> PtySession {
    let mut command = Command::new("sh");
    command
        .current_dir(home.path())
        .arg("-i")
        .env("PS1", "shell> ")
        .env("XDG_STATE_HOME", home.path().join("state"))
        .env("XDG_CACHE_HOME", home.path().join("cache"))
        .env("TERM", "dumb")
        .env_remove("ENV")
        .env_remove("ARBITER_HOME");
    let mut session = spawn_command(command, Some(PATIENCE_MS)).unwrap();
    // An interactive shell ignores a request to end, and waiting for it would take the whole
    // timeout.
    session.process_mut().set_kill_timeout(Some(1));
    session.exp_string("shell> ").unwrap();
    session
}

/// Types a command of the program and returns its output and its exit code, until the shell prompt
/// returns.
pub(super) fn type_program_command(session: &mut PtySession, words: &str) -> String {
    session
        .send_line(&format!("{PROGRAM} {words}; echo \"ended: $?.\""))
        .unwrap();
    let said = session.exp_regex("ended: [0-9]+\\.").unwrap();
    session.exp_string("shell> ").unwrap();
    said.0 + &said.1
}

#[test]
fn what_a_broken_rule_says_is_not_blessed() {
    let home = Scratch::mini();
    home.command("stumble", "local lamp: any = nil return lamp.light");
    let file = home.path().join("scripts/mini/commands/stumble.test.txt");
    let text = "--- somebody stumbles\n> stumble\n| lit\n";
    fs::write(&file, text).unwrap();
    let mut session = start_shell(&home);
    let words = "test scripts/mini/commands/stumble.test.txt";
    for words in [words, &format!("{words} --bless")] {
        let said = type_program_command(&mut session, words);
        assert!(said.contains("script/error"), "{said}");
        assert!(said.contains("commands/stumble.luau:"), "{said}");
        assert!(!said.ends_with("ended: 0."), "{said}");
        assert_eq!(fs::read_to_string(&file).unwrap(), text);
    }
}

#[test]
fn whoever_only_looks_writes_over_nothing() {
    let home = Scratch::mini();
    home.write("own.md", "mine");
    home.write("evening", "charm Ann with cheer\n");
    let own = || fs::read_to_string(home.path().join("own.md")).unwrap();
    let mut session = start_shell(&home);
    type_program_command(&mut session, "run evening --ruleset mini --game night");
    let said = type_program_command(&mut session, "export night --out own.md");
    assert!(said.contains("save/file-used"), "{said}");
    assert!(said.contains("--anyway"), "{said}");
    assert_eq!(own(), "mine");
    let folder = home.path().join("night");
    let journal = fs::read(folder.join("journal.jsonl")).unwrap();
    session
        .send_line(&format!("{PROGRAM} play night --read-only --color never"))
        .unwrap();
    session.exp_string("mini night 1 read-only> ").unwrap();
    session.send_line("export to own.md").unwrap();
    session.exp_string("save/file-used").unwrap();
    session.exp_string("mini night 1 read-only> ").unwrap();
    session.send_line("quit").unwrap();
    session.exp_string("shell> ").unwrap();
    assert_eq!(own(), "mine");
    assert_eq!(fs::read(folder.join("journal.jsonl")).unwrap(), journal);
    let said = type_program_command(&mut session, "export night --out own.md --anyway");
    assert!(said.ends_with("ended: 0."), "{said}");
    assert!(own().contains("Ann feels 6."));
}

/// The script is busy inside the host, where its fuel lasts longer than the test waits.
#[test]
fn ctrl_c_at_the_shell_leaves_a_game_that_is_whole() {
    let home = Scratch::mini();
    home.command(
        "ponder",
        "for _ = 1, 100000 do dice.distribution('400d6') end return 'done'",
    );
    home.write("evening", "charm Ann with cheer\nponder\nthrow 2d6\n");
    let mut session = start_shell(&home);
    session
        .send_line(&format!(
            "{PROGRAM} run evening --ruleset mini --game night"
        ))
        .unwrap();
    session.exp_string("Ann feels 6.").unwrap();
    session.send_control('c').unwrap();
    session.exp_string("shell> ").unwrap();
    let said = type_program_command(&mut session, "verify night");
    assert!(said.contains("2 are the same"), "{said}");
    home.write("later", "mood Ann\nlog\n");
    let said = type_program_command(&mut session, "run later --game night");
    assert!(said.contains("Ann feels 6."), "{said}");
    assert!(!said.contains("throw"), "{said}");
}
