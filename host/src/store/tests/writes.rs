//! Tests refused writes: their errors, and that they change nothing.

use super::{attach, code, get, modifier, put, put_with, remove, set, state, texts};
use crate::store::{State, StoreError, Write};
use crate::value::{Name, Value};

fn name(state: &State, text: &str) -> Name {
    state.names().intern(text)
}

fn put_record(state: &mut State, row: &str, kind: &str, owner: &str) -> Result<(), StoreError> {
    let (row, kind, owner) = (
        name(state, row),
        name(state, kind),
        Some(name(state, owner)),
    );
    state.apply(Write::Put {
        row,
        kind,
        owner,
        fields: Vec::new(),
    })
}

#[test]
fn a_write_that_cannot_be_is_refused_and_leaves_no_trace() {
    let mut state = state();
    put_with(&mut state, "ann", "player", &[("hp", 7.into())]).unwrap();
    attach(&mut state, "ann", "mark", &[]).unwrap();
    attach(&mut state, "mark#1", "mark", &[]).unwrap();
    let two = [("hp", Value::from(1)), ("hp", Value::from(2))];
    let mark = state.mark();
    let refused = [
        (put(&mut state, "ann", "player"), "store/row-exists"),
        (put(&mut state, "@state", "player"), "store/row-exists"),
        (put(&mut state, "@@bo", "player"), "store/bad-name"),
        (put(&mut state, "b\no", "player"), "store/bad-name"),
        (put(&mut state, "mark#4", "mark"), "store/bad-name"),
        (put(&mut state, "bo", "pl#ayer"), "store/bad-name"),
        (
            put_with(&mut state, "bo", "player", &two),
            "store/field-twice",
        ),
        (
            put_with(&mut state, "bo", "player", &[("@owner", "ann".into())]),
            "store/reserved-field",
        ),
        (
            put_with(
                &mut state,
                "bo",
                "player",
                &[("@modifiers", Value::list([]))],
            ),
            "store/reserved-field",
        ),
        (
            put_with(&mut state, "bo", "player", &[("@else", 1.into())]),
            "store/bad-name",
        ),
        (
            put_record(&mut state, "mark#1", "mark", "ann"),
            "store/row-exists",
        ),
        (
            put_record(&mut state, "mark#3", "mark", "ann"),
            "store/bad-record-id",
        ),
        (
            put_record(&mut state, "charm", "charm", "ann"),
            "store/bad-record-id",
        ),
        (
            put_record(&mut state, "charm#+2", "charm", "ann"),
            "store/bad-record-id",
        ),
        (
            put_record(&mut state, "charm#0", "charm", "ann"),
            "store/bad-record-id",
        ),
        (
            put_record(&mut state, "charm#1", "charm", "mark#2"),
            "store/bad-record-id",
        ),
        (
            put_record(&mut state, "charm#2", "charm", "bo"),
            "store/unknown-owner",
        ),
        (
            put_record(&mut state, "charm#2", "charm", "@state"),
            "store/unknown-owner",
        ),
        (set(&mut state, "bo", "hp", 1), "store/unknown-row"),
        (set(&mut state, "@state", "@next", 1), "store/unknown-row"),
        (
            set(&mut state, "ann", "@kind", "place"),
            "store/reserved-field",
        ),
        (
            set(&mut state, "ann", "@kind", Value::Nil),
            "store/reserved-field",
        ),
        (
            set(&mut state, "ann", "@owner", "ann"),
            "store/reserved-field",
        ),
        (
            set(&mut state, "mark#1", "@number", 9),
            "store/reserved-field",
        ),
        (
            set(&mut state, "ann", "@modifiers", Value::list([])),
            "store/reserved-field",
        ),
        (set(&mut state, "ann", "@else", 1), "store/bad-name"),
        (remove(&mut state, "bo"), "store/unknown-row"),
        (remove(&mut state, "@state"), "store/unknown-row"),
    ];
    for (at, (result, expected)) in refused.into_iter().enumerate() {
        assert_eq!(code(result), expected, "case {at}");
    }
    assert_eq!(state.mark(), mark, "nothing is logged");
}

#[test]
fn a_row_takes_its_records_along_and_brings_them_back() {
    let mut state = state();
    put(&mut state, "ann", "player").unwrap();
    put(&mut state, "bo", "player").unwrap();
    attach(&mut state, "ann", "mark", &[]).unwrap();
    attach(&mut state, "mark#1", "charm", &[("uses", 2.into())]).unwrap();
    attach(&mut state, "bo", "mark", &[]).unwrap();
    let (bytes, mark) = (state.to_bytes(), state.mark());
    remove(&mut state, "ann").unwrap();
    assert_eq!(texts(&state, state.rows()), ["bo", "mark#3"]);
    let rows = state
        .changes_since(mark)
        .iter()
        .map(|change| change.row)
        .collect::<Vec<_>>();
    let mut rows = texts(&state, rows);
    rows.dedup();
    assert_eq!(rows, ["ann", "charm#2", "mark#1"]);
    state.rollback(mark);
    assert_eq!(state.to_bytes(), bytes);
    assert_eq!(
        texts(&state, state.records_of(name(&state, "mark#1"))),
        ["charm#2"]
    );
}

