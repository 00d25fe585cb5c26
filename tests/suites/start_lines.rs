//! Tests the opening lines of rulesets: the lines that a new game shows are accepted in their
//! order, and a line with an unknown command is a finding.

use arbiter_tests::{Game, Scratch, on_game_thread};
use host::script::GM;

const SHIPPED_RULESETS: [&str; 5] = ["dungeon", "features", "fortune", "opend6", "wwrf"];

#[test]
fn each_ruleset_takes_the_lines_that_it_shows_to_begin_with() {
    on_game_thread(|| {
        for ruleset in SHIPPED_RULESETS {
            let mut game = Game::of_program(&Scratch::shipped(ruleset), ruleset);
            let rules = game.solo.session.generations().live().rules();
            let lines = rules.start_lines();
            assert_eq!(lines.len(), 3, "{ruleset}");
            let on = rules.moves_on_line().map(str::to_owned);
            for line in lines.into_iter().chain(on) {
                let reply = game.solo.submit(GM, &line);
                assert!(
                    reply.refusal.is_none(),
                    "{ruleset}: {line}: {:?}",
                    reply.refusal
                );
            }
        }
    });
}

/// The lines that `next` names are accepted in a new game: those that begin it, and the one that
/// then moves it on.
#[test]
fn next_names_the_lines_that_move_a_game_on() {
    on_game_thread(|| {
        for ruleset in ["features", "fortune", "opend6"] {
            let mut game = Game::of_program(&Scratch::shipped(ruleset), ruleset);
            let refusal = game.refusal("next");
            assert_eq!(refusal.code, "plan/nothing");
            let hint = &refusal.hints[0];
            let (begin, _) = hint.split_once("; `help`").expect("it says how to go on");
            let lines: Vec<&str> = begin.split('`').skip(1).step_by(2).collect();
            assert!(
                lines.len() > 1 && hint.contains("start this game"),
                "{hint}"
            );
            for (place, line) in lines.iter().enumerate() {
                if place + 1 == lines.len() {
                    let refusal = game.refusal("next");
                    let expected = format!("`{line}` moves this game on");
                    assert!(refusal.hints[0].starts_with(&expected), "{refusal:?}");
                }
                let reply = game.solo.submit(GM, line);
                assert!(reply.refusal.is_none(), "{line}: {:?}", reply.refusal);
            }
        }
    });
}

#[test]
fn a_line_to_begin_with_that_no_command_begins_is_found_with_the_near_word() {
    let home = Scratch::mini();
    home.edit(
        "scripts/mini/ruleset.luau",
        "return ruleset {",
        "return ruleset {\n  start = {\n    \"mood Ann\",\n    \"mod Ann\",\n  }, moves_on = \"wait 1d\",",
    );
    let home_path = home.path().to_owned();
    on_game_thread(move || {
        let game = Game::of(&home);
        let found = game.findings();
        assert_eq!(found.matches("script/no-such-line").count(), 1, "{found}");
        assert!(
            found.contains("`start` names the line \"mod Ann\""),
            "{found}"
        );
        assert!(found.contains("did you mean \"mood\"?"), "{found}");
        let lines = std::fs::read_to_string(home_path.join("scripts/mini/ruleset.luau")).unwrap();
        let number = 1 + lines
            .lines()
            .position(|line| line.contains("mod Ann"))
            .unwrap();
        let place = format!("scripts/mini/ruleset.luau:{number}:5");
        assert!(found.contains(&place), "{place}: {found}");
        assert!(found.contains("scripts/mini/ruleset.luau"), "{found}");
    });
}
