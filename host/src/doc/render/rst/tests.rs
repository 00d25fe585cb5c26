//! Tests reStructuredText. A common test for all formats checks that no text breaks out.

use super::*;
use crate::doc::build::{
    code, emphasis, heading, item, line, list, paragraph, quote, rule_line, span, strong, table,
    text,
};
use crate::doc::{Block, Span};

fn rst_of_blocks(blocks: impl IntoIterator<Item = Block>) -> String {
    rst(&Document::new(blocks))
}

#[test]
fn signs_are_escaped() {
    let shown = |text: &str| rst_of_blocks([paragraph(text)]);
    assert_eq!(shown("*a* `b` |c| d_"), r"\*a\* \`b\` \|c\| d\_");
    assert_eq!(shown("a:: b::"), r"a\:: b\::");
    assert_eq!(shown("http://x a@b"), r"http\://x a\@b");
    assert_eq!(shown("\\\\\\"), "\\ \\\\\\\\\\\\");
}

#[test]
fn what_begins_a_block_is_escaped_at_the_start_of_a_line_alone() {
    let starts = [
        "- a",
        "1. a",
        "b) c",
        "iv. d",
        ".. note::",
        "====",
        ":a: b",
        ">>> x",
        "• y",
        "+-+",
    ];
    for start in starts {
        let shown = rst_of_blocks([paragraph(start)]);
        assert!(
            shown.starts_with(&format!("\\{}", start.chars().next().unwrap())),
            "{shown}"
        );
        let inside = rst_of_blocks([paragraph(format!("a {start}"))]);
        assert!(inside.starts_with('a'), "{inside}");
    }
    assert_eq!(rst_of_blocks([paragraph("So. it")]), "So. it");
}

#[test]
fn marks_keep_their_neighbours_apart() {
    let shown = |spans: &[Span]| rst_of_blocks([paragraph(line(spans.to_vec()))]);
    assert_eq!(shown(&[text("a"), strong("b"), text("c")]), r"a\ **b**\ c");
    assert_eq!(shown(&[text("a "), strong(" b "), text("c")]), "a  **b** c");
    assert_eq!(shown(&[strong("a"), emphasis("b")]), r"**a**\ *b*");
    assert_eq!(shown(&[emphasis(". a")]), "*. a*");
    assert_eq!(
        shown(&[span(Style::Code, "a_b"), span(Style::Code, "`")]),
        "a\\_b\\`"
    );
    assert_eq!(shown(&[span(Style::Code, "a_b")]), "``a_b``");
}

#[test]
fn sections_nest_without_a_jump_and_their_lines_are_long_enough() {
    let shown = rst_of_blocks([
        heading(3, "漢字漢字"),
        heading(6, "b"),
        heading(4, "c"),
        heading(1, "d"),
    ]);
    assert_eq!(shown, "漢字漢字\n========\n\nb\n----\n\nc\n----\n\nd\n====");
    assert_eq!(
        rst_of_blocks([quote([heading(1, "a")])]),
        "..\n\n   .. rubric:: a"
    );
}

#[test]
fn blocks_stay_apart() {
    let shown = rst_of_blocks([
        quote([paragraph("a")]),
        quote([paragraph("b")]),
        rule_line(),
    ]);
    assert_eq!(shown, "..\n\n   a\n\n..\n\n   b\n\n────────────────────");
    let shown = rst_of_blocks([list([item("", [quote([paragraph("a\nb")])]), "c".into()])]);
    assert_eq!(shown, "- ..\n\n     | a\n     | b\n\n- c");
    assert_eq!(rst_of_blocks([code("", " \n")]), "─");
}

#[test]
fn a_table_without_rows_has_no_header() {
    let shown = rst_of_blocks([table(["a", "b"]).into()]);
    assert_eq!(
        shown,
        ".. list-table::\n   :widths: auto\n\n   * - a\n     - b"
    );
    let shown = rst_of_blocks([table(["a"]).row(["b\nc"]).row([""]).into()]);
    assert_eq!(
        shown,
        ".. list-table::\n   :header-rows: 1\n   :widths: auto\n\n   * - a\n   * - | b\n       | c\n   * -"
    );
}
