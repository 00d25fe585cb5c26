//! Tests the keys that order the listeners of an event.

use arbiter_tests::{Game, Scratch};
use host::script::EngineOptions;

use super::NOTE_EVENT;

/// Returns a home with one event in this order; moods listen to it, in two kinds of rows.
fn home_with_event_order(order: &str) -> Scratch {
    let home = Scratch::with_listener_collections();
    home.edit(
        "scripts/mini/ruleset.luau",
        "  types = {",
        &format!("  events = {{ call = {{ summary = \"a call\", order = {{ {order} }} }} }},\n  types = {{"),
    );
    home.write(
        "scripts/mini/schemas/mark.luau",
        "return schema { source = \"x\", summary = \"what hears\", folder = \"marks\", format = \"luau\",
           listeners = { { kind = \"mark\", field = \"mark\" }, { kind = \"sign\", field = \"mark\" } }, keys = { source = \"string\" } }",
    );
    home.write(
        "scripts/mini/marks/plain.luau",
        format!("return mark {{ source = \"x\", on = {{ call = {NOTE_EVENT} }} }}"),
    );
    home.whim("plain", &format!("call = {NOTE_EVENT}"));
    home.whim(
        "late",
        &format!("call = {{ round = 2, run = {NOTE_EVENT} }}"),
    );
    home
}

/// Returns the listeners of the event, in order, after a few rows were created.
fn listeners_in_order(home: &Scratch, fields: &str, more: &str) -> String {
    home.command(
        "go",
        &format!(
            "act:attach('bo', 'whim', {{ whim = 'late', place = 3 }})
             act:attach('ann', 'whim', {{ whim = 'plain', place = 2 }})
             act:attach('ann', 'mark', {{ mark = 'plain', place = 1.5 }})
             act:attach('bo', 'sign', {{ mark = 'plain' }})
             act:set('bo', 'number', 1)
             act:set('ann', 'number', 2)
             local event = act:emit('call', {{ heard = {{}}, {fields} }})
             local ids = list.map(event.heard, function(one) return (string.gsub(one, ' of.*', '')) end)
             {more}
             return table.concat(ids, ' ')"
        ),
    );
    Game::of(home).text("go").replace('\n', " ")
}

#[test]
fn rounds_kinds_participants_and_numbers_of_rows_are_keys() {
    for (order, expected) in [
        ("\"round\", \"age\"", "whim#2 mark#3 sign#4 whim#1"),
        (
            "{ kinds = { \"sign\", \"whim\" } }, \"age\"",
            "sign#4 whim#1 whim#2 mark#3",
        ),
        (
            "{ participants = \"who.all\" }, \"age\"",
            "whim#1 sign#4 whim#2 mark#3",
        ),
        (
            "{ bearer = \"number\" }, \"age\"",
            "whim#1 sign#4 whim#2 mark#3",
        ),
        ("{ element = \"place\" }", "mark#3 whim#2 whim#1 sign#4"),
        ("{ element = \"nothing\" }", "mark#3 sign#4 whim#1 whim#2"),
    ] {
        let fields = "who = { all = { 'bo' } }";
        assert_eq!(
            listeners_in_order(&home_with_event_order(order), fields, ""),
            expected,
            "{order}"
        );
    }
}

#[test]
fn a_shuffle_draws_a_word_an_element_as_act_shuffle_does_within_each_kind_of_an_event_to_everybody()
{
    let order = "{ kinds = { \"whim\", \"mark\" } }, { shuffle = { \"whim\", \"mark\" } }, \"age\"";
    let more = "local again = act:shuffle({ 'whim#1', 'whim#2' }, 'order of call')
                ids[#ids + 1] = '= ' .. table.concat(again, ' ')";
    let home = home_with_event_order(order);
    let said = listeners_in_order(&home, "", more);
    let (heard_first, again) = said.split_once(" = ").unwrap();
    assert_eq!(heard_first, format!("{again} mark#3 sign#4"));
    let mut game = Game::of_program(&home, "mini");
    game.text("go");
    let rolls = game.text("log rolls");
    assert!(!rolls.contains("mark#3"), "one alone is not drawn: {rolls}");
    let addressed = listeners_in_order(&home, "to = { 'ann', 'bo' }", "");
    assert_eq!(addressed, "whim#1 whim#2 mark#3 sign#4");
}

#[test]
fn a_key_that_nobody_knows_is_a_finding() {
    for order in ["\"size\"", "{ sizes = { \"a\" } }", "{ kinds = \"a\" }"] {
        let home = home_with_event_order(order);
        let findings = Game::start(&home, EngineOptions::default());
        let found = findings.map_or_else(|all| !all.is_empty(), |game| !game.findings().is_empty());
        assert!(found, "{order}");
    }
}
