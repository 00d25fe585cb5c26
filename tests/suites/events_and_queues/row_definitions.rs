//! Tests rows that are definitions: their handlers are read when an event is emitted, and again
//! after a change.

use arbiter_tests::{Game, Scratch, on_game_thread};
use host::game::{Script, ScriptStep, Seed, check_laws_fully};

use super::schema_handlers::{HABIT_SCHEMA, home_with_habits, run_as_command};

/// Returns a home in which rows are habits, beside a habit in a file.
fn home_with_row_habits() -> Scratch {
    let home = home_with_habits(&[("waver", "when:\n- { on: greet, do: [{ add: 1 }] }\n")]);
    home.write(
        "scripts/mini/schemas/habit.luau",
        HABIT_SCHEMA.replace(
            "format = \"yaml\",",
            "format = \"yaml\", stored_in = { kind = \"manner\", field = \"said\" },",
        ),
    );
    home
}

/// Luau that makes a habit which adds to the mood of its owner.
const STEPS_FUNCTION: &str = "local function steps(n) return { when = { { on = 'greet', ['do'] = { { add = n } } } } } end\n";

#[test]
fn a_row_may_be_a_definition_and_hears_what_it_says_now() {
    let home = home_with_row_habits();
    home.command(
        "made",
        "local function steps(n) return { when = { { on = 'greet', ['do'] = { { add = n } } }, { on = 'bell', ['do'] = { { add = 100 } } } } } end
         act:set('ann', 'mood', 0)
         local all = {}
         local function greet() act:emit('greet', {}) table.insert(all, tostring(act:get('ann', 'mood'))) end
         act:set('ann', 'habit', 'own-manner')
         greet()
         act:create('manner', { said = steps(5) }, 'own-manner')
         greet()
         act:emit('bell', {})
         table.insert(all, tostring(act:has_listeners('bell', { to = 'ann' })))
         act:set('own-manner', 'said', { when = { { on = 'greet', ['do'] = { { add = 7 } } } } })
         greet()
         table.insert(all, tostring(act:has_listeners('bell', { to = 'ann' })))
         table.insert(all, tostring(act:fire('ann', 'own-manner:1', {})))
         act:remove('own-manner')
         greet()
         act:set('ann', 'habit', 'waver')
         greet()
         return table.concat(all, ' ')",
    );
    home.command(
        "greet",
        "act:emit('greet', {}) return `{act:get('ann', 'mood')}`",
    );
    home.command(
        "keep",
        "act:create('manner', { said = { when = { { on = 'greet', ['do'] = { { add = 7 } } } } } }, 'kept-manner') act:set('ann', 'habit', 'kept-manner') act:set('ann', 'mood', 0)",
    );
    let mut game = Game::of(&home);
    assert_eq!(game.text("made"), "0 5 true 112 false true 119 120");
    game.line("keep");
    assert_eq!(game.text("greet"), "7");
    game.undo();
    game.undo();
    game.redo();
    game.redo();
    assert_eq!(game.text("greet"), "14");
    game.assert_replays_same();
}

