//! Tests shapes: the meanings of their notations, and the findings about data that does not fit.

use proptest::prelude::*;

use super::*;
use crate::content::node::{Kind, Node};
use crate::content::tree_builder::TreeLimits;
use crate::content::yaml::read_yaml;
use crate::diag::{Diagnostic, Source, Span};

/// Reads a schema written as YAML: the same tree as from a script.
fn shape(text: &str) -> Shape {
    let source = Source::new("schema", text);
    let node = read_yaml(&source, TreeLimits::CONTENT).0.unwrap();
    let (shape, findings) = parse_shape(&node, &source);
    assert_eq!(findings, [], "{text}");
    shape
}

fn bad_shape(text: &str) -> Vec<String> {
    let source = Source::new("schema", text);
    let node = read_yaml(&source, TreeLimits::CONTENT).0.unwrap();
    let all = parse_shape(&node, &source).1;
    assert!(
        all.iter()
            .all(|one| one.code == "schema/bad-shape" && one.place.is_some())
    );
    all.iter()
        .map(|one| format!("{} ({})", one.message, one.hints.join("; ")))
        .collect()
}

/// Compares data written as YAML with a shape: `code [marked text] message (hints)`.
fn found(schema: &str, data: &str) -> Vec<String> {
    let source = Source::new("data", data);
    let node = read_yaml(&source, TreeLimits::CONTENT).0.unwrap();
    let show = |one: &Diagnostic| {
        let marked = source.slice(one.place.as_ref().unwrap().span);
        let hint = if one.hints.is_empty() {
            String::new()
        } else {
            format!(" ({})", one.hints.join("; "))
        };
        format!(
            "{} [{marked}] {}{hint}",
            one.code.trim_start_matches("schema/"),
            one.message
        )
    };
    check(&shape(schema), &node, &source, "the role \"fox\"")
        .iter()
        .map(show)
        .collect()
}

fn fits(schema: &str, data: &str) -> bool {
    found(schema, data).is_empty()
}

/// Returns the shape that a text in former words means, and the present word for each former one.
fn shape_and_present_words(text: &str) -> (Shape, Vec<String>) {
    let source = Source::new("schema", text);
    let node = read_yaml(&source, TreeLimits::CONTENT).0.unwrap();
    let (shape, findings) = parse_shape(&node, &source);
    let written = findings.into_iter().map(|one| {
        assert_eq!(one.code, "script/renamed");
        one.fix.expect("it can be written").replacement
    });
    (shape, written.collect())
}

#[test]
fn former_words_are_read_and_a_fix_writes_the_present_ones() {
    let cases = [
        ("text", "string"),
        ("bool?", "boolean?"),
        ("whole 0..5", "integer 0..5"),
        ("list of map of whole 1..", "list of map of integer 1.."),
        (
            "text or  list of text or number",
            "string or  list of string or number",
        ),
    ];
    for (old, now) in cases {
        let old = format!("{{a: '{old}'}}");
        assert_eq!(
            shape_and_present_words(&old),
            (shape(&format!("{{a: '{now}'}}")), vec![format!("'{now}'")])
        );
    }
    // Choices and collections are words of the ruleset.
    for kept in [
        "one of text, bool",
        "ref of text",
        "list of one of whole, half",
    ] {
        shape(&format!("{{a: '{kept}'}}"));
    }
}

#[test]
fn a_key_is_read_by_its_former_name_and_only_where_it_is_not_written_twice() {
    let schema = "{'size?, formerly width': integer, '*': {'tone, formerly colour': string}}";
    let renamed = |data: &str| {
        let source = Source::new("data", data);
        let mut node = read_yaml(&source, TreeLimits::CONTENT).0.unwrap();
        let found = rename_former_keys(&shape(schema), &mut node);
        let places = found
            .iter()
            .map(|key| (source.slice(key.span).to_owned(), key.path.len()));
        (places.collect::<Vec<_>>(), node.to_value())
    };
    let (keys, value) = renamed("{width: 3, door: {colour: red}}");
    assert_eq!(keys, [("width".to_owned(), 0), ("colour".to_owned(), 1)]);
    assert_eq!(value, renamed("{size: 3, door: {tone: red}}").1);
    assert_eq!(renamed("{size: 3, width: 4}").0, []);
    assert_eq!(
        found(
            schema,
            "{size: 3, width: {tone: red}, x: {colour: red, tone: blue}}"
        ),
        [
            "unknown-key [colour] `x` of the role \"fox\" has an unknown key \"colour\" (it is called \"tone\" now)"
        ]
    );
}

