//! Tests that every script error names mod, file and line, for all raised values, and that the text
//! fits on the screen.

use arbiter_tests::{Game, Scratch, explain_why_not, on_game_thread};
use host::diag::{Diagnostic, render};
use host::doc::plain;

/// Returns the refusal of a command whose third line raises an error.
fn refusal_of_third_line(third: &'static str) -> Diagnostic {
    on_game_thread(move || {
        let home = Scratch::mini();
        home.command("go", &format!("-- first\n-- second\n{third}\n-- behind"));
        let mut game = Game::of(&home);
        let before = game.hash();
        let refusal = game.line("go").refusal;
        assert_eq!(game.hash(), before, "{third}");
        refusal.unwrap_or_else(|| panic!("accepted: {third}"))
    })
}

/// Returns the text of the line that a finding points to.
fn line_pointed_at(finding: &Diagnostic) -> &str {
    let place = finding.place.as_ref();
    let place = place.unwrap_or_else(|| panic!("no place: {finding:?}"));
    assert_eq!(place.source.name(), "scripts/mini/commands/go.luau");
    let line = place.source.position(place.span.start).line;
    place
        .source
        .text()
        .lines()
        .nth(line - 1)
        .unwrap_or_default()
}

#[test]
fn what_is_no_result_names_the_function_that_returns_it() {
    for returns in ["return 5", "return true", "return {}", "return { ok = 1 }"] {
        let refusal = refusal_of_third_line(returns);
        assert_eq!(refusal.code, "script/no-result", "{returns}");
        let line = line_pointed_at(&refusal);
        assert!(line.contains("function("), "{returns}: {line}");
    }
}

#[test]
fn a_limit_that_a_typed_text_passes_points_to_the_text() {
    on_game_thread(|| {
        let mut game = Game::of(&Scratch::mini());
        for text in [
            "(function() while true do end end)()",
            "while true do end",
            "string.rep('x', 100, string.rep('y', 2000000))",
        ] {
            let refusal = game.refusal(&format!("= {text}"));
            assert!(refusal.code.starts_with("limit/"), "{refusal:?}");
            let place = refusal.place.expect("it has a place");
            assert_eq!(place.source.slice(place.span), text);
        }
    });
}

#[test]
fn whatever_is_raised_names_its_line() {
    for raises in [
        "error({})",
        "error(setmetatable({}, { __tostring = function() error({}) end }))",
        "error(setmetatable({}, { __tostring = function() return {} end }))",
        "error(nil)",
        "error(true)",
        "error(7)",
        "error('x', 0)",
        "error('a\\0b', 0)",
        "error(act)",
        "error(error)",
        "assert(false, {})",
        "assert(false)",
        "assert()",
        "assert(false, 7)",
        "assert(nil, 'a\\0b')",
        "local t = nil :: any; t.x = 1",
        "local kept = {}; while true do table.insert(kept, string.rep('x', 100000) .. #kept) end",
        "local kept = {}; while true do table.insert(kept, buffer.create(1048576)) end",
        "while true do end",
        "local function f() return f() + 1 end; f()",
        "act:say('nobody')",
        "string.rep()",
        "return function() end",
    ] {
        let finding = refusal_of_third_line(raises);
        if raises.starts_with("return") {
            continue;
        }
        assert_eq!(line_pointed_at(&finding).trim(), raises, "{finding:?}");
        assert!(
            finding
                .trace
                .first()
                .is_some_and(|frame| frame.starts_with("mini/commands/go.luau:")),
            "{raises}: {:?}",
            finding.trace
        );
    }
}

#[test]
fn a_text_with_a_nul_in_it_is_told_whole() {
    for raises in [
        "error('before\\0behind', 0)",
        "error('before\\0behind')",
        "assert(false, 'before\\0behind')",
        "local ok, why = pcall(assert, nil, 'before\\0behind') error(why, 0)",
    ] {
        assert_eq!(
            refusal_of_third_line(raises).message,
            "before\0behind",
            "{raises}"
        );
    }
}

/// The replacement of the machine's own function has the same message.
#[test]
fn a_condition_that_does_not_hold_is_told_as_ever() {
    for (raises, message) in [
        ("assert(false)", "assertion failed!"),
        ("assert(nil, nil)", "assertion failed!"),
        ("assert(false, 12)", "12"),
        ("assert()", "missing argument #1"),
        (
            "assert(false, {})",
            "invalid argument #2 to 'assert' (string expected, got table)",
        ),
        ("local a, b = assert(1, 'two') error(a .. b, 0)", "1two"),
    ] {
        assert_eq!(refusal_of_third_line(raises).message, message, "{raises}");
    }
}

#[test]
fn what_is_told_has_room_on_the_screen() {
    for (raises, most) in [
        ("error(string.rep('\\n', 900000))", 60),
        ("error(string.rep('x', 1048576))", 60),
        ("error(string.rep('x\\n', 400000))", 60),
        ("error(string.rep('\\27', 900000))", 60),
        ("return act:fail('E_X', string.rep('\\n', 900000))", 60),
        ("return act:fail('E_X', 'x', string.rep('\\n', 900000))", 60),
    ] {
        let shown = render(&refusal_of_third_line(raises), false);
        assert!(
            shown.lines().count() <= most,
            "{raises}: {} lines",
            shown.lines().count()
        );
        assert!(shown.len() <= 8 << 10, "{raises}: {} bytes", shown.len());
    }
}

#[test]
fn why_not_names_the_place_of_what_broke() {
    on_game_thread(|| {
        for raises in [
            "error({})",
            "error('x', 0)",
            "error(setmetatable({}, { __tostring = function() error({}) end }))",
        ] {
            let home = Scratch::mini();
            home.command("go", &format!("-- first\n{raises}"));
            let mut game = Game::of(&home);
            let told =
                plain(&explain_why_not(&mut game.solo, "gm", "go").expect("it is explained"));
            assert!(
                told.contains("at mini/commands/go.luau:"),
                "{raises}: {told}"
            );
        }
    });
}
