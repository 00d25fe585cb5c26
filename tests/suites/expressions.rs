//! Tests guards, auras and formulas, from `ruleset.luau` to `act`.

use arbiter_tests::{Game, Scratch, explain_why, on_game_thread};
use host::doc::plain;
use host::script::EngineOptions;

/// The toy ruleset with its own stats and words, inserted at `{stats}` and `{words}`.
const RULESET_TEMPLATE: &str = r#"--!strict
-- A toy whose stats are computed.
return ruleset {
  source = "the host's own tests",
  name = "Mini",
  summary = "Stats that are computed.",
  stats = {
    mood = { base = 3, summary = "how somebody feels" },
    guard = { base = 0, summary = "what protects somebody" },
    load = { formula = "(self.mood, 2, *)", summary = "what somebody carries" },
    room = { formula = "(self.load, self.size, -)", summary = "what somebody could carry too" },
{stats}
  },
  expressions = {
    variables = {
      crowd = function(act, scope) return #act:find({ kind = "person" }) end,
      here = function(act, scope) return scope.self end,
      noisy = function(act, scope) act:say("gm", "heard") return 1 end,
{words}
    },
    functions = {
      mood_of = { operands = 1, run = function(act, scope, who) return act:get(who, "mood") end },
      store = { operands = 2, quotes = true, run = function(act, scope, value, name) return name .. value end },
      writing = { operands = 0, run = function(act, scope) act:set(scope.self, "mood", 1) return 1 end },
      telling = { operands = 0, run = function(act) act:emit("ended", {}) return 1 end },
      failing = { operands = 0, run = function() error("no idea") end },
      rolling = { operands = 0, run = function(act) return act:roll("d6") end },
      listing = { operands = 0, run = function() return { 1 } end },
    },
  },
  types = { Person = { kind = "person" }, Charm = { collection = "charms" } },
  setup = function(act)
    for _, person in definitions.all("people") do
      act:create("person", { name = person.name, mood = person.mood, spot = "hall" }, person.id)
    end
  end,
}
"#;

const GO_COMMAND: &str = r#"--!strict
-- Going: somebody is somewhere else.
return command {
  source = "the host's own tests",
  summary = "Lets somebody go somewhere.",
  syntax = "go {who: Person} {spot: hall|yard}",
  run = function(act, args)
    act:set(args.who, "spot", args.spot)
  end,
}
"#;

const SING_COMMAND: &str = r#"--!strict
-- Singing: who is near feels better.
return command {
  source = "the host's own tests",
  summary = "Lets somebody sing.",
  syntax = "sing {who: Person}",
  run = function(act, args)
    act:attach(args.who, "song", {}, { modifiers = { {
      stat = "mood", op = "add", value = 10,
      aura = { kind = "person", where = "(self.spot, owner.spot, ==, crowd, 1, >, and)" },
    } } })
  end,
}
"#;

fn home_with_stats_and_words(stats: &str, words: &str) -> Scratch {
    let home = Scratch::mini();
    let text = RULESET_TEMPLATE
        .replace("{stats}", stats)
        .replace("{words}", words);
    home.write("scripts/mini/ruleset.luau", text);
    home.write("scripts/mini/commands/go.luau", GO_COMMAND);
    home.write("scripts/mini/commands/sing.luau", SING_COMMAND);
    home
}

fn game_without_own_stats(raw: bool) -> Game {
    let options = EngineOptions {
        raw,
        ..EngineOptions::default()
    };
    Game::mini_with_engine(&home_with_stats_and_words("", ""), options)
}

/// Returns the value of a chunk; its writes are taken back.
fn evaluate_body(game: &mut Game, body: &str) -> String {
    game.text(&format!("= (function() {body} end)()"))
}

fn refusal_of_body(game: &mut Game, body: &str) -> String {
    let finding = game.refusal(&format!("= (function() {body} end)()"));
    format!("{}: {}", finding.code, finding.message)
}

/// Returns a chunk that adds a guarded modifier to the stat `guard` of Ann and reads the stat.
fn chunk_with_guarded_modifier(guard: &str) -> String {
    format!(
        "act:attach('ann', 'mark', {{}}, {{ modifiers = {{ {{ stat = 'guard', op = 'add', value = 1, only_if = '{guard}' }} }} }}) return act:get('ann', 'guard')"
    )
}

