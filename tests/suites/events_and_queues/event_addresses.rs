//! Tests the addresses of events: everybody, rows with their own records, exact rows, or the rows
//! that a field names.

use arbiter_tests::{Game, Scratch};

use super::{NOTE_EVENT, home_with_events};

/// Returns a home with charms, which are attached to people and to whims, and with callings of
/// people who may be out.
fn home_with_charms_and_callings() -> Scratch {
    let home = home_with_events();
    let schema = |name: &str, listeners: &str| {
        home.write(
            &format!("scripts/mini/schemas/{name}.luau"),
            format!(
                "return schema {{ source = \"x\", summary = \"what hears\", folder = \"{name}s\", format = \"luau\",
                   listeners = {listeners}, keys = {{ source = \"string\" }} }}"
            ),
        );
    };
    schema(
        "calling",
        "{ { kind = \"person\", field = \"calling\", broadcast_if = { state = { other_than = \"out\" } } },
           { kind = \"extra\", field = \"calling\", listener_if = { asleep = { other_than = true } } } }",
    );
    home.write(
        "scripts/mini/callings/pilot.luau",
        format!("return calling {{ source = \"x\", on = {{ greet = {NOTE_EVENT} }} }}"),
    );
    home
}

/// Returns the text of a command that runs these lines and then emits an event with these fields.
fn listeners_of_emission(home: &Scratch, lines: &str) -> String {
    home.command(
        "go",
        &format!(
            "local function heard(fields)
               fields.heard = {{}}
               local ids = act:emit('greet', fields).heard
               return if #ids == 0 then 'nobody' else table.concat(ids, ', ')
             end
             {lines}"
        ),
    );
    Game::of(home).text("go").replace('\n', " ")
}

#[test]
fn an_event_to_a_row_reaches_its_own_rows_and_an_event_at_a_row_only_the_row() {
    let home = home_with_charms_and_callings();
    home.whim("polite", &format!("greet = {NOTE_EVENT}"));
    home.custom("house", &format!("greet = {NOTE_EVENT}"));
    let lines = "act:set('ann', 'calling', 'pilot')
         local outer = act:attach('ann', 'whim', { whim = 'polite' })
         act:attach(outer, 'whim', { whim = 'polite' })
         act:attach('bo', 'whim', { whim = 'polite' })
         local all = { heard { to = 'ann' }, heard { to = { outer, outer, 'nobody' } }, heard { at = 'ann' }, heard { at = { outer, 'bo' } }, heard { to = {} } }
         return table.concat(all, ' | ')";
    assert_eq!(
        listeners_of_emission(&home, lines),
        "ann of ann, customs/house of customs/house, whim#1 of ann | \
         customs/house of customs/house, whim#1 of ann, whim#2 of ann | ann of ann | whim#1 of ann | \
         customs/house of customs/house"
    );
}

#[test]
fn an_event_is_not_to_rows_and_at_rows_and_both_are_rows() {
    let home = home_with_charms_and_callings();
    home.command(
        "both",
        "act:set('ann', 'calling', 'pilot') act:emit('greet', { to = 'ann', at = 'bo' })",
    );
    home.command("odd", "act:emit('greet', { at = 7 })");
    home.command("asked", "act:has_listeners('greet', { too = 'ann' })");
    let mut game = Game::of(&home);
    for (line, said) in [
        ("both", "not both"),
        (
            "odd",
            "`at` of an event is a row or a list of rows, found a number",
        ),
        ("asked", "too"),
    ] {
        let refusal = game.refusal(line);
        assert_eq!(refusal.code, "script/argument", "{line}");
        assert!(refusal.message.contains(said), "{}", refusal.message);
    }
}

#[test]
fn a_row_that_is_out_hears_no_broadcast_and_one_that_is_no_listener_hears_nothing() {
    let lines = "act:set('ann', 'calling', 'pilot')
         act:set('bo', 'calling', 'pilot')
         local extra = act:attach('bo', 'extra', { calling = 'pilot' })
         act:set('ann', 'state', 'out')
         local before = heard {}
         act:set(extra, 'asleep', true)
         return table.concat({ before, heard {}, heard { to = 'ann' }, heard { to = 'bo' }, heard { at = extra } }, ' | ')";
    assert_eq!(
        listeners_of_emission(&home_with_charms_and_callings(), lines),
        "bo of bo, extra#1 of bo | bo of bo | ann of ann | bo of bo | nobody"
    );
}

#[test]
fn filters_find_elements_from_the_row_in_a_field_and_test_paths_and_choices() {
    let home = home_with_charms_and_callings();
    let note = |filter: &str| format!("greet = {{ where = {{ {filter} }}, run = {NOTE_EVENT} }}");
    home.whim("mine", &note("['who.1'] = '@bearer'"));
    home.whim("own", &note("it = '@self'"));
    home.whim("choosy", &note("tone = { one_of = { 'kind', 'soft' } }"));
    home.whim("shy", &note("tone = { other_than = 'loud' }"));
    let lines = "local first = act:attach('ann', 'whim', { whim = 'mine' })
         act:attach(first, 'whim', { whim = 'mine' })
         act:attach('bo', 'whim', { whim = 'mine' })
         for _, whim in { 'own', 'choosy', 'shy' } do act:attach('bo', 'whim', { whim = whim }) end
         local all = { heard { who = { 'ann', 'bo' }, tone = 'loud' }, heard { who = { first }, tone = 'kind' },
           heard { it = 'whim#4', tone = 'loud' }, heard { to = 'ann', who = { 'bo' } }, heard { to = 'bo', who = { 'bo' }, tone = 'loud' } }
         return table.concat(all, ' | ')";
    assert_eq!(
        listeners_of_emission(&home, lines),
        "whim#1 of ann, whim#2 of ann | whim#5 of bo, whim#6 of bo | whim#4 of bo | nobody | whim#3 of bo"
    );
}

#[test]
fn what_hears_everything_hears_what_goes_to_others_if_its_filter_finds_it_but_not_what_is_at_a_row()
{
    let home = home_with_charms_and_callings();
    home.whim(
        "nosy",
        &format!("greet = {{ hears = 'all', run = {NOTE_EVENT} }}"),
    );
    home.whim(
        "keen",
        &format!("greet = {{ hears = 'all', where = {{ who = '@bearer' }}, run = {NOTE_EVENT} }}"),
    );
    let lines = "act:attach('bo', 'whim', { whim = 'nosy' })
         act:attach('bo', 'whim', { whim = 'keen' })
         local all = { heard { to = 'ann' }, heard { to = 'ann', who = 'bo' }, heard { at = 'ann', who = 'bo' } }
         return table.concat(all, ' | ')";
    assert_eq!(
        listeners_of_emission(&home, lines),
        "whim#1 of bo | whim#1 of bo, whim#2 of bo | nobody"
    );
}

#[test]
fn whether_anybody_listens_is_known_before_filters_are_asked() {
    let home = home_with_charms_and_callings();
    home.whim(
        "keen",
        &format!("greet = {{ where = {{ who = '@bearer' }}, run = {NOTE_EVENT} }}, bell = {{ hears = 'all', run = {NOTE_EVENT} }}"),
    );
    home.custom("house", &format!("echo = {NOTE_EVENT}"));
    let lines = "local function told()
           local asked = { act:has_listeners('greet'), act:has_listeners('greet', { to = 'ann' }), act:has_listeners('greet', { to = 'bo' }),
             act:has_listeners('bell', { to = 'ann' }), act:has_listeners('bell', { at = 'ann' }),
             act:has_listeners('echo', { to = 'ann' }), act:has_listeners('echo', { at = { 'ann' } }) }
           return table.concat(list.map(asked, function(one) return if one then 'y' else 'n' end), '')
         end
         local before = told()
         local whim = act:attach('bo', 'whim', { whim = 'keen' })
         local during = told()
         act:detach(whim)
         act:set('ann', 'calling', 'pilot')
         act:set('ann', 'state', 'out')
         return `{before} {during} {told()}`";
    assert_eq!(
        listeners_of_emission(&home, lines),
        "nnnnnyn ynyynyn nynnnyn"
    );
}

#[test]
fn why_says_who_was_passed_over_as_a_broadcast_did_not_reach_them() {
    let home = home_with_charms_and_callings();
    home.command(
        "go",
        "act:set('ann', 'calling', 'pilot')
         act:set('ann', 'state', 'out')
         act:emit('greet', { heard = {} })
         return 'told'",
    );
    let mut game = Game::of_program(&home, "mini");
    game.text("go");
    let said = game.text("why 2");
    assert!(
        said.contains("its state should be other than out, but is out"),
        "{said}"
    );
}
