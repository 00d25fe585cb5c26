//! This module tests `why`, `why not` and what a seat is told of both.

use arbiter_tests::{Game, Scratch};

#[test]
fn demo() {
    let home = Scratch::mini();
    let mut game = Game::of(&home);
    game.text("charm ann with cheer");
    game.text("charm bo with gloom");
    game.session.submit("gm", "set bo guard 1");
    game.session.submit("gm", "charm bo with cheer");
    for text in [
        "1", "2", "3", "5", "ann", "bo.mood", "ann mood", "charm#1", "bo.guard",
    ] {
        let said = game
            .session
            .why("gm", text)
            .map(|one| host::doc::plain(&one));
        println!("> why {text}\n{}", said.unwrap_or_else(|e| e.message));
    }
    for text in ["charm bo with cheer", "ann.guard", "charm ann with gloom"] {
        let said = game
            .session
            .why_not("gm", text)
            .map(|one| host::doc::plain(&one));
        println!("> why not {text}\n{}", said.unwrap_or_else(|e| e.message));
    }
}
