//! This module tests the host's commands in a toy game.

use host::game::{Reply, Session, Wish};

use super::COMMANDS;
use crate::testing::{Toy, text};

fn given(session: &mut Session, lines: &[&str]) -> Vec<String> {
    lines
        .iter()
        .map(|line| text(&session.submit("gm", line)))
        .collect()
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
}

#[test]
fn undo_and_redo_move_through_the_rulings_and_the_log_tells() {
    let mut session = Toy::new().session();
    let said = given(
        &mut session,
        &[
            "cheer ann",
            "undo",
            "undo",
            "redo",
            "mood ann",
            "cheer ann by 9",
            "log",
        ],
    );
    assert_eq!(said[1], "undone: 2 cheer ann");
    assert_eq!(said[2], "store/nothing-to-undo: there is nothing to undo");
    assert_eq!(said[4], "Ann feels 4.");
    let words: Vec<Vec<&str>> = said[6]
        .lines()
        .map(|line| line.split_whitespace().collect())
        .collect();
    assert!(
        words.contains(&vec!["3", "gm", "undo", "took", "back", "2"]),
        "{}",
        said[6]
    );
    assert!(
        words.contains(&vec![
            "5",
            "gm",
            "cheer",
            "ann",
            "by",
            "9",
            "refused:",
            "mini/too-much"
        ]),
        "{}",
        said[6]
    );
    assert_eq!(
        text(&session.submit("gm", "log 1")).lines().last(),
        Some("4 earlier: log 5 lists them")
    );
}

#[test]
fn a_seat_sees_its_own_commands_in_the_log() {
    let mut session = Toy::new().session();
    session.submit("gm", "cheer hill-guard");
    session.submit("Ann", "cheer ann");
    let log = text(&session.submit("Ann", "log"));
    assert!(
        log.contains("cheer ann") && !log.contains("hill-guard"),
        "{log}"
    );
}

#[test]
fn typed_dice_are_used_in_order_and_come_back_with_undo() {
    let mut session = Toy::new().session();
    let said = given(
        &mut session,
        &[
            "dice next 20 1",
            "dice next d6:5",
            "dice",
            "throw 1d20",
            "dice",
            "undo",
            "dice",
            "dice clear",
            "dice clear",
        ],
    );
    assert_eq!(said[1], "typed dice that wait: 20 1 d6:5");
    assert_eq!(said[2], said[1]);
    assert!(said[3].contains("20"), "{}", said[3]);
    assert_eq!(said[4], "typed dice that wait: 1 d6:5");
    assert_eq!(said[6], said[1]);
    assert_eq!(
        (said[7].as_str(), said[8].as_str()),
        ("no typed dice wait", "no typed dice wait")
    );
    assert!(text(&session.submit("gm", "dice next d6:7")).starts_with("dice/hand: "));
    session.submit("gm", "dice next 3");
    assert!(text(&session.submit("gm", "throw 2d6")).starts_with("dice/too-few: "));
    assert!(text(&session.submit("gm", "log")).contains("refused: dice/too-few"));
}

#[test]
fn wishes_reach_the_terminal() {
    let mut session = Toy::new().session();
    let mut wish = |line: &str| session.submit("gm", line).wish;
    assert_eq!(wish("quit"), Some(Wish::Quit));
    assert_eq!(wish("exit"), Some(Wish::Quit));
    assert_eq!(wish("as Ann"), Some(Wish::As("Ann".to_owned())));
    assert_eq!(wish("format json"), Some(Wish::Format("json".to_owned())));
    assert_eq!(wish("format jsn"), None);
}

#[test]
fn the_last_value_is_there_in_the_next_text() {
    let mut session = Toy::new().session();
    let said = given(
        &mut session,
        &[
            "= 20 + 1",
            "= _ * 2",
            "eval { a = _ }",
            "= _.a",
            "= act:add('ann', 'mood', 5)",
            "mood ann",
        ],
    );
    assert_eq!(said, ["21", "42", "{a: 42}", "42", "8", "Ann feels 3."]);
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
