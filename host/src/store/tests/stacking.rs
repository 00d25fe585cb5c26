//! Tests the shown values of stats.

use std::rc::Rc;

use super::{attach, code, get, layered, modifier, put_with, remove, set, state};
use crate::store::{
    Explanation, Look, Stacking, StatDeclaration, State, Stats, StoreError, WithoutRules,
};
use crate::value::{Number, Value};

fn in_order(base: i64) -> StatDeclaration {
    StatDeclaration {
        base: base.into(),
        fold: Stacking::InOrder,
        ..StatDeclaration::default()
    }
}

fn in_layers(layers: &[&str]) -> StatDeclaration {
    let layers = layers.iter().map(|layer| (*layer).into()).collect();
    StatDeclaration {
        base: Value::from(1),
        fold: Stacking::Layers(layers),
        ..StatDeclaration::default()
    }
}

fn declaring(state: &State, declaration: &StatDeclaration) -> State {
    let (mut state, mut stats) = (state.fork(), Stats::default());
    stats.declare_stat(state.names().intern("hp"), declaration.clone());
    state.declare_stats(Rc::new(stats));
    state
}

fn show(state: &State, declaration: &StatDeclaration, row: &str) -> Result<Value, StoreError> {
    let names = state.names();
    let state = declaring(state, declaration);
    Look::new(&state, &WithoutRules).stat_value(names.intern(row), names.intern("hp"))
}

fn why(state: &State, declaration: &StatDeclaration, row: &str) -> Explanation {
    let names = state.names();
    let state = declaring(state, declaration);
    let look = Look::new(&state, &WithoutRules);
    look.explain_stat(names.intern(row), names.intern("hp"))
        .unwrap()
}

fn ann() -> State {
    let mut state = state();
    put_with(&mut state, "ann", "player", &[("hp", 10.into())]).unwrap();
    put_with(&mut state, "bo", "player", &[]).unwrap();
    state
}

