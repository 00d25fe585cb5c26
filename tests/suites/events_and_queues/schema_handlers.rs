//! Tests handlers that a schema reads from content and runs itself.

use arbiter_tests::{Game, Scratch};
use host::game;

use super::home_with_events;

/// The schema of a collection of trees: each definition lists events with their actions.
pub(super) const HABIT_SCHEMA: &str = r#"
local steps = {}
function steps.add(act, self, said) act:add(self, "mood", said) end
function steps.emit(act, self, said) act:emit(said, { to = self }) end
function steps.say(act, self, said, event) act:say("gm", `{self} {said}`) table.insert(event.heard or {}, self) end
function steps.spoil(act, self, said, event) event.total = said event.inner.total = said table.clear(event.heard) end
function steps.boom(act, self) act:add(self, "mood", 100) act:say("gm", "never") error("no idea") end

return schema {
  source = "x", summary = "What somebody does when something happens.", folder = "habits", format = "yaml",
  listeners = { { kind = "person", field = "habit" }, { kind = "extra", field = "habit" } },
  keys = { name = "string", source = "string", ["like?"] = "string", ["when?"] = "list of any" },
  handlers = function(definition)
    local found = {}
    for number, one in definition.when or {} do
      table.insert(found, { on = one.on, key = `{definition.id}:{one.key or number}`, round = one.round, where = one.where, watches = one.watches, data = one["do"], at = { "when", number } })
    end
    if definition.like then
      table.insert(found, { of = function(act, self, bearer) return act:get(self, "like") or definition.like end, key = "like" })
    end
    return found
  end,
  applies = function(act, event, self, bearer, rule) return act:get(self, "asleep") ~= true end,
  fire = function(act, event, self, bearer, rule)
    for _, step in rule.data do
      for word, said in step do steps[word](act, self, said, event) end
    end
  end,
  label = function(act, self, bearer, rule) return `{rule.key} of {self}` end,
}
"#;

/// Returns a home with habits; `habits` are file names with texts.
pub(super) fn home_with_habits(habits: &[(&str, &str)]) -> Scratch {
    let home = home_with_events();
    home.write("scripts/mini/schemas/habit.luau", HABIT_SCHEMA);
    for (name, when) in habits {
        home.write(
            &format!("content/mini/habits/{name}.yaml"),
            format!("name: {name}\nsource: x\n{when}"),
        );
    }
    home
}

pub(super) fn run_as_command(home: &Scratch, lines: &str) -> String {
    home.command("go", lines);
    Game::of(home).text("go").replace('\n', " ")
}

#[test]
fn content_hears_events_as_its_schema_reads_it_and_runs_it() {
    let home = home_with_habits(&[
        (
            "waver",
            "when:\n- { on: greet, do: [{ add: 2 }, { say: waves }] }\n",
        ),
        (
            "nodder",
            "when:\n- { on: greet, where: { to_whom: '@self' }, do: [{ say: nods }] }\n",
        ),
    ]);
    let lines = "act:set('ann', 'habit', 'waver') act:set('bo', 'habit', 'nodder')
         local function heard(fields) fields.heard = {} return table.concat(act:emit('greet', fields).heard, ' ') end
         local all = { heard {}, heard { to_whom = 'bo' }, heard { to_whom = 'ann' }, heard { to = 'bo', to_whom = 'bo' } }
         act:set('ann', 'asleep', true)
         table.insert(all, heard {})
         return table.concat(all, ' | ')";
    assert_eq!(
        run_as_command(&home, lines),
        "ann waves ann waves bo nods ann waves bo nods ann | ann bo | ann | bo |"
    );
}

