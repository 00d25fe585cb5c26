//! A hall with people and what they bear: the state in which guards, auras and formulas are tested.

use std::rc::Rc;

use super::{attach, modifier, put_with, state};
use crate::store::{
    Expression, Look, Role, StatDeclaration, State, Stats, StoreError, WithoutRules,
};
use crate::value::Value;

/// A modifier with further keys.
pub(super) fn with(modifier: &Value, keys: &[(&str, Value)]) -> Value {
    let own = modifier.as_map().into_iter().flatten();
    let own = own.map(|(key, value)| (key.to_string(), value.clone()));
    let more = keys
        .iter()
        .map(|(key, value)| ((*key).to_owned(), value.clone()));
    Value::map(own.chain(more))
}

/// A modifier that counts where an expression holds.
pub(super) fn guarded(stat: &str, value: i64, guard: &str) -> Value {
    with(&modifier(stat, "add", value), &[("while", guard.into())])
}

/// A modifier for all rows of a kind, or all, where an expression holds.
pub(super) fn over(stat: &str, value: i64, kind: Option<&str>, place: Option<&str>) -> Value {
    let part = |text: Option<&str>| text.map_or(Value::Nil, Value::from);
    let over = Value::map([("kind", part(kind)), ("where", part(place))]);
    let over = if over.as_map().is_some_and(|map| map.is_empty()) {
        Value::list([])
    } else {
        over
    };
    with(&modifier(stat, "add", value), &[("over", over)])
}

/// Lets a row bear a record with one modifier.
pub(super) fn bear(state: &mut State, owner: &str, kind: &str, modifier: Value) {
    attach(state, owner, kind, &list([modifier])).expect("the record can be borne");
}

/// The fields of a record with these modifiers.
pub(super) fn list(modifiers: impl IntoIterator<Item = Value>) -> [(&'static str, Value); 1] {
    [("@modifiers", Value::list(modifiers))]
}

/// Declares stats by their formulas, beside those that are.
pub(super) fn declare(state: &mut State, stats: &[(&str, &str)]) {
    let mut declared = Stats::clone(state.stats());
    for (stat, formula) in stats {
        let formula = (*formula).into();
        let formula = Expression::new(&formula, Role::Stat, declared.vocabulary(), state.names());
        assert_eq!(formula.error(), None);
        let declaration = StatDeclaration {
            formula: Some(Rc::new(formula)),
            ..StatDeclaration::default()
        };
        declared.declare_stat(state.names().intern(stat), declaration);
    }
    state.declare_stats(Rc::new(declared));
}

/// Two persons in a hall, one outside, and a lamp.
pub(super) fn hall() -> State {
    let mut state = state();
    for (id, spot) in [("ann", "hall"), ("bo", "hall"), ("cy", "yard")] {
        let fields = [("spot", spot.into()), ("hp", 10.into())];
        put_with(&mut state, id, "person", &fields).unwrap();
    }
    put_with(&mut state, "lamp", "thing", &[("spot", "hall".into())]).unwrap();
    state
}

/// Returns what a stat shows.
pub(super) fn show_in(state: &State, row: &str, stat: &str) -> Result<Value, StoreError> {
    let names = state.names();
    Look::new(state, &WithoutRules).stat_value(names.intern(row), names.intern(stat))
}

/// Returns what is shown, after comparing it with what a state without memory and index of its own shows.
pub(super) fn show(state: &State, row: &str, stat: &str) -> Value {
    let shown = show_in(state, row, stat);
    let mut again = State::from_bytes(&state.to_bytes(), Rc::clone(state.names())).unwrap();
    again.declare_stats(Rc::clone(state.stats()));
    assert_eq!(shown, show_in(&again, row, stat));
    assert_eq!(shown, show_in(&state.fork(), row, stat));
    assert_eq!(shown, show_in(&state.view(), row, stat));
    shown.unwrap()
}

/// Returns what a stat shows for everybody.
pub(super) fn all(state: &State, stat: &str) -> Vec<String> {
    let rows = ["ann", "bo", "cy", "lamp"];
    rows.map(|row| show(state, row, stat).to_string()).to_vec()
}
