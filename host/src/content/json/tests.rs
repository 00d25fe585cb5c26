//! Tests the JSON reader: the same data as the crate reads, places, refusals.

use proptest::prelude::*;

use super::*;
use crate::value::{Number, Value, from_json};

fn read(text: &str) -> (Option<Node>, Vec<Diagnostic>) {
    read_json(&Source::new("a.json", text), TreeLimits::DATA)
}

fn codes(text: &str) -> Vec<String> {
    read(text)
        .1
        .iter()
        .map(|finding| finding.code.to_string())
        .collect()
}

#[test]
fn data_and_places_are_exact() {
    let source = Source::new(
        "a.json",
        "\t{\"a\\u00e4\" :[1.50,-2e3 , \"\\ud83d\\ude00\\/\\n\"],\r\n\"b\":null}",
    );
    let (node, found) = read_json(&source, TreeLimits::DATA);
    let node = node.unwrap();
    assert_eq!(found, []);
    let list = node.get("aä").unwrap();
    assert_eq!(
        source.slice(list.span),
        "[1.50,-2e3 , \"\\ud83d\\ude00\\/\\n\"]"
    );
    assert_eq!(
        source.slice(node.entry("aä").unwrap().key_span),
        "\"a\\u00e4\""
    );
    assert_eq!(
        list.items()[0].kind,
        Kind::Number("1.5".parse().unwrap(), "1.50".into())
    );
    assert_eq!(
        list.items()[1].kind,
        Kind::Number(Number::from(-2000), "-2e3".into())
    );
    assert_eq!(list.items()[2].as_str(), Some("😀/\n"));
    assert_eq!(source.slice(node.span), source.text().trim());
}

#[test]
fn refusals_are_findings_at_their_place() {
    assert_eq!(codes("{\"a\": 1, \"a\": 2}"), ["content/duplicate-key"]);
    assert_eq!(codes("[1e999]"), ["content/number"]);
    assert_eq!(codes("[\"\\ud800\"]"), ["content/character"]);
    assert_eq!(codes("[\"\\u0000\"]"), ["content/character"]);
    assert_eq!(codes("{\"\": 1}"), ["content/key"]);
    let (node, found) = read("{\n \"ä\": [1,],\n}");
    assert_eq!((node, &*found[0].code), (None, "content/json"));
    let place = found[0].place.as_ref().unwrap();
    assert_eq!(place.source.slice(place.span), "]");
}

#[test]
fn depth_and_count_are_bounded() {
    let nest = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    assert_eq!(codes(&nest(32)), [""; 0]);
    assert_eq!(codes(&nest(100)), ["limit/depth"]);
    assert!(!codes(&nest(1_000_000)).is_empty());
    let few = TreeLimits {
        bytes: 100,
        depth: 4,
        nodes: 3,
    };
    assert_eq!(read_json(&Source::new("a", "[1, 2]"), few).1, []);
    assert_eq!(
        &*read_json(&Source::new("a", "[1, 2, 3]"), few).1[0].code,
        "limit/size"
    );
}

fn any_json() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(serde_json::Value::from),
        any::<i64>().prop_map(serde_json::Value::from),
        "[^\\x00\\u{61c}\\u{200e}-\\u{200f}\\u{202a}-\\u{202e}\\u{2066}-\\u{2069}]{0,6}"
            .prop_map(serde_json::Value::from),
    ];
    leaf.prop_recursive(4, 32, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(serde_json::Value::from),
            prop::collection::btree_map("[a-z\"\\\\ \\n]{1,4}", inner, 0..4)
                .prop_map(|map| map.into_iter().collect::<serde_json::Value>()),
        ]
    })
}

/// Returns a value without `Nil` at the ends of lists; data and nodes have none there.
fn trimmed(value: &Value) -> Value {
    let mut items: Vec<Value> = value.items().iter().map(trimmed).collect();
    while items.last().is_some_and(Value::is_nil) {
        items.pop();
    }
    match value {
        Value::List(_) => Value::list(items),
        Value::Map(map) => Value::map(map.iter().map(|(key, value)| (key.clone(), trimmed(value)))),
        Value::Nil | Value::Bool(_) | Value::Number(_) | Value::Text(_) => value.clone(),
    }
}

proptest! {
    #[test]
    fn json_is_the_data_the_crate_reads(json in any_json(), pretty in any::<bool>()) {
        let text = if pretty { serde_json::to_string_pretty(&json) } else { serde_json::to_string(&json) }.unwrap();
        let (node, found) = read(&text);
        prop_assert_eq!(found, []);
        prop_assert_eq!(node.unwrap().to_value(), trimmed(&from_json(&json).unwrap()));
    }

    #[test]
    fn any_text_is_read_or_explained(text in "(?s).{0,40}|([\\[\\]{},: \\n\"\\\\a1-]|true|ä|\\\\ud800){0,30}") {
        let source = Source::new("a.json", text);
        let (node, found) = read_json(&source, TreeLimits::CONTENT);
        prop_assert!(node.is_some() || !found.is_empty());
        for finding in &found {
            let span = finding.place.as_ref().unwrap().span;
            prop_assert!(source.text().get(span.start..span.end).is_some());
            crate::diag::render(finding, false);
        }
    }
}