#[test]
fn a_definition_may_hear_what_another_one_hears_and_rounds_go_across_all() {
    let home = home_with_habits(&[
        (
            "waver",
            "when:\n- { on: echo, round: 2, do: [{ say: waves }] }\n- { on: echo, do: [{ say: smiles }] }\n",
        ),
        (
            "copycat",
            "like: waver\nwhen:\n- { on: echo, round: 3, do: [{ say: stares }] }\n",
        ),
    ]);
    home.edit(
        "scripts/mini/ruleset.luau",
        "order = { \"bearer\", \"priority\" } }",
        "order = { \"round\", { kinds = { \"person\" } } } }",
    );
    let lines = "act:set('ann', 'habit', 'copycat') act:set('bo', 'habit', 'waver')
         local all = { table.concat(act:emit('echo', { heard = {} }).heard, ' ') }
         act:set('ann', 'like', 'nobody')
         table.insert(all, table.concat(act:emit('echo', { heard = {} }).heard, ' '))
         table.insert(all, tostring(act:has_listeners('echo', { to = 'ann' })) .. tostring(act:has_listeners('echo', { to = 'cy' })))
         return table.concat(all, ' | ')";
    assert_eq!(
        run_as_command(&home, lines),
        "ann smiles bo smiles ann waves bo waves ann stares bo smiles bo waves ann stares \
         ann bo ann bo ann | bo bo ann | truefalse"
    );
}

#[test]
fn of_alternatives_with_one_key_the_first_that_the_filters_pass_is_told() {
    let home = home_with_habits(&[(
        "waver",
        "when:\n- { on: greet, key: a, where: { loud: true }, do: [{ add: 1 }] }\n- { on: greet, key: a, do: [{ add: 10 }] }\n- { on: greet, key: b, do: [{ add: 100 }] }\n",
    )]);
    let lines = "act:set('ann', 'habit', 'waver') act:set('ann', 'mood', 0)
         act:emit('greet', { loud = true })
         local first = act:get('ann', 'mood')
         act:emit('greet', {})
         return `{first} {act:get('ann', 'mood')}`";
    assert_eq!(run_as_command(&home, lines), "101 211");
}

/// Returns a game in which Ann's habit breaks between those of Bo and Cy, after it changed the
/// event.
fn game_with_broken_habit() -> Game {
    let home = home_with_habits(&[
        ("waver", "when:\n- { on: echo, do: [{ add: 1 }] }\n"),
        (
            "clumsy",
            "when:\n- { on: echo, do: [{ spoil: 9 }, { emit: bell }, { boom: true }] }\n- { on: bell, do: [{ add: 50 }] }\n",
        ),
    ]);
    home.command(
        "go",
        "act:create('person', { name = 'Cy' }, 'cy')
         act:set('ann', 'habit', 'waver') act:set('bo', 'habit', 'clumsy') act:set('cy', 'habit', 'waver')
         local heard = act:emit('echo', { total = 1, inner = { total = 1 }, heard = { 'x' } })
         local moods = list.map({ 'ann', 'bo', 'cy' }, function(who) return tostring(act:get(who, 'mood')) end)
         return `{table.concat(moods, ' ')}, {heard.total} {heard.inner.total} {#heard.heard}`",
    );
    Game::of(&home)
}

pub(super) fn answer_as_gm(game: &mut Game, answer: &str) -> game::Reply {
    let line = format!("answer {answer}");
    game.solo.run_as_line(("gm", &line), |timeline, ruling| {
        game::take_typed_answer(timeline, ruling, answer)
    })
}

#[test]
fn a_rule_that_breaks_is_named_and_left_out_with_what_it_made_of_the_event() {
    let mut game = game_with_broken_habit();
    let before = game.hash();
    let reply = game.line("go");
    assert!(reply.refusal.is_none(), "{:?}", reply.refusal);
    let open = game::open_questions(game.solo.timeline());
    let text = open[0].question.text.replace('\n', " ");
    assert!(
        text.starts_with("the rule clumsy:1 (clumsy:1 of bo) breaks at scripts/mini/schemas/habit.luau:7: no idea."),
        "{text}"
    );
    let reply = answer_as_gm(&mut game, "skip this rule");
    let told: Vec<String> = reply.documents.iter().map(host::doc::plain).collect();
    assert_eq!(told, ["5 3 4, 1 1 1"]);
    game.assert_replays_same();
    game.undo();
    game.undo();
    assert_eq!(game.hash(), before);
}

#[test]
fn a_rule_that_breaks_may_take_the_command_back_and_does_where_nobody_is_there() {
    let mut game = game_with_broken_habit();
    let before = game.hash();
    game.line("go");
    assert_eq!(
        answer_as_gm(&mut game, "stop").refusal.unwrap().message,
        "no idea"
    );
    assert_eq!(game.hash(), before);
    game.solo.session.responders_mut().attended = false;
    assert_eq!(game.refusal("go").message, "no idea");
    assert_eq!(game.hash(), before);
    game.assert_replays_same();
}

