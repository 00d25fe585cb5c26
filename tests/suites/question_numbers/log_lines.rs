//! Tests the numbers of the game master: a question has that of the log line where its ruling began, wherever
//! the slot of the ruling is another.

use arbiter_tests::{Game, Scratch};
use host::doc::plain;
use host::game::Reply;

use super::super::questions::{answer, last, numbers, prompting, text};
use super::holds;

/// A home with a command that is always refused: it is a line of the log and takes no slot.
fn refusing() -> Scratch {
    let home = prompting();
    home.command("no", "return act:fail('no', 'not now')");
    home
}

fn game_behind_a_refusal() -> (Scratch, Game) {
    let home = refusing();
    let mut game = Game::of_program(&home, "mini");
    let refused = game.line("no");
    assert_eq!(refused.refusal.unwrap().message, "not now");
    (home, game)
}

/// Returns what the game master reads of an answer.
fn read(reply: &Reply) -> String {
    assert_eq!(reply.refusal, None);
    let said = reply
        .documents_by_operation()
        .map(|(_, document)| plain(&document));
    said.collect::<Vec<_>>().join("\n")
}

/// Lets a ruling wait and returns the line of the log and the slot, which are not the same.
fn waits(game: &mut Game, line: &str) -> (u64, u64) {
    let reply = game.line(line);
    assert_eq!(reply.refusal, None, "{line}");
    let (seq, slot) = (last(game).seq, last(game).slot.unwrap());
    assert_ne!(seq, slot);
    (seq, slot)
}

#[test]
fn a_question_has_the_log_line_where_its_ruling_began() {
    let (_home, mut game) = game_behind_a_refusal();
    let (line, _) = waits(&mut game, "duel");
    assert_eq!(numbers(&game, "gm"), [format!("{line}.1")]);
    assert!(game.text("questions").contains(&format!("ruling {line}")));
    assert!(game.text("status").contains(&format!("answer {line}.1 (")));
    let asked = read(&game.solo.submit("bo", "answer yes"));
    assert!(asked.contains(&format!("[gm: {line}.2]")), "{asked}");
    let (prompt, _) = waits(&mut game, "toll");
    assert_eq!(
        numbers(&game, "gm"),
        [format!("{line}.2"), format!("{prompt}.1")]
    );
    assert_eq!(numbers(&game, "bo"), ["2"], "a seat has its own");
    for _ in 0..2 {
        game.undo();
    }
    assert_eq!(numbers(&game, "gm"), [format!("{line}.1")]);
    for _ in 0..2 {
        game.redo();
    }
    assert_eq!(numbers(&game, "gm").len(), 2);
    let said = game.line(&format!("answer {line}.2 fast"));
    assert!(text(&said).contains("true fast"), "{}", text(&said));
    let paid = game.line(&format!("answer {prompt}.1 refuse"));
    assert_eq!(text(&paid), "refuse");
    holds(&mut game, &["ann", "bo", "cy"]);
}

#[test]
fn a_ruling_that_waits_is_named_by_each_of_its_log_lines_and_by_no_slot() {
    let (_home, mut game) = game_behind_a_refusal();
    let (line, slot) = waits(&mut game, "duel");
    answer(&mut game, "bo", "yes");
    let answered = last(&game).seq;
    for number in [line, answered] {
        let told = read(&game.line(&format!("drop {number}")));
        assert_eq!(told.trim_end(), format!("dropped: {line} duel"));
        game.undo();
    }
    let refusal = game.line(&format!("drop {slot}")).refusal.unwrap();
    assert_eq!(
        refusal.message,
        format!("no waiting ruling has the number {slot}")
    );
    assert_eq!(refusal.hints, [format!("waiting rulings: {line}")]);
    assert_eq!(numbers(&game, "gm"), [format!("{line}.2")]);
    let (other, _) = waits(&mut game, "duel");
    let which = game.line("restart").refusal.unwrap();
    let hint = format!("choose one by number: {line} duel, {other} duel");
    assert_eq!(which.hints, [hint]);
    holds(&mut game, &["ann", "bo", "cy"]);
}

/// A correction rules again what waits: it is named as before, also where another command stands in its place.
#[test]
fn a_correction_keeps_the_numbers_of_what_it_rules_again() {
    let (_home, mut game) = game_behind_a_refusal();
    game.text("toll");
    let first = last(&game).seq;
    let (line, _) = waits(&mut game, "duel");
    let (prompt, _) = waits(&mut game, "toll");
    assert_eq!(game.line(&format!("revert {first} yes")).refusal, None);
    let all = numbers(&game, "gm");
    assert!(all.contains(&format!("{line}.1")), "{all:?}");
    assert!(
        all.iter().any(|one| one.starts_with(&format!("{prompt}."))),
        "{all:?}"
    );
    let replaced = game.line(&format!("replace {line} yes with duel"));
    assert_eq!(replaced.refusal, None);
    let all = numbers(&game, "gm");
    assert!(all.contains(&format!("{line}.1")), "{all:?}");
    let said = game.line(&format!("answer {line}.1 no"));
    assert!(text(&said).contains("How?"), "{}", text(&said));
    holds(&mut game, &["ann", "bo", "cy"]);
}

#[test]
fn a_rule_knows_the_log_line_that_it_becomes() {
    let home = refusing();
    home.command(
        "where",
        "return act:done(`line {act:log_line()}, ruling {act:ruling_number()}`)",
    );
    let mut game = Game::of_program(&home, "mini");
    game.line("no");
    let told = game.text("where");
    let operation = last(&game);
    let (seq, slot) = (
        operation.seq,
        game.solo.timeline().history().next_ruling_number() - 1,
    );
    assert_eq!(told, format!("line {seq}, ruling {slot}"));
    holds(&mut game, &[]);
}
