//! This module plays the clock and the ends of records through the script API.

use arbiter_tests::{Game, Scratch, on_game_thread};
use host::script::EngineOptions;

fn game() -> Game {
    Game::with(&Scratch::mini(), EngineOptions::default())
}

/// Evaluates Luau that returns a text; nothing of it stays.
fn said(game: &mut Game, code: &str) -> String {
    let answer = game.text(&format!("= (function() {code} end)()"));
    answer.trim_end().to_owned()
}

#[test]
fn records_end_as_time_rounds_and_phases_go_by() {
    on_game_thread(|| {
        let mut game = game();
        for (ends, deed, left) in [
            ("{ phase = 'this' }", "act:next_phase()", 0),
            ("{ phase = 'night' }", "act:next_phase()", 1),
            (
                "{ phase = 'night' }",
                "act:next_phase('night'); act:next_phase()",
                0,
            ),
            ("{ { time = 60 }, { uses = 1 } }", "act:pass_time(59)", 1),
            ("{ { time = 60 }, { uses = 1 } }", "act:pass_time(60)", 0),
            ("{ { time = 60 }, { uses = 1 } }", "act:use(id)", 0),
            ("{ with = 'bo' }", "act:remove('bo')", 0),
            (
                "{ rounds = 1 }",
                "act:begin_rounds({ 'ann' }); act:next_turn()",
                1,
            ),
            (
                "{ rounds = 1 }",
                "act:begin_rounds({ 'ann' }); act:next_turn(); act:next_turn()",
                0,
            ),
            (
                "{ rounds = 1 }",
                "act:begin_rounds({ 'ann' }); act:end_rounds()",
                0,
            ),
            (
                "{ turn = 'start', of = 'bo' }",
                "act:begin_rounds({ 'ann', 'bo' }); act:next_turn()",
                1,
            ),
            (
                "{ turn = 'start', of = 'bo' }",
                "act:begin_rounds({ 'ann', 'bo' }); act:next_turn(); act:next_turn()",
                0,
            ),
            (
                "{ turn = 'end', of = 'bo' }",
                "act:begin_rounds({ 'bo' }); act:next_turn(); act:end_rounds()",
                0,
            ),
            ("{}", "act:next_phase(); act:pass_time(9999)", 1),
        ] {
            let code = format!(
                "local id = act:attach('ann', 'mark', {{}}, {{ ends = {ends} }}); {deed}; return #act:find({{ kind = 'mark' }})"
            );
            assert_eq!(said(&mut game, &code), left.to_string(), "{ends} {deed}");
        }
    });
}

#[test]
fn what_cannot_be_is_refused_with_its_reason() {
    on_game_thread(|| {
        let mut game = game();
        for (code, expected, words) in [
            (
                "act:attach('ann', 'mark', {}, { ends = { phase = 'nigth' } })",
                "clock/unknown-phase",
                "\"nigth\"",
            ),
            (
                "act:attach('ann', 'mark', {}, { ends = { uses = 0 } })",
                "store/bad-ends",
                "1 or more",
            ),
            (
                "act:attach('ann', 'mark', {}, { ends = { with = '@clock' } })",
                "store/bad-ends",
                "no row",
            ),
            (
                "act:attach('ann', 'mark', {}, { ends = { phase = 'this', uses = 1 } })",
                "store/bad-ends",
                "has no \"uses\"",
            ),
            (
                "act:attach('ann', 'mark', {}, { end = 1 })",
                "script/syntax",
                "",
            ),
            ("act:detach('ann')", "script/argument", "no record"),
            ("act:use('mark#9')", "script/no-row", "mark#9"),
            ("act:pass_time(-1)", "clock/time", "never goes back"),
            ("act:pass_time(0.5)", "clock/time", "whole seconds"),
            ("act:pass_time(2 ^ 53)", "clock/time", "fit"),
            ("act:next_phase('dusk')", "clock/unknown-phase", "\"dusk\""),
            ("act:next_turn()", "clock/no-rounds", "no rounds"),
            ("act:end_rounds()", "clock/no-rounds", "no rounds"),
            ("act:reorder({ 'ann' })", "clock/no-rounds", "no rounds"),
            ("act:begin_rounds({})", "clock/order", "at least one"),
            ("act:begin_rounds({ 'ann', 'ann' })", "clock/order", "twice"),
            (
                "act:begin_rounds({ 'ann', 'anb' })",
                "script/no-row",
                "\"anb\"",
            ),
            ("act:begin_rounds({ '@clock' })", "script/no-row", "@clock"),
        ] {
            let finding = game.refusal(&format!("= {code}"));
            if expected != "script/syntax" {
                assert_eq!(finding.code, expected, "{code}: {}", finding.message);
            }
            assert!(
                finding.message.contains(words),
                "{code}: {}",
                finding.message
            );
        }
    });
}

#[test]
fn a_ruleset_without_phases_refuses_them_and_a_wrong_clock_is_a_finding() {
    on_game_thread(|| {
        let home = Scratch::mini();
        let path = "scripts/mini/ruleset.luau";
        home.edit(path, "clock = {", "-- clock = {");
        let mut game = Game::with(&home, EngineOptions::default());
        assert_eq!(game.refusal("= act:next_phase()").code, "clock/no-phases");
        assert_eq!(said(&mut game, "return tostring(act:clock().phase)"), "nil");
        let refusal =
            game.refusal("= act:attach('ann', 'mark', {}, { ends = { phase = 'this' } })");
        assert_eq!(refusal.code, "store/bad-ends");
        home.edit(
            path,
            "-- clock = { phases = {",
            "clock = { start = \"dya\", phases = {",
        );
        let game = Game::with(&home, EngineOptions::default());
        let findings = game.session.findings();
        let found = findings
            .iter()
            .find(|one| one.code == "clock/unknown-phase");
        assert!(
            found.is_some_and(|one| one.hints.join("").contains("\"day\"")),
            "{findings:?}"
        );
    });
}

#[test]
fn undo_and_redo_keep_what_is_to_end() {
    on_game_thread(|| {
        let mut game = game();
        game.text("charm ann with cheer");
        let first = game.hash();
        game.text("wait 1h");
        game.text("skirmish");
        game.text("turn");
        let last = game.hash();
        for _ in 0..3 {
            game.undo();
        }
        assert_eq!(game.hash(), first);
        for _ in 0..3 {
            game.redo();
        }
        assert_eq!(game.hash(), last);
        assert_eq!(
            game.text("clock").trim_end(),
            "night 1, round 1, turn of ann, time 1h"
        );
    });
}
