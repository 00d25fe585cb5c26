//! Tests the REPL in a pseudo-terminal: completion, continuation, undo, news while typing, Ctrl-C.

mod clipboard;
mod interrupts;
mod invalid_bytes;
mod library_reload;
mod screen_width;
mod shell;
mod werewolf_evening;
mod written_files;

use std::fs;
use std::path::Path;
use std::process::Command;

use arbiter_tests::{Scratch, project};
use rexpect::session::{PtySession, spawn_command};

/// The longest wait for an answer before the test fails; unit: milliseconds.
const PATIENCE_MS: u64 = 20_000;

/// Starts a game of mini in a terminal, with its own home and state folder.
fn start_mini(home: &Path) -> PtySession {
    start_ruleset(home, "mini")
}

fn start_ruleset(home: &Path, ruleset: &str) -> PtySession {
    start_with_patience(home, ruleset, PATIENCE_MS)
}

/// Starts a game of mini in a terminal that `stty` prepares with these words.
fn start_mini_in_screen(home: &Path, stty: &str) -> PtySession {
    let program = env!("CARGO_BIN_EXE_arbiter-under-test");
    let line = format!("stty {stty}; exec '{program}' play mini --seed x --color never");
    let mut command = Command::new("sh");
    command
        .current_dir(home)
        .args(["-c", &line])
        .env("XDG_STATE_HOME", home.join("state"))
        .env("XDG_CACHE_HOME", home.join("cache"))
        .env("TERM", "xterm")
        .env_remove("ARBITER_HOME");
    let mut session = spawn_command(command, Some(PATIENCE_MS)).unwrap();
    session.exp_regex("mini[a-z0-9 ]*> ").unwrap();
    session
}

/// Starts a game in a terminal with a longest wait for answers; unit: milliseconds.
fn start_with_patience(home: &Path, ruleset: &str, patience: u64) -> PtySession {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arbiter-under-test"));
    command
        .current_dir(home)
        .args(["play", ruleset, "--seed", "x", "--color", "never"])
        .env("XDG_STATE_HOME", home.join("state"))
        .env("XDG_CACHE_HOME", home.join("cache"))
        .env("TERM", "xterm")
        .env_remove("ARBITER_HOME");
    let mut session = spawn_command(command, Some(patience)).unwrap();
    // A game with phases shows the present one.
    let prompt = format!("{ruleset}[a-z0-9 ]*> ");
    let mut tries = 0..=PATIENCE_MS / patience;
    assert!(
        tries.any(|_| session.exp_regex(&prompt).is_ok()),
        "no prompt"
    );
    session
}

#[test]
fn whoever_names_no_ruleset_is_asked_and_told_what_is_wrong_with_an_answer() {
    let home = Scratch::harbour();
    // Another possible game, which is not opened.
    home.write("scripts/quay/ruleset.luau", "return {}\n");
    let mut command = Command::new(env!("CARGO_BIN_EXE_arbiter-under-test"));
    command
        .current_dir(home.path())
        .args(["play", "--seed", "x", "--color", "never"])
        .env("XDG_STATE_HOME", home.path().join("state"))
        .env("XDG_CACHE_HOME", home.path().join("cache"))
        .env("TERM", "xterm")
        .env_remove("ARBITER_HOME");
    let mut session = spawn_command(command, Some(PATIENCE_MS)).unwrap();
    session.exp_string("which ruleset? ").unwrap();
    session.send_line("throw 2d6").unwrap();
    session.exp_string("unknown ruleset \"throw 2d6\"").unwrap();
    session
        .exp_string("type a number or a name from the list above")
        .unwrap();
    session.exp_string("which ruleset? ").unwrap();
    session.send_line("habour").unwrap();
    session.exp_string("did you mean \"harbour\"?").unwrap();
    session.send_line("harbour").unwrap();
    session.exp_string("harbour night 1> ").unwrap();
}

