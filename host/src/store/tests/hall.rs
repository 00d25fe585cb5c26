//! The state for tests of guards, auras and formulas: a hall, its people and their records.

use std::rc::Rc;

use super::{attach, modifier, put_with, state};
use crate::store::{
    Expression, Look, Role, StatDeclaration, State, Stats, StoreError, WithoutRules,
};
use crate::value::Value;

/// Returns a modifier with further keys.
pub(super) fn with(modifier: &Value, keys: &[(&str, Value)]) -> Value {
    let own = modifier.as_map().into_iter().flatten();
    let own = own.map(|(key, value)| (key.to_string(), value.clone()));
    let more = keys
        .iter()
        .map(|(key, value)| ((*key).to_owned(), value.clone()));
    Value::map(own.chain(more))
}

/// Returns a modifier that applies if an expression holds.
pub(super) fn guarded(stat: &str, value: i64, guard: &str) -> Value {
    with(&modifier(stat, "add", value), &[("while", guard.into())])
}

/// Returns an aura for all rows, or the rows of a kind, for which an expression holds.
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

/// Attaches a record with one modifier to a row.
pub(super) fn bear(state: &mut State, owner: &str, kind: &str, modifier: Value) {
    attach(state, owner, kind, &list([modifier])).expect("the record can be borne");
}

/// Returns the fields of a record with these modifiers.
pub(super) fn list(modifiers: impl IntoIterator<Item = Value>) -> [(&'static str, Value); 1] {
    [("@modifiers", Value::list(modifiers))]
}

/// Declares stats with formulas, in addition to the declared ones.
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

/// Returns a state with two persons in a hall, one person outside, and a lamp.
pub(super) fn hall() -> State {
    let mut state = state();
    for (id, spot) in [("ann", "hall"), ("bo", "hall"), ("cy", "yard")] {
        let fields = [("spot", spot.into()), ("hp", 10.into())];
        put_with(&mut state, id, "person", &fields).unwrap();
    }
    put_with(&mut state, "lamp", "thing", &[("spot", "hall".into())]).unwrap();
    state
}

/// Returns the shown value of a stat.
pub(super) fn show_in(state: &State, row: &str, stat: &str) -> Result<Value, StoreError> {
    let names = state.names();
    Look::new(state, &WithoutRules).stat_value(names.intern(row), names.intern(stat))
}

/// Returns the shown value of a stat, after comparing it with the value in a fresh copy without memo and indexes.
pub(super) fn show(state: &State, row: &str, stat: &str) -> Value {
    let shown = show_in(state, row, stat);
    let mut again = State::from_bytes(&state.to_bytes(), Rc::clone(state.names())).unwrap();
    again.declare_stats(Rc::clone(state.stats()));
    assert_eq!(shown, show_in(&again, row, stat));
    assert_eq!(shown, show_in(&state.fork(), row, stat));
    assert_eq!(shown, show_in(&state.view(), row, stat));
    shown.unwrap()
}

/// Returns the shown values of a stat for all rows.
pub(super) fn all(state: &State, stat: &str) -> Vec<String> {
    let rows = ["ann", "bo", "cy", "lamp"];
    rows.map(|row| show(state, row, stat).to_string()).to_vec()
}
