//! Tests events while a function of a schema breaks: the functions for listeners, event matches,
//! actions and names.

use arbiter_tests::{Game, Scratch};
use host::game;
use host::game::ReloadResult;
use host::script::Compiled;

use super::schema_handlers::{HABIT_SCHEMA, answer_as_gm, home_with_habits};

/// Returns a home with a habit that stands for another one, with one edit in the schema.
fn home_with_copied_habit(from: &str, to: &str) -> Scratch {
    let home = home_with_habits(&[
        ("waver", "when:\n- { on: greet, do: [{ add: 1 }] }\n"),
        (
            "copycat",
            "like: waver\nwhen:\n- { on: greet, do: [{ add: 10 }] }\n",
        ),
    ]);
    assert!(HABIT_SCHEMA.contains(from), "{from}");
    home.write(
        "scripts/mini/schemas/habit.luau",
        HABIT_SCHEMA.replace(from, to),
    );
    home.command(
        "go",
        "act:set('ann', 'habit', 'copycat') act:set('bo', 'habit', 'waver')
         for _, who in { 'ann', 'bo' } do act:set(who, 'mood', 0) end
         act:emit('greet', {})
         return `{act:get('ann', 'mood')} {act:get('bo', 'mood')}`",
    );
    home
}

/// Returns the question about a rule that breaks, and the text of the game after it is skipped.
fn skip_broken_rule(home: &Scratch) -> (String, String) {
    let mut game = Game::of(home);
    let before = game.hash();
    let reply = game.line("go");
    assert!(reply.refusal.is_none(), "{:?}", reply.refusal);
    let mut all = Vec::new();
    loop {
        let open = game::open_questions(game.solo.timeline());
        let Some(one) = open.first() else {
            panic!("nothing is asked");
        };
        all.push(one.question.text.replace('\n', " "));
        let reply = answer_as_gm(&mut game, "skip this rule");
        assert!(reply.refusal.is_none(), "{:?}", reply.refusal);
        if let Some(document) = reply.documents.last()
            && game::open_questions(game.solo.timeline()).is_empty()
        {
            let told = host::doc::plain(document);
            game.assert_replays_same();
            while game.hash() != before {
                game.undo();
            }
            return (all.join("\n"), told.trim_end().to_owned());
        }
    }
}

const STANDS_FOR_FUNCTION: &str =
    r#"function(act, self, bearer) return act:get(self, "like") or definition.like end"#;

#[test]
fn what_cannot_say_whom_it_stands_for_stands_for_nothing() {
    for (body, said) in [
        ("error('no idea')", "no idea"),
        (
            "return 5",
            "`of` of a handler returns a number instead of the id of a definition",
        ),
        (
            "act:set(self, 'mood', 77) return 'waver'",
            "`of` of a handler is read-only: it cannot change the game",
        ),
    ] {
        let home = home_with_copied_habit(
            STANDS_FOR_FUNCTION,
            &format!("function(act, self, bearer) {body} end"),
        );
        let (asked, told) = skip_broken_rule(&home);
        assert!(asked.starts_with("the rule habits/copycat"), "{asked}");
        assert!(asked.contains(said), "{asked}");
        assert_eq!(told, "10 1", "{body}");
    }
}

#[test]
fn whom_something_stands_for_may_be_a_matter_of_chance() {
    let home = home_with_copied_habit(
        STANDS_FOR_FUNCTION,
        "function(act, self, bearer) return if act:roll('1d1', 'which') == 1 then 'waver' else nil end",
    );
    let mut game = Game::of(&home);
    assert_eq!(game.text("go"), "11 1");
    game.assert_replays_same();
}

#[test]
fn what_breaks_before_a_handler_is_at_work_is_left_out_with_it() {
    for (from, to) in [
        (
            "return act:get(self, \"asleep\") ~= true end",
            "if rule.key == \"waver:1\" and self == \"bo\" then error(\"no idea\") end return true end",
        ),
        (
            "return `{rule.key} of {self}` end",
            "if rule.key == \"waver:1\" and self == \"bo\" then error(\"no idea\") end return rule.key end",
        ),
    ] {
        let (asked, told) = skip_broken_rule(&home_with_copied_habit(from, to));
        assert!(asked.contains("no idea"), "{asked}");
        assert!(asked.contains("scripts/mini/schemas/habit.luau"), "{asked}");
        assert_eq!(told, "11 0", "{to}");
    }
}

