//! Tests Luau at the prompt.

use super::replies_to_lines;
use crate::toy_game::Toy;

#[test]
fn the_last_value_is_there_in_the_next_text() {
    let mut solo = Toy::new().solo();
    let said = replies_to_lines(
        &mut solo,
        &[
            "= 20 + 1",
            "= _ * 2",
            "eval { a = _ }",
            "= _.a",
            "= act:add('ann', 'mood', 5)",
            "mood ann",
        ],
    );
    assert_eq!(said, ["21", "42", "{a: 42}", "42", "8", "Ann feels 3."]);
}

#[test]
fn numbers_are_shown_as_they_cross_the_border() {
    let mut solo = Toy::new().solo();
    let shown = [
        ("0.1 + 0.2", "0.3"),
        ("{ 0.1 + 0.2 }", "[0.3]"),
        ("1 / 3, 2 / 3", "0.333333333333333, 0.666666666666667"),
        ("-7 / 7", "-1"),
        ("2 ^ 60", "1152921504606846976"),
        ("1 / 0", "inf"),
    ];
    for (text, expected) in shown {
        assert_eq!(
            replies_to_lines(&mut solo, &[&format!("= {text}")]),
            [expected]
        );
    }
    let reply = solo.submit("gm", "= print(0.1 + 0.2)");
    assert_eq!(reply.printed.lines, ["0.3"]);
}

#[test]
fn only_the_game_master_evaluates() {
    let mut solo = Toy::new().solo();
    for line in ["= act:get('ann', 'mood')", "eval 1 + 1"] {
        let refusal = solo.submit("Ann", line).refusal.expect("it is refused");
        assert_eq!(refusal.code, "host/gm-only");
        assert_eq!(refusal.hints, ["`as gm` returns to the game master"]);
    }
}

#[test]
fn an_unknown_name_in_luau_is_named_with_near_ones_and_its_place() {
    let mut solo = Toy::new().solo();
    let mut found = |line: &str| {
        let refusal = solo.submit("gm", line).refusal.expect("it is refused");
        let place = refusal.place.as_ref().expect("it has a place");
        let at = place.source.slice(place.span).to_owned();
        assert_eq!(place.source.text(), line);
        format!("{at}: {} | {}", refusal.message, refusal.hints.join(" "))
    };
    let expected = [
        (
            "= act:rol('1d6')",
            "rol: `act` has no method `rol` | did you mean \"roll\",",
        ),
        (
            "= 1 + act:gte('ann', 'mood')",
            "gte: `act` has no method `gte` | did you mean \"get\"?",
        ),
        (
            "= dice.parze('d6')",
            "parze: `dice` has no function `parze` | did you mean \"parse\"?",
        ),
        (
            "eval dice.parze('d6')",
            "parze: `dice` has no function `parze` | did you mean \"parse\"?",
        ),
        (
            "= dise.parse('d6')",
            "dise: there is no `dise` | did you mean \"dice\"",
        ),
        (
            "= string.uper('x')",
            "uper: `string` has no function `uper` | did you mean \"upper\"?",
        ),
        (
            "= ('x'):uper()",
            "uper: a text has no method `uper` | did you mean \"upper\"?",
        ),
        (
            "= deimal('1')",
            "deimal: there is no function `deimal` | did you mean \"decimal\"?",
        ),
        (
            "= decimal('1.5'):runs()",
            "runs: this has no method `runs` | did you mean",
        ),
    ];
    for (line, expected) in expected {
        let found = found(line);
        assert!(found.starts_with(expected), "{line}\n{found}");
    }
    let local = found("= (function() local f = nil return f(1) end)()");
    assert!(local.contains("attempt to call a nil value"), "{local}");
    let required = found("= require('pipeline/x')");
    assert!(
        required.contains("`require` works only in script files"),
        "{required}"
    );
}