#[test]
fn the_prompt_names_the_phase_the_seat_and_what_waits() {
    let home = Scratch::harbour();
    let mut session = start_ruleset(home.path(), "harbour");
    session.send_line("clock").unwrap();
    session.exp_string("harbour night 1> ").unwrap();
    session.send_line("next").unwrap();
    session.exp_string("harbour day 1> ").unwrap();
    session.send_line("undo").unwrap();
    session.exp_string("harbour night 1> ").unwrap();
    session.send_line("let Ann offer Dot a lantern").unwrap();
    session.exp_string("harbour night 1 1?> ").unwrap();
    session.send_line("as dot").unwrap();
    session.exp_string("harbour night 1 Dot 1?> ").unwrap();
    session.send_line("answer yes").unwrap();
    session.exp_string("harbour night 1 Dot> ").unwrap();
}

#[test]
fn a_command_is_answered_and_undone() {
    let home = Scratch::mini();
    let mut session = start_mini(home.path());
    session.send_line("charm Ann with cheer").unwrap();
    session.exp_string("Ann feels 6.").unwrap();
    session.send_line("undo").unwrap();
    session.exp_string("undone").unwrap();
    session.send_line("mood Ann").unwrap();
    session.exp_string("Ann feels 4.").unwrap();
    session.send_line("chram Ann").unwrap();
    session.exp_string("did you mean \"charm\"").unwrap();
    session.send_line("quit").unwrap();
    session.exp_eof().unwrap();
}

#[test]
fn tab_completes_commands_and_names() {
    let home = Scratch::mini();
    let mut session = start_mini(home.path());
    session.send("cha\t").unwrap();
    session.send("An\t").unwrap();
    session.send("with che\t").unwrap();
    session.send_line("").unwrap();
    session.exp_string("Ann feels 6.").unwrap();
    session.send("throw 4d6kh\t").unwrap();
    session.send_line("").unwrap();
    session.exp_string("4d6kh1:").unwrap();
    session.send("set Ann moo\t").unwrap();
    session.send_line("2").unwrap();
    session.exp_string("Ann mood = 2").unwrap();
}

#[test]
fn tab_says_what_each_offer_is() {
    let home = Scratch::mini();
    let mut session = start_mini(home.path());
    session.send("help mo\t\t").unwrap();
    session.flush().unwrap();
    session.exp_string("shows how somebody feels").unwrap();
}

#[test]
fn tab_completes_the_command_inside_of_a_line() {
    let home = Scratch::mini();
    let mut session = start_mini(home.path());
    session.send_line("charm Ann with cheer").unwrap();
    session.exp_string("Ann feels 6.").unwrap();
    session.send("replace 2 with charm B\t").unwrap();
    session.send_line("with cheer").unwrap();
    session.exp_string("replace 2 yes").unwrap();
}

#[test]
fn tab_completes_the_items_of_a_request() {
    let home = Scratch::mini();
    for folder in ["scripts/fortune", "content/fortune"] {
        home.copy(&project().join(folder), folder);
    }
    let mut session = start_ruleset(home.path(), "fortune");
    session.send("pool Mara Dri\t").unwrap();
    session.send("overw\t").unwrap();
    session.send_line("").unwrap();
    session.exp_string("Drive d8").unwrap();
}

#[test]
fn an_unfinished_chunk_continues_on_the_next_line() {
    let home = Scratch::mini();
    let mut session = start_mini(home.path());
    session.send_line("= (function()").unwrap();
    session.send_line("  return 6 * 7").unwrap();
    session.send_line("end)()").unwrap();
    session.exp_string("42").unwrap();
    session.send_line("= _ + 1").unwrap();
    session.exp_string("43").unwrap();
}

