//! Tests that every operation is read as it was written.

use std::collections::BTreeMap;
use std::sync::Arc;

use proptest::prelude::*;

use super::AT;
use crate::store::archive::VERSION;
use crate::store::archive::operation_line::{Line, blob_line_json, operation_json, read_line};
use crate::store::{Change, Operation, Publication, StateHash, What};
use crate::value::{Names, Number, Text, Value};

/// Returns texts of all kinds: control characters, spaces of all kinds, letters of all planes, keys of the JSON reader.
fn any_text() -> impl Strategy<Value = Text> {
    prop_oneof![
        prop::collection::vec(any::<char>(), 0..8)
            .prop_map(|all| all.into_iter().collect::<String>()),
        "[\\x00-\\x1f\\x7f\"\\\\$]{0,8}",
        Just("$serde_json::private::Number".to_owned()),
        Just("$serde_json::private::RawValue".to_owned()),
        Just("\u{feff}\u{2028}\u{202e}\u{fffd}\u{10ffff}".to_owned()),
    ]
    .prop_map(Text::from)
}

fn any_number() -> impl Strategy<Value = Number> {
    prop_oneof![
        any::<i64>().prop_map(Number::from),
        (any::<bool>(), any::<u128>(), 0usize..=28).prop_map(|(minus, digits, scale)| {
            // All digits that an exact decimal can have, at every scale.
            let digits = format!("{:0>29}", digits % (1 << 96));
            let (whole, part) = digits.split_at(29 - scale);
            let whole = if whole.is_empty() { "0" } else { whole };
            let minus = if minus { "-" } else { "" };
            let point = if scale == 0 { "" } else { "." };
            format!("{minus}{whole}{point}{part}").parse().unwrap()
        }),
    ]
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Nil),
        any::<bool>().prop_map(Value::Bool),
        any_number().prop_map(Value::Number),
        any_text().prop_map(Value::Text),
    ];
    leaf.prop_recursive(5, 24, 4, |inner| {
        let map = prop::collection::btree_map(any_text(), inner.clone(), 0..4);
        prop_oneof![
            prop::collection::vec(inner, 0..4).prop_map(|all| Value::List(Arc::new(all))),
            map.prop_map(|all: BTreeMap<Text, Value>| Value::Map(Arc::new(all))),
        ]
    })
}

fn any_what() -> impl Strategy<Value = What> {
    prop_oneof![
        Just(What::Ruling),
        any::<u64>().prop_map(|of| What::Undo { of }),
        any::<u64>().prop_map(|of| What::Redo { of }),
        any::<u64>().prop_map(|of| What::Withdrawn { of }),
        (prop::collection::vec(any_publication(), 1..3), any::<u64>())
            .prop_map(|(posts, after)| What::Posted { posts, after }),
        (any_text(), any_text()).prop_map(|(code, message)| What::Refused { code, message }),
        (any::<u64>(), any_numbers(), any_numbers()).prop_map(|(of, changed, refused)| {
            What::Revert {
                of,
                changed,
                refused,
            }
        }),
        (any::<u64>(), any_text(), any_numbers(), any_numbers()).prop_map(
            |(of, with, changed, refused)| What::Replace {
                of,
                with,
                changed,
                refused
            }
        ),
    ]
}

fn any_publication() -> impl Strategy<Value = Publication> {
    (
        prop::collection::vec(any_text(), 1..3),
        prop::collection::vec(any::<(u64, u64)>(), 0..3),
        prop::collection::vec((any::<u64>(), any_numbers()), 0..3),
    )
        .prop_map(|(to, lines, parts)| Publication { to, lines, parts })
}

fn any_numbers() -> impl Strategy<Value = Vec<u64>> {
    prop::collection::vec(any::<u64>(), 0..4)
}

fn any_values() -> impl Strategy<Value = Vec<Value>> {
    prop::collection::vec(any_value(), 0..4)
}