#[test]
fn what_a_schema_is_asked_about_a_handler_only_looks() {
    let (applies, label) = (
        "return act:get(self, \"asleep\") ~= true end",
        "return `{rule.key} of {self}` end",
    );
    let refused = |what| format!("`applies` or `label` of a schema is read-only: it {what}");
    for (does, what) in [
        ("act:set(self, 'mood', 50)", "cannot change the game"),
        ("act:add(self, 'mood', 50)", "cannot change the game"),
        ("act:attach(self, 'mark')", "cannot change the game"),
        ("act:roll('1d6', 'why not')", "cannot roll dice"),
        ("act:say('gm', 'heard')", "cannot say anything"),
        ("act:emit('echo')", "cannot emit events"),
    ] {
        let only = format!("if rule.key == \"waver:1\" and self == \"bo\" then {does} end ");
        let (asked, told) = skip_broken_rule(&home_with_copied_habit(
            applies,
            &format!("{only}{applies}"),
        ));
        assert!(asked.contains(&refused(what)), "{asked}");
        // It has the name that the schema gives it, although nothing asked for the name before.
        assert!(asked.contains("(waver:1 of bo)"), "{asked}");
        assert_eq!(told, "11 0", "{does}");
        let (asked, told) =
            skip_broken_rule(&home_with_copied_habit(label, &format!("{only}{label}")));
        assert!(asked.contains(&refused(what)), "{asked}");
        assert_eq!(told, "11 0", "{does}");
    }
}

#[test]
fn what_broke_first_is_told_though_nobody_can_say_what_it_is_called() {
    let home = home_with_copied_habit(
        "return act:get(self, \"asleep\") ~= true end",
        "if rule.key == \"waver:1\" and self == \"bo\" then error(\"no idea\") end return true end",
    );
    home.edit(
        "scripts/mini/schemas/habit.luau",
        "return `{rule.key} of {self}` end",
        "if rule.key == \"waver:1\" and self == \"bo\" then error(\"no name\") end return rule.key end",
    );
    let (asked, told) = skip_broken_rule(&home);
    assert!(asked.contains("no idea"), "{asked}");
    assert!(!asked.contains("no name"), "{asked}");
    assert_eq!(told, "11 0");
}

#[test]
fn each_handler_that_breaks_leaves_the_event_as_the_one_before_it_did() {
    let clumsy = "when:\n- { on: echo, do: [{ deepen: 9 }, { boom: true }] }\n";
    let home = home_with_habits(&[
        ("waver", "when:\n- { on: echo, do: [{ deepen: 1 }] }\n"),
        ("clumsy", clumsy),
    ]);
    home.write(
        "scripts/mini/schemas/habit.luau",
        HABIT_SCHEMA.replace(
            "local steps = {}",
            "local steps = {}
function steps.deepen(act, self, said, event)
  event.deep.deep.total += said
  table.insert(event.deep.heard, self)
  event.deep.deep = table.clone(event.deep.deep)
  event[self] = said
end",
        ),
    );
    home.command(
        "go",
        "act:create('person', { name = 'Cy' }, 'cy') act:create('person', { name = 'Dee' }, 'dee') act:create('person', { name = 'Ed' }, 'ed')
         for who, habit in { ann = 'waver', bo = 'clumsy', cy = 'waver', dee = 'clumsy', ed = 'waver' } do act:set(who, 'habit', habit) end
         local event = { deep = { deep = { total = 0 }, heard = {} } }
         event.deep.around = event
         act:emit('echo', event)
         local left = list.filter({ 'ann', 'bo', 'cy', 'dee', 'ed' }, function(who) return event[who] ~= nil end)
         return `{event.deep.deep.total} {table.concat(event.deep.heard, ' ')} {table.concat(left, ' ')} {event.deep.around == event}`",
    );
    let (asked, told) = skip_broken_rule(&home);
    assert_eq!(asked.lines().count(), 2, "{asked}");
    assert_eq!(told, "3 ann cy ed ann cy ed true");
}

