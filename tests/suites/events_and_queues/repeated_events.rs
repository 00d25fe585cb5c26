//! Tests events that repeat until no handler writes, and handlers that watch for writes.

use arbiter_tests::{Game, Scratch, explain_why};
use host::doc::plain;

use super::schema_handlers::{answer_as_gm, home_with_habits, run_as_command};

/// Returns a home whose event `look` repeats until nothing is written; `settings` are its other
/// keys.
fn home_with_settling_event(all: &[(&str, &str)], settings: &str) -> Scratch {
    let home = home_with_habits(all);
    home.edit(
        "scripts/mini/ruleset.luau",
        "until_quiet = true",
        &format!("until_quiet = true, {settings}"),
    );
    home
}

/// Adds a handler that raises Ann's mood by one at each emission, up to four.
fn add_climbing_mood(home: &Scratch) {
    home.edit(
        "scripts/mini/schemas/habit.luau",
        "function steps.emit(",
        "function steps.climb(act, self) act:say('gm', 'looks') if act:get(self, 'mood') < 4 then act:add(self, 'mood', 1) end end
         function steps.emit(",
    );
}

#[test]
fn an_event_repeats_while_its_handlers_write_and_is_skipped_without_writes() {
    let home = home_with_settling_event(
        &[("waver", "when:\n- { on: look, do: [{ climb: true }] }\n")],
        "",
    );
    add_climbing_mood(&home);
    let lines = "act:set('ann', 'habit', 'waver') act:set('ann', 'mood', 2)
         act:emit('look') act:say('gm', 'at rest') act:emit('look') act:emit('greet') act:emit('look')
         act:set('bo', 'mood', 1) act:say('gm', 'written') act:emit('look')
         return `{act:get('ann', 'mood')}`";
    assert_eq!(
        run_as_command(&home, lines),
        "looks looks looks at rest written looks 4"
    );
}

/// After a change was taken back, the event is emitted again, because the state is different.
#[test]
fn an_event_repeats_after_a_rule_was_taken_back() {
    let home = home_with_settling_event(
        &[
            ("waver", "when:\n- { on: look, do: [{ climb: true }] }\n"),
            ("clumsy", "when:\n- { on: greet, do: [{ boom: true }] }\n"),
        ],
        "",
    );
    add_climbing_mood(&home);
    home.command(
        "go",
        "act:set('ann', 'habit', 'waver') act:set('ann', 'mood', 4) act:set('bo', 'habit', 'clumsy')
         act:emit('look') act:emit('greet') act:say('gm', 'taken back') act:emit('look') return 'over'",
    );
    let mut game = Game::of(&home);
    game.line("go");
    let reply = answer_as_gm(&mut game, "skip this rule");
    let told: Vec<String> = reply.documents.iter().map(plain).collect();
    assert_eq!(told, ["looks", "taken back", "looks", "over"]);
}

#[test]
fn what_never_rests_is_told_as_often_as_is_allowed_and_then_as_a_limit() {
    let play = |settings: &str| {
        let home = home_with_settling_event(
            &[("waver", "when:\n- { on: look, do: [{ add: 1 }] }\n")],
            settings,
        );
        home.edit(
            "scripts/mini/ruleset.luau",
            "  types = {",
            "  on_limit = function(act, passed) act:say('gm', `{passed.limit} {passed.event} {passed.most}`) end,\n  types = {",
        );
        let lines = "act:set('ann', 'habit', 'waver') act:set('ann', 'mood', 0)
             act:emit('look') local first = act:get('ann', 'mood') act:emit('look') return `{first} {act:get('ann', 'mood')}`";
        run_as_command(&home, lines)
    };
    assert_eq!(play(""), "max_repeats look 10 11 11");
    assert_eq!(play("max_repeats = 3"), "max_repeats look 3 4 4");
}

#[test]
fn handlers_that_watch_are_told_where_that_was_written() {
    let home = home_with_settling_event(
        &[
            (
                "waver",
                "when:\n- { on: settled, watches: [hope, extra], do: [{ say: hopes }] }\n",
            ),
            ("nodder", "when:\n- { on: settled, do: [{ say: all }] }\n"),
            (
                "looker",
                "when:\n- { on: look, watches: [hope], do: [{ say: looks }] }\n",
            ),
        ],
        "",
    );
    home.custom(
        "watcher",
        "settled = { watches = { 'hope' }, run = function(act) act:say('gm', 'script') end }",
    );
    let lines = "act:set('ann', 'habit', 'waver') act:set('bo', 'habit', 'nodder')
         act:emit('greet') act:say('gm', '1') act:set('ann', 'mood', 1)
         act:emit('greet') act:say('gm', '2') act:set('bo', 'hope', 1)
         act:emit('greet') act:say('gm', '3') local whim = act:attach('bo', 'extra', {})
         act:emit('greet') act:say('gm', '4')
         act:set('bo', 'habit', 'looker') act:emit('look') act:set('ann', 'mood', 2) act:emit('look')
         act:set('ann', 'hope', 2) act:emit('look')
         return ''";
    assert_eq!(
        run_as_command(&home, lines),
        "ann hopes bo all script 1 bo all 2 ann hopes bo all script 3 ann hopes bo all 4 \
         bo looks bo looks ann hopes script"
    );
}

/// The changes of a watching handler are taken back with the rule that emitted the event; the
/// handler runs again.
#[test]
fn handlers_that_watch_are_told_again_where_a_rule_was_taken_back() {
    let home = home_with_settling_event(
        &[
            (
                "looker",
                "when:\n- { on: look, watches: [hope], do: [{ say: looks }] }\n",
            ),
            (
                "clumsy",
                "when:\n- { on: greet, do: [{ emit: look }, { boom: true }] }\n",
            ),
        ],
        "",
    );
    home.edit(
        "scripts/mini/schemas/habit.luau",
        "act:emit(said, { to = self })",
        "act:emit(said)",
    );
    home.command(
        "go",
        "act:set('ann', 'habit', 'clumsy') act:set('bo', 'habit', 'looker')
         act:emit('greet') act:say('gm', 'taken back') act:emit('look') act:set('ann', 'mood', 1) act:emit('look') return 'over'",
    );
    let mut game = Game::of(&home);
    game.line("go");
    let reply = answer_as_gm(&mut game, "skip this rule");
    let told: Vec<String> = reply.documents.iter().map(plain).collect();
    assert_eq!(told, ["taken back", "bo looks", "over"]);
}

/// Of handlers with one key, the first one that watches the written cell runs; the others are
/// skipped.
#[test]
fn of_handlers_with_one_key_the_first_is_told_whose_watches_were_written() {
    let home = home_with_settling_event(
        &[(
            "waver",
            "when:\n- { on: look, key: a, watches: [hope], do: [{ say: hopes }] }\n- { on: look, key: a, watches: [name], do: [{ say: names }] }\n",
        )],
        "",
    );
    let lines = "act:set('ann', 'habit', 'waver') act:emit('look') act:set('ann', 'mood', 1) act:emit('look')
         act:say('gm', '1') act:set('ann', 'mood', 2) act:emit('look')
         act:say('gm', '2') act:set('ann', 'name', 'Anna') act:emit('look')
         act:say('gm', '3') act:set('ann', 'hope', 1) act:emit('look') return ''";
    assert_eq!(
        run_as_command(&home, lines),
        "ann hopes ann names 1 2 ann names 3 ann hopes"
    );
}

#[test]
fn handlers_that_are_heard_for_another_definition_watch_as_well() {
    let home = home_with_settling_event(
        &[
            (
                "looker",
                "when:\n- { on: look, watches: [hope], do: [{ say: looks }] }\n",
            ),
            ("copycat", "like: looker\n"),
        ],
        "",
    );
    let lines = "act:set('ann', 'habit', 'copycat') act:emit('look') act:set('ann', 'mood', 1) act:emit('look')
         act:say('gm', 'hoping') act:set('ann', 'hope', 1) act:emit('look') return ''";
    assert_eq!(run_as_command(&home, lines), "ann looks hoping ann looks");
}

#[test]
fn why_shows_how_often_an_event_was_emitted_and_not_that_it_was_skipped() {
    let home = home_with_settling_event(
        &[("waver", "when:\n- { on: look, do: [{ climb: true }] }\n")],
        "",
    );
    add_climbing_mood(&home);
    home.command(
        "go",
        "act:set('ann', 'habit', 'waver') act:set('ann', 'mood', 3) act:emit('look') act:emit('look') act:emit('look') return 'over'",
    );
    let mut game = Game::of(&home);
    game.line("go");
    let said = plain(&explain_why(&mut game.solo, "gm", "2").unwrap());
    assert_eq!(said.matches("look is emitted").count(), 2, "{said}");
}

#[test]
fn why_tells_whom_an_event_passed_over_since_nothing_that_they_watch_was_written() {
    let home = home_with_settling_event(
        &[(
            "waver",
            "when:\n- { on: look, watches: [hope], do: [{ add: 1 }] }\n",
        )],
        "",
    );
    home.command(
        "go",
        "act:set('ann', 'habit', 'waver') act:set('ann', 'mood', 3) act:emit('look') act:set('ann', 'mood', 5) act:emit('look') return 'over'",
    );
    let mut game = Game::of(&home);
    game.line("go");
    let said = plain(&explain_why(&mut game.solo, "gm", "2").unwrap());
    let flat = said.split_whitespace().collect::<Vec<_>>().join(" ");
    let over = "passed over: habits/waver of ann: nothing that it watches was written since it last handled this";
    // Emitted again after the writes of the first emission, and once more.
    assert_eq!(flat.matches(over).count(), 2, "{said}");
    assert_eq!(said.matches("no rule handles it").count(), 2, "{said}");
    assert!(said.contains("\n    - waver:1 of ann\n"), "{said}");
}

#[test]
fn an_event_goes_to_each_address_and_a_nested_emission_counts_only_if_something_is_written() {
    let home = home_with_settling_event(
        &[(
            "waver",
            "when:\n- { on: look, do: [{ say: looks }, { emit: look }] }\n",
        )],
        "",
    );
    let lines = "act:set('ann', 'habit', 'waver') act:set('bo', 'habit', 'waver')
         act:emit('look', { to = 'ann' }) act:emit('look', { to = 'bo' }) act:emit('look') act:emit('look')
         return 'over'";
    assert_eq!(
        run_as_command(&home, lines),
        "ann looks bo looks ann looks bo looks over"
    );
}

#[test]
fn what_watches_an_event_that_follows_no_writes_is_a_finding() {
    let home = home_with_habits(&[("waver", "when:\n- { on: greet, watches: [hope], do: [] }\n")]);
    home.custom(
        "watcher",
        "greet = { watches = { 'hope' }, run = function() end }",
    );
    let found = Game::of(&home).findings();
    for said in [
        "handler 1 has `watches`, but this event does not follow from what is written",
        "content/mini/habits/waver.yaml:4:3",
        "the handler of `greet` has `watches`",
        "scripts/mini/customs/watcher.luau:1:58",
        "handle `settled`, or an event declared with until_quiet = true",
    ] {
        assert!(found.contains(said), "{said}: {found}");
    }
}