prop_compose! {
    fn any_operation()(
        (seq, slot) in (any::<u64>(), any::<Option<u64>>()),
        (by, through, command, rules) in (any_text(), prop::option::of(any_text()), any_text(), any_text()),
        cells in prop::collection::vec((any_text(), any_text(), any_value(), any_value()), 0..4),
        (inputs, causes, documents) in (any_values(), any_values(), any_values()),
        state in "[0-9a-f]{64}",
        what in any_what(),
    ) -> (Names, Operation) {
        let names = Names::default();
        let change = |(row, field, old, new): (Text, Text, Value, Value)| {
            Change { row: names.intern(&row), field: names.intern(&field), old, new }
        };
        let changes = cells.into_iter().map(change).collect();
        let state = StateHash::parse(&state).unwrap();
        (names, Operation { seq, slot, by, through, command, rules, inputs, changes, causes, documents, state, what })
    }
}

proptest! {
    #[test]
    fn any_operation_is_read_as_it_was_written((names, operation) in any_operation(), at in any_text()) {
        let more = at.len() % 2 == 1;
        let json = operation_json(&names, &operation, (&at, more));
        prop_assert!(json.iter().all(|byte| *byte >= b' '), "a line is one line without tabs");
        let Ok(Line::Entry(entry)) = read_line(&names, &json, VERSION) else { panic!("{:?}", read_line(&names, &json, VERSION)) };
        prop_assert_eq!(&entry.operation, &operation);
        prop_assert_eq!(&entry.at, &at);
        // Another game has other numbers for the names, but the bytes are the same.
        let others = Names::default();
        others.intern("another");
        let Ok(Line::Entry(entry)) = read_line(&others, &json, VERSION) else { panic!("the same line") };
        prop_assert_eq!(entry.more, more);
        prop_assert_eq!(operation_json(&others, &entry.operation, (&at, more)), json);
    }

    #[test]
    fn no_bytes_end_the_reader(bytes in prop::collection::vec(any::<u8>(), 0..64), cut in 0usize..400) {
        let _ = read_line(&Names::default(), &bytes, VERSION);
        let (names, operation) = plain_operation();
        let mut json = operation_json(&names, &operation, (AT, false));
        json.truncate(cut.min(json.len() - 1));
        prop_assert!(read_line(&names, &json, VERSION).is_err());
    }
}

fn plain_operation() -> (Names, Operation) {
    let names = Names::default();
    let change = Change {
        row: names.intern("ann"),
        field: names.intern("hp"),
        old: Value::Nil,
        new: Value::from(7),
    };
    let operation = Operation {
        seq: 3,
        slot: Some(2),
        by: "gm".into(),
        through: None,
        command: "go".into(),
        rules: "".into(),
        inputs: Vec::new(),
        changes: vec![change],
        causes: Vec::new(),
        documents: vec![Value::from("done")],
        state: StateHash::default(),
        what: What::Ruling,
    };
    (names, operation)
}

