//! This module tests questions: rulings that wait, go on, become stale, and prompts while the world goes on.

use arbiter_tests::{Game, Scratch, on_game_thread};
use host::diag::Diagnostic;
use host::doc::plain;
use host::game::{Reply, Seed, Session, SessionOptions};
use host::script::EngineOptions;
use host::store::Operation;

/// A home whose ruleset knows two seats, with a command for each moment.
fn home() -> Scratch {
    let home = Scratch::mini();
    home.edit(
        "scripts/mini/ruleset.luau",
        "setup = function",
        "seats = function(act) return { ann = { \"red\" }, bo = { \"red\", \"blue\" }, cy = {} } end,\n  setup = function",
    );
    home.command(
        "duel",
        r#"
  act:add("ann", "mood", 1)
  act:say("public", "the duel begins")
  local first = act:roll("1d20", "hit", "ann")
  local shield = act:ask({ to = "bo", key = "shield", who = "bo", type = "YesNo", default = false, text = "Raise it?" })
  if shield then act:set("bo", "guard", 2) end
  local how = act:ask({ to = "ann", key = "how", options = { "fast", "strong", "step aside" }, text = "How?" })
  return `{first} {shield} {how} {act:roll("1d20", "hit", "ann")} by {act:by()}`"#,
    );
    home
}

fn text(reply: &Reply) -> String {
    if let Some(refusal) = &reply.refusal {
        panic!("refused: {}", host::diag::render(refusal, false));
    }
    let texts: Vec<String> = reply.documents.iter().map(plain).collect();
    texts.join("\n").trim_end().to_owned()
}

fn answer(game: &mut Game, by: &str, answer: &str) -> Reply {
    let line = format!("answer {answer}");
    game.session.answer((by, &line), answer)
}

fn refused(game: &mut Game, by: &str, text: &str) -> Diagnostic {
    let before = (game.hash(), game.session.open_questions());
    let refusal = answer(game, by, text).refusal;
    let refusal = refusal.unwrap_or_else(|| panic!("{by}: {text} was taken"));
    assert_eq!(
        (game.hash(), game.session.open_questions()),
        before,
        "nothing changes"
    );
    refusal
}

fn last(game: &Game) -> &Operation {
    game.session.history().operations().last().unwrap()
}

#[test]
fn a_ruling_waits_and_the_answers_run_it_again() {
    on_game_thread(|| {
        let mut game = Game::of(&home());
        let before = game.hash();
        let reply = game.line("duel");
        assert_eq!(text(&reply), "question 2.1: Raise it? (yes or no, else no)");
        assert_eq!(plain(&reply.provisional[0]), "the duel begins");
        assert_eq!(last(&game).slot, Some(2));
        assert_eq!(last(&game).documents, []);
        assert_eq!(
            game.text("mood ann"),
            "Ann feels 3.",
            "nothing of it is kept"
        );
        let reply = answer(&mut game, "bo", "yes");
        assert_eq!(
            text(&reply),
            "question 2.2: How? (fast or strong or step aside)"
        );
        let reply = answer(&mut game, "ann", "st a");
        assert!(reply.refusal.is_some());
        let reply = answer(&mut game, "ann", "step");
        let said = text(&reply);
        assert!(
            said.contains("true step aside") && said.ends_with("by gm"),
            "{said}"
        );
        assert_eq!(last(&game).slot, Some(2));
        assert_eq!(last(&game).inputs.len(), 4);
        assert_eq!(game.session.open_questions(), []);
        assert_eq!(game.session.history().next_slot(), 3);
        for _ in 0..3 {
            game.undo();
        }
        assert_eq!(game.hash(), before);
        for _ in 0..3 {
            game.redo();
        }
        assert_eq!(game.text("mood ann"), "Ann feels 5.");
    });
}