#[test]
fn one_handler_runs_by_itself_behind_a_late_answer() {
    let home = home_with_habits(&[("waver", "when:\n- { on: greet, do: [{ add: 5 }] }\n")]);
    let lines = "act:set('ann', 'habit', 'waver') act:set('ann', 'mood', 0)
         local ran = { act:fire('ann', 'waver:1', {}), act:fire('ann', 'waver:7', {}), act:fire('nobody', 'waver:1') }
         return `{ran[1]} {ran[2]} {ran[3]} {act:get('ann', 'mood')} {act:is_running('ann', 'waver:1')}`";
    assert_eq!(run_as_command(&home, lines), "true false false 5 false");
}

#[test]
fn what_an_event_leads_to_ends_at_the_depth_and_the_repeats_that_are_allowed() {
    let looping = "when:\n- { on: greet, do: [{ add: 1 }, { emit: greet }] }\n";
    let play = |settings: &str, on_limit: &str| {
        let home = home_with_habits(&[("waver", looping)]);
        home.edit(
            "scripts/mini/ruleset.luau",
            "greet = { summary = \"somebody is greeted\" }",
            &format!("greet = {{ summary = \"somebody is greeted\", {settings} }}"),
        );
        home.edit(
            "scripts/mini/ruleset.luau",
            "  types = {",
            &format!("  {on_limit}\n  types = {{"),
        );
        home.command(
            "go",
            "act:set('ann', 'habit', 'waver') act:set('ann', 'mood', 0) act:emit('greet', {}) act:emit('greet', {}) return `{act:get('ann', 'mood')}`",
        );
        home
    };
    let tell = "on_limit = function(act, passed) act:say('gm', `{passed.limit} {passed.event} {passed.most} {passed.self} {#passed.chain} {passed.chain[1]}`) end,";
    let mut deep = Game::of(&play("max_depth = 6", tell));
    assert_eq!(
        deep.text("go"),
        "max_depth greet 6 ann 6 waver:1 of ann\n12"
    );
    let mut again = Game::of(&play("max_repeats = 4", tell));
    assert_eq!(again.text("go"), "max_repeats greet 4 nil 0 nil\n10");
    let mut untold = Game::of(&play("max_depth = 6", ""));
    let refusal = untold.refusal("go");
    assert_eq!(refusal.code, "limit/events");
    assert!(
        refusal.message.contains("more than 6 levels deep"),
        "{}",
        refusal.message
    );
}

#[test]
fn what_a_run_made_once_is_made_again_where_a_rule_was_taken_back() {
    let home = home_with_habits(&[("clumsy", "when:\n- { on: greet, do: [{ boom: true }] }\n")]);
    home.command(
        "go",
        "act:set('ann', 'habit', 'clumsy')
         local function names() return {} end
         local before = act:memo(names)
         local same = before == act:memo(names)
         act:emit('greet', {})
         return `{same} {before == act:memo(names)}`",
    );
    let mut game = Game::of(&home);
    game.line("go");
    let reply = answer_as_gm(&mut game, "skip this rule");
    let told: Vec<String> = reply.documents.iter().map(host::doc::plain).collect();
    assert_eq!(told, ["true false"]);
}

#[test]
fn what_a_run_made_once_is_read_only_however_deep() {
    let home = home_with_habits(&[]);
    home.command(
        "go",
        "local function names() return { deep = { 'ann' } } end
         act:memo(names).deep[2] = 'bo'",
    );
    home.command(
        "alike",
        "local function names() return 'ann' end
         return `{act:memo(names)} {act:memo(names)}`",
    );
    let mut game = Game::of(&home);
    let refusal = game.refusal("go");
    assert_eq!(refusal.code, "script/error");
    assert!(refusal.message.contains("readonly"), "{}", refusal.message);
    assert_eq!(game.text("alike"), "ann ann");
}