#[test]
fn a_row_that_says_again_what_it_said_before_is_heard_as_then() {
    let home = home_with_row_habits();
    for (name, more) in [("five", 5), ("seven", 7)] {
        home.command(
            name,
            &format!("{STEPS_FUNCTION} local said = steps({more})
                 if act:exists('own') then act:set('own', 'said', said) else act:create('manner', {{ said = said }}, 'own') end
                 act:set('ann', 'habit', 'own') act:set('ann', 'mood', 0)"),
        );
    }
    home.command(
        "greet",
        "act:emit('greet', {}) act:fire('ann', 'own:1', {}) return `{act:get('ann', 'mood')}`",
    );
    let mut game = Game::of(&home);
    let mut heard = Vec::new();
    for line in ["five", "greet", "seven", "greet", "five", "greet"] {
        heard.push(game.text(line));
    }
    assert_eq!(heard, ["", "10", "", "14", "", "10"]);
    game.undo();
    game.undo();
    assert_eq!(game.text("greet"), "28");
    game.assert_replays_same();
    let hash = game.hash();
    let mut again = Game::of(&home);
    for line in ["five", "greet", "seven", "greet", "greet"] {
        again.line(line);
    }
    assert_eq!(again.hash(), hash, "on a machine that read less of it");
}

#[test]
fn handlers_run_by_their_keys_for_those_whose_definition_has_them() {
    let home = home_with_row_habits();
    home.edit(
        "scripts/mini/schemas/habit.luau",
        "key = `{definition.id}:{one.key or number}`",
        "key = one.key or `{definition.id}:{number}`",
    );
    for (name, more) in [("shy", 10), ("bold", 100)] {
        home.write(
            &format!("content/mini/habits/{name}.yaml"),
            format!(
                "name: {name}\nsource: x\nwhen:\n- {{ on: greet, key: nod, do: [{{ add: {more} }}] }}\n"
            ),
        );
    }
    let lines = format!(
        "{STEPS_FUNCTION} act:create('manner', {{ said = steps(5) }}, 'own') act:create('manner', {{ said = steps(6) }}, 'other')
         act:set('ann', 'habit', 'own') act:set('bo', 'habit', 'other')
         act:set('ann', 'mood', 0) act:set('bo', 'mood', 0)
         local ran = {{ act:fire('ann', 'own:1', {{}}), act:fire('bo', 'own:1', {{}}), act:fire('bo', 'other:1', {{}}), act:fire('ann', 'nod', {{}}) }}
         act:set('ann', 'habit', 'bold') act:set('bo', 'habit', 'shy')
         table.insert(ran, act:fire('ann', 'nod', {{}}))
         table.insert(ran, act:fire('bo', 'nod', {{}}))
         table.insert(ran, act:fire('bo', 'own:1', {{}}))
         return `{{table.concat(list.map(ran, tostring), ' ')}} {{act:get('ann', 'mood')}} {{act:get('bo', 'mood')}}`"
    );
    assert_eq!(
        run_as_command(&home, &lines),
        "true false true false true true false 105 16"
    );
}

#[test]
fn what_stands_for_another_definition_runs_its_handlers_late_as_well() {
    let home = home_with_row_habits();
    home.write(
        "content/mini/habits/copycat.yaml",
        "name: copycat\nsource: x\nlike: waver\n",
    );
    let lines = "act:set('ann', 'habit', 'copycat') act:set('ann', 'mood', 0)
         local ran = { act:fire('ann', 'waver:1', {}), act:fire('bo', 'waver:1', {}) }
         act:set('ann', 'like', 'own')
         act:create('manner', { said = { when = { { on = 'greet', ['do'] = { { add = 50 } } } } } }, 'own')
         act:emit('greet', {})
         table.insert(ran, act:fire('ann', 'own:1', {}))
         return `{table.concat(list.map(ran, tostring), ' ')} {act:get('ann', 'mood')}`";
    assert_eq!(run_as_command(&home, lines), "true false true 101");
}

#[test]
fn a_definition_of_a_file_goes_before_a_row_of_its_name() {
    let home = home_with_row_habits();
    let lines = format!(
        "{STEPS_FUNCTION} act:create('manner', {{ said = steps(50) }}, 'waver')
         act:set('ann', 'habit', 'waver') act:set('ann', 'mood', 0)
         act:emit('greet', {{}})
         act:remove('waver')
         act:emit('greet', {{}})
         return `{{act:get('ann', 'mood')}}`"
    );
    assert_eq!(run_as_command(&home, &lines), "2");
}

#[test]
fn a_row_whose_handlers_cannot_be_read_has_none_and_one_without_an_end_is_refused_each_time() {
    let home = home_with_row_habits();
    home.edit(
        "scripts/mini/schemas/habit.luau",
        "    local found = {}",
        "    if definition.broken then error('no idea') end
    while definition.endless do end
    local found = {}",
    );
    home.command(
        "broken",
        "act:create('manner', { said = { broken = true } }, 'own') act:set('ann', 'habit', 'own') act:emit('greet', {}) return act:done('fine')",
    );
    home.command(
        "endless",
        "act:create('manner', { said = { endless = true } }, 'own') act:set('ann', 'habit', 'own') act:set('ann', 'mood', 3)",
    );
    home.command(
        "greet",
        "act:set('ann', 'mood', 9) act:emit('greet', {}) return `{act:get('ann', 'mood')}`",
    );
    let mut game = Game::of(&home);
    let told = game.text("broken").replace('\n', " ");
    let said = "the habit own handles no events: no idea, at scripts/mini/schemas/habit.luau:";
    assert!(told.starts_with(said) && told.ends_with("fine"), "{told}");
    // Only its author gets the message.
    assert_eq!(game.text("greet"), "9");
    game.assert_replays_same();
    game.undo();
    game.undo();
    game.line("endless");
    let before = game.hash();
    for _ in 0..2 {
        assert_eq!(game.refusal("greet").code, "limit/fuel");
        assert_eq!(game.hash(), before);
    }
    game.undo();
    assert_eq!(game.text("greet"), "9");
    game.assert_replays_same();
}

#[test]
fn reading_a_row_in_the_middle_of_a_command_gives_it_no_fuel() {
    let home = home_with_row_habits();
    let make = format!("{STEPS_FUNCTION} act:create('manner', {{ said = steps(5) }}, 'own')");
    home.command("make", &make);
    // More fuel than a callback may use, if both halves count.
    home.command(
        "burn",
        "for _ = 1, 1500000 do end act:emit('bell', {}) for _ = 1, 1000000 do end",
    );
    // Nearly all of its fuel; then the row is read.
    home.command(
        "nearly",
        "for _ = 1, 1999000 do end act:emit('bell', {}) return 'done'",
    );
    let mut game = Game::of(&home);
    game.line("make");
    for _ in 0..2 {
        assert_eq!(game.refusal("burn").code, "limit/fuel");
    }
    game.undo();
    game.line("make");
    assert_eq!(game.text("nearly"), "done");
    assert_eq!(game.refusal("burn").code, "limit/fuel");
    assert_eq!(game.text("nearly"), "done");
    game.assert_replays_same();
}

/// The machine is replaced during a game when its memory is used up.
#[test]
fn a_machine_that_is_built_anew_hears_rows_that_are_definitions() {
    on_game_thread(|| {
        let home = home_with_row_habits();
        home.command(
            "make",
            &format!("{STEPS_FUNCTION} act:create('manner', {{ said = steps(5) }}, 'own') act:set('ann', 'habit', 'own') act:set('ann', 'mood', 0) act:emit('greet', {{}})"),
        );
        home.command(
            "greet",
            "act:emit('greet', {}) return `{act:get('ann', 'mood')}`",
        );
        let mut game = Game::of(&home);
        let script = Script {
            seed: Seed::from_text("anew"),
            settings: None,
            said: ["make", "greet", "greet"]
                .map(|line| ScriptStep::line("gm", line))
                .to_vec(),
        };
        let held = check_laws_fully(&mut game.solo, &script);
        assert!(held.broken.is_empty(), "{:?}", held.broken);
    });
}

#[test]
fn what_is_no_handler_of_a_row_is_told_and_the_others_are_heard() {
    let home = home_with_row_habits();
    let lines = "act:create('manner', { said = { when = { { on = 'great', ['do'] = {} }, { on = 'greet', ['do'] = { { add = 2 } } } } } }, 'own')
         act:set('ann', 'habit', 'own') act:set('ann', 'mood', 1) act:emit('greet', {})
         return `{act:get('ann', 'mood')}`";
    let told = run_as_command(&home, lines);
    let wrong = "the habit own has a handler 1 that handles the unknown event \"great\"";
    assert!(told.contains(wrong) && told.ends_with('3'), "{told}");
}

#[test]
fn handlers_of_a_row_that_listens_no_more_run_late_as_well() {
    let home = home_with_row_habits();
    home.edit(
        "scripts/mini/schemas/habit.luau",
        "{ kind = \"person\", field = \"habit\" }",
        "{ kind = \"person\", field = \"habit\", listener_if = { note = { other_than = \"gone\" } } }",
    );
    let lines = "act:set('ann', 'habit', 'waver') act:set('ann', 'mood', 0) act:set('ann', 'note', 'gone')
         act:emit('greet', {})
         return `{act:get('ann', 'mood')} {act:fire('ann', 'waver:1', {})} {act:get('ann', 'mood')}`";
    assert_eq!(run_as_command(&home, lines), "0 true 1");
}