#[test]
fn an_expression_may_say_what_a_row_is_called_and_what_it_is() {
    on_game_thread(|| {
        let mut game = game_without_own_stats(false);
        for (guard, holds) in [
            ("(self.id, \"ann\", ==)", true),
            ("(owner.id, owner, ==)", true),
            ("(owner.id, \"bo\", ==)", false),
            ("(self.kind, \"person\", ==)", true),
            ("(record.kind, \"mark\", ==)", true),
        ] {
            let sum = if holds { "1" } else { "0" };
            assert_eq!(
                evaluate_body(&mut game, &chunk_with_guarded_modifier(guard)),
                sum,
                "{guard}"
            );
            let older =
                chunk_with_guarded_modifier(guard).replace("only_if = '(", "[\"while\"] = '(");
            assert_eq!(evaluate_body(&mut game, &older), sum, "{guard}");
        }
    });
}

#[test]
fn formulas_and_words_of_the_ruleset_answer_every_reader() {
    on_game_thread(|| {
        for raw in [true, false] {
            let mut game = game_without_own_stats(raw);
            let cases = [
                (
                    "act:set('ann', 'mood', 4) return act:get('ann', 'load')",
                    "8",
                ),
                (
                    "act:set('ann', 'mood', 4) return act:get('ann', 'load'), act:get('ann', 'load')",
                    "8, 8",
                ),
                (
                    "act:set('ann', 'mood', 4) return act:base('ann', 'load')",
                    "8",
                ),
                (
                    "act:set('ann', 'mood', 4) return act:stat('ann', 'load')",
                    "8, 8",
                ),
                (
                    "act:set('ann', 'mood', 4) return act:get_decimal('ann', 'load')",
                    "8",
                ),
                (
                    "act:set('ann', 'mood', 4) return #act:find({ kind = 'person', where = { load = 8 } })",
                    "1",
                ),
                (
                    "act:set('ann', 'mood', 4) return act:add('ann', 'load', 1)",
                    "9",
                ),
                (
                    "act:set('ann', 'load', 5) act:set('ann', 'size', 2) return act:get('ann', 'room')",
                    "3",
                ),
                (&chunk_with_guarded_modifier("(crowd, 2, ==)"), "1"),
                (
                    &chunk_with_guarded_modifier("(here, mood_of, self.mood, ==)"),
                    "1",
                ),
                (
                    &chunk_with_guarded_modifier("(here.mood, self.mood, ==)"),
                    "1",
                ),
                (
                    &chunk_with_guarded_modifier("(3, NV1, store, \"NV13\", ==)"),
                    "1",
                ),
                (
                    &chunk_with_guarded_modifier("(source, nil, ==, record, nil, !=, and)"),
                    "1",
                ),
                (
                    &chunk_with_guarded_modifier("(clock.phase, \"night\", ==)"),
                    "0",
                ),
            ];
            for (body, wanted) in cases {
                assert_eq!(evaluate_body(&mut game, body), wanted, "raw {raw}: {body}");
            }
        }
    });
}

#[test]
fn an_expression_only_looks_and_names_what_fails() {
    on_game_thread(|| {
        let mut game = game_without_own_stats(true);
        let cases = [
            (
                "(writing)",
                "script/read-only: an expression is read-only: it cannot change the game",
            ),
            (
                "(noisy)",
                "script/read-only: an expression is read-only: it cannot say anything",
            ),
            (
                "(rolling)",
                "script/read-only: an expression is read-only: it cannot roll dice",
            ),
            (
                "(telling)",
                "script/read-only: an expression is read-only: it cannot emit events",
            ),
            ("(failing)", "script/error: no idea"),
            (
                "(listing)",
                "script/expression: \"listing\" returned a list to an expression",
            ),
            (
                "(\"ann\", mood_of, \"x\", +)",
                "store/expression: the `only_if` of mark#1 on ann fails: in the expression \"(\"ann\", mood_of, \"x\", +)\": \"+\" needs numbers, found the text \"x\"",
            ),
            (
                "(mood_off)",
                "store/bad-modifiers: in the expression \"(mood_off)\": unknown name or function \"mood_off\"",
            ),
        ];
        for (guard, wanted) in cases {
            assert_eq!(
                refusal_of_body(&mut game, &chunk_with_guarded_modifier(guard)),
                wanted
            );
        }
        // The rule can still write afterwards.
        let caught = format!(
            "pcall(function() {} end) act:set('ann', 'mood', 9) return act:get('ann', 'mood')",
            chunk_with_guarded_modifier("(writing)")
        );
        assert_eq!(evaluate_body(&mut game, &caught), "9");
        let own = chunk_with_guarded_modifier("(here, mood_of, 0, >)").replace("'guard'", "'mood'");
        assert_eq!(
            refusal_of_body(&mut game, &own),
            "store/cycle: stats depend on each other in a circle: ann.mood -> ann.mood"
        );
    });
}