#[test]
fn what_is_no_handler_is_found_at_its_place_with_what_to_write() {
    let home = home_with_habits(&[
        (
            "odd",
            "when:\n- { on: greet, do: [] }\n- { on: great, do: [] }\n- { on: greet, round: 0, do: [] }\n- { on: phase_began, where: { phaze.x: night }, do: [] }\n- { on: settled, where: { who: ann }, do: [] }\n- { on: greet, where: { anything: 1 }, do: [] }\n",
        ),
        ("fine", "when:\n- { on: greet, do: [] }\n"),
    ]);
    home.custom(
        "turner",
        "turn_began = { where = { whose = 'ann', to = 'ann' }, run = function() end }",
    );
    let found = Game::of(&home).findings();
    assert!(!found.contains("handler 6"), "{found}");
    for said in [
        "handler 2 handles the unknown event \"great\"",
        "content/mini/habits/odd.yaml:5:3",
        "did you mean \"greet\"",
        "handler 3 has 0 as its `round` instead of a whole number from 1 to 1000",
        "content/mini/habits/odd.yaml:6:3",
        "handler 4 has a `where` for `phaze.x` that looks at \"phaze\", which the event \"phase_began\" does not have",
        "did you mean \"phase\"",
        "content/mini/habits/odd.yaml:7:3",
        "handler 5 has a `where` for `who` that looks at \"who\", which the event \"settled\" does not have",
        "this event has no fields",
        "the `where` for `whose` looks at \"whose\", which the event \"turn_began\" does not have",
        "scripts/mini/customs/turner.luau:1:",
    ] {
        assert!(found.contains(said), "{said}: {found}");
    }
    assert!(!found.contains("fine.yaml"), "{found}");
}

#[test]
fn a_definition_whose_handlers_break_or_never_end_hears_nothing_and_is_told_with_the_place() {
    for (planted, said) in [
        ("error(\"no idea\")", "no idea"),
        ("while true do end", "limit/fuel"),
    ] {
        let home = home_with_habits(&[
            ("odd", "when:\n- { on: greet, do: [{ add: 5 }] }\n"),
            ("waver", "when:\n- { on: greet, do: [{ add: 2 }] }\n"),
        ]);
        home.edit(
            "scripts/mini/schemas/habit.luau",
            "    local found = {}",
            &format!("    if definition.id == \"odd\" then {planted} end\n    local found = {{}}"),
        );
        home.command(
            "go",
            "act:set('ann', 'habit', 'waver') act:set('ann', 'mood', 0) act:set('bo', 'habit', 'odd') act:set('bo', 'mood', 0)
             act:emit('greet', {}) return `{act:get('ann', 'mood')} {act:get('bo', 'mood')}`",
        );
        let mut game = Game::of(&home);
        let found = game.findings();
        for said in [said, "content/mini/habits/odd.yaml", "habit.luau:"] {
            assert!(found.contains(said), "{said}: {found}");
        }
        assert_eq!(game.text("go"), "2 0", "{planted}");
        game.assert_replays_same();
    }
}

#[test]
fn the_same_handlers_in_files_of_other_names_and_order_do_the_same() {
    let waver = "when:\n- { on: greet, do: [{ add: 2 }] }\n";
    let nodder = "when:\n- { on: greet, do: [{ say: nods }] }\n- { on: bell, do: [{ add: 1 }] }\n";
    let go = "act:set('ann', 'habit', 'waver') act:set('bo', 'habit', 'nodder') act:set('ann', 'mood', 0) act:set('bo', 'mood', 0)
         act:emit('bell', {}) act:emit('greet', {}) act:emit('greet', {}) act:emit('bell', {})
         return `{act:get('ann', 'mood')} {act:get('bo', 'mood')}`";
    let known = run_as_command(
        &home_with_habits(&[("waver", waver), ("nodder", nodder)]),
        go,
    );
    for before in ["a", "zz"] {
        let home = home_with_habits(&[("nodder", nodder), ("waver", waver), (before, waver)]);
        assert_eq!(run_as_command(&home, go), known);
    }
    // The order in which definitions are first used does not change the index.
    let swapped = go.replacen(
        "act:set('ann', 'habit', 'waver') act:set('bo', 'habit', 'nodder')",
        "act:set('bo', 'habit', 'nodder') act:set('ann', 'habit', 'nodder') act:set('ann', 'habit', 'waver')",
        1,
    );
    let home = home_with_habits(&[("waver", waver), ("nodder", nodder)]);
    assert_eq!(run_as_command(&home, &swapped), known);
}