/// Two keys cannot have the same former name, and a former name cannot be a present key.
#[test]
fn a_former_name_belongs_to_one_key() {
    for text in [
        "{'a, formerly b': any, b: any}",
        "{'a, formerly c': any, 'b, formerly c': any}",
    ] {
        assert_eq!(bad_shape(text).len(), 1, "{text}");
    }
}

#[test]
fn spellings_mean_what_the_table_says() {
    let bounds = |low: Option<i64>, high: Option<i64>| Bounds {
        low: low.map(Number::from),
        high: high.map(Number::from),
    };
    assert_eq!(
        shape("integer 1..12"),
        Shape::Whole(bounds(Some(1), Some(12)))
    );
    assert_eq!(shape("number ..5"), Shape::Number(bounds(None, Some(5))));
    assert_eq!(
        shape("string or list of string"),
        Shape::Union(vec![Shape::Text, Shape::List(Box::new(Shape::Text))])
    );
    assert_eq!(
        shape("one of a, very b"),
        Shape::OneOf(vec!["a".into(), "very b".into()])
    );
    assert_eq!(
        shape("map of list of ref of roles"),
        Shape::Map(Box::new(Shape::List(Box::new(Shape::Ref("roles".into())))))
    );
    assert_eq!(
        shape("[list of, {a: string}]"),
        Shape::List(Box::new(shape("{a: string}")))
    );
    let Shape::Record(record) = shape("{a: string?, b?: {c: any}, '*': boolean}") else {
        panic!("a record")
    };
    assert_eq!(
        record
            .fields
            .iter()
            .map(|field| (&*field.key, field.optional))
            .collect::<Vec<_>>(),
        [("a", true), ("b", true)]
    );
    assert_eq!(record.others, Some(Box::new(Shape::Bool)));
}

#[test]
fn bad_shapes_are_all_found() {
    let all =
        bad_shape("a: txt\nb: 5\nc: integer 9..1\nd: [string]\ne: 'one of a,, b'\nf: ref of A B\n");
    assert_eq!(all.len(), 6, "{all:#?}");
    assert!(
        all[0].contains("string"),
        "the nearest word is named: {}",
        all[0]
    );
    assert_eq!(
        bad_shape("'list of string?'").len(),
        1,
        "only a key of a record is optional"
    );
    assert_eq!(bad_shape("a: string\na?: string\n").len(), 1, "a key twice");
    assert_eq!(
        bad_shape(&"list of ".repeat(40)).len(),
        1,
        "shapes nest too deep"
    );
    assert_eq!(bad_shape("string 1..3").len(), 1, "a text has no bounds");
}

#[test]
fn everything_wrong_is_found_in_one_pass() {
    let schema = "{source: string, drives: {style: integer 1..12, mood?: 'one of calm, wild'}, tags: list of id, on?: boolean}";
    let data = "drives:\n  style: seven\n  mood: clam\nsorce: x\ntags: [a, B c, 3]\non: maybe\n";
    assert_eq!(
        found(schema, data),
        [
            "wrong-type [seven] `drives.style` of the role \"fox\" expects a whole number 1..12, found the text \"seven\"",
            "unknown-choice [clam] `drives.mood` of the role \"fox\" expects one of calm, wild, found the text \"clam\" (did you mean \"calm\"?)",
            "unknown-key [sorce] the role \"fox\" has an unknown key \"sorce\" (did you mean \"source\"?)",
            "wrong-type [B c] `tags[2]` of the role \"fox\" expects an id (1 to 64 of a-z, 0-9, _ and -), found the text \"B c\"",
            "wrong-type [3] `tags[3]` of the role \"fox\" expects an id (1 to 64 of a-z, 0-9, _ and -), found the number 3 (write \"3\" in quotes)",
            "wrong-type [maybe] `on` of the role \"fox\" expects true or false, found the text \"maybe\"",
            "missing-key [drives:] the role \"fox\" lacks the key \"source\" (source is a text)",
        ]
    );
    assert_eq!(
        found("{a: {b: string}}", "a:\n  c: 1\n"),
        [
            "unknown-key [c] `a` of the role \"fox\" has an unknown key \"c\" (did you mean \"b\"?)",
            "missing-key [a] `a` of the role \"fox\" lacks the key \"b\" (b is a text)",
        ]
    );
    assert_eq!(
        found("{a: string}", "a:\n"),
        ["missing-key [a] the role \"fox\" lacks the key \"a\" (a is a text)"]
    );
}

