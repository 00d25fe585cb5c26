//! Tests lines that rules add to the text of a command, and queues: a rule that breaks leaves no
//! entries.

use arbiter_tests::{Game, Scratch};

use super::schema_handlers::{HABIT_SCHEMA, answer_as_gm, home_with_habits};

/// Returns a home with a habit that adds a line and puts an entry into a transient queue; it may
/// break afterwards.
fn home_adding_lines(broken: bool) -> Scratch {
    let home = home_with_habits(&[]);
    home.write(
        "scripts/mini/schemas/habit.luau",
        HABIT_SCHEMA.replace(
            "local steps = {}",
            "local steps = {}
function steps.line(act, self, said) act:add_line(`{self} {said}`) act:enqueue('hurts', { who = self, how = said }) end",
        ),
    );
    let boom = if broken { ", { boom: true }" } else { "" };
    home.write(
        "content/mini/habits/teller.yaml",
        format!(
            "name: teller\nsource: x\nwhen:\n- {{ on: greet, do: [{{ line: nods }}{boom}] }}\n"
        ),
    );
    home.edit(
        "scripts/mini/ruleset.luau",
        "  types = {",
        "  queues = { hurts = { summary = \"what hurts\", transient = true } },
  on_limit = function(act, passed) act:add_line(`{passed.limit} {passed.queue} {passed.most} {passed.entry and passed.entry.who}`) end,
  types = {",
    );
    home
}

#[test]
fn lines_and_entries_of_transient_queues_go_with_the_rule_that_breaks() {
    let home = home_adding_lines(true);
    home.command(
        "go",
        "act:set('ann', 'habit', 'teller')
         act:add_line('It begins.')
         act:enqueue('hurts', { who = 'bo' })
         act:emit('greet', {})
         act:enqueue('hurts', { who = 'bo' }, { once = true })
         act:drain('hurts', function(all) act:add_line(`{#all}: {all[1].who}`) end)
         return act:done()",
    );
    let mut game = Game::of(&home);
    game.line("go");
    let reply = answer_as_gm(&mut game, "skip this rule");
    let told: Vec<String> = reply.documents.iter().map(host::doc::plain).collect();
    assert_eq!(told, ["It begins.\n1: bo"]);
    game.assert_replays_same();
}

#[test]
fn what_is_alike_in_a_queue_or_fills_it_again_and_again_is_left_out_and_told() {
    for queue in ["hurts", "kept"] {
        let home = home_adding_lines(false);
        home.command(
            "go",
            &format!(
                "local done = 0
                 act:enqueue('{queue}', {{ who = 'ann' }})
                 act:enqueue('{queue}', {{ who = 'bo' }})
                 act:drain('{queue}', {{ one_by_one = true, alike = {{ fields = {{ 'who' }}, most = 3 }} }}, function(one)
                   done += 1
                   if one.who == 'ann' then act:enqueue('{queue}', {{ who = 'ann' }}) end
                 end)
                 act:enqueue('{queue}', {{ who = 'cy' }})
                 act:drain('{queue}', {{ again = 5 }}, function(all) done += #all act:enqueue('{queue}', {{ who = 'cy' }}) end)
                 act:add_line(`{{done}} {{#act:queued('{queue}')}}`)
                 return act:done()"
            ),
        );
        assert_eq!(
            Game::of(&home).text("go"),
            format!("alike {queue} 3 ann\nagain {queue} 5 nil\n9 0")
        );
    }
}

#[test]
fn lines_are_said_once_whether_anything_says_them_or_not() {
    let teller = "when:\n- { on: settled, do: [{ line: settles }] }\n- { on: greet, do: [{ line: nods }] }\n";
    for (end, said) in [
        ("", "ann nods\nann settles"),
        ("return act:done()", "ann nods\nann settles"),
        ("return 'Fine.'", "Fine.\nann nods\nann settles"),
    ] {
        let home = home_adding_lines(false);
        home.write(
            "content/mini/habits/teller.yaml",
            format!("name: teller\nsource: x\n{teller}"),
        );
        home.command(
            "go",
            &format!("act:set('ann', 'habit', 'teller') act:emit('greet', {{}}) {end}"),
        );
        let mut game = Game::of(&home);
        assert_eq!(game.text("go"), said, "{end}");
        game.assert_replays_same();
    }
}

#[test]
fn entries_are_alike_where_their_fields_are_the_same_and_of_one_type() {
    let home = home_adding_lines(false);
    home.command(
        "go",
        "for _, what in { 1, '1', true, 'true', 1 } do act:enqueue('hurts', { what = what }) end
         act:enqueue('hurts', {})
         local done = {}
         act:drain('hurts', { one_by_one = true, alike = { fields = { 'what' }, most = 1 } }, function(one)
           table.insert(done, `{type(one.what)} {one.what}`)
         end)
         return table.concat(done, ', ')",
    );
    assert_eq!(
        Game::of(&home).text("go"),
        "number 1, string 1, boolean true, string true, nil nil\nalike hurts 1 nil"
    );
}