#[test]
fn a_long_chain_of_owners_goes_at_once() {
    let mut state = state();
    put(&mut state, "ann", "player").unwrap();
    let mut owner = "ann".to_owned();
    for number in 1..=4_000 {
        attach(&mut state, &owner, "mark", &[]).unwrap();
        owner = format!("mark#{number}");
    }
    let mark = state.mark();
    remove(&mut state, "ann").unwrap();
    assert_eq!(state.rows(), []);
    state.rollback(mark);
    assert_eq!(state.record_count(), 4_000);
}

#[test]
fn rollback_gives_record_numbers_back() {
    let mut state = state();
    put(&mut state, "ann", "player").unwrap();
    let mark = state.mark();
    let first = attach(&mut state, "ann", "mark", &[]).unwrap();
    state.rollback(mark);
    assert_eq!(attach(&mut state, "ann", "mark", &[]).unwrap(), first);
    remove(&mut state, "mark#1").unwrap();
    let second = attach(&mut state, "ann", "mark", &[]).unwrap();
    assert_eq!(
        texts(&state, [second]),
        ["mark#2"],
        "a removed record keeps its number"
    );
}

#[test]
fn changes_are_net_and_in_the_order_of_texts() {
    let mut state = state();
    // The names are interned in the wrong order, because their numbers must not decide the order.
    for text in ["zoe", "z", "bo", "b", "a"] {
        state.names().intern(text);
    }
    put(&mut state, "zoe", "player").unwrap();
    put(&mut state, "bo", "player").unwrap();
    let start = state.log.mark_before_all();
    state.commit(start);
    let mark = state.mark();
    for value in [1, 2, 3] {
        set(&mut state, "zoe", "z", value).unwrap();
        set(&mut state, "zoe", "a", value).unwrap();
        set(&mut state, "bo", "b", value).unwrap();
    }
    set(&mut state, "zoe", "z", Value::Nil).unwrap();
    let changes = state.commit(mark);
    let cells: Vec<String> = changes
        .iter()
        .map(|change| {
            let (row, field) = change.row_and_field_texts(state.names());
            format!("{row}.{field}: {} -> {}", change.old, change.new)
        })
        .collect();
    assert_eq!(cells, ["bo.b: nil -> 3", "zoe.a: nil -> 3"]);
    assert_eq!(get(&state, "zoe", "z"), Value::Nil);
}

#[test]
#[should_panic(expected = "a mark is used while it holds")]
fn a_mark_ends_with_the_commit() {
    let mut state = state();
    let mark = state.mark();
    put(&mut state, "ann", "player").unwrap();
    state.commit(mark);
    state.rollback(mark);
}

#[test]
fn bad_modifiers_are_refused_with_the_reason() {
    let mut state = state();
    put(&mut state, "ann", "player").unwrap();
    let cases = [
        (Value::from(1), "modifiers are a list, not a number"),
        (Value::list([1.into()]), "a modifier is a map, not a number"),
        (
            Value::list([Value::map([("stats", 1.into())])]),
            "a modifier has no \"stats\"",
        ),
        (
            Value::list([Value::map([("op", "add".into())])]),
            "a modifier needs the name of a stat in \"stat\"",
        ),
        (
            Value::list([modifier("hp", "plus", 1)]),
            "unknown op \"plus\" in a modifier of \"hp\"; use one of add, multiply, set, at_least, at_most",
        ),
        (
            Value::list([modifier("hp", "add", "x")]),
            "\"add\" of \"hp\" needs a number in \"value\"",
        ),
        (
            Value::list([modifier("hp", "set", Value::Nil)]),
            "\"set\" of \"hp\" needs a value in \"value\"",
        ),
    ];
    for (list, reason) in cases {
        let error = attach(&mut state, "ann", "mark", &[("@modifiers", list)]).unwrap_err();
        assert_eq!(
            (error.code(), error.to_string().as_str()),
            ("store/bad-modifiers", reason)
        );
    }
    assert_eq!(
        code(attach(
            &mut state,
            "ann",
            "mark",
            &[("@modifiers", Value::list([modifier("@kind", "set", 1)]))]
        )),
        "store/bad-name"
    );
}