#[test]
fn a_filter_that_tests_nothing_is_found_wherever_it_stands() {
    for (filter, luau, said) in [
        (
            "{ to_whom: { one_off: [ann] } }",
            "{ to_whom = { one_off = { 'ann' } } }",
            "has the unknown test \"one_off\"",
        ),
        (
            "{ to_whom: { one_of: ann } }",
            "{ to_whom = { one_of = 'ann' } }",
            "has `one_of` with ann instead of a list",
        ),
        (
            "{ to_whom: { one_of: [ann], other_than: bo } }",
            "{ to_whom = { one_of = { 'ann' }, other_than = 'bo' } }",
            "has two tests",
        ),
        (
            "{ to_whom: '@slef' }",
            "{ to_whom = '@slef' }",
            "has the unknown word \"@slef\"",
        ),
    ] {
        let when = format!("when:\n- {{ on: greet, where: {filter}, do: [] }}\n");
        let home = home_with_habits(&[("odd", &when)]);
        home.whim(
            "odd",
            &format!("greet = {{ where = {luau}, run = function() end }}"),
        );
        let found = Game::of(&home).findings();
        let handler = format!("handler 1 has a `where` for `to_whom` that {said}");
        assert!(found.contains(&handler), "{handler}: {found}");
        let on = format!("the `where` for `to_whom` {said}");
        assert!(found.contains(&on), "{on}: {found}");
        assert!(found.contains("scripts/mini/whims/odd.luau:1:"), "{found}");
    }
}

#[test]
fn functions_about_handlers_that_lack_what_they_stand_beside_are_found() {
    for (from, to, said) in [
        (
            "fire = function",
            "fired = function",
            "`handlers` reads handlers, but nothing runs them",
        ),
        (
            "handlers = function",
            "handler = function",
            "this is for handlers, but nothing reads handlers",
        ),
        (
            "listeners = {",
            "listener = {",
            "`handlers` reads handlers, but no row listens",
        ),
        (
            "  applies = function",
            "  elements = \"game\",\n  applies = function",
            "has an unknown key \"elements\"",
        ),
        (
            "field = \"habit\" }, {",
            "field = \"habit\", listener_if = { asleep = { one_off = { true } } } }, {",
            "the test of the field `asleep` has the unknown test \"one_off\"",
        ),
        (
            "    return found\n",
            "    return found[1]\n",
            "instead of a list of handlers from 1 on",
        ),
    ] {
        let home = home_with_habits(&[("waver", "when:\n- { on: greet, do: [] }\n")]);
        assert!(HABIT_SCHEMA.contains(from), "{from}");
        home.write(
            "scripts/mini/schemas/habit.luau",
            HABIT_SCHEMA.replace(from, to),
        );
        let found = Game::of(&home).findings();
        assert!(found.contains(said), "{said}: {found}");
    }
}

#[test]
fn what_settles_is_told_behind_each_event_as_long_as_something_is_written() {
    let home = home_with_habits(&[
        ("calm", "when:\n- { on: settled, do: [{ cap: 6 }] }\n"),
        ("waver", "when:\n- { on: greet, do: [{ add: 5 }] }\n"),
        ("restless", "when:\n- { on: settled, do: [{ add: 1 }] }\n"),
    ]);
    home.write(
        "scripts/mini/schemas/habit.luau",
        HABIT_SCHEMA.replace(
            "local steps = {}",
            "local steps = {}
function steps.cap(act, self, said) act:say('gm', `{self} settles`) if act:get(self, 'mood') > said then act:set(self, 'mood', said) end end",
        ),
    );
    home.command(
        "go",
        "act:set('ann', 'habit', 'waver') act:set('ann', 'mood', 4) act:set('bo', 'habit', 'calm') act:set('bo', 'mood', 9)
         act:emit('greet', {})
         act:emit('bell', {})
         local calm = `{act:get('ann', 'mood')} {act:get('bo', 'mood')}`
         act:set('bo', 'habit', 'restless') act:set('bo', 'mood', 0)
         act:emit('bell', {})
         return `{calm} {act:get('bo', 'mood')}`",
    );
    assert_eq!(
        Game::of(&home).text("go").replace('\n', " "),
        "bo settles bo settles 9 6 10"
    );
}