#[test]
fn news_of_changed_rules_come_while_a_line_is_typed() {
    let home = Scratch::mini();
    let mut session = start_mini(home.path());
    session.send("mood ").unwrap();
    session.flush().unwrap();
    session.exp_string("mood ").unwrap();
    let rule = home.path().join("scripts/mini/commands/mood.luau");
    let text = fs::read_to_string(&rule).unwrap();
    fs::write(&rule, text.replace(" feels ", " is at ")).unwrap();
    session
        .exp_string("rules: commands: 1 changed (mood)")
        .unwrap();
    // The line being typed appears complete below the news, and typing continues.
    session.exp_string("mini night 1> mood ").unwrap();
    session.send_line("Ann").unwrap();
    session.exp_string("Ann is at 4.").unwrap();
    session.send("mood B").unwrap();
    session.flush().unwrap();
    session.exp_string("mood B").unwrap();
    fs::write(&rule, "return command {").unwrap();
    session.exp_string("script/syntax").unwrap();
    session
        .exp_string("not reloaded; the last working version stays active")
        .unwrap();
    // While the rules are broken, the prompt shows it, also in a line being typed.
    session.exp_string("mini night 1! mood B").unwrap();
    session.send_line("o").unwrap();
    session.exp_string("Bo is at 3.").unwrap();
    session.exp_string("mini night 1! ").unwrap();
    fs::write(&rule, &text).unwrap();
    session.exp_string("rules: commands").unwrap();
    session.exp_string("mini night 1> ").unwrap();
    // An edit that is undone leaves the rules as before; that is news too.
    session.send("mood A").unwrap();
    session.flush().unwrap();
    session.exp_string("mood A").unwrap();
    fs::write(&rule, "return command {").unwrap();
    session.exp_string("mini night 1! mood A").unwrap();
    fs::write(&rule, text).unwrap();
    session
        .exp_string("rules: errors fixed; nothing changed")
        .unwrap();
    session.exp_string("mini night 1> mood A").unwrap();
}

#[test]
fn a_command_that_is_typed_between_pages_is_not_lost() {
    let home = Scratch::mini();
    let mut session = start_mini_in_screen(home.path(), "rows 10 cols 80");
    session.send_line("help").unwrap();
    session.exp_string("Enter: more").unwrap();
    session.send_line("mood Ann").unwrap();
    session.exp_string("Ann feels 4.").unwrap();
    session.exp_regex("mini[a-z0-9 ]*> ").unwrap();
}

/// The script is busy inside the host, where its fuel lasts longer than the test waits.
#[test]
fn ctrl_c_ends_a_busy_script_and_gives_the_prompt_back() {
    let home = Scratch::mini();
    let rule = home.path().join("scripts/mini/commands/mood.luau");
    let text = fs::read_to_string(&rule).unwrap();
    let busy =
        "for _ = 1, 100000 do\n      dice.distribution(\"400d6\")\n    end\n    return act:done";
    fs::write(&rule, text.replace("return act:done", busy)).unwrap();
    let mut session = start_mini(home.path());
    session.send_line("mood Ann").unwrap();
    #[expect(
        clippy::disallowed_methods,
        reason = "a person presses the key a moment later"
    )]
    std::thread::sleep(std::time::Duration::from_millis(400));
    session.send_control('c').unwrap();
    session.exp_string("limit/interrupted").unwrap();
    session.send_line("charm Ann with cheer").unwrap();
    session.exp_string("Ann feels 6.").unwrap();
}

#[test]
fn only_the_first_refusal_of_a_rule_says_how_to_have_its_code_explained() {
    let home = Scratch::mini();
    let mut session = start_mini(home.path());
    session.send_line("xyzzy").unwrap();
    session.exp_string("unknown command").unwrap();
    session.send_line("why 99").unwrap();
    let before = session
        .exp_string("`help store/unknown-operation`")
        .unwrap();
    assert!(!before.contains("explains this code"), "{before}");
    session.exp_string("explains this code").unwrap();
    session.send_line("why 98").unwrap();
    session.exp_string("no line 98").unwrap();
    session.send_line("mood Ann").unwrap();
    let before = session.exp_string("Ann feels").unwrap();
    assert!(!before.contains("explains this code"), "{before}");
}
