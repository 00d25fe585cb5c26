//! This module tests guards, auras and formulas: what is evaluated at read.

use std::rc::Rc;

use proptest::prelude::*;

use super::{attach, code, layered, modifier, put_with, remove, set, state};
use crate::expr::{Item, Signature};
use crate::store::{
    Alone, Expression, Fold, Frame, Look, Outside, Role, StatDeclaration, State, Stats, StoreError,
    Vocabulary, unmodified,
};
use crate::value::{Names, Value};

/// A modifier with further keys.
fn with(modifier: &Value, keys: &[(&str, Value)]) -> Value {
    let own = modifier.as_map().into_iter().flatten();
    let own = own.map(|(key, value)| (key.to_string(), value.clone()));
    let more = keys
        .iter()
        .map(|(key, value)| ((*key).to_owned(), value.clone()));
    Value::map(own.chain(more))
}

fn guarded(stat: &str, value: i64, guard: &str) -> Value {
    with(&modifier(stat, "add", value), &[("while", guard.into())])
}

fn over(stat: &str, value: i64, kind: Option<&str>, place: Option<&str>) -> Value {
    let part = |text: Option<&str>| text.map_or(Value::Nil, Value::from);
    let over = Value::map([("kind", part(kind)), ("where", part(place))]);
    let over = if over.as_map().is_some_and(|map| map.is_empty()) {
        Value::list([])
    } else {
        over
    };
    with(&modifier(stat, "add", value), &[("over", over)])
}