#[test]
fn an_event_that_nobody_hears_costs_as_much_where_somebody_hears_what_settles() {
    let emitted = |first: &str, hears: &str, times: u64| {
        let home = home_with_habits(&[(
            "calm",
            &"when:\n- { on: HEARS, do: [] }\n".replace("HEARS", hears),
        )]);
        home.command("live", "act:set('bo', 'habit', 'calm')");
        home.command(
            "go",
            &format!("{first} for _ = 1, {times} do act:emit('bell', {{}}) end"),
        );
        let mut game = Game::of(&home);
        game.line("live");
        game.line("go");
        game.solo.session.generations().live().machine().fuel_used()
    };
    let hundred =
        |first: &str, hears: &str| emitted(first, hears, 200) - emitted(first, hears, 100);
    let plain = hundred("", "greet");
    assert_eq!(hundred("", "settled"), plain);
    // The writes are announced after the first event, once.
    assert_eq!(hundred("act:set('ann', 'mood', 5)", "settled"), plain);
    let with = |hears: &str| emitted("act:set('ann', 'mood', 5)", hears, 1);
    assert!(with("settled") > with("greet") + plain / 100);
}

#[test]
fn an_event_that_two_definitions_are_is_found_where_the_second_stands() {
    let home = home_with_habits(&[("waver", "when: []\n")]);
    for collection in ["toll", "chime"] {
        home.write(
            &format!("scripts/mini/schemas/{collection}.luau"),
            format!(
                "return schema {{ source = \"x\", summary = \"what rings\", folder = \"{collection}s\", format = \"yaml\", events = {{}}, keys = {{ source = \"string\" }} }}"
            ),
        );
        home.write(
            &format!("content/mini/{collection}s/noon.yaml"),
            "source: x\n",
        );
    }
    let found = Game::of(&home).findings();
    for said in [
        "script/same-event",
        "the event \"noon\" is declared by chimes/noon and tolls/noon",
        "content/mini/tolls/noon.yaml",
    ] {
        assert!(found.contains(said), "{said}: {found}");
    }
}

#[test]
fn rules_that_tell_one_another_without_end_are_cut_off_and_all_is_as_it_was() {
    let home = home_with_habits(&[
        (
            "waver",
            "when:\n- { on: greet, do: [{ add: 1 }, { emit: bell }] }\n",
        ),
        (
            "nodder",
            "when:\n- { on: bell, where: {}, do: [{ ring: ann }] }\n",
        ),
    ]);
    home.write(
        "scripts/mini/schemas/habit.luau",
        HABIT_SCHEMA.replace(
            "local steps = {}",
            "local steps = {}
function steps.ring(act, self, said) act:emit('greet', { to = said }) end",
        ),
    );
    home.command(
        "go",
        "act:set('ann', 'habit', 'waver') act:set('ann', 'mood', 0) act:attach('ann', 'extra', { habit = 'nodder' }) act:emit('greet', {})",
    );
    let mut game = Game::of(&home);
    let before = game.hash();
    let refusal = game.refusal("go");
    assert_eq!(refusal.code, "limit/depth");
    assert!(refusal.message.contains("64"), "{}", refusal.message);
    assert_eq!(game.hash(), before);
}

#[test]
fn an_event_to_a_row_finds_its_listeners_among_as_many_records_as_a_game_may_have() {
    let home = home_with_habits(&[("waver", "when:\n- { on: greet, do: [{ count: 1 }] }\n")]);
    home.write(
        "scripts/mini/schemas/habit.luau",
        HABIT_SCHEMA.replace(
            "local steps = {}",
            "local steps = {}
function steps.count(act, self, said, event) event.count += 1 end",
        ),
    );
    home.command(
        "fill",
        "for n = 1, 4000 do act:attach('ann', if n % 1000 == 0 then 'extra' else 'mark', { habit = 'waver' }) end",
    );
    home.command(
        "go",
        "local all = {}
         for _, to in { 'ann', 'bo' } do table.insert(all, act:emit('greet', { to = to, count = 0 }).count) end
         table.insert(all, act:emit('greet', { count = 0 }).count)
         return table.concat(all, ' ')",
    );
    home.command(
        "spill",
        "for n = 1, 4000 do act:attach('bo', 'extra', { habit = 'waver' }) end",
    );
    let mut game = Game::of(&home);
    game.line("fill");
    assert_eq!(game.text("go"), "4 0 4");
    let before = game.hash();
    assert_eq!(game.refusal("spill").code, "limit/size");
    assert_eq!(game.hash(), before);
    game.assert_replays_same();
}
