//! Tests that dead creatures add little fuel to commands: they receive events and do nothing.

use arbiter_tests::{Game, Scratch, on_game_thread};

/// Returns the fuel of a command among this many dead creatures with features.
fn fuel_among_dead_creatures(dead: usize, command: &str) -> u64 {
    let mut game = Game::of_program(&Scratch::shipped("features"), "features");
    game.text("add Ann at 0,0 on A: HP 30; AC 12; MOVESPEED 25; feature freedom of movement (2)");
    game.text("add Bo at 5,0 on B: HP 300; AC 12");
    for number in 0..dead {
        let (x, y) = (5 * (number % 10) + 50, 5 * (number / 10) + 50);
        game.text(&format!(
            "add D{number} at {x},{y} on B: HP 11; feature freedom of movement (2); feature false appearance (object form only)"
        ));
        game.text(&format!("set D{number} ALIVE 0"));
    }
    game.text("turn Ann");
    game.text(command);
    game.solo.session.generations().live().machine().fuel_used()
}

#[test]
fn dead_creatures_add_little_fuel_to_commands() {
    on_game_thread(|| {
        for command in ["dash", "turn Bo"] {
            let (few, many) = (
                fuel_among_dead_creatures(2, command),
                fuel_among_dead_creatures(40, command),
            );
            assert!(
                many * 2 < few * 5,
                "{command}: {few} with 2 dead, {many} with 40"
            );
        }
    });
}