#[test]
fn an_aura_follows_who_moves_and_every_undo() {
    on_game_thread(|| {
        let mut game = game_without_own_stats(true);
        let moods = |game: &mut Game| {
            evaluate_body(
                game,
                "return act:get('ann', 'mood') .. ' ' .. act:get('bo', 'mood') .. ' ' .. act:get('bo', 'load')",
            )
        };
        let before = moods(&mut game);
        game.text("sing ann");
        let near = moods(&mut game);
        assert_ne!(before, near);
        game.text("go ann yard");
        let away = moods(&mut game);
        assert_ne!(near, away);
        game.text("go bo yard");
        assert_eq!(moods(&mut game), near);
        let bytes = game.solo.timeline().state().to_bytes();
        game.undo();
        assert_eq!(moods(&mut game), away);
        game.undo();
        assert_eq!(moods(&mut game), near);
        game.undo();
        assert_eq!(moods(&mut game), before);
        (0..3).for_each(|_| game.redo());
        assert_eq!(moods(&mut game), near);
        assert_eq!(game.solo.timeline().state().to_bytes(), bytes);
    });
}

#[test]
fn reading_costs_the_same_fuel_whatever_was_read_before() {
    on_game_thread(|| {
        let home = home_with_stats_and_words("", "");
        let fuel = |reads: usize| {
            let mut game = Game::of(&home);
            game.text("sing ann");
            for _ in 0..reads {
                evaluate_body(&mut game, "return act:get('bo', 'load')");
            }
            let load = evaluate_body(&mut game, "return act:get('bo', 'load')");
            (
                load,
                game.solo.session.generations().live().machine().fuel_used(),
            )
        };
        assert_eq!(fuel(0), fuel(5));
    });
}

#[test]
fn mistakes_in_formulas_and_words_are_findings_at_their_lines() {
    on_game_thread(|| {
        let cases = [
            (
                "    bad = { formula = \"(self.mood, 1)\", summary = \"x\" },",
                "",
                "expr/leftover",
                12,
                "the expression ends with 2 values",
            ),
            (
                "    bad = { formula = \"(slf.mood, 1, +)\", summary = \"x\" },",
                "",
                "expr/unknown",
                12,
                "did you mean \"self\"?",
            ),
            (
                "    bad = { formula = \"(self.mood, mood_off)\", summary = \"x\" },",
                "",
                "expr/unknown",
                12,
                "did you mean \"mood_of\"?",
            ),
            (
                "    bad = { formula = \"(source.mood)\", summary = \"x\" },",
                "",
                "expr/unknown",
                12,
                "unknown name \"source\"",
            ),
            (
                "    one = { formula = \"(self.two)\", summary = \"x\" },\n    two = { formula = \"(self.one)\", summary = \"x\" },",
                "",
                "expr/cycle",
                12,
                "formulas depend on each other in a circle: one -> two -> one",
            ),
            (
                "    one = { formula = \"(self.one, 1, +)\", summary = \"x\" },",
                "",
                "expr/cycle",
                12,
                "one -> one",
            ),
            (
                "    bad = { base = 1, formula = \"(1)\", summary = \"x\" },",
                "",
                "expr/formula-and-base",
                12,
                "remove `base`",
            ),
            (
                "",
                "      self = function() end,",
                "expr/word",
                19,
                "belongs to the host",
            ),
            (
                "",
                "      [\"a b\"] = function() end,",
                "expr/word",
                19,
                "cannot be a word",
            ),
        ];
        for (stats, words, code, line, part) in cases {
            let findings = match Game::start(
                &home_with_stats_and_words(stats, words),
                EngineOptions::default(),
            ) {
                Ok(game) => game.solo.session.generations().live().findings().to_vec(),
                Err(findings) => findings,
            };
            let found = findings.iter().find(|finding| finding.code == code);
            let found = found.unwrap_or_else(|| panic!("{code}: {findings:?}"));
            let place = found.place.as_ref().expect("it has a place");
            let found_line = place.source.position(place.span.start).line;
            assert_eq!(found_line, line, "{stats}{words}");
            let text = format!("{} {:?}", found.message, found.hints);
            assert!(text.replace("\\\"", "\"").contains(part), "{text}");
        }
    });
}