fn list(modifiers: impl IntoIterator<Item = Value>) -> [(&'static str, Value); 1] {
    [("@modifiers", Value::list(modifiers))]
}

fn declare(state: &mut State, stats: &[(&str, &str)]) {
    let mut declared = Stats::clone(state.stats());
    for (stat, formula) in stats {
        let formula = (*formula).into();
        let formula = Expression::new(&formula, Role::Stat, declared.vocabulary(), state.names());
        assert_eq!(formula.error(), None);
        let declaration = StatDeclaration {
            formula: Some(Rc::new(formula)),
            ..StatDeclaration::default()
        };
        declared.declare(state.names().intern(stat), declaration);
    }
    state.declare(Rc::new(declared));
}

/// Two persons in a hall, one outside, and a lamp.
fn hall() -> State {
    let mut state = state();
    for (id, spot) in [("ann", "hall"), ("bo", "hall"), ("cy", "yard")] {
        let fields = [("spot", spot.into()), ("hp", 10.into())];
        put_with(&mut state, id, "person", &fields).unwrap();
    }
    put_with(&mut state, "lamp", "thing", &[("spot", "hall".into())]).unwrap();
    state
}

fn show_in(state: &State, row: &str, stat: &str) -> Result<Value, StoreError> {
    let names = state.names();
    Look::new(state, &Alone).shown(names.intern(row), names.intern(stat))
}

/// Returns what is shown, after comparing it with what a state without memory and index of its own shows.
fn show(state: &State, row: &str, stat: &str) -> Value {
    let shown = show_in(state, row, stat);
    let mut again = State::from_bytes(&state.to_bytes(), Rc::clone(state.names())).unwrap();
    again.declare(Rc::clone(state.stats()));
    assert_eq!(shown, show_in(&again, row, stat));
    assert_eq!(shown, show_in(&state.fork(), row, stat));
    assert_eq!(shown, show_in(&state.view(), row, stat));
    shown.unwrap()
}

fn all(state: &State, stat: &str) -> Vec<String> {
    let rows = ["ann", "bo", "cy", "lamp"];
    rows.map(|row| show(state, row, stat).to_string()).to_vec()
}

#[test]
fn a_guard_switches_with_a_write_and_back_with_the_savepoint() {
    let mut state = hall();
    attach(
        &mut state,
        "ann",
        "mark",
        &list([guarded("hp", 5, "(self.spot,\"hall\",==)")]),
    )
    .unwrap();
    assert_eq!(show(&state, "ann", "hp"), 15.into());
    let mark = state.mark();
    set(&mut state, "ann", "spot", "yard").unwrap();
    assert_eq!(show(&state, "ann", "hp"), 10.into());
    state.rollback(mark);
    assert_eq!(show(&state, "ann", "hp"), 15.into());
    remove(&mut state, "mark#1").unwrap();
    assert_eq!(show(&state, "ann", "hp"), 10.into());
}

#[test]
fn the_guard_of_a_record_guards_all_its_modifiers_and_can_be_set_and_taken_away() {
    let mut state = hall();
    let modifiers = Value::list([modifier("hp", "add", 1), over("mood", 2, None, None)]);
    let fields = [
        ("@modifiers", modifiers),
        ("@while", "(owner.spot,\"yard\",==)".into()),
    ];
    let record = attach(&mut state, "ann", "mark", &fields).unwrap();
    let record = state.names().text(record);
    assert_eq!(show(&state, "ann", "hp"), 10.into());
    assert_eq!(all(&state, "mood"), ["nil", "nil", "nil", "nil"]);
    set(&mut state, "ann", "spot", "yard").unwrap();
    assert_eq!(show(&state, "ann", "hp"), 11.into());
    assert_eq!(all(&state, "mood"), ["2", "2", "2", "2"]);
    set(&mut state, &record, "@while", "(record.off,!)").unwrap();
    assert_eq!(show(&state, "ann", "hp"), 11.into());
    set(&mut state, &record, "off", true).unwrap();
    assert_eq!(show(&state, "ann", "hp"), 10.into());
    set(&mut state, &record, "@while", Value::Nil).unwrap();
    assert_eq!(show(&state, "ann", "hp"), 11.into());
    assert_eq!(
        code(set(&mut state, "ann", "@while", "true")),
        "store/reserved-field"
    );
    assert_eq!(
        code(set(&mut state, &record, "@while", 3)),
        "store/bad-modifiers"
    );
}

#[test]
fn an_aura_reaches_rows_of_a_kind_where_it_says_and_follows_its_bearer() {
    let mut state = hall();
    let aura = over("mood", 3, Some("person"), Some("(self.spot,owner.spot,==)"));
    attach(&mut state, "ann", "song", &list([aura])).unwrap();
    assert_eq!(all(&state, "mood"), ["3", "3", "nil", "nil"]);
    set(&mut state, "ann", "spot", "yard").unwrap();
    assert_eq!(all(&state, "mood"), ["3", "nil", "3", "nil"]);
    set(&mut state, "bo", "spot", "yard").unwrap();
    assert_eq!(all(&state, "mood"), ["3", "3", "3", "nil"]);
    let mark = state.mark();
    remove(&mut state, "ann").unwrap();
    assert_eq!(show(&state, "bo", "mood"), Value::Nil);
    state.rollback(mark);
    assert_eq!(all(&state, "mood"), ["3", "3", "3", "nil"]);
    let settled = state.log.start();
    state.commit(settled);
    assert_eq!(all(&state, "mood"), ["3", "3", "3", "nil"]);
}

#[test]
fn the_fast_way_leaves_out_what_an_aura_or_a_formula_may_change() {
    let mut state = hall();
    let names = Rc::clone(state.names());
    let [ann, mood, hp, load] = ["ann", "mood", "hp", "load"].map(|name| names.intern(name));
    declare(&mut state, &[("load", "(self.hp,2,*)")]);
    assert_eq!(unmodified(&state, ann, mood), Some(&Value::Nil));
    assert_eq!(unmodified(&state, ann, load), None);
    attach(
        &mut state,
        "bo",
        "song",
        &list([over("mood", 1, Some("thing"), None)]),
    )
    .unwrap();
    assert_eq!(unmodified(&state, ann, mood), None);
    assert_eq!(unmodified(&state, ann, hp), Some(&10.into()));
    set(&mut state, "ann", "load", 1).unwrap();
    assert_eq!(unmodified(&state, ann, load), Some(&1.into()));
    remove(&mut state, "song#1").unwrap();
    assert_eq!(unmodified(&state, ann, mood), Some(&Value::Nil));
}

#[test]
fn auras_stand_in_the_order_of_all_records() {
    let mut state = hall();
    attach(&mut state, "bo", "a", &list([modifier("hp", "add", 1)])).unwrap();
    let double = with(&modifier("hp", "multiply", 2), &[("over", Value::list([]))]);
    attach(&mut state, "ann", "b", &list([double])).unwrap();
    attach(&mut state, "bo", "c", &list([modifier("hp", "add", 1)])).unwrap();
    assert_eq!(show(&state, "bo", "hp"), 23.into());
    assert_eq!(show(&state, "ann", "hp"), 20.into());
    // Inside one record the order of its list holds.
    let both = [
        over("hp", 1, None, None),
        modifier("hp", "multiply", 2),
        over("hp", 1, None, None),
    ];
    attach(&mut state, "ann", "d", &list(both)).unwrap();
    assert_eq!(show(&state, "ann", "hp"), 43.into());
    assert_eq!(show(&state, "bo", "hp"), 25.into());
}

#[test]
fn auras_keep_to_the_layers_of_a_stat() {
    let mut state = hall();
    let mut stats = Stats::default();
    let declaration = StatDeclaration {
        base: 1.into(),
        fold: Fold::Layers(["set", "add"].map(Into::into).to_vec()),
        formula: None,
        ..StatDeclaration::default()
    };
    stats.declare(state.names().intern("guard"), declaration);
    state.declare(Rc::new(stats));
    let aura = |value: Value| with(&value, &[("over", Value::map([("kind", "person".into())]))]);
    attach(
        &mut state,
        "ann",
        "a",
        &list([aura(layered("guard", "add", 2, "add"))]),
    )
    .unwrap();
    attach(
        &mut state,
        "bo",
        "b",
        &list([aura(layered("guard", "set", 5, "set"))]),
    )
    .unwrap();
    assert_eq!(all(&state, "guard"), ["7", "7", "7", "1"]);
    let bare = aura(modifier("guard", "add", 1));
    assert_eq!(
        code(attach(&mut state, "ann", "c", &list([bare]))),
        "store/unknown-layer"
    );
}

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
    // Stats cross from formula to formula as they show.
    assert_eq!(
        show(&state, "ann", "room"),
        Value::Number("4.33333333333333".parse().unwrap())
    );
    set(&mut state, "ann", "load", 7).unwrap();
    assert_eq!(show(&state, "ann", "room"), 8.into());
    attach(
        &mut state,
        "bo",
        "song",
        &list([over("load", 1, None, Some("(self.hp,5,>)"))]),
    )
    .unwrap();
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
    let way = "stats need each other: ann.a -> ann.b -> ann.a";
    assert_eq!(show_in(&state, "ann", "a").unwrap_err().to_string(), way);
    set(&mut state, "ann", "b", 1).unwrap();
    assert_eq!(show(&state, "ann", "a"), 2.into());
    attach(
        &mut state,
        "bo",
        "mark",
        &list([guarded("hp", 1, "(self.hp,3,>)")]),
    )
    .unwrap();
    let way = "stats need each other: bo.hp -> bo.hp";
    assert_eq!(show_in(&state, "bo", "hp").unwrap_err().to_string(), way);
    assert_eq!(show(&state, "ann", "hp"), 10.into());
    let aura = with(
        &over("mood", 1, Some("person"), None),
        &[("while", "(owner.mood,0,>)".into())],
    );
    attach(&mut state, "cy", "song", &list([aura])).unwrap();
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

#[test]
fn what_cannot_be_read_is_refused_when_a_rule_writes_it() {
    let mut state = hall();
    let cases = [
        (guarded("hp", 1, "(1,+)"), "takes 2 values and finds 1"),
        (guarded("hp", 1, "(slf.hp,3,>)"), "there is no name \"slf\""),
        (
            with(&modifier("hp", "add", 1), &[("while", 3.into())]),
            "is an expression, not a number",
        ),
        (
            with(&modifier("hp", "add", 1), &[("over", 3.into())]),
            "is a map, not a number",
        ),
        (
            with(
                &modifier("hp", "add", 1),
                &[("over", Value::map([("kinds", "x".into())]))],
            ),
            "has no \"kinds\"",
        ),
        (
            with(
                &modifier("hp", "add", 1),
                &[("over", Value::map([("kind", 3.into())]))],
            ),
            "is a text, not a number",
        ),
        (
            over("hp", 1, None, Some("(self.hp")),
            "a bracket is not closed",
        ),
        (
            with(&modifier("hp", "add", 1), &[("whlie", "true".into())]),
            "a modifier has no \"whlie\"",
        ),
    ];
    for (modifier, wanted) in cases {
        let error = attach(&mut state, "ann", "mark", &list([modifier])).unwrap_err();
        assert_eq!(error.code(), "store/bad-modifiers");
        assert!(error.to_string().contains(wanted), "{error}");
    }
}

#[test]
fn an_expression_that_fails_at_read_is_named() {
    let mut state = hall();
    attach(
        &mut state,
        "ann",
        "mark",
        &list([guarded("hp", 1, "(1,0,/)")]),
    )
    .unwrap();
    let error = show_in(&state, "ann", "hp").unwrap_err();
    assert_eq!(
        error.to_string(),
        "in the expression \"(1,0,/)\": \"/\" divides by zero"
    );
    attach(
        &mut state,
        "bo",
        "mark",
        &list([guarded("hp", 1, "(self.bag,1,+)")]),
    )
    .unwrap();
    set(&mut state, "bo", "bag", Value::list([1.into()])).unwrap();
    let error = show_in(&state, "bo", "hp").unwrap_err();
    assert_eq!(
        error.to_string(),
        "an expression calculates with bo.bag, which is a list"
    );
}

#[test]
fn explanations_name_guards_with_values_and_bearers() {
    let mut state = hall();
    attach(
        &mut state,
        "ann",
        "mark",
        &list([guarded("hp", 1, "(self.spot,\"yard\",==)")]),
    )
    .unwrap();
    attach(
        &mut state,
        "bo",
        "song",
        &list([over(
            "hp",
            2,
            Some("person"),
            Some("(self.spot,owner.spot,==)"),
        )]),
    )
    .unwrap();
    attach(
        &mut state,
        "cy",
        "song",
        &list([over(
            "hp",
            4,
            Some("person"),
            Some("(self.spot,owner.spot,==)"),
        )]),
    )
    .unwrap();
    attach(
        &mut state,
        "cy",
        "song",
        &list([over("hp", 8, Some("thing"), None)]),
    )
    .unwrap();
    let names = state.names();
    let why = Look::new(&state, &Alone)
        .explain(names.intern("ann"), names.intern("hp"))
        .unwrap();
    assert_eq!(why.shown, 12.into());
    assert_eq!(why.steps.len(), 1);
    assert_eq!(why.steps[0].bearer, Some(names.intern("bo")));
    let off: Vec<_> = why
        .off
        .iter()
        .map(|off| {
            (
                &*names.text(off.record) == "mark#1",
                off.is_place,
                off.values.clone(),
            )
        })
        .collect();
    let value = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    assert_eq!(
        off,
        [
            (true, false, vec![value("self.spot", "hall")]),
            (
                false,
                true,
                vec![value("self.spot", "hall"), value("owner.spot", "yard")]
            ),
        ]
    );
}

/// Says `weather` and adds up.
struct Rules;

impl Outside for Rules {
    fn variable(&self, state: &State, name: &str, frame: Frame) -> Result<Item, StoreError> {
        let text = match name {
            "weather" => "rain".into(),
            "first" => state.names().text(frame.itself.unwrap()),
            other => return Err(StoreError::NoAnswer(other.into())),
        };
        Ok(Item::Text(text))
    }

    fn call(
        &self,
        _: &State,
        function: &str,
        operands: &[Item],
        _: Frame,
    ) -> Result<Item, StoreError> {
        assert_eq!((function, operands.len()), ("both", 2));
        Ok(Item::Bool(operands.iter().all(Item::holds)))
    }

    fn spend(&self, _: usize) -> Result<(), StoreError> {
        Ok(())
    }
}

fn rules() -> Rc<Stats> {
    let mut stats = Stats::default();
    let both = Signature {
        operands: 2,
        quotes: false,
    };
    stats.speak(Vocabulary {
        variables: ["weather".into(), "first".into()].into(),
        functions: [("both".into(), both)].into(),
    });
    Rc::new(stats)
}

#[test]
fn words_of_the_rules_come_and_go_with_them() {
    let mut state = hall();
    state.declare(rules());
    let guard = "(weather,\"rain\",==,first.hp,both)";
    attach(
        &mut state,
        "ann",
        "mark",
        &list([guarded("mood", 1, guard)]),
    )
    .unwrap();
    attach(
        &mut state,
        "bo",
        "mark",
        &list([guarded("hp", 1, "(first.hp)")]),
    )
    .unwrap();
    let [ann, bo, mood, hp] = ["ann", "bo", "mood", "hp"].map(|name| state.names().intern(name));
    assert_eq!(Look::new(&state, &Rules).shown(ann, mood), Ok(1.into()));
    // It leads to itself through a name of the rules.
    assert_eq!(code(Look::new(&state, &Rules).shown(bo, hp)), "store/cycle");
    state.forget();
    assert_eq!(
        code(Look::new(&state, &Alone).shown(ann, mood)),
        "store/no-answer"
    );
    // Without the rules the state can be opened; what nobody can read sleeps.
    let mut again = State::from_bytes(&state.to_bytes(), Rc::clone(state.names())).unwrap();
    assert_eq!(Look::new(&again, &Alone).shown(ann, mood), Ok(Value::Nil));
    let why = Look::new(&again, &Alone).explain(ann, mood).unwrap();
    assert!(
        why.off[0]
            .broken
            .as_ref()
            .unwrap()
            .contains("there is no name"),
        "{:?}",
        why.off
    );
    again.declare(rules());
    assert_eq!(Look::new(&again, &Rules).shown(ann, mood), Ok(1.into()));
    again.declare(Rc::default());
    assert_eq!(Look::new(&again, &Rules).shown(ann, mood), Ok(Value::Nil));
}

#[test]
fn stats_with_auras_are_few() {
    let mut state = hall();
    for at in 0..64 {
        let four = (0..4).map(|n| over(&format!("s{at}-{n}"), 1, None, None));
        attach(&mut state, "ann", "song", &list(four)).unwrap();
    }
    let more = attach(
        &mut state,
        "ann",
        "song",
        &list([over("more", 1, None, None)]),
    );
    assert_eq!(code(more), "limit/size");
    attach(
        &mut state,
        "bo",
        "song",
        &list([over("s3-1", 1, None, None)]),
    )
    .unwrap();
    assert_eq!(show(&state, "cy", "s3-1"), 2.into());
}

#[derive(Clone, Debug)]
enum Act {
    Move(usize, usize),
    Attach(usize, usize, usize),
    Guard(usize, bool),
    Modify(usize, usize),
    Remove(usize),
    Mark,
    Rollback,
    Commit,
    Read(usize),
}

fn any_act() -> impl Strategy<Value = Act> {
    prop_oneof![
        4 => (0usize..4, 0usize..3).prop_map(|(row, spot)| Act::Move(row, spot)),
        4 => (0usize..4, 0usize..6, 0usize..6).prop_map(|(row, one, two)| Act::Attach(row, one, two)),
        1 => (0usize..9, any::<bool>()).prop_map(|(record, on)| Act::Guard(record, on)),
        2 => (0usize..9, 0usize..6).prop_map(|(record, one)| Act::Modify(record, one)),
        2 => (0usize..9).prop_map(Act::Remove),
        2 => Just(Act::Mark),
        2 => Just(Act::Rollback),
        1 => Just(Act::Commit),
        4 => (0usize..4).prop_map(Act::Read),
    ]
}

fn some_modifier(at: usize) -> Value {
    match at {
        0 => over("mood", 1, Some("person"), Some("(self.spot,owner.spot,==)")),
        1 => over("mood", 10, None, None),
        2 => guarded("mood", 100, "(self.spot,\"hall\",==)"),
        3 => with(
            &over("hp", 1, Some("thing"), None),
            &[("while", "(owner.mood,10,>)".into())],
        ),
        4 => modifier("load", "add", 1000),
        _ => over("load", 7, None, Some("(self.hp,source.hp,>=)")),
    }
}

proptest! {
    #[test]
    fn what_is_kept_up_to_date_is_what_is_computed_anew(acts in prop::collection::vec(any_act(), 0..60)) {
        let mut state = hall();
        declare(&mut state, &[("load", "(self.hp,self.mood,+)")]);
        let start = state.log.start();
        state.commit(start);
        let mut marks = Vec::new();
        let rows = ["ann", "bo", "cy", "lamp"];
        for act in acts {
            let records: Vec<String> = ["song", "mark"].iter().flat_map(|kind| {
                let kind = state.names().intern(kind);
                super::texts(&state, state.of_kind(kind))
            }).collect();
            let record = |at: usize| records.get(at).cloned().unwrap_or_default();
            match act {
                Act::Move(row, spot) => drop(set(&mut state, rows[row], "spot", ["hall", "yard", "pier"][spot])),
                Act::Attach(row, one, two) => {
                    let kind = if one < 3 { "song" } else { "mark" };
                    let fields = [("@modifiers", Value::list([some_modifier(one), some_modifier(two)])), ("@source", rows[two % 4].into())];
                    drop(attach(&mut state, rows[row], kind, &fields));
                }
                Act::Guard(at, on) => {
                    let guard = if on { Value::from("(owner.spot,\"pier\",!=)") } else { Value::Nil };
                    drop(set(&mut state, &record(at), "@while", guard));
                }
                Act::Modify(at, one) => drop(set(&mut state, &record(at), "@modifiers", Value::list([some_modifier(one)]))),
                Act::Remove(at) => drop(remove(&mut state, &record(at))),
                Act::Mark => marks.push(state.mark()),
                Act::Rollback => if let Some(mark) = marks.pop() { state.rollback(mark) },
                Act::Commit => {
                    marks.clear();
                    let start = state.log.start();
                    state.commit(start);
                }
                Act::Read(row) => drop(show_in(&state, rows[row], "load")),
            }
        }
        let mut again = State::from_bytes(&state.to_bytes(), Rc::new(Names::default())).unwrap();
        let mut stats = Stats::default();
        let formula = Expression::new(&"(self.hp,self.mood,+)".into(), Role::Stat, stats.vocabulary(), again.names());
        stats.declare(again.names().intern("load"), StatDeclaration { formula: Some(Rc::new(formula)), ..StatDeclaration::default() });
        again.declare(Rc::new(stats));
        for row in rows {
            for stat in ["mood", "hp", "load", "spot"] {
                prop_assert_eq!(show_in(&state, row, stat), show_in(&again, row, stat), "{} {}", row, stat);
            }
        }
        prop_assert_eq!(state.auras.is_some(), again.auras.is_some());
    }
}
