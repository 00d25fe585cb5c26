//! Tests each limit at its value, one below and one above.

use std::rc::Rc;

use super::{attach, code, modifier, put, put_with, remove, set, state};
use crate::store::{State, limits};
use crate::value::Value;

fn nested(depth: usize) -> Value {
    (0..depth).fold(Value::from(1), |inner, _| Value::list([inner]))
}

#[test]
fn entities() {
    let mut state = state();
    for n in 0..limits::ENTITIES {
        assert_eq!(code(put(&mut state, &format!("e{n}"), "player")), "ok");
    }
    let mark = state.mark();
    assert_eq!(code(put(&mut state, "more", "player")), "limit/size");
    assert_eq!(state.changes_since(mark), []);
    remove(&mut state, "e7").unwrap();
    assert_eq!(code(put(&mut state, "more", "player")), "ok");
    let again = State::from_bytes(&state.to_bytes(), Rc::default()).unwrap();
    assert_eq!(again.hash(), state.hash());
}

#[test]
fn records() {
    let mut state = state();
    put(&mut state, "ann", "player").unwrap();
    for _ in 0..limits::RECORDS {
        assert_eq!(code(attach(&mut state, "ann", "mark", &[])), "ok");
    }
    assert_eq!(code(attach(&mut state, "ann", "mark", &[])), "limit/size");
    remove(&mut state, "mark#1").unwrap();
    assert_eq!(code(attach(&mut state, "ann", "mark", &[])), "ok");
    remove(&mut state, "ann").unwrap();
    assert_eq!((state.entity_count(), state.record_count()), (0, 0));
}

/// Checks the limit of records of a host row. Records of other rows are counted separately.
fn fill(owner: &str, kind: &str, limit: usize) {
    let mut state = state();
    put(&mut state, owner, owner).unwrap();
    put(&mut state, "ann", "player").unwrap();
    for _ in 0..limit {
        assert_eq!(code(attach(&mut state, owner, kind, &[])), "ok");
    }
    assert_eq!(code(attach(&mut state, owner, kind, &[])), "limit/size");
    assert_eq!(code(attach(&mut state, "ann", kind, &[])), "ok");
    assert_eq!(
        code(attach(&mut state, &format!("{kind}#1"), "part", &[])),
        "ok"
    );
    let again = State::from_bytes(&state.to_bytes(), Rc::default()).unwrap();
    assert_eq!(again.hash(), state.hash());
    remove(&mut state, &format!("{kind}#1")).unwrap();
    assert_eq!(code(attach(&mut state, owner, kind, &[])), "ok");
    assert_eq!(code(attach(&mut state, owner, kind, &[])), "limit/size");
}

#[test]
fn queue_rows() {
    fill("@queues", "arrivals", limits::QUEUE_ROWS);
}

#[test]
fn polls() {
    fill("@polls", "poll", limits::POLLS);
}

#[test]
fn open_prompts() {
    fill("@prompts", "prompt", limits::PROMPTS);
}

#[test]
fn rows_of_the_host_take_no_room() {
    let mut state = state();
    for id in ["@queues", "@polls", "@prompts", "@clock"] {
        put(&mut state, id, id).unwrap();
    }
    put(&mut state, "ann", "player").unwrap();
    assert_eq!(state.entity_count(), 1);
    for _ in 0..limits::RECORDS {
        attach(&mut state, "@queues", "arrivals", &[]).unwrap();
    }
    for _ in 0..limits::RECORDS {
        assert_eq!(code(attach(&mut state, "ann", "mark", &[])), "ok");
    }
    assert_eq!(code(attach(&mut state, "ann", "mark", &[])), "limit/size");
    assert_eq!(
        code(attach(&mut state, "@clock", "mark", &[])),
        "limit/size"
    );
    assert_eq!(code(attach(&mut state, "@queues", "arrivals", &[])), "ok");
}

#[test]
fn fields_of_a_row() {
    let mut state = state();
    let fields: Vec<(String, Value)> = (0..=limits::FIELDS)
        .map(|n| (format!("f{n}"), 1.into()))
        .collect();
    let fields: Vec<(&str, Value)> = fields
        .iter()
        .map(|(name, value)| (&**name, value.clone()))
        .collect();
    assert_eq!(
        code(put_with(&mut state, "over", "player", &fields)),
        "limit/size"
    );
    assert_eq!(
        code(put_with(&mut state, "at", "player", &fields[1..])),
        "ok"
    );
    assert_eq!(
        code(put_with(&mut state, "below", "player", &fields[2..])),
        "ok"
    );
    assert_eq!(code(set(&mut state, "at", "more", 1)), "limit/size");
    assert_eq!(code(set(&mut state, "at", "more", Value::Nil)), "ok");
    assert_eq!(code(set(&mut state, "at", "f9", 2)), "ok");
    assert_eq!(code(set(&mut state, "at", "@cause", 2)), "ok");
    assert_eq!(code(set(&mut state, "below", "more", 1)), "ok");
    assert_eq!(code(set(&mut state, "below", "most", 1)), "limit/size");
}