fn with(list: impl IntoIterator<Item = Value>) -> [(&'static str, Value); 1] {
    [("@modifiers", Value::list(list))]
}

#[test]
fn without_modifiers_the_base_shows() {
    let state = ann();
    assert_eq!(show(&state, &in_order(3), "ann"), Ok(10.into()));
    assert_eq!(show(&state, &in_order(3), "bo"), Ok(3.into()));
    assert_eq!(
        show(&state, &StatDeclaration::default(), "bo"),
        Ok(Value::Nil)
    );
    assert_eq!(show(&state, &in_order(3), "nobody"), Ok(Value::Nil));
}

#[test]
fn modifiers_apply_in_order_and_go_without_trace() {
    let mut state = ann();
    attach(
        &mut state,
        "ann",
        "mark",
        &with([modifier("hp", "multiply", 2), modifier("ac", "add", 1)]),
    )
    .unwrap();
    attach(
        &mut state,
        "ann",
        "mark",
        &with([modifier("hp", "add", 5), modifier("hp", "at_most", 22)]),
    )
    .unwrap();
    assert_eq!(show(&state, &in_order(0), "ann"), Ok(22.into()));
    assert_eq!(show(&state, &in_order(0), "bo"), Ok(0.into()));
    set(
        &mut state,
        "mark#1",
        "@modifiers",
        Value::list([modifier("hp", "set", 1)]),
    )
    .unwrap();
    assert_eq!(show(&state, &in_order(0), "ann"), Ok(6.into()));
    set(&mut state, "ann", "hp", 3).unwrap();
    remove(&mut state, "mark#1").unwrap();
    assert_eq!(show(&state, &in_order(0), "ann"), Ok(8.into()));
    remove(&mut state, "mark#2").unwrap();
    assert_eq!(show(&state, &in_order(0), "ann"), Ok(3.into()));
    assert_eq!(get(&state, "ann", "hp"), 3.into());
    let row = state.names().intern("ann");
    assert!(
        state.rows.get(row).unwrap().influences.is_none(),
        "the short way is open again"
    );
}

#[test]
fn layers_apply_one_after_the_other() {
    let mut state = ann();
    let declaration = in_layers(&["override", "add", "limit"]);
    let mut stats = Stats::default();
    stats.declare_stat(state.names().intern("hp"), declaration.clone());
    state.declare_stats(Rc::new(stats));
    attach(
        &mut state,
        "ann",
        "mark",
        &with([layered("hp", "at_most", 7, "limit")]),
    )
    .unwrap();
    attach(
        &mut state,
        "ann",
        "mark",
        &with([
            layered("hp", "add", 4, "add"),
            layered("hp", "set", 2, "override"),
        ]),
    )
    .unwrap();
    attach(
        &mut state,
        "ann",
        "mark",
        &with([layered("hp", "add", 3, "add")]),
    )
    .unwrap();
    assert_eq!(show(&state, &declaration, "ann"), Ok(7.into()));
    let explained = why(&state, &declaration, "ann");
    let results: Vec<_> = explained
        .steps
        .iter()
        .map(|step| (step.operator.as_str(), step.result.as_i64()))
        .collect();
    assert_eq!(
        results,
        [
            ("set", Some(2)),
            ("add", Some(6)),
            ("add", Some(9)),
            ("at_most", Some(7))
        ]
    );
    assert_eq!(
        (explained.base, explained.is_declared, explained.shown),
        (10.into(), false, 7.into())
    );
    // The rules changed: modifiers that name a removed layer are inactive.
    let explained = why(&state, &in_layers(&["add"]), "ann");
    assert_eq!(explained.shown, 17.into());
    assert_eq!(super::texts(&state, explained.asleep), ["mark#1", "mark#2"]);
    assert_eq!(show(&state, &in_order(0), "ann"), Ok(10.into()));
}

#[test]
fn a_layer_is_needed_where_there_are_layers_and_only_there() {
    let mut state = ann();
    let mut stats = Stats::default();
    stats.declare_stat(state.names().intern("hp"), in_layers(&["override", "add"]));
    state.declare_stats(Rc::new(stats));
    let near = attach(
        &mut state,
        "ann",
        "mark",
        &with([layered("hp", "add", 1, "ad")]),
    )
    .unwrap_err();
    assert_eq!(near.code(), "store/unknown-layer");
    assert_eq!(
        near.to_diagnostic().hints,
        ["did you mean \"add\"?", "its layers are override, add"]
    );
    let fork = &mut state.fork();
    assert_eq!(
        code(attach(
            fork,
            "ann",
            "mark",
            &with([modifier("hp", "add", 1)])
        )),
        "store/unknown-layer"
    );
    assert_eq!(
        code(attach(
            fork,
            "ann",
            "mark",
            &with([layered("ac", "add", 1, "add")])
        )),
        "store/unknown-layer"
    );
    attach(
        &mut state,
        "ann",
        "mark",
        &with([layered("hp", "add", 1, "add")]),
    )
    .unwrap();
    let bad = Value::list([modifier("hp", "add", 1)]);
    assert_eq!(
        code(set(&mut state, "mark#2", "@modifiers", bad)),
        "store/unknown-layer"
    );
}

#[test]
fn calculations_are_exact_or_refused() {
    let mut state = ann();
    let tenth: Number = "0.1".parse().unwrap();
    attach(
        &mut state,
        "bo",
        "mark",
        &with([modifier("hp", "add", tenth), modifier("hp", "multiply", 3)]),
    )
    .unwrap();
    assert_eq!(
        show(&state, &StatDeclaration::default(), "bo")
            .unwrap()
            .to_string(),
        "0.3"
    );
    let large: Number = "79228162514264337593543950335".parse().unwrap();
    attach(
        &mut state,
        "bo",
        "mark",
        &with([modifier("hp", "add", large)]),
    )
    .unwrap();
    attach(
        &mut state,
        "bo",
        "mark",
        &with([modifier("hp", "multiply", large)]),
    )
    .unwrap();
    let error = show(&state, &in_order(0), "bo").unwrap_err();
    assert_eq!(error, StoreError::Overflow("hp".into(), "mark#3".into()));
    attach(
        &mut state,
        "ann",
        "mark",
        &with([modifier("hp", "set", "high"), modifier("hp", "at_least", 2)]),
    )
    .unwrap();
    assert_eq!(
        code(show(&state, &in_order(0), "ann")),
        "store/not-a-number"
    );
}
