//! Tests data from files: valid and invalid recorded changes and bytes.

use std::rc::Rc;

use proptest::prelude::*;

use super::model::Model;
use super::random::{any_act, assert_equal, perform};
use super::{attach, code, get, modifier, put, remove, set, state};
use crate::store::{Change, State, Write};
use crate::value::{Value, write_length, write_text, write_value};

/// Returns the bytes of rows as another program may write them.
fn bytes_of(rows: &[(&str, &[(&str, Value)])]) -> Vec<u8> {
    let mut out = vec![1];
    write_length(&mut out, rows.len());
    for (row, cells) in rows {
        write_text(&mut out, row);
        write_length(&mut out, cells.len());
        for (field, value) in *cells {
            write_text(&mut out, field);
            write_value(&mut out, value);
        }
    }
    out
}

fn read(rows: &[(&str, &[(&str, Value)])]) -> &'static str {
    code(State::from_bytes(&bytes_of(rows), Rc::default()))
}

fn change(state: &State, row: &str, field: &str, old: Value, new: Value) -> Change {
    let (row, field) = (state.names().intern(row), state.names().intern(field));
    Change {
        row,
        field,
        old,
        new,
    }
}

proptest! {
    #[test]
    fn recorded_changes_lead_there_and_back(before in prop::collection::vec(any_act(), 0..30), acts in prop::collection::vec(any_act(), 0..30)) {
        let (mut state, mut model) = (state(), Model::default());
        before.iter().for_each(|act| drop(perform(&mut state, &mut model, act)));
        let (mut other, first) = (state.fork(), model.clone());
        let start = state.mark();
        acts.iter().for_each(|act| drop(perform(&mut state, &mut model, act)));
        let changes = state.changes_since(start);
        other.apply_changes(&changes).unwrap();
        assert_equal(&other, &model);
        let back: Vec<Change> = changes.iter().map(Change::inverse).collect();
        let mark = other.mark();
        other.apply_changes(&back).unwrap();
        assert_equal(&other, &first);
        other.rollback(mark);
        assert_equal(&other, &model);
    }

    #[test]
    fn a_broken_change_list_changes_nothing(before in prop::collection::vec(any_act(), 0..30), acts in prop::collection::vec(any_act(), 1..20), lost in any::<prop::sample::Index>()) {
        let (mut state, mut model) = (state(), Model::default());
        before.iter().for_each(|act| drop(perform(&mut state, &mut model, act)));
        let (mut other, first) = (state.fork(), model.clone());
        let start = state.mark();
        acts.iter().for_each(|act| drop(perform(&mut state, &mut model, act)));
        let mut changes = state.changes_since(start);
        if !changes.is_empty() {
            changes.remove(lost.index(changes.len()));
        }
        match other.apply_changes(&changes) {
            Ok(()) => prop_assert_eq!(other.hash(), other.recomputed_hash()),
            Err(_) => assert_equal(&other, &first),
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
        let mut bytes = bytes;
        bytes.insert(0, 1);
        if let Ok(state) = State::from_bytes(&bytes, Rc::default()) {
            prop_assert_eq!(state.to_bytes(), bytes);
        }
    }

    #[test]
    fn damaged_bytes_are_read_exactly_or_refused(acts in prop::collection::vec(any_act(), 5..40), at in any::<prop::sample::Index>(), byte in any::<u8>(), cut in any::<bool>()) {
        let (mut state, mut model) = (state(), Model::default());
        acts.iter().for_each(|act| drop(perform(&mut state, &mut model, act)));
        let mut bytes = state.to_bytes();
        let at = at.index(bytes.len());
        if cut {
            bytes.truncate(at);
        } else {
            bytes[at] = byte;
        }
        if let Ok(read) = State::from_bytes(&bytes, Rc::default()) {
            prop_assert_eq!(read.to_bytes(), bytes);
        }
    }
}

#[test]
fn a_state_that_writes_cannot_make_is_refused() {
    let kind = ("@kind", Value::from("player"));
    let mark = ("@kind", Value::from("mark"));
    let of = |owner: &str| ("@owner", Value::from(owner));
    let number = |n: i64| ("@number", Value::from(n));
    let next: (&str, &[_]) = ("@state", &[("@next", Value::from(3))]);
    let ann: (&str, &[_]) = ("ann", std::slice::from_ref(&kind));
    assert_eq!(read(&[]), "ok");
    assert_eq!(
        read(&[next, ann, ("mark#1", &[mark.clone(), number(1), of("ann")])]),
        "ok"
    );
    assert_eq!(read(&[ann, next]), "save/malformed");
    assert_eq!(read(&[ann, ann]), "save/malformed");
    assert_eq!(read(&[("ann", &[])]), "save/malformed");
    assert_eq!(
        read(&[("ann", &[("hp", Value::from(1))])]),
        "save/malformed"
    );
    assert_eq!(
        read(&[("ann", &[("@kind", Value::from(1))])]),
        "save/malformed"
    );
    assert_eq!(
        read(&[("ann", &[kind.clone(), ("hp", Value::Nil)])]),
        "save/malformed"
    );
    assert_eq!(
        read(&[("ann", &[("@else", Value::from(1)), kind.clone()])]),
        "store/bad-name"
    );
    assert_eq!(
        read(&[("ann", &[kind.clone(), number(1)])]),
        "store/reserved-field"
    );
    assert_eq!(
        read(&[("a#1", std::slice::from_ref(&kind))]),
        "store/bad-name"
    );
    assert_eq!(
        read(&[("@state", &[("@next", Value::from(1))])]),
        "save/malformed"
    );
    assert_eq!(
        read(&[("@state", &[("hp", Value::from(1))])]),
        "save/malformed"
    );
    assert_eq!(
        read(&[next, ("mark#1", &[mark.clone(), number(1), of("ann")])]),
        "store/unknown-owner"
    );
    for wrong in [
        [next, ann, ("mark#1", &[mark.clone(), number(2), of("ann")])],
        [next, ann, ("mark#3", &[mark.clone(), number(3), of("ann")])],
        [
            next,
            ann,
            ("mark#01", &[mark.clone(), number(1), of("ann")]),
        ],
        [
            next,
            ann,
            ("charm#1", &[mark.clone(), number(1), of("ann")]),
        ],
        [
            next,
            ann,
            ("mark#1", &[mark.clone(), number(1), of("mark#1")]),
        ],
    ] {
        let expected = if wrong[2].1[2].1 == Value::from("ann") {
            "store/bad-record-id"
        } else {
            "store/unknown-owner"
        };
        assert_eq!(read(&wrong), expected, "{wrong:?}");
    }
    let mut longer = bytes_of(&[ann]);
    longer.push(0);
    assert_eq!(
        code(State::from_bytes(&longer, Rc::default())),
        "save/malformed"
    );
    assert_eq!(
        code(State::from_bytes(&[2, 0], Rc::default())),
        "save/malformed"
    );
}

#[test]
fn changes_are_refused_as_a_whole() {
    let mut state = state();
    put(&mut state, "ann", "player").unwrap();
    attach(&mut state, "ann", "mark", &[]).unwrap();
    set(&mut state, "ann", "hp", 7).unwrap();
    let before = state.hash();
    let (seven, one) = (Value::from(7), Value::from(1));
    let good = change(&state, "ann", "hp", seven.clone(), one.clone());
    let cases = [
        (
            vec![change(&state, "ann", "hp", one.clone(), Value::from(2))],
            "save/old-differs",
        ),
        (vec![good.clone(), good.clone()], "save/malformed"),
        (
            vec![
                good.clone(),
                change(&state, "ann", "ac", Value::Nil, one.clone()),
            ],
            "save/malformed",
        ),
        (
            vec![
                change(&state, "Bo", "hp", Value::Nil, one.clone()),
                good.clone(),
            ],
            "save/malformed",
        ),
        (
            vec![change(&state, "ann", "@kind", "player".into(), Value::Nil)],
            "save/malformed",
        ),
        (
            vec![
                change(&state, "ann", "@kind", "player".into(), Value::Nil),
                change(&state, "ann", "hp", seven, Value::Nil),
            ],
            "save/malformed",
        ),
        (
            vec![
                good.clone(),
                change(&state, "mark#1", "@owner", "ann".into(), "bo".into()),
            ],
            "store/unknown-owner",
        ),
        (
            vec![change(
                &state,
                "@state",
                "@next",
                Value::from(2),
                "x".into(),
            )],
            "save/malformed",
        ),
        (
            vec![change(
                &state,
                "@state",
                "@next",
                Value::from(2),
                Value::Nil,
            )],
            "save/malformed",
        ),
        (
            vec![change(&state, "@state", "hp", Value::Nil, one.clone())],
            "save/malformed",
        ),
        (
            vec![good, change(&state, "ann", "@x", Value::Nil, one)],
            "save/malformed",
        ),
    ];
    for (changes, expected) in cases {
        assert_eq!(code(state.apply_changes(&changes)), expected, "{changes:?}");
        assert_eq!((state.hash(), state.recomputed_hash()), (before, before));
    }
}

#[test]
fn a_row_may_become_another_under_its_records() {
    let mut state = state();
    put(&mut state, "ann", "player").unwrap();
    let mark = Value::list([modifier("hp", "add", 2)]);
    let record = attach(&mut state, "ann", "mark", &[("@modifiers", mark.clone())]).unwrap();
    let mut other = state.fork();
    let start = state.mark();
    remove(&mut state, "ann").unwrap();
    put(&mut state, "ann", "place").unwrap();
    let (owner, kind) = (
        Some(state.names().intern("ann")),
        state.names().intern("mark"),
    );
    let fields = vec![(state.reserved().modifiers, mark)];
    state
        .apply(Write::Put {
            row: record,
            kind,
            owner,
            fields,
        })
        .unwrap();
    let changes = state.changes_since(start);
    assert_eq!(changes.len(), 1, "only the kind of ann is another one");
    other.apply_changes(&changes).unwrap();
    assert_eq!(get(&other, "ann", "@kind"), "place".into());
    assert_eq!(
        other
            .records_of(other.names().intern("ann"))
            .collect::<Vec<_>>(),
        [record]
    );
    assert_eq!(other.to_bytes(), state.to_bytes());
}
