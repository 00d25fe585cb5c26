//! Tests reading the tables of scripts, and the errors about wrong tables.

use proptest::prelude::*;

use crate::doc::build::{
    bar, bar_chart, blocks_for, code, fields, grid_map, heading, item, list, numbered_list,
    paragraph, quote, right_column, rule_line, span, strike, strong, table, text,
};
use crate::doc::gated_map::gated_map_lines;
use crate::doc::*;
use crate::value::{Value, from_json};

fn read_json_document(json: &str) -> Result<Document, Box<crate::diag::Diagnostic>> {
    let json = serde_json::from_str(json).expect("the test writes JSON");
    Document::from_value(&from_json(&json).expect("small numbers"))
}

fn error_text(json: &str) -> String {
    let finding = read_json_document(json).expect_err("this is wrong");
    assert_eq!(finding.code, "script/document");
    let hint = finding.hints.first().map(|hint| format!(" ({hint})"));
    finding.message + &hint.unwrap_or_default()
}

#[test]
fn every_block_has_a_table_form() {
    let document = read_json_document(
        r#"[
            "a line", 12, ["a ", {"strong": "b"}], {"strike": "gone"},
            {"text": ["x", {"code": "y"}]},
            {"heading": "Night", "level": 2}, {"heading": "Day"},
            {"list": ["one", {"text": "two", "list": ["deep"], "ordered": true},
                      {"text": "three", "blocks": [{"code": "z"}]}]},
            {"table": [["Ann", 12], ["Bo"]], "caption": "Who",
             "columns": ["Name", {"title": "HP", "align": "right", "audience": "gm"}]},
            {"bars": [["2", "1/4"], {"label": 3, "value": 0.5, "text": "half"}]},
            {"quote": "said"}, {"fields": [["HP", 12]]}, {"fields": {"B": 1, "A": 2}},
            {"grid": [{"label": "5", "cells": [".", {"mark": "A", "kind": "wall", "label": "Ann"}]}, [1]],
             "title": "Ford", "columns": [0, 5], "below": "~ water"},
            {"rule": true}, {"text": "psst", "audience": "gm"},
            {"blocks": ["a", "b"], "audience": "group:red"}
        ]"#,
    );
    let hp = right_column("HP").for_audience(Audience::Gm);
    let expected = Document::new([
        paragraph("a line"),
        paragraph("12"),
        paragraph([text("a "), strong("b")]),
        paragraph(strike("gone")),
        paragraph([text("x"), span(Style::Code, "y")]),
        heading(2, "Night"),
        heading(1, "Day"),
        list([
            item("one", []),
            item("two", [numbered_list(["deep"])]),
            item("three", [code("", "z")]),
        ]),
        table([Column::from("Name"), hp])
            .row(["Ann", "12"])
            .row(["Bo"])
            .caption("Who")
            .into(),
        bar_chart([
            bar("2", "0.25".parse().unwrap(), "1/4"),
            bar("3", "0.5".parse().unwrap(), "half"),
        ]),
        quote([paragraph("said")]),
        fields([("HP", "12")]),
        fields([("A", "2"), ("B", "1")]),
        grid_map(ford()),
        rule_line(),
        blocks_for(Audience::Gm, [paragraph("psst")]),
        blocks_for(
            Audience::Group("red".into()),
            [paragraph("a"), paragraph("b")],
        ),
    ]);
    assert_eq!(document, Ok(expected));
}

fn ford() -> GridMap {
    let cell = |mark: &str, kind: &str, label: &str| GridCell {
        mark: mark.into(),
        kind: kind.into(),
        label: label.into(),
    };
    let row = |label: &str, cells: &[GridCell]| GridRow {
        label: label.into(),
        cells: cells.to_vec(),
    };
    GridMap {
        title: "Ford".into(),
        rows: vec![
            row("5", &[cell(".", "", ""), cell("A", "wall", "Ann")]),
            row("", &[cell("1", "", "")]),
        ],
        columns: vec!["0".into(), "5".into()],
        below: "~ water".into(),
    }
}

#[test]
fn a_map_is_read_as_its_marks_with_the_lines_below() {
    let text = gated_map_lines(&ford()).join("\n");
    assert_eq!(text, "5 . A\n1\n~ water");
    let document = Document::new([grid_map(ford())]);
    assert_eq!(plain(&document), plain(&Document::new([code("", text)])));
}