#[test]
fn scopes_with_other_functions_never_share_what_was_compiled() {
    on_game_thread(|| {
        let mut game = game_without_own_stats(true);
        // The name of one function looks like two names.
        let body = "local function one(x) return x end
            local two = { a = { operands = 1, run = one }, b = { operands = 1, run = one } }
            local odd = { ['a\\n1false\\nb'] = { operands = 1, run = one } }
            local first = expr.eval('(1, a)', { functions = two })
            local ok, problem = pcall(expr.eval, '(1, a)', { functions = odd })
            return first, ok, string.find(tostring(problem), 'ends with 2 values', 1, true) ~= nil";
        assert_eq!(evaluate_body(&mut game, body), "1, false, true");
    });
}

#[test]
fn an_end_that_cannot_be_tested_sleeps_and_the_game_master_is_told_of_its_record() {
    let home = Scratch::mini();
    home.command(
        "bear",
        "return act:attach('ann', 'mark', {}, { duration = { when = '(self.note, 1, +)' } })",
    );
    home.command("spoil", "act:set('ann', 'note', 'x') return 'spoilt'");
    home.command("mend", "act:set('ann', 'note', 1) return 'mended'");
    let mut game = Game::of(&home);
    game.text("spoil");
    let told = game.text("bear");
    for part in [
        "the end of mark#1 on ann is inactive",
        "remove mark#1 removes it",
    ] {
        assert_eq!(told.matches(part).count(), 1, "{told}");
    }
    assert!(game.text("spoil").contains("is inactive"), "commands go on");
    let last = game.last_operation().seq;
    assert_eq!(
        game.solo.verify_operation(last),
        host::game::ReplayComparison::Same
    );
    assert_eq!(game.text("mend"), "mended", "what can be tested again ends");
    assert_eq!(game.text("spoil"), "spoilt");
}

#[test]
fn a_guard_that_closes_a_cycle_names_its_record() {
    let home = Scratch::mini();
    let bear = "act:attach('ann', 'mark', {}, { modifiers = { { stat = 'mood', op = 'add', value = 1, only_if = '(owner.omen)' } } }) \
        act:attach('ann', 'mark', {}, { modifiers = { { stat = 'omen', op = 'add', value = 1, only_if = '(owner.mood)' } } }) return 'borne'";
    home.command("bear", bear);
    home.command("look", "return `{act:get('ann', 'mood')}`");
    let mut game = Game::of(&home);
    game.text("bear");
    let refusal = game.refusal("look");
    assert_eq!(refusal.code, "store/cycle");
    let named = "the `only_if` of mark#2 on ann fails: stats depend on each other in a circle: ";
    assert!(refusal.message.contains(named), "{}", refusal.message);
    let hint = "why mark#2 shows who attached it, remove mark#2 removes it";
    assert_eq!(
        refusal.hints,
        [hint, "log line 2 attached it: `why 2` shows how"]
    );
    let evaluated = game.refusal("= act:get('ann', 'mood')");
    assert_eq!(evaluated.hints, refusal.hints);
    let why = explain_why(&mut game.solo, "gm", "2").expect("operation 2 is there");
    assert!(plain(&why).contains("mark#2"), "{}", plain(&why));
    // A record of a refused command was attached by no operation.
    home.command(
        "both",
        &format!(
            "act:detach('mark#1') act:detach('mark#2') {}",
            bear.replace("return 'borne'", "act:get('ann', 'mood')")
        ),
    );
    let mut game = Game::of(&home);
    game.text("bear");
    let refusal = game.refusal("both");
    assert_eq!(refusal.hints.len(), 1, "{:?}", refusal.hints);
}