#[test]
fn a_line_reads_well() {
    let (names, mut operation) = plain_operation();
    let zero = "0".repeat(64);
    let line = String::from_utf8(operation_json(&names, &operation, (AT, false))).unwrap();
    assert_eq!(
        line,
        format!(
            r#"{{"v":1,"seq":3,"kind":"ruling","slot":2,"by":"gm","command":"go","rules":"","changes":[["ann","hp",null,7]],"documents":["done"],"state":"{zero}","at":"{AT}"}}"#
        )
    );
    operation.what = What::Undo { of: 2 };
    let line = String::from_utf8(operation_json(&names, &operation, (AT, false))).unwrap();
    assert!(
        line.starts_with(r#"{"v":1,"seq":3,"kind":"undo","of":2,"#),
        "{line}"
    );
    operation.what = What::Replace {
        of: 2,
        with: "stay".into(),
        changed: vec![3, 5],
        refused: Vec::new(),
    };
    let line = String::from_utf8(operation_json(&names, &operation, (AT, false))).unwrap();
    let begin = r#"{"v":1,"seq":3,"kind":"replace","of":2,"with":"stay","changed":[3,5],"slot""#;
    assert!(line.starts_with(begin), "{line}");
    let all = Publication {
        to: vec!["public".into(), "Ann".into()],
        lines: vec![(1, 1), (3, 5)],
        parts: Vec::new(),
    };
    operation.what = What::Posted {
        posts: vec![all.clone()],
        after: 6,
    };
    let line = String::from_utf8(operation_json(&names, &operation, (AT, false))).unwrap();
    let begin =
        r#"{"v":2,"seq":3,"kind":"posted","to":["public","Ann"],"lines":[[1,1],[3,5]],"after":6,"#;
    assert!(line.starts_with(begin), "{line}");
    let part = Publication {
        to: vec!["Bo".into()],
        lines: Vec::new(),
        parts: vec![(4, vec![0, 2])],
    };
    operation.what = What::Posted {
        posts: vec![all, part],
        after: 6,
    };
    let json = operation_json(&names, &operation, (AT, false));
    let part = r#""posts":[{"to":["public","Ann"],"lines":[[1,1],[3,5]]},{"to":["Bo"],"lines":[],"parts":[[4,[0,2]]]}],"after":6,"#;
    let line = String::from_utf8(json.clone()).unwrap();
    assert!(line.contains(part), "{line}");
    let Ok(Line::Entry(read)) = read_line(&names, &json, VERSION) else {
        panic!("{line}");
    };
    assert_eq!(read.operation.what, operation.what);
    operation.what = What::Withdrawn { of: 7 };
    let line = String::from_utf8(operation_json(&names, &operation, (AT, false))).unwrap();
    assert!(
        line.starts_with(r#"{"v":2,"seq":3,"kind":"withdrawn","of":7,"#),
        "{line}"
    );
}

#[test]
fn what_is_no_operation_says_why() {
    let (names, operation) = plain_operation();
    let json = String::from_utf8(operation_json(&names, &operation, (AT, false))).unwrap();
    for (from, to, why) in [
        (
            "\"ruling\"",
            "\"rul\\u0007\"",
            "\"rul\\u{7}\" is not a kind of entry",
        ),
        ("\"ruling\"", "\"undo\"", "\"of\" is missing"),
        ("\"ruling\"", "\"refused\"", "\"code\" is missing"),
        ("\"ruling\"", "\"revert\"", "\"of\" is missing"),
        ("\"ruling\"", "\"withdrawn\"", "\"of\" is missing"),
        ("\"ruling\"", "\"posted\"", "\"to\" is missing"),
        (
            "\"ruling\"",
            "\"posted\",\"to\":[\"gm\"]",
            "\"after\" is missing",
        ),
        (
            "\"ruling\"",
            "\"withdrawn\",\"of\":1",
            "\"v\" of a note is 1, not 2",
        ),
        ("\"ruling\"", "\"replace\",\"of\":1", "\"with\" is missing"),
        (
            "\"ruling\"",
            "\"revert\",\"of\":1,\"changed\":[-1]",
            "invalid value",
        ),
        ("\"state\":\"0", "\"state\":\"", "\"state\" is not a hash"),
        (
            "\"v\":1",
            "\"v\":0",
            "\"v\" is 0, and the first line says 1",
        ),
        ("\"by\":\"gm\",", "", "missing field `by`"),
        ("null,7]", "null]", "invalid length 3"),
        ("null,7]", "null,7,8]", "trailing"),
        ("\"seq\":3", "\"seq\":-3", "invalid value"),
    ] {
        let found = read_line(&names, json.replacen(from, to, 1).as_bytes(), VERSION).unwrap_err();
        assert!(found.contains(why), "{found}");
    }
}

#[test]
fn a_line_may_name_the_file_that_it_lies_in() {
    let json = blob_line_json(7, "ab".repeat(32), 2_000_000);
    let Ok(Line::Blob(blob)) = read_line(&Names::default(), &json, VERSION) else {
        panic!("a blob")
    };
    assert_eq!((blob.seq, blob.bytes), (7, 2_000_000));
    assert_eq!(blob.blob, "ab".repeat(32));
}