#[test]
fn bytes_of_a_value() {
    // One byte for the tag and two for the length.
    let most = limits::VALUE_BYTES - 3;
    let mut state = state();
    put(&mut state, "ann", "player").unwrap();
    for (length, expected) in [(most - 1, "ok"), (most, "ok"), (most + 1, "limit/size")] {
        let text = "x".repeat(length);
        assert_eq!(
            code(set(&mut state, "ann", "note", text.as_str())),
            expected
        );
        assert_eq!(
            code(put_with(
                &mut state,
                &format!("e{length}"),
                "player",
                &[("note", text.into())]
            )),
            expected
        );
    }
    for (count, expected) in [(most - 1, "ok"), (most, "ok"), (most + 1, "limit/size")] {
        let list = Value::list((0..count).map(|_| Value::from(true)));
        assert_eq!(code(set(&mut state, "ann", "note", list)), expected);
    }
    State::from_bytes(&state.to_bytes(), Rc::default()).unwrap();
}

#[test]
fn depth_of_a_value() {
    let mut state = state();
    put(&mut state, "ann", "player").unwrap();
    let most = limits::VALUE_DEPTH;
    for (depth, expected) in [
        (most - 1, "ok"),
        (most, "ok"),
        (most + 1, "limit/depth"),
        (5_000, "limit/depth"),
    ] {
        assert_eq!(
            code(set(&mut state, "ann", "note", nested(depth))),
            expected
        );
    }
    assert_eq!(code(set(&mut state, "ann", "note", nested(most))), "ok");
    State::from_bytes(&state.to_bytes(), Rc::default()).unwrap();
    let doubled = (0..most).fold(Value::from(1), |inner, _| Value::list(vec![inner; 100]));
    assert_eq!(code(set(&mut state, "ann", "note", doubled)), "limit/size");
}

#[test]
fn characters_of_a_name() {
    let mut state = state();
    put(&mut state, "ann", "player").unwrap();
    let most = limits::NAME_CHARACTERS;
    for (length, expected) in [
        (0, "store/bad-name"),
        (1, "ok"),
        (most - 1, "ok"),
        (most, "ok"),
        (most + 1, "store/bad-name"),
    ] {
        let name = "é".repeat(length);
        assert_eq!(code(put(&mut state, &name, "player")), expected);
        assert_eq!(
            code(put(&mut state, &format!("of {length}"), &name)),
            expected
        );
        assert_eq!(code(set(&mut state, "ann", &name, 1)), expected);
    }
}

#[test]
fn modified_stats_of_a_row() {
    let mut state = state();
    put(&mut state, "ann", "player").unwrap();
    let half = |from: usize| {
        (
            "@modifiers",
            Value::list((from..from + 64).map(|n| modifier(&format!("s{n}"), "add", 1))),
        )
    };
    for from in [0, 64, 128, 191] {
        assert_eq!(code(attach(&mut state, "ann", "mark", &[half(from)])), "ok");
    }
    let more = |n: i64| {
        (
            "@modifiers",
            Value::list([modifier(&format!("m{n}"), "add", 1)]),
        )
    };
    assert_eq!(code(attach(&mut state, "ann", "mark", &[half(1)])), "ok");
    assert_eq!(code(attach(&mut state, "ann", "mark", &[more(1)])), "ok");
    assert_eq!(code(attach(&mut state, "ann", "mark", &[more(1)])), "ok");
    assert_eq!(
        code(attach(&mut state, "ann", "mark", &[more(2)])),
        "limit/size"
    );
    assert_eq!(
        code(set(&mut state, "mark#7", "@modifiers", more(2).1)),
        "limit/size"
    );
    assert_eq!(
        code(set(&mut state, "mark#4", "@modifiers", more(2).1)),
        "ok"
    );
    State::from_bytes(&state.to_bytes(), Rc::default()).unwrap();
}

#[test]
fn numbers_of_records() {
    for (next, expected) in [
        (limits::RECORD_NUMBER, "ok"),
        (limits::RECORD_NUMBER + 1, "limit/size"),
    ] {
        let mut bytes = vec![1, 1];
        crate::value::write_text(&mut bytes, "@state");
        bytes.push(1);
        crate::value::write_text(&mut bytes, "@next");
        crate::value::write_value(&mut bytes, &Value::from(next));
        let mut state = State::from_bytes(&bytes, Rc::default()).unwrap();
        put(&mut state, "ann", "player").unwrap();
        assert_eq!(code(attach(&mut state, "ann", "mark", &[])), expected);
        State::from_bytes(&state.to_bytes(), Rc::default()).unwrap();
    }
}
