//! Tests the question numbers of the game master: they contain the log line where the ruling began,
//! not the slot of the ruling.

use arbiter_tests::{Game, Scratch};
use host::doc::plain;
use host::game::Reply;

use super::super::questions::{
    answer_text, home_with_toll_prompt, open_question_numbers, reply_text,
};
use super::assert_replay_and_numbers_same;

/// Returns a home with a command that is always refused: it becomes a log line and uses no slot.
fn home_with_refused_command() -> Scratch {
    let home = home_with_toll_prompt();
    home.command("no", "return act:fail('no', 'not now')");
    home
}

fn game_after_refused_line() -> (Scratch, Game) {
    let home = home_with_refused_command();
    let mut game = Game::of_program(&home, "mini");
    let refused = game.line("no");
    assert_eq!(refused.refusal.unwrap().message, "not now");
    (home, game)
}

/// Returns the text of an answer for the game master.
fn text_for_gm(reply: &Reply) -> String {
    assert_eq!(reply.refusal, None);
    let said = reply
        .documents_by_operation()
        .map(|(_, document)| plain(&document));
    said.collect::<Vec<_>>().join("\n")
}

/// Makes a ruling wait, and returns its log line and its slot, which differ.
fn suspend_ruling(game: &mut Game, line: &str) -> (u64, u64) {
    let reply = game.line(line);
    assert_eq!(reply.refusal, None, "{line}");
    let (seq, slot) = (
        game.last_operation().seq,
        game.last_operation().slot.unwrap(),
    );
    assert_ne!(seq, slot);
    (seq, slot)
}

#[test]
fn a_question_has_the_log_line_where_its_ruling_began() {
    let (_home, mut game) = game_after_refused_line();
    let (line, _) = suspend_ruling(&mut game, "duel");
    assert_eq!(open_question_numbers(&game, "gm"), [format!("{line}.1")]);
    assert!(game.text("questions").contains(&format!("ruling {line}")));
    assert!(game.text("status").contains(&format!("answer {line}.1 (")));
    let asked = text_for_gm(&game.solo.submit("bo", "answer yes"));
    assert!(asked.contains(&format!("[gm: {line}.2]")), "{asked}");
    let (prompt, _) = suspend_ruling(&mut game, "toll");
    assert_eq!(
        open_question_numbers(&game, "gm"),
        [format!("{line}.2"), format!("{prompt}.1")]
    );
    assert_eq!(
        open_question_numbers(&game, "bo"),
        ["2"],
        "a seat has its own"
    );
    for _ in 0..2 {
        game.undo();
    }
    assert_eq!(open_question_numbers(&game, "gm"), [format!("{line}.1")]);
    for _ in 0..2 {
        game.redo();
    }
    assert_eq!(open_question_numbers(&game, "gm").len(), 2);
    let said = game.line(&format!("answer {line}.2 fast"));
    assert!(
        reply_text(&said).contains("true fast"),
        "{}",
        reply_text(&said)
    );
    let paid = game.line(&format!("answer {prompt}.1 refuse"));
    assert_eq!(reply_text(&paid), "refuse");
    assert_replay_and_numbers_same(&mut game, &["ann", "bo", "cy"]);
}

#[test]
fn a_ruling_that_waits_is_named_by_each_of_its_log_lines_and_by_no_slot() {
    let (_home, mut game) = game_after_refused_line();
    let (line, slot) = suspend_ruling(&mut game, "duel");
    answer_text(&mut game, "bo", "yes");
    let answered = game.last_operation().seq;
    for number in [line, answered] {
        let told = text_for_gm(&game.line(&format!("drop {number}")));
        assert_eq!(told.trim_end(), format!("dropped: {line} duel"));
        game.undo();
    }
    let refusal = game.line(&format!("drop {slot}")).refusal.unwrap();
    assert_eq!(
        refusal.message,
        format!("no waiting ruling has the number {slot}")
    );
    assert_eq!(refusal.hints, [format!("waiting rulings: {line}")]);
    assert_eq!(open_question_numbers(&game, "gm"), [format!("{line}.2")]);
    let (other, _) = suspend_ruling(&mut game, "duel");
    let which = game.line("restart").refusal.unwrap();
    let hint = format!("choose one by number: {line} duel, {other} duel");
    assert_eq!(which.hints, [hint]);
    assert_replay_and_numbers_same(&mut game, &["ann", "bo", "cy"]);
}

/// A correction runs the waiting ruling again: it keeps its name, also if another command replaces
/// it.
#[test]
fn a_correction_keeps_the_numbers_of_what_it_rules_again() {
    let (_home, mut game) = game_after_refused_line();
    game.text("toll");
    let first = game.last_operation().seq;
    let (line, _) = suspend_ruling(&mut game, "duel");
    let (prompt, _) = suspend_ruling(&mut game, "toll");
    assert_eq!(game.line(&format!("revert {first} yes")).refusal, None);
    let all = open_question_numbers(&game, "gm");
    assert!(all.contains(&format!("{line}.1")), "{all:?}");
    assert!(
        all.iter().any(|one| one.starts_with(&format!("{prompt}."))),
        "{all:?}"
    );
    let replaced = game.line(&format!("replace {line} yes with duel"));
    assert_eq!(replaced.refusal, None);
    let all = open_question_numbers(&game, "gm");
    assert!(all.contains(&format!("{line}.1")), "{all:?}");
    let said = game.line(&format!("answer {line}.1 no"));
    assert!(reply_text(&said).contains("How?"), "{}", reply_text(&said));
    assert_replay_and_numbers_same(&mut game, &["ann", "bo", "cy"]);
}

#[test]
fn a_rule_knows_the_log_line_that_it_becomes() {
    let home = home_with_refused_command();
    home.command(
        "where",
        "return act:done(`line {act:log_line()}, ruling {act:ruling_number()}`)",
    );
    let mut game = Game::of_program(&home, "mini");
    game.line("no");
    let told = game.text("where");
    let operation = game.last_operation();
    let (seq, slot) = (
        operation.seq,
        game.solo.timeline().history().next_ruling_number() - 1,
    );
    assert_eq!(told, format!("line {seq}, ruling {slot}"));
    assert_replay_and_numbers_same(&mut game, &[]);
}