#[test]
fn bounds_and_kinds_of_numbers_hold_at_their_edges() {
    for (data, ok) in [
        ("1", true),
        ("12", true),
        ("0", false),
        ("13", false),
        ("1.5", false),
        ("'3'", false),
        ("3.0", true),
    ] {
        assert_eq!(fits("integer 1..12", data), ok, "{data}");
    }
    assert!(
        fits("decimal", "'0.63'")
            && fits("decimal 0..1", "1")
            && !fits("decimal", "x")
            && !fits("decimal ..1", "'1.01'")
    );
    assert_eq!(
        found("integer 1..12", "13"),
        ["out-of-range [13] the role \"fox\" expects a whole number 1..12, found the number 13"]
    );
    assert!(
        fits("one of 1, 2", "2.0") && fits("one of true, x", "true") && !fits("one of 1, 2", "3")
    );
    assert!(!fits("integer", "9007199254740992"));
}

#[test]
fn unions_explain_the_part_that_is_meant() {
    let schema = "[any of, string, {a: string}]";
    assert!(fits(schema, "x") && fits(schema, "{a: x}"));
    assert_eq!(
        found(schema, "{a: 1}"),
        [
            "wrong-type [1] `a` of the role \"fox\" expects a text, found the number 1 (write \"1\" in quotes)"
        ]
    );
    assert_eq!(
        found("string or list of string", "5"),
        [
            "wrong-type [5] the role \"fox\" expects a text or a list, each item a text, found the number 5",
        ]
    );
    assert!(
        fits("list of string", "{}") && fits("map of string", "[]") && fits("{a?: string}", "[]")
    );
}

#[test]
fn names_follow_the_rule_for_names() {
    assert!(fits("name", "Ann O'Neil"));
    let all = found("name", "\"A\\u200Bnn\"");
    assert!(
        all[0].ends_with("(a name must not contain the character U+200B)"),
        "{all:?}"
    );
}

#[test]
fn references_and_dice_are_handed_on_with_their_paths() {
    let shape = shape("{role: ref of roles, steps: [list of, {roll?: dice or none, who: 'ref of roles or one of self'}]}".replace(" or none", "").as_str());
    let source = Source::new(
        "data",
        "role: fox\nsteps:\n  - {roll: 2d6, who: hen}\n  - {who: 5}\n",
    );
    let node = read_yaml(&source, TreeLimits::CONTENT).0.unwrap();
    let all: Vec<String> = refs_and_dice(&shape, &node)
        .iter()
        .map(|leaf| format!("{} {}", leaf.path, source.slice(leaf.node.span)))
        .collect();
    assert_eq!(all, ["role fox", "steps[1].roll 2d6", "steps[1].who hen"]);
}

fn any_node() -> impl Strategy<Value = Node> {
    let leaf = prop_oneof![
        Just(Kind::Nil),
        Just(Kind::Function),
        any::<bool>().prop_map(Kind::Bool),
        (-20i64..20).prop_map(|n| Kind::Number(Number::from(n), n.to_string().into())),
        "(string|list of string|text|integer 1..9|a|b\\?|any|one of a, b|\\*| or |id){1,3}"
            .prop_map(|text| Kind::Text(text.into())),
    ];
    let leaf = leaf.prop_map(|kind| Node::new(Span::default(), kind));
    leaf.prop_recursive(3, 16, 4, |inner| {
        let entry =
            ("[ab*?]{1,2}", inner.clone()).prop_map(|(key, node)| crate::content::node::Entry {
                key: key.into(),
                key_span: Span::default(),
                node,
            });
        prop_oneof![
            prop::collection::vec(inner, 0..4).prop_map(Kind::List),
            prop::collection::vec(entry, 0..4).prop_map(Kind::Map),
        ]
        .prop_map(|kind| Node::new(Span::default(), kind))
    })
}

proptest! {
    #[test]
    fn any_schema_checks_any_data(schema in any_node(), data in any_node()) {
        let source = Source::new("a", "x\n");
        let (shape, findings) = parse_shape(&schema, &source);
        let all = check(&shape, &data, &source, "it");
        // Data fits a shape if it fits a union with only this shape, and vice versa.
        let union = Shape::Union(vec![shape.clone(), Shape::Function]);
        let same = check(&union, &data, &source, "it").is_empty();
        prop_assert_eq!(same, all.is_empty() || data.kind == Kind::Function);
        prop_assert!(findings.iter().all(|one| [
            "schema/bad-shape",
            "script/renamed",
            "content/more",
        ].contains(&&*one.code)));
        refs_and_dice(&shape, &data);
    }
}