#[test]
fn a_document_has_a_kind_and_a_tally() {
    let vote = r#"{"blocks": "Ann votes for Bo.", "kind": "ledger",
                   "tally": {"of": "Tea", "by": "Ann", "choice": "Bo"}}"#;
    let document = read_json_document(vote).unwrap();
    let tally = Tally {
        of: "Tea".into(),
        by: "Ann".into(),
        choice: Some("Bo".into()),
    };
    assert_eq!(
        (document.kind, &document.tally),
        (Kind::Ledger, &Some(tally))
    );
    let seen = for_viewer(&document, &Viewer::Public).unwrap();
    assert_eq!(seen, document);
    // A journal of before has no kinds: what it says is a story, and is written without the key.
    let before = Document::new([paragraph("Night falls.")]);
    assert_eq!(before.kind, Kind::Story);
    assert!(before.to_value().get("kind").is_nil());
    assert_eq!(
        error_text(r#"{"blocks": "x", "kind": "ledgr"}"#),
        r#"document.kind: "ledgr" is not a kind of document (did you mean "ledger"?)"#
    );
    assert_eq!(
        error_text(r#"{"blocks": "x", "tally": {"of": "Tea"}}"#),
        "document.tally.by: expected a text, found nothing"
    );
}

#[test]
fn a_document_is_a_text_blocks_or_the_whole_form() {
    assert_eq!(
        read_json_document("\"hi\""),
        Ok(Document::new([paragraph("hi")]))
    );
    assert_eq!(read_json_document("{}"), Ok(Document::default()));
    let one = read_json_document(r#"{"heading": "hi"}"#);
    assert_eq!(one, Ok(Document::new([heading(1, "hi")])));
    let whole = read_json_document(r#"{"audience": "Ann", "blocks": ["hi"], "data": {"n": 1}}"#);
    let data = Value::map([("n", Value::from(1))]);
    let expected = Document::new([paragraph("hi")]).limit_to_audience(Audience::Seat("Ann".into()));
    assert_eq!(whole, Ok(expected.data(data)));
}

#[test]
fn what_is_wrong_is_named_with_its_path() {
    let cases = [
        ("true", "document: expected blocks, found a bool"),
        (
            r#"["a", {"headin": "b"}]"#,
            r#"document[2]: "headin" is not a key of a block (did you mean "heading"?)"#,
        ),
        (
            r#"[{"heading": "b", "lvl": 2}]"#,
            r#"document[1]: "lvl" is not a key of a heading (the keys are heading, audience, level)"#,
        ),
        (
            r#"{"heading": "b", "level": 7}"#,
            "document.level: a level is 1 to 6, not 7",
        ),
        (
            r#"{"text": "a", "list": []}"#,
            "document: a block has only one of these keys, this one has both text and list",
        ),
        (
            r#"{"blocks": [{"table": [["a"], [true]]}]}"#,
            "document.blocks[1].table[2][1]: expected a text or spans, found a bool",
        ),
        (
            r#"[{"table": [["a", "b"]], "columns": ["x"]}]"#,
            "document[1].table[1]: this row has 2 cells, the table has 1 columns",
        ),
        (
            r#"[["a", {"strnog": "b"}]]"#,
            r#"document[1][2]: "strnog" is not a key of a span (did you mean "strong"?)"#,
        ),
        (
            r#"[{"bars": [["2", "1/0"]]}]"#,
            r#"document[1].bars[1].value: "1/0" is neither a number nor a fraction (write 0.25 or "1/4")"#,
        ),
        (
            r#"[{"table": [], "columns": [{"title": "a", "align": "rihgt"}]}]"#,
            r#"document[1].columns[1].align: "rihgt" is not an alignment (did you mean "right"?)"#,
        ),
        (
            r#"{"blocks": [], "data": {"a b": {"@group:": 1}}}"#,
            r#"document.data["a b"]["@group:"]: "group:" is not an audience (write public, gm, the name of a player, or group:NAME)"#,
        ),
        (
            r#"[{"audience": "gm"}]"#,
            "document[1]: this block has no key that says what it is (a block has one of text, heading, \
             list, table, bars, grid, code, quote, fields, rule, blocks, strong, emphasis, strike, \
             muted, good, warn, bad, log_line)",
        ),
        (
            r#"[{"list": ["a", {"text": "b", "list": "c"}]}]"#,
            "document[1].list[2].list: expected a list of items, found a text",
        ),
    ];
    for (json, expected) in cases {
        assert_eq!(error_text(json), expected);
    }
}

#[test]
fn nesting_ends_at_the_limit() {
    let nested = |levels: usize| {
        let mut value = Value::from("core");
        for _ in 1..levels {
            value = Value::map([("quote", value)]);
        }
        Document::from_value(&value)
    };
    assert_eq!(
        nested(DEPTH).map(|document| document.check_limits()),
        Ok(Ok(()))
    );
    let finding = nested(DEPTH + 1).unwrap_err();
    assert_eq!(finding.code, "limit/depth");
    assert_eq!(
        finding.message,
        "the document is nested more than 16 levels deep"
    );
    assert_eq!(nested(500).unwrap_err().code, "limit/depth");
}

fn any_value() -> impl Strategy<Value = Value> {
    let key = prop::sample::select(vec![
        "text", "heading", "list", "table", "columns", "bars", "code", "quote", "fields", "rule",
        "blocks", "audience", "data", "strong", "level", "ordered", "title", "align", "@gm", "x",
    ]);
    let leaf = prop_oneof![
        Just(Value::Nil),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        ".{0,4}".prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 40, 4, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::list),
            prop::collection::btree_map(key.clone(), inner, 0..3).prop_map(Value::map),
        ]
    })
}

proptest! {
    #[test]
    fn any_table_is_read_or_refused(value in any_value()) {
        match Document::from_value(&value) {
            Ok(document) => {
                let again = Document::from_value(&document.to_value());
                prop_assert_eq!(again, Ok(document.clone()));
                plain_and_markdown(&document);
            }
            Err(finding) => prop_assert!(finding.message.starts_with("document")),
        }
    }
}

fn plain_and_markdown(document: &Document) {
    plain(document);
    markdown(document);
}
