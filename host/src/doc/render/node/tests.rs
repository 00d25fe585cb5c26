//! Tests the nodes of documents.

use super::*;
use crate::doc::build::{bar_chart, blocks_for, list, paragraph, quote, table};

fn nodes_of_block(block: Block) -> Vec<Node> {
    document_nodes(&Document::new([block]))
}

#[test]
fn an_empty_line_parts_paragraphs_and_blanks_at_ends_go() {
    let row = |text: &str| host_row(text, Style::Plain);
    assert_eq!(
        nodes_of_block(paragraph("  a \nb\n \n\n c")),
        [
            Node::Paragraph(vec![row("a"), row("b")]),
            Node::Paragraph(vec![row("c")])
        ]
    );
}

#[test]
fn what_is_empty_is_not_there() {
    let none: [crate::doc::Bar; 0] = [];
    for block in [
        paragraph(" \n"),
        list::<&str>([]),
        bar_chart(none),
        quote([]),
        table(["", ""]).into(),
        blocks_for(Audience::Public, [paragraph("")]),
    ] {
        assert_eq!(nodes_of_block(block), []);
    }
    assert_eq!(nodes_of_block(blocks_for(Audience::Gm, [])).len(), 1);
}

#[test]
fn every_row_has_a_cell_for_every_column() {
    let made = nodes_of_block(table(["a"]).row(["b"]).row(["\n"]).into());
    let Node::Table(grid) = &made[0] else {
        panic!("{made:?}")
    };
    assert!(grid.head.is_some() && grid.rows.iter().all(|row| row.len() == 1));
    assert_eq!(grid.rows[1], [Cell::new()]);
}
