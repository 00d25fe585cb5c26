//! Tests refusals: the printed part of a refusal, and the words of the line that it points at.

use arbiter_tests::{Game, Scratch, on_game_thread};
use host::diag::Diagnostic;

/// Returns a home with a command `refuse` that fails with its message and these options.
fn home_with_refusing_command(rest: &str) -> Scratch {
    let home = Scratch::mini();
    home.command(
        "refuse",
        &format!("return act:fail('no', 'not so', {rest})"),
    );
    home
}

fn refusal_with_options(rest: &str) -> Diagnostic {
    Game::of_program(&home_with_refusing_command(rest), "mini").refusal("refuse")
}

/// Returns a home whose ruleset has an event with listeners.
fn home_with_greeting_event() -> Scratch {
    let home = Scratch::with_listener_collections();
    let events = "events = { greet = { summary = 'somebody is greeted' } },\n  types = {";
    home.edit("scripts/mini/ruleset.luau", "types = {", events);
    home
}

#[test]
fn of_a_long_list_of_long_hints_no_more_is_read_than_is_told() {
    on_game_thread(|| {
        let long = "table.create(50000, string.rep('x', 1000000))";
        let by_hand =
            format!("return {{ ok = false, code = 'no', message = 'not so', hint = {long} }}");
        let home = home_with_refusing_command(long);
        home.command("handmade", &by_hand);
        let mut game = Game::of_program(&home, "mini");
        for line in ["refuse", "handmade"] {
            let refusal = game.refusal(line);
            assert_eq!(refusal.message, "not so", "{line}");
            assert_eq!(refusal.hints.len(), 10, "{line}");
            let is_short = |hint: &String| hint.len() < 2_200;
            assert!(refusal.hints.iter().all(is_short), "{line}");
        }
    });
}

#[test]
fn of_a_long_list_of_long_rows_none_is_copied() {
    on_game_thread(|| {
        let home = home_with_greeting_event();
        let rows = "local rows = table.create(50000, string.rep('x', 1000000)) rows[1] = 'ann'";
        home.command(
            "go",
            &format!("{rows} act:emit('greet', {{ to = rows }}) return 'told'"),
        );
        home.custom("nod", "greet = function() end");
        assert_eq!(Game::of(&home).text("go"), "told");
    });
}

#[test]
fn a_handler_refuses_with_several_hints() {
    on_game_thread(|| {
        let home = home_with_greeting_event();
        let fail = "act:fail('no', 'not so', { 'first', 'second' })";
        home.custom(
            "strict",
            &format!("greet = function(act) return {fail} end"),
        );
        home.command("go", "act:emit('greet')");
        assert_eq!(Game::of(&home).refusal("go").hints, ["first", "second"]);
    });
}

#[test]
fn hints_are_a_text_or_a_list_of_texts() {
    on_game_thread(|| {
        let hints = |rest: &str| refusal_with_options(rest).hints;
        assert_eq!(hints("'one'"), ["one"]);
        assert_eq!(hints("{ 'one', 'two' }"), ["one", "two"]);
        assert_eq!(hints("{}"), [""; 0]);
        assert_eq!(hints("nil"), [""; 0]);
        let expected = "argument 3 `hint` of `act:fail` expects a text or a list of texts, found";
        let cases = [
            ("5", "a number"),
            ("true", "a boolean"),
            ("{ 'a', {} }", "a table: the item 2 is a table"),
            ("{ 'a', 2 }", "a table: the item 2 is a number"),
            (
                "{ x = 'y' }",
                "a table: its keys must be 1 to n without gaps",
            ),
            (
                "{ 'a', nil, 'c' }",
                "a table: its keys must be 1 to n without gaps",
            ),
            ("{ 'a', '\\xff' }", "a table: a text must be UTF-8"),
        ];
        for (hint, found) in cases {
            let refusal = refusal_with_options(hint);
            assert_eq!(refusal.code, "script/argument", "{hint}");
            let begin = format!("{expected} {found}");
            assert!(
                refusal.message.starts_with(&begin),
                "{hint}: {}",
                refusal.message
            );
        }
    });
}

#[test]
fn a_place_is_words_and_bytes_that_they_have() {
    on_game_thread(|| {
        let expected = "argument 4 `at` of `act:fail` expects a table { said, from, to }, found";
        let cases = [
            ("5", "a number"),
            ("{}", "a table: `said` must be a text, found nothing"),
            (
                "{ said = 5, from = 1, to = 1 }",
                "a table: `said` must be a text, found a number",
            ),
            (
                "{ sad = 'Ann', from = 1, to = 1 }",
                "a table: it has no key `sad`",
            ),
            ("{ 'Ann', 1, 1 }", "a table: it has no key `a number`"),
            (
                "{ said = 'Ann', from = -1, to = 1 }",
                "a table: `from` must be a whole number from 1 to 4, found -1",
            ),
            (
                "{ said = 'Ann', from = 1.5, to = 2 }",
                "a table: `from` must be a whole number from 1 to 4, found 1.5",
            ),
            (
                "{ said = 'Ann', from = 0/0, to = 2 }",
                "a table: `from` must be a whole number from 1 to 4, found NaN",
            ),
            (
                "{ said = 'Ann', from = 3, to = 'x' }",
                "a table: `to` must be a whole number from 2 to 3, found a text",
            ),
            (
                "{ said = 'Ann', from = 3, to = 1 }",
                "a table: `to` must be a whole number from 2 to 3, found 1",
            ),
            (
                "{ said = 'Ann', from = 1, to = 2^53 }",
                "a table: `to` must be a whole number from 0 to 3, found 9007199254740992",
            ),
            (
                "{ said = 'Ann', from = 1 }",
                "a table: `to` must be a whole number from 0 to 3, found nothing",
            ),
        ];
        for (at, found) in cases {
            let refusal = refusal_with_options(&format!("nil, {at}"));
            assert_eq!(refusal.code, "script/argument", "{at}");
            let begin = format!("{expected} {found}");
            assert!(
                refusal.message.starts_with(&begin),
                "{at}: {}",
                refusal.message
            );
        }
    });
}

/// A command that points at the first letters of one of its words.
const POINTING_COMMAND: &str = "return command { source = 'x', summary = 'x', \
  syntax = 'point {which: Word} {a: Word} [{b: Word}]', \
  run = function(act, args) \
    local said = if args.which == 'point' then 'oi' else args[args.which] or args.which \
    return act:fail('no', 'not so', nil, { said = said, from = 1, to = 2 }) \
  end }";

#[test]
fn words_are_pointed_at_where_they_are_an_argument_or_whole() {
    on_game_thread(|| {
        let home = Scratch::mini();
        home.write("scripts/mini/commands/point.luau", POINTING_COMMAND);
        let mut game = Game::of_program(&home, "mini");
        let cases = [
            ("point a Ann Bo", Some(8)),
            ("point b Bo Ann", Some(11)),
            // An argument is preferred to a word of the command, and the first match to later ones.
            ("point a point Bo", Some(8)),
            ("point b Joann Ann", Some(14)),
            ("point b Ann Ann", Some(8)),
            // Parts of words do not match.
            ("point point Ann", None),
            ("point elsewhere Ann", Some(6)),
        ];
        for (line, at) in cases {
            let place = game.refusal(line).place;
            let place = place.filter(|place| place.source.text() == line);
            let span = place.map(|place| (place.span.start, place.span.end));
            assert_eq!(span, at.map(|at| (at, at + 2)), "{line}");
        }
    });
}
