//! Tests the YAML reader: trees, places, refusals, advice, and that no input causes a panic.

use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::value::{Value, from_json, to_json};

fn read(text: &str) -> (Option<Node>, Vec<Diagnostic>) {
    read_yaml(&Source::new("a.yaml", text), TreeLimits::CONTENT)
}

fn value(text: &str) -> Value {
    let (node, findings) = read(text);
    assert_eq!(findings, [], "{text}");
    node.unwrap().to_value()
}

/// Returns the findings as `code line:column [marked text] first hint`.
fn findings(text: &str) -> Vec<String> {
    let show = |finding: &Diagnostic| {
        let place = finding.place.as_ref().unwrap();
        let start = place.source.position(place.span.start);
        let marked = place.source.slice(place.span);
        let hint = finding.hints.first().map_or("", String::as_str);
        format!(
            "{} {}:{} [{marked}] {hint}",
            finding.code, start.line, start.column
        )
    };
    read(text).1.iter().map(show).collect()
}

#[test]
fn ordinary_content_becomes_plain_data() {
    let text = "# comment\nname: Fire\nlevels: [1, 2.50, -3]\ndeep:\n  - a: {b: true}\n    c: null\n  - |\n    two\n    lines\n";
    let wanted = "{deep: [{a: {b: true}}, two\nlines\n], levels: [1, 2.5, -3], name: Fire}";
    assert_eq!(value(text).to_string(), wanted);
    assert_eq!(value(""), Value::Nil);
    assert_eq!(value("# only a comment\n"), Value::Nil);
    assert_eq!(value("---\na: 1\n...\n").to_string(), "{a: 1}");
    assert_eq!(
        value("1: one\ntrue: two\n").to_string(),
        "{1: one, true: two}"
    );
    assert_eq!(
        value("when: 2001-12-14\nat: 12:30\nasis: \"yes\"\n").get("when"),
        &Value::from("2001-12-14")
    );
}

#[test]
fn every_node_has_the_span_of_its_text() {
    let source = Source::new(
        "a",
        "a: zwölf   # c\nb:\n  - 'x y'\n  - {k: 1.50}\n\nc:\nd: |\n  t\n\n  u\n\ne: \"q\"\n",
    );
    let node = read_yaml(&source, TreeLimits::CONTENT).0.unwrap();
    let slice = |key: &str| source.slice(node.get(key).unwrap().span);
    assert_eq!(slice("a"), "zwölf");
    assert_eq!(slice("b"), "- 'x y'\n  - {k: 1.50}");
    assert_eq!(
        source.slice(node.get("b").unwrap().items()[0].span),
        "'x y'"
    );
    let map = &node.get("b").unwrap().items()[1];
    assert_eq!(
        (
            source.slice(map.span),
            source.slice(map.get("k").unwrap().span)
        ),
        ("{k: 1.50}", "1.50")
    );
    assert_eq!(
        map.get("k").unwrap().kind,
        Kind::Number("1.5".parse().unwrap(), "1.50".into())
    );
    assert_eq!(
        slice("c"),
        "c",
        "a value that is not written has the span of its key"
    );
    assert_eq!(
        slice("d"),
        "t\n\n  u",
        "a block text has the span of its lines"
    );
    assert_eq!(slice("e"), "\"q\"");
    assert_eq!(source.slice(node.span), source.text().trim_end());
    assert_eq!(source.slice(node.entry("d").unwrap().key_span), "d");
}

#[test]
fn all_refusals_come_in_one_pass() {
    let text = "a: &x 1\nb: *x\n<<: {c: 1}\nd: !!str 5\na: 2\n? [p]\n: q\nf: 010\ng: .inf\nh: no\n'': z\ni: *nowhere\n";
    assert_eq!(
        findings(text),
        [
            "content/anchor 1:4 [&x] write out the value wherever it is used; put a text that begins with & in quotes",
            "content/alias 2:4 [*x] write out the value; put a text that begins with * in quotes",
            "content/merge-key 3:1 [<<] write out the keys of the other map",
            "content/tag 4:4 [!!str] remove the tag; put a text that begins with ! in quotes",
            "content/duplicate-key 5:1 [a] keep one of the two, or rename one",
            "content/key 6:3 [[] write a text before the colon",
            "content/number 8:4 [010] write 10, or \"010\" in quotes if it is a text",
            "content/number 9:4 [.inf] write a number that fits, or \".inf\" in quotes if it is a text",
            "content/bare-word 10:4 [no] write false, or \"no\" in quotes if it is a text",
            "content/key 11:1 [''] write a text before the colon",
            "content/alias 12:4 [*nowhere] write out the value; put a text that begins with * in quotes",
        ]
    );
    let node = read(text).0.unwrap();
    let keys: Vec<&str> = node.entries().iter().map(|entry| &*entry.key).collect();
    assert_eq!(keys, ["a", "b", "d", "f", "g", "h", "i"]);
    assert_eq!(
        node.to_value().get("a"),
        &Value::from(1),
        "the first of two keys stays"
    );
    let duplicate = &read(text).1[4];
    assert_eq!(
        duplicate.message,
        "the key \"a\" occurs twice, first in line 1"
    );
}

#[test]
fn hidden_characters_in_escapes_are_found() {
    assert_eq!(
        findings("a: \"x\\u202Ey\"\n"),
        ["content/character 1:4 [\"x\\u202Ey\"] remove the character: it is invisible"]
    );
    assert_eq!(findings("\"a\\0\": 1\n").len(), 1);
}

