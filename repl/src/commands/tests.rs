//! Tests the host's commands in a toy game.

use host::game::{ProgramRequest, Reply, Solo};

use super::COMMANDS;
use crate::completion::suggestions_at_cursor;
use crate::toy_game::{Toy, reply_text};

mod completion;
mod dice;
mod eval;
mod log;
mod why;

fn replies_to_lines(solo: &mut Solo, lines: &[&str]) -> Vec<String> {
    lines
        .iter()
        .map(|line| reply_text(&solo.submit("gm", line)))
        .collect()
}

/// Returns the suggestions of Tab for an actor at the end of a line.
fn tab_suggestions(solo: &Solo, by: &str, line: &str) -> Vec<String> {
    let found = suggestions_at_cursor(solo.timeline(), by, line, line.len()).list;
    found.into_iter().map(|one| one.text).collect()
}

#[test]
fn every_command_has_help_and_is_found_by_its_word() {
    let mut solo = Toy::new().solo();
    for command in &COMMANDS {
        assert!(
            !command.summary.is_empty() && !command.help.is_empty(),
            "{}",
            command.id
        );
        let help = reply_text(&solo.submit("gm", &format!("{}?", command.id)));
        assert!(
            help.contains(command.summary) && help.contains(command.syntax[0]),
            "{help}"
        );
    }
    let all = reply_text(&solo.submit("gm", "help"));
    assert!(
        COMMANDS.iter().all(|command| all.contains(command.id)),
        "{all}"
    );
    assert_eq!(reply_text(&solo.submit("gm", "?")), all);
}

#[test]
fn wishes_reach_the_terminal() {
    let mut solo = Toy::new().solo();
    let mut wish = |line: &str| solo.submit("gm", line).program_request;
    assert_eq!(wish("quit"), Some(ProgramRequest::Quit));
    assert_eq!(wish("exit"), Some(ProgramRequest::Quit));
    assert_eq!(wish("as ann"), Some(ProgramRequest::As("Ann".to_owned())));
    assert_eq!(
        wish("as Hill"),
        Some(ProgramRequest::As("Hill Guard".to_owned()))
    );
    for back in ["as", "as gm", "as GM"] {
        assert_eq!(
            wish(back),
            Some(ProgramRequest::As("gm".to_owned())),
            "{back}"
        );
    }
    assert_eq!(
        wish("format json"),
        Some(ProgramRequest::Format("json".to_owned()))
    );
    assert_eq!(wish("format jsn"), None);
}

#[test]
fn reload_takes_good_rules_and_keeps_the_old_ones_over_broken_ones() {
    let toy = Toy::new();
    let mut solo = toy.solo();
    let codes = |reply: &Reply| {
        reply
            .findings
            .iter()
            .map(|found| found.code.to_string())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        reply_text(&solo.submit("gm", "reload")),
        "the rules match the files"
    );
    assert_eq!(
        reply_text(&solo.submit("gm", "check")),
        "no errors found in the rules"
    );
    toy.write("scripts/mini/commands/dig.luau", "return command {");
    let reply = solo.submit("gm", "reload");
    assert_eq!(
        reply_text(&reply),
        "content/not-reloaded: the new rules have errors; the last working version stays active"
    );
    assert_eq!(codes(&reply), ["script/syntax"]);
    assert_eq!(codes(&solo.submit("gm", "check")), ["script/syntax"]);
    let whole =
        "return command { source = 'x', summary = 'digs', syntax = 'dig', run = function() end }";
    toy.write("scripts/mini/commands/dig.luau", whole);
    assert_eq!(
        reply_text(&solo.submit("gm", "reload")),
        "commands: 1 added (dig)"
    );
}

#[test]
fn only_seats_of_the_game_are_taken() {
    let mut solo = Toy::new().solo();
    let refusal = |solo: &mut Solo, line: &str| {
        let refusal = solo.submit("gm", line).refusal.expect("it is refused");
        (refusal.message, refusal.hints)
    };
    let (message, hints) = refusal(&mut solo, "as Anm");
    assert_eq!(message, "unknown player \"Anm\"");
    assert_eq!(
        hints,
        [
            "did you mean \"Ann\"?",
            "the known names are gm, Ann, Bo, Hill Guard",
            "a player has the name of a person"
        ]
    );
    for name in ["zork", "public", "group:red", "\"\""] {
        let (message, _) = refusal(&mut solo, &format!("as {name}"));
        assert!(message.starts_with("unknown player"), "{message}");
    }
    let shown = suggestions_at_cursor(solo.timeline(), "gm", "as h", 4).list;
    assert_eq!(shown[0].text, "Hill Guard ");
    assert!(
        suggestions_at_cursor(solo.timeline(), "gm", "as ", 3)
            .list
            .iter()
            .any(|one| one.shown == "gm")
    );
}

#[test]
fn where_the_ruleset_does_not_say_who_plays_anybody_does() {
    let toy = Toy::new();
    let rules = std::fs::read_to_string(toy.path("scripts/mini/ruleset.luau")).unwrap();
    let without: Vec<&str> = rules
        .lines()
        .filter(|line| !line.contains("seats = "))
        .collect();
    toy.write("scripts/mini/ruleset.luau", &without.join("\n"));
    let wish = toy.solo().submit("gm", "as Zork").program_request;
    assert!(
        matches!(&wish, Some(ProgramRequest::As(name)) if name == "Zork"),
        "{wish:?}"
    );
}