#[test]
fn a_function_that_is_told_of_limits_may_break_itself() {
    let home = home_with_habits(&[(
        "waver",
        "when:\n- { on: greet, do: [{ add: 1 }, { emit: greet }] }\n",
    )]);
    home.edit(
        "scripts/mini/ruleset.luau",
        "greet = { summary = \"somebody is greeted\" }",
        "greet = { summary = \"somebody is greeted\", max_depth = 3 }",
    );
    home.edit(
        "scripts/mini/ruleset.luau",
        "  types = {",
        "  on_limit = function(act, passed) error('no idea') end,\n  types = {",
    );
    home.command(
        "go",
        "act:set('ann', 'habit', 'waver') act:set('ann', 'mood', 0) act:emit('greet', {}) return `{act:get('ann', 'mood')}`",
    );
    let mut game = Game::of(&home);
    let before = game.hash();
    game.line("go");
    let open = game::open_questions(game.solo.timeline());
    let text = open[0].question.text.replace('\n', " ");
    assert!(
        text.contains("scripts/mini/ruleset.luau") && text.contains("no idea"),
        "{text}"
    );
    assert_eq!(
        answer_as_gm(&mut game, "stop").refusal.unwrap().message,
        "no idea"
    );
    assert_eq!(game.hash(), before);
}

#[test]
fn an_element_that_is_gone_at_its_turn_hears_nothing() {
    let home = home_with_habits(&[
        ("waver", "when:\n- { on: echo, do: [{ add: 1 }] }\n"),
        (
            "ousting",
            "when:\n- { on: echo, do: [{ oust: cy }, { add: 1 }] }\n",
        ),
    ]);
    home.write(
        "scripts/mini/schemas/habit.luau",
        HABIT_SCHEMA.replace(
            "local steps = {}",
            "local steps = {}
function steps.oust(act, self, said) act:remove(said) act:set('bo', 'habit', 'ousting') end",
        ),
    );
    home.command(
        "go",
        "act:create('person', { name = 'Cy' }, 'cy')
         act:set('ann', 'habit', 'ousting') act:set('bo', 'habit', 'waver') act:set('cy', 'habit', 'waver')
         act:set('ann', 'mood', 0) act:set('bo', 'mood', 0)
         act:emit('echo', {})
         return `{act:get('ann', 'mood')} {act:get('bo', 'mood')} {act:exists('cy')}`",
    );
    let mut game = Game::of(&home);
    // At his turn Bo has another habit than the one that was to run.
    assert_eq!(game.text("go"), "1 0 false");
    game.assert_replays_same();
}

#[test]
fn whoever_answers_under_mended_rules_gets_what_they_do() {
    let home = home_with_habits(&[(
        "clumsy",
        "when:\n- { on: greet, do: [{ add: 1 }, { boom: true }] }\n",
    )]);
    home.command(
        "go",
        "act:set('ann', 'habit', 'clumsy') act:set('ann', 'mood', 0) act:emit('greet', {}) return `{act:get('ann', 'mood')}`",
    );
    let mut game = Game::of(&home);
    let before = game.hash();
    game.line("go");
    home.write(
        "content/mini/habits/clumsy.yaml",
        "name: clumsy\nsource: x\nwhen:\n- { on: greet, do: [{ add: 1 }] }\n",
    );
    let reloaded = game.solo.session.reload(Compiled::default());
    assert!(matches!(reloaded, ReloadResult::Swapped { .. }));
    let reply = answer_as_gm(&mut game, "skip this rule");
    let told: Vec<String> = reply.documents.iter().map(host::doc::plain).collect();
    assert!(
        reply.refusal.is_some() || told.iter().any(|text| text.contains('1')),
        "{told:?}"
    );
    game.assert_replays_same();
    while game.hash() != before {
        game.undo();
    }
}

#[test]
fn handlers_know_what_is_at_work_around_them() {
    let home = home_with_habits(&[(
        "waver",
        "when:\n- { on: greet, do: [{ emit: bell }] }\n- { on: bell, do: [{ look: true }] }\n",
    )]);
    home.write(
        "scripts/mini/schemas/habit.luau",
        HABIT_SCHEMA.replace(
            "local steps = {}",
            "local steps = {}
function steps.look(act, self)
  local found = { act:is_running(self, 'waver:1'), act:is_running(self, 'waver:2'), act:is_running(self), act:is_running('bo'), act:is_running() }
  act:say('gm', table.concat(list.map(found, tostring), ' '))
end",
        ),
    );
    home.command(
        "go",
        "act:set('ann', 'habit', 'waver') act:emit('greet', {}) act:emit('bell', {})",
    );
    assert_eq!(
        Game::of(&home).text("go"),
        "true false true false true\nfalse false false false false"
    );
}
