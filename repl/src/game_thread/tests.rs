//! This module tests a game on its thread.

use super::*;
use crate::testing::{Toy, text};

fn game(toy: &Toy) -> (Game, Receiver<Reloaded>) {
    let (news, received) = channel();
    let (game, opening) = Game::start(toy.start(), news).unwrap();
    assert_eq!(
        (opening.name.as_str(), opening.summary.as_str()),
        ("Mini", "A toy.")
    );
    (game, received)
}

#[test]
fn a_game_answers_and_helps_to_type() {
    let (game, _news) = game(&Toy::new());
    assert_eq!(text(&game.submit("gm", "mood ann")), "Ann feels 3.");
    let found = game.desk().complete("mood hill", 9);
    assert_eq!(
        (found.start, found.list[0].text.as_str()),
        (5, "Hill Guard ")
    );
    let found = game.desk().complete("help che", 8);
    let texts: Vec<&str> = found.list.iter().map(|one| one.text.as_str()).collect();
    assert_eq!(texts, ["check", "cheer"]);
    assert_eq!(game.desk().complete("moo?", 3).list[0].text, "mood");
    assert_eq!(
        game.desk().hint("cheer ann").unwrap(),
        " [by {amount: Whole}]"
    );
    assert!(game.desk().hint("throw ").unwrap().contains("2d6"));
    assert!(!game.is_dead());
}

#[test]
fn rules_are_swapped_between_commands_and_broken_ones_are_news() {
    let toy = Toy::new();
    let (game, news) = game(&toy);
    toy.write("scripts/mini/commands/dig.luau", "return command {");
    game.desk().swap(Compiled::default());
    assert!(matches!(news.recv().unwrap(), Reloaded::Kept { .. }));
    assert!(game.stale.load(Ordering::Relaxed));
    toy.write(
        "scripts/mini/commands/dig.luau",
        "return command { source = 'x', summary = 'digs', syntax = 'dig',\n\
         run = function(act) return act:done('dug') end }",
    );
    game.desk().swap(Compiled::default());
    assert!(matches!(news.recv().unwrap(), Reloaded::Swapped { .. }));
    assert!(!game.stale.load(Ordering::Relaxed));
    assert_eq!(text(&game.submit("gm", "dig")), "dug");
}

#[test]
fn a_running_script_is_interrupted_from_outside() {
    let toy = Toy::new();
    let (game, _news) = game(&toy);
    let interrupt = Arc::clone(&game.interrupt);
    let done = AtomicBool::new(false);
    let reply = std::thread::scope(|scope| {
        // The flag is cleared when a command begins, so it is set until the answer is there.
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                interrupt.store(true, Ordering::Relaxed);
                std::thread::yield_now();
            }
        });
        let reply = game.submit("gm", "spin");
        done.store(true, Ordering::Relaxed);
        reply
    });
    assert_eq!(reply.refusal.unwrap().code, "limit/interrupted");
    assert_eq!(text(&game.submit("gm", "mood ann")), "Ann feels 3.");
}

#[test]
fn rules_that_do_not_load_start_no_game() {
    let toy = Toy::new();
    toy.write("scripts/mini/ruleset.luau", "return ruleset {");
    let (news, _received) = channel();
    let findings = Game::start(toy.start(), news).map(|_| ()).unwrap_err();
    assert!(findings.iter().any(|found| found.code == "script/syntax"));
}
