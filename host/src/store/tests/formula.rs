//! Tests formulas: bases that are computed from other stats, and stats that depend on each other.

use super::hall::{bear, declare, guarded, hall, over, show, show_in, with};
use super::set;
use crate::value::Value;

#[test]
fn a_formula_is_the_base_of_rows_without_a_value_of_their_own() {
    let mut state = hall();
    declare(
        &mut state,
        &[("load", "(self.hp,3,/)"), ("room", "(self.load,1,+)")],
    );
    assert_eq!(
        show(&state, "ann", "load"),
        Value::Number("3.33333333333333".parse().unwrap())
    );
    // A formula reads the shown values of other stats.
    assert_eq!(
        show(&state, "ann", "room"),
        Value::Number("4.33333333333333".parse().unwrap())
    );
    set(&mut state, "ann", "load", 7).unwrap();
    assert_eq!(show(&state, "ann", "room"), 8.into());
    bear(
        &mut state,
        "bo",
        "song",
        over("load", 1, None, Some("(self.hp,5,>)")),
    );
    assert_eq!(show(&state, "ann", "room"), 9.into());
    set(&mut state, "ann", "load", Value::Nil).unwrap();
    set(&mut state, "ann", "hp", 6).unwrap();
    assert_eq!(show(&state, "ann", "room"), 4.into());
    set(&mut state, "ann", "hp", 3).unwrap();
    assert_eq!(show(&state, "ann", "room"), 2.into());
}

#[test]
fn cycles_name_their_way_whoever_is_read_first() {
    let mut state = hall();
    declare(&mut state, &[("a", "(self.b,1,+)"), ("b", "(self.a,1,+)")]);
    let way = "stats depend on each other in a circle: ann.a -> ann.b -> ann.a";
    assert_eq!(show_in(&state, "ann", "a").unwrap_err().to_string(), way);
    set(&mut state, "ann", "b", 1).unwrap();
    assert_eq!(show(&state, "ann", "a"), 2.into());
    bear(&mut state, "bo", "mark", guarded("hp", 1, "(self.hp,3,>)"));
    let way = "the `only_if` of mark#1 on bo fails: stats depend on each other in a circle: bo.hp -> bo.hp";
    assert_eq!(show_in(&state, "bo", "hp").unwrap_err().to_string(), way);
    assert_eq!(show(&state, "ann", "hp"), 10.into());
    let aura = with(
        &over("mood", 1, Some("person"), None),
        &[("while", "(owner.mood,0,>)".into())],
    );
    bear(&mut state, "cy", "song", aura);
    for row in ["ann", "cy", "bo", "ann"] {
        let error = show_in(&state, row, "mood").unwrap_err();
        assert!(error.to_string().ends_with("cy.mood -> cy.mood"), "{error}");
        assert_eq!(error.code(), "store/cycle");
    }
    assert_eq!(show(&state, "lamp", "mood"), Value::Nil);
}

#[test]
fn a_row_of_stats_that_is_too_long_is_refused() {
    let mut state = hall();
    let formulas: Vec<(String, String)> = (0..100)
        .map(|n| (format!("s{n}"), format!("(self.s{},1,+)", n + 1)))
        .collect();
    let formulas: Vec<(&str, &str)> = formulas.iter().map(|(a, b)| (&**a, &**b)).collect();
    declare(&mut state, &formulas);
    assert_eq!(show(&state, "ann", "s40"), 60.into());
    let error = show_in(&state, "bo", "s0").unwrap_err();
    assert_eq!(error.code(), "limit/depth");
    assert!(error.to_string().contains("bo.s0 -> bo.s1"), "{error}");
}
