//! Tests the clock and the durations of records through the script API.

use arbiter_tests::{Game, Scratch, on_game_thread};
use host::doc::plain;
use host::game;
use host::game::PlanExtent;
use host::script::EngineOptions;

fn mini_game() -> Game {
    Game::mini_with_engine(&Scratch::mini(), EngineOptions::default())
}

/// Evaluates Luau that returns a text; changes are taken back.
fn evaluate_luau_text(game: &mut Game, code: &str) -> String {
    let answer = game.text(&format!("= (function() {code} end)()"));
    answer.trim_end().to_owned()
}

#[test]
fn records_end_as_time_rounds_and_phases_go_by() {
    on_game_thread(|| {
        let mut game = mini_game();
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
                "local id = act:attach('ann', 'mark', {{}}, {{ duration = {ends} }}); {deed}; return #act:find({{ kind = 'mark' }})"
            );
            assert_eq!(
                evaluate_luau_text(&mut game, &code),
                left.to_string(),
                "{ends} {deed}"
            );
        }
    });
}

#[test]
fn what_cannot_be_is_refused_with_its_reason() {
    on_game_thread(|| {
        let mut game = mini_game();
        for (code, expected, words) in [
            (
                "act:attach('ann', 'mark', {}, { duration = { phase = 'nigth' } })",
                "clock/unknown-phase",
                "\"nigth\"",
            ),
            (
                "act:attach('ann', 'mark', {}, { duration = { uses = 0 } })",
                "store/bad-ends",
                "1 or more",
            ),
            (
                "act:attach('ann', 'mark', {}, { duration = { with = '@clock' } })",
                "store/bad-ends",
                "no row",
            ),
            (
                "act:attach('ann', 'mark', {}, { duration = { phase = 'this', uses = 1 } })",
                "store/bad-ends",
                "has no \"uses\"",
            ),
            (
                "act:attach('ann', 'mark', {}, { end = 1 })",
                "script/syntax",
                "",
            ),
            ("act:detach('ann')", "script/argument", "not an attribute"),
            ("act:use('mark#9')", "script/no-row", "mark#9"),
            ("act:pass_time(-1)", "clock/time", "never goes back"),
            ("act:pass_time(0.5)", "clock/time", "whole seconds"),
            ("act:pass_time(2 ^ 53 - 1)", "clock/time", "too large"),
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
fn a_game_that_begins_on_day_0_counts_from_there_whoever_tells_of_it() {
    on_game_thread(|| {
        let home = Scratch::with_listener_collections();
        home.edit(
            "scripts/mini/ruleset.luau",
            "clock = { phases",
            "clock = { start = \"day\", first = { day = 0, night = 7 }, phases",
        );
        let tells = "function(act, event) act:say('public', `{event.phase} {event.number}`) end";
        home.custom(
            "crier",
            &format!(
                "phase_ended = {tells}, phase_began = {tells},
                 ended = function(act, event) act:say('public', event.reason) end"
            ),
        );
        home.command(
            "lay",
            "act:attach('ann', 'spell', {}, { duration = { phase = 'day' } })
             act:attach('ann', 'fog', {}, { duration = { phase = 'this' } })",
        );
        let mut game = Game::mini_with_engine(&home, EngineOptions::default());
        assert_eq!(game.findings(), "");
        assert_eq!(game.phase_and_place(), "day 0");
        let clock = "return `{act:clock().phase} {act:clock().number}`";
        assert_eq!(evaluate_luau_text(&mut game, clock), "day 0");
        game.text("lay");
        let mut told = Vec::new();
        for _ in 0..3 {
            let moved = game.solo.run_as_line(("gm", "next"), |timeline, ruling| {
                game::move_game_on(timeline, PlanExtent::Rest, ruling)
            });
            let said = moved.documents.iter().map(plain);
            let said: Vec<String> = said.map(|text| text.trim().to_owned()).collect();
            told.push(said.join(", "));
        }
        // The last part of each case is the host's message.
        let expected = [
            "day 0, end of day 0, night 7, night 7",
            "night 7, day 1, day 1",
            "day 1, end of day 1, night 8, night 8",
        ];
        assert_eq!(told, expected);
        assert_eq!(evaluate_luau_text(&mut game, clock), "night 8");
    });
}

#[test]
fn a_first_number_of_a_phase_that_is_none_is_a_finding() {
    on_game_thread(|| {
        let home = Scratch::mini();
        home.edit(
            "scripts/mini/ruleset.luau",
            "clock = {",
            "clock = {\n    first = {\n      day = 0,\n      nigth = 0,\n      dya = 2,\n    },\n",
        );
        let found = Game::mini_with_engine(&home, EngineOptions::default()).findings();
        for (place, name, near) in [("36:7", "nigth", "night"), ("37:7", "dya", "day")] {
            let message = format!("there is no phase \"{name}\"");
            let hint = format!("did you mean \"{near}\"?");
            let place = format!("ruleset.luau:{place}");
            assert!(
                [message, hint, place]
                    .iter()
                    .all(|part| found.contains(part)),
                "{found}"
            );
        }
        assert!(!found.contains("\"day\"\n"), "{found}");
    });
}

#[test]
fn a_ruleset_without_phases_refuses_them_and_a_wrong_clock_is_a_finding() {
    on_game_thread(|| {
        let home = Scratch::mini();
        let path = "scripts/mini/ruleset.luau";
        home.edit(path, "clock = {", "-- clock = {");
        let mut game = Game::mini_with_engine(&home, EngineOptions::default());
        assert_eq!(game.refusal("= act:next_phase()").code, "clock/no-phases");
        assert_eq!(
            evaluate_luau_text(&mut game, "return tostring(act:clock().phase)"),
            "nil"
        );
        let refusal =
            game.refusal("= act:attach('ann', 'mark', {}, { duration = { phase = 'this' } })");
        assert_eq!(refusal.code, "store/bad-ends");
        home.edit(
            path,
            "-- clock = { phases = {",
            "clock = { start = \"dya\", phases = {",
        );
        let game = Game::mini_with_engine(&home, EngineOptions::default());
        let findings = game.solo.session.generations().live().findings();
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
        let mut game = mini_game();
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
            "night 1, round 1, turn of Ann, time 1h"
        );
    });
}

/// Returns a home that notes each ended record three times: by the record, by a row of its owner,
/// and by a game-wide rule.
fn home_noting_ends() -> Scratch {
    let home = Scratch::with_listener_collections();
    let own = "function(act, event, self, bearer) act:enqueue('notes', { text = `own {self} of {bearer}: {event.reason}` }) end";
    let told = "function(act, event, self) act:enqueue('notes', { text = `{self} hears {event.record}` }) end";
    let own = format!("ended = {{ where = {{ record = '@self' }}, run = {own} }}");
    home.whim("fading", &own);
    home.whim("watchful", &format!("ended = {told}"));
    let clock = |event: &str, fields: &str| {
        format!(
            "{event} = function(act, event) act:enqueue('notes', {{ text = `{event} {fields}` }}) end"
        )
    };
    let events = [
        clock("phase_ended", "{event.phase} {event.number}"),
        clock("phase_began", "{event.phase} {event.number}"),
        clock("round_began", "{event.round}"),
        clock("round_ended", "{event.round}"),
        clock("turn_began", "{event.who} {event.number}"),
        clock("turn_ended", "{event.who} {event.number}"),
        "ended = { priority = 9, run = function(act, event) act:enqueue('notes', { text = `all: {event.kind} {event.reason}` }) end }".to_owned(),
    ];
    home.custom("notes", &events.join(", "));
    home
}

/// Runs code as a command and returns its notes, one per line.
fn notes_after_command(home: &Scratch, code: &str) -> Vec<String> {
    home.command(
        "go",
        &format!(
            "{code}
             local lines = {{}}
             act:drain('notes', {{}}, function(batch) for _, note in batch do table.insert(lines, note.text) end end)
             return table.concat(lines, '|')"
        ),
    );
    let mut game = Game::of(home);
    let said = game.text("go").replace('\n', " ");
    said.split('|').map(str::to_owned).collect()
}

#[test]
fn an_ended_record_is_told_to_itself_to_its_bearer_and_to_all() {
    on_game_thread(|| {
        let home = home_noting_ends();
        let lines = notes_after_command(
            &home,
            "act:attach('ann', 'whim', { whim = 'watchful' })
             act:attach('bo', 'whim', { whim = 'watchful' })
             act:attach('ann', 'whim', { whim = 'fading' }, { duration = { time = 60 } })
             act:pass_time(60)",
        );
        // The last part of each case is the host's message.
        let expected = [
            "own whim#3 of ann: time ran out at 1m",
            "whim#1 hears whim#3",
            "all: whim time ran out at 1m",
        ];
        assert_eq!(lines, expected);
    });
}

#[test]
fn what_ends_together_is_gone_before_it_is_told_in_order_of_attachment() {
    on_game_thread(|| {
        let home = home_noting_ends();
        let lines = notes_after_command(
            &home,
            "local first = act:attach('ann', 'mark', {}, { duration = { phase = 'this' } })
             act:attach('bo', 'echo', {}, { duration = { with = first } })
             act:attach('bo', 'whim', { whim = 'fading' }, { duration = { phase = 'this' } })
             act:next_phase()",
        );
        // The last part of each case is the host's message.
        let expected = [
            "phase_ended night 1",
            "all: mark end of night 1",
            "all: echo ended with mark#1",
            "own whim#3 of bo: end of night 1",
            "all: whim end of night 1",
            "phase_began day 1",
        ];
        assert_eq!(lines, expected);
    });
}

#[test]
fn turns_are_told_before_what_they_end_and_after_what_ends_at_their_start() {
    on_game_thread(|| {
        let home = home_noting_ends();
        let lines = notes_after_command(
            &home,
            "act:attach('ann', 'late', {}, { duration = { turn = 'end', of = 'ann' } })
             act:attach('ann', 'early', {}, { duration = { turn = 'start', of = 'ann' } })
             act:attach('ann', 'round', {}, { duration = { rounds = 1 } })
             act:begin_rounds({ 'ann' }) act:next_turn() act:next_turn() act:end_rounds()",
        );
        // The last part of each case is the host's message.
        let expected = [
            "round_began 1",
            "all: early start of the turn of ann",
            "turn_began ann 1",
            "turn_ended ann 1",
            "all: late end of the turn of ann",
            "round_ended 1",
            "all: round end of round 1",
            "round_began 2",
            "turn_began ann 2",
            "turn_ended ann 2",
            "round_ended 2",
        ];
        assert_eq!(lines, expected);
    });
}

#[test]
fn an_event_ends_records_when_everybody_has_heard_it() {
    on_game_thread(|| {
        let home = home_noting_ends();
        home.edit(
            "scripts/mini/ruleset.luau",
            "  types = {",
            "  events = { bell = { summary = \"a bell rings\" } },
  types = {",
        );
        let lines = notes_after_command(
            &home,
            "act:attach('ann', 'mark', {}, { duration = { event = 'bell', where = { whom = '@bearer' } } })
             act:emit('bell', { whom = 'bo' })
             act:emit('bell', { whom = 'ann' })
             act:emit('bell', { whom = 'ann' })",
        );
        assert_eq!(lines, ["all: mark event bell"]);
        let refusal = Game::of(&home)
            .refusal("= act:attach('ann', 'mark', {}, { duration = { event = 'bel' } })");
        assert_eq!(refusal.code, "script/unknown-event");
    });
}

#[test]
fn rules_that_move_the_clock_while_it_moves_are_refused_and_rounds_may_end_inside_a_turn() {
    on_game_thread(|| {
        let home = home_noting_ends();
        home.custom("meddler", "turn_ended = function(act) act:end_rounds() end");
        let lines = notes_after_command(
            &home,
            "act:begin_rounds({ 'ann', 'bo' }) act:next_turn() act:next_turn()",
        );
        assert_eq!(lines.last().unwrap(), "turn_ended ann 1");
        assert!(lines.contains(&"round_ended 1".to_owned()), "{lines:?}");
        home.custom(
            "meddler",
            "phase_ended = function(act, event) if event.number == 1 and event.phase == 'night' then act:next_phase() end end",
        );
        home.command("go", "act:next_phase()");
        let before = Game::of(&home).hash();
        let mut game = Game::of(&home);
        let refusal = game.refusal("go");
        assert!(
            ["clock/moved", "limit/depth"].contains(&&*refusal.code),
            "{refusal:?}"
        );
        assert_eq!(game.hash(), before);
    });
}

#[test]
fn an_expression_that_turns_true_ends_its_record() {
    on_game_thread(|| {
        let home = home_noting_ends();
        home.edit(
            "scripts/mini/ruleset.luau",
            "  types = {",
            "  events = { bell = { summary = \"a bell rings\" } },
  expressions = { variables = { late = function(act) return act:clock().time > 60 end } },
  types = {",
        );
        let lines = notes_after_command(
            &home,
            "local mark = act:attach('ann', 'mark', { depth = 2 }, { duration = { when = '(self.mood, record.depth, <)' } })
             act:attach('bo', 'whim', { whim = 'fading' }, { duration = { when = 'late' } })
             act:attach('bo', 'inner', {}, { duration = { { with = mark }, { when = '(clock.phase, \"day\", ==)' } } })
             act:emit('bell')
             act:enqueue('notes', { text = 'nothing yet' })
             act:set('ann', 'mood', 1)
             act:emit('bell')
             act:pass_time(61)
             act:emit('bell')",
        );
        // The last part of each case is the host's message.
        let expected = [
            "nothing yet",
            "all: mark \"(self.mood, record.depth, <)\" turned true",
            "all: inner ended with mark#1",
            "own whim#2 of bo: \"late\" turned true",
            "all: whim \"late\" turned true",
        ];
        assert_eq!(lines, expected);
    });
}

#[test]
fn expressions_are_tested_at_the_end_of_a_command_and_must_be_readable() {
    on_game_thread(|| {
        let home = home_noting_ends();
        home.command(
            "curse",
            "act:attach('ann', 'mark', {}, { duration = { when = '(self.mood, 0, <)' } })",
        );
        let mut game = Game::of(&home);
        game.text("curse");
        let marks = "= #act:find({ kind = 'mark' })";
        assert_eq!(game.text(marks).trim_end(), "1");
        game.text("set ann mood -1");
        assert_eq!(game.text(marks).trim_end(), "0");
        game.undo();
        assert_eq!(game.text(marks).trim_end(), "1");
        let code = "= act:attach('ann', 'mark', {}, { duration = { when = '(self.mood, 0' } })";
        let refusal = game.refusal(code);
        assert_eq!(refusal.code, "store/bad-ends", "{refusal:?}");
        let unknown = "= act:attach('ann', 'mark', {}, { duration = { when = 'sooner' } })";
        assert_eq!(game.refusal(unknown).code, "store/bad-ends");
    });
}
