//! This module breaks texts while a game runs: what asked for an answer is gone, reads otherwise, or cannot be read.

use arbiter_tests::{Game, Scratch};

const FILE: &str = "content/wwrf/roles/townsfolk/tide_oracle";

/// A role that nothing else names.
const ORACLE: &str = "**Tide Oracle** | Townsfolk Investigative
__Basics__
Asks the tide.

__Formalized__
Immediate Night: Role Investigate @Selection
";

const PIER: &str = "source: the host's own tests
name: Pier
summary: An oracle among villagers.
players: { Wanda: Wolf, Ann: Tide Oracle, Bo: Villager, Cy: Villager }
";

/// Returns a home with the role, and a set-up in which somebody plays it.
fn pier() -> Scratch {
    let home = Scratch::shipped("wwrf");
    home.write(FILE, ORACLE);
    home.write("content/wwrf/setups/pier.yaml", PIER);
    home
}

/// Returns a game in its first night, in which the oracle is asked.
fn night(home: &Scratch) -> Game {
    let mut game = Game::of_program(home, "wwrf");
    game.text("new game Pier");
    game.text("next");
    assert!(game.text("prompts").contains("Ann"));
    game
}

/// Expects that an answer is refused because of the text, and that nothing of it is done.
fn is_gone(game: &mut Game) {
    let before = game.hash();
    let refused = game.refusal("for Ann: answer Wanda");
    assert_eq!(refused.code, "wwrf/gone");
    assert_eq!(game.hash(), before);
}

#[test]
fn a_role_that_is_gone_does_nothing_and_the_game_goes_on() {
    let home = pier();
    let mut game = night(&home);
    home.remove(FILE);
    assert_eq!(game.text("reload"), "roles: 1 removed (tide_oracle)");
    is_gone(&mut game);
    let told = game.text("players");
    assert!(told.contains("tide_oracle (its text is gone)"), "{told}");
    assert_eq!(game.refusal("card Ann").code, "wwrf/no-role");
    game.text("next");
    assert_eq!(
        game.refusal("for Ann: answer Wanda").code,
        "answer/no-question"
    );
    game.text("let Bo Role Investigate Ann");
    game.text("end game Townsfolk");
}

#[test]
fn a_role_that_asks_at_another_time_now_does_not_take_the_old_answer() {
    let home = pier();
    let mut game = night(&home);
    home.edit(FILE, "Immediate Night", "End Night");
    game.text("reload");
    is_gone(&mut game);
}

#[test]
fn an_answer_that_waits_is_dropped_when_its_text_is_gone() {
    let home = pier();
    home.edit(FILE, "Immediate Night", "End Night");
    let mut game = night(&home);
    game.text("for Ann: answer Wanda");
    assert!(game.text("answers").contains("Wanda"));
    home.remove(FILE);
    game.text("reload");
    assert!(game.text("answers").contains("Wanda"));
    assert_eq!(game.refusal("for Ann: amend 1: Bo").code, "wwrf/gone");
    let told = game.text("next");
    assert!(told.contains("does nothing any more"), "{told}");
    assert!(!told.contains("Wolf"), "{told}");
}

#[test]
fn a_text_that_cannot_be_read_leaves_the_old_one_in_force() {
    let home = pier();
    let mut game = night(&home);
    home.edit(FILE, "Role Investigate", "Roll Investigate");
    let reply = game.line("reload");
    assert_eq!(reply.findings[0].code, "wwrf/ability-unknown");
    let told = game.text("for Ann: answer Wanda");
    assert!(told.contains("Wanda is Wolf"), "{told}");
}

#[test]
fn an_ability_that_was_mended_is_what_an_answer_does() {
    let home = pier();
    let mut game = night(&home);
    home.edit(FILE, "Role Investigate", "Alignment Investigate");
    game.text("reload");
    let told = game.text("for Ann: answer Wanda");
    assert!(told.contains("Werewolf"), "{told}");
}

#[test]
fn a_role_that_is_not_finished_is_not_dealt() {
    let home = pier();
    let mut game = night(&home);
    let body = "Immediate Night: Role Investigate @Selection";
    home.edit(FILE, body, "TBD");
    game.text("reload");
    is_gone(&mut game);
    let refused = game.refusal("new game Pier anyway");
    assert_eq!(refused.code, "wwrf/set-up");
    assert_eq!(refused.message, "the role Tide Oracle is not finished");
    assert!(game.text("players").contains("Tide Oracle"));
}

#[test]
fn a_role_that_could_not_be_read_when_the_game_began_is_not_dealt() {
    let home = pier();
    home.edit(FILE, "Role Investigate", "Roll Investigate");
    let mut game = Game::of_program(&home, "wwrf");
    let refused = game.refusal("new game Pier");
    assert_eq!(
        refused.message,
        "the book has no role \"Tide Oracle\", or it could not be read"
    );
}