#[test]
fn one_document_and_no_directives() {
    assert!(findings("a: 1\n---\nb: 2\n")[0].starts_with("content/documents 2:1 [---]"));
    assert!(findings("%YAML 1.2\n---\na: 1\n")[0].starts_with("content/yaml 1:1"));
}

#[test]
fn a_syntax_error_names_the_common_mistake() {
    let cases = [
        ("a:\n\tb: 1\n", "2:1 [\t] indent with spaces"),
        ("a:1\nb: 2\n", "1:2 [:] write a space after the colon"),
        (
            "a: b: c\n",
            "1:5 [:] put a text that contains a colon and a space in quotes",
        ),
        (
            "a: \"open\nb: 1\n",
            "1:4 [\"] the quote \" that opens here is not closed",
        ),
        ("- 'it's'\n", "1:3 [']"),
        (
            "a: \"x\" y\n",
            "1:4 [\"] nothing may follow a text in quotes",
        ),
        ("a: [1, 2\nb: 1\n", "the bracket [ is not closed"),
        ("a: @x\n", "1:4 [@] put a text that begins with @ in quotes"),
        (
            "a:\n   b: 1\n  c: 2\n",
            "indent all keys of one map equally",
        ),
    ];
    for (text, wanted) in cases {
        let all = findings(text);
        assert_eq!(all.len(), 1, "{text:?} {all:?}");
        assert!(
            all[0].starts_with("content/yaml ") && all[0].contains(wanted),
            "{text:?} {all:?}"
        );
        assert_eq!(read(text).0, None);
    }
}

#[test]
fn depth_and_count_are_bounded() {
    let nest = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    assert_eq!(read(&nest(32)).1, []);
    let deep = format!("a: {}\nb: 2\n", nest(200));
    let (node, found) = read(&deep);
    assert_eq!(
        found.iter().map(|one| &*one.code).collect::<Vec<_>>(),
        ["limit/depth"]
    );
    assert_eq!(
        node.unwrap().to_value().get("b"),
        &Value::from(2),
        "what follows is read"
    );
    assert!(read(&nest(100_000)).0.is_none());
    assert!(read(&"- ".repeat(100_000)).0.is_none());
    let few = TreeLimits {
        bytes: 1000,
        depth: 4,
        nodes: 5,
    };
    assert_eq!(read_yaml(&Source::new("a", "[1, 2, 3, 4]"), few).1, []);
    let (node, found) = read_yaml(&Source::new("a", "[1, 2, 3, 4, 5, 6]"), few);
    assert_eq!(
        (node, &*found[0].code, found.len()),
        (None, "limit/size", 1)
    );
    let (node, found) = read_yaml(&Source::new("a", "x".repeat(1001)), few);
    assert_eq!((node, &*found[0].code), (None, "limit/size"));
}

/// Checks that scalars match the text at their place, and that parts lie inside their parent.
fn check_scalar_places(node: &Node, source: &Source) {
    let text = source.slice(node.span);
    match &node.kind {
        Kind::Number(_, digits) => assert_eq!(text, &**digits),
        Kind::Bool(value) => assert_eq!(text, value.to_string()),
        Kind::Nil | Kind::Text(_) | Kind::Function => {}
        Kind::List(items) => {
            for item in items {
                assert!(node.span.start <= item.span.start && item.span.end <= node.span.end);
                check_scalar_places(item, source);
            }
        }
        Kind::Map(entries) => {
            for entry in entries {
                assert!(
                    node.span.start <= entry.key_span.start && entry.node.span.end <= node.span.end
                );
                check_scalar_places(&entry.node, source);
            }
        }
    }
}

fn check_findings(source: &Arc<Source>, limits: TreeLimits) -> Option<Node> {
    let (node, found) = read_yaml(source, limits);
    for finding in &found {
        let span = finding.place.as_ref().unwrap().span;
        assert!(span.start <= span.end && source.text().get(span.start..span.end).is_some());
        crate::diag::render(finding, false);
    }
    assert!(node.is_some() || found.iter().any(Diagnostic::is_error));
    node
}

fn plain_data() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(Value::from),
        "[ -~äß€😀\\n\\t]{0,8}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 32, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::list),
            prop::collection::btree_map("[a-z:# -]{1,6}", inner, 0..4).prop_map(Value::map),
        ]
    })
}

proptest! {
    #[test]
    fn any_text_is_read_or_explained(text in "(?s).{0,80}") {
        let source = Source::new("a", text);
        if let Some(node) = check_findings(&source, TreeLimits::CONTENT) {
            check_scalar_places(&node, &source);
        }
    }

    #[test]
    fn text_like_yaml_is_read_or_explained(text in "([a-c]|: |- |\\n|\\n  |\\t|\"|'|[\\[\\]{}#&*!|>?%@,]|1\\.50|~|ä|<<|---\\n|\\\\|true){0,40}") {
        let source = Source::new("a", text);
        let limits = TreeLimits { depth: 4, nodes: 12, ..TreeLimits::CONTENT };
        if let Some(node) = check_findings(&source, limits) {
            check_scalar_places(&node, &source);
        }
    }

    #[test]
    fn data_written_as_json_is_the_same_data(data in plain_data()) {
        let text = serde_json::to_string_pretty(&to_json(&data)).unwrap();
        let wanted = from_json(&to_json(&data)).unwrap();
        let (node, found) = read(&text);
        prop_assert_eq!(found, []);
        prop_assert_eq!(node.unwrap().to_value(), wanted);
    }
}
