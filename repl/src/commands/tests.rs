//! This module tests the host's commands in a toy game.

use host::game::{Reply, Session, Wish};

use super::COMMANDS;
use crate::completion::complete;
use crate::testing::{Toy, text};

mod completion;
mod dice;
mod eval;
mod log;
mod why;

fn given(session: &mut Session, lines: &[&str]) -> Vec<String> {
    lines
        .iter()
        .map(|line| text(&session.submit("gm", line)))
        .collect()
}

/// What Tab lists for somebody at the end of a line.
fn listed(session: &Session, by: &str, line: &str) -> Vec<String> {
    let found = complete(session, by, line, line.len()).list;
    found.into_iter().map(|one| one.text).collect()
}

#[test]
fn every_command_has_help_and_is_found_by_its_word() {
    let mut session = Toy::new().session();
    for command in &COMMANDS {
        assert!(
            !command.summary.is_empty() && !command.help.is_empty(),
            "{}",
            command.id
        );
        let help = text(&session.submit("gm", &format!("{}?", command.id)));
        assert!(
            help.contains(command.summary) && help.contains(command.syntax[0]),
            "{help}"
        );
    }
    let all = text(&session.submit("gm", "help"));
    assert!(
        COMMANDS.iter().all(|command| all.contains(command.id)),
        "{all}"
    );
    assert_eq!(text(&session.submit("gm", "?")), all);
}

#[test]
fn wishes_reach_the_terminal() {
    let mut session = Toy::new().session();
    let mut wish = |line: &str| session.submit("gm", line).wish;
    assert_eq!(wish("quit"), Some(Wish::Quit));
    assert_eq!(wish("exit"), Some(Wish::Quit));
    assert_eq!(wish("as ann"), Some(Wish::As("Ann".to_owned())));
    assert_eq!(wish("as Hill"), Some(Wish::As("Hill Guard".to_owned())));
    for back in ["as", "as gm", "as GM"] {
        assert_eq!(wish(back), Some(Wish::As("gm".to_owned())), "{back}");
    }
    assert_eq!(wish("format json"), Some(Wish::Format("json".to_owned())));
    assert_eq!(wish("format jsn"), None);
}

#[test]
fn reload_takes_good_rules_and_keeps_the_old_ones_over_broken_ones() {
    let toy = Toy::new();
    let mut session = toy.session();
    let codes = |reply: &Reply| {
        reply
            .findings
            .iter()
            .map(|found| found.code.to_string())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        text(&session.submit("gm", "reload")),
        "the rules are as the files say"
    );
    assert_eq!(
        text(&session.submit("gm", "check")),
        "nothing is wrong with the rules"
    );
    toy.write("scripts/mini/commands/dig.luau", "return command {");
    let reply = session.submit("gm", "reload");
    assert_eq!(
        text(&reply),
        "content/not-reloaded: the new rules are broken; the old ones stay"
    );
    assert_eq!(codes(&reply), ["script/syntax"]);
    assert_eq!(codes(&session.submit("gm", "check")), ["script/syntax"]);
    let whole =
        "return command { source = 'x', summary = 'digs', syntax = 'dig', run = function() end }";
    toy.write("scripts/mini/commands/dig.luau", whole);
    assert_eq!(
        text(&session.submit("gm", "reload")),
        "commands: 1 added (dig)"
    );
}

#[test]
fn only_seats_of_the_game_are_taken() {
    let mut session = Toy::new().session();
    let refusal = |session: &mut Session, line: &str| {
        let refusal = session.submit("gm", line).refusal.expect("it is refused");
        (refusal.message, refusal.hints)
    };
    let (message, hints) = refusal(&mut session, "as Anm");
    assert_eq!(message, "there is no seat \"Anm\"");
    assert_eq!(
        hints,
        [
            "did you mean \"Ann\"?",
            "there are the seats gm, Ann, Bo, Hill Guard",
            "a seat is the name of a person"
        ]
    );
    for name in ["zork", "public", "group:red", "\"\""] {
        let (message, _) = refusal(&mut session, &format!("as {name}"));
        assert!(message.starts_with("there is no seat"), "{message}");
    }
    let shown = complete(&session, "gm", "as h", 4).list;
    assert_eq!(shown[0].text, "Hill Guard ");
    assert!(
        complete(&session, "gm", "as ", 3)
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
    let wish = toy.session().submit("gm", "as Zork").wish;
    assert!(
        matches!(&wish, Some(Wish::As(name)) if name == "Zork"),
        "{wish:?}"
    );
}
