//! Replaces a block by simpler ones if no post can hold a part of it; the simplest are paragraphs.
//!
//! Only the first item, row or field of the block loses its form; the rest may fit.

use crate::doc::Style;
use crate::doc::gated_rows::{Row, append_row, push_text};
use crate::doc::render::node::{Cell, Grid, Node, field_label, host_row, trim_row};

/// Returns a block as simpler blocks with the same content.
pub(super) fn plainer_blocks(node: Node) -> Vec<Node> {
    match node {
        Node::Heading { row, .. } => row_paragraph(row),
        Node::Paragraph(_) | Node::Rule => vec![node],
        Node::List { start, mut items } => {
            let mut nodes = items.pop_front().unwrap_or_default();
            let start = start.map(|start| start + 1);
            let rest = (!items.is_empty()).then_some(Node::List { start, items });
            nodes.extend(rest);
            nodes
        }
        Node::Table(table) => plainer_table(table),
        Node::Chart(chart) => plainer_table(chart.grid()),
        Node::Code { lines, .. } => {
            let lines = lines.iter().map(|line| host_row(line, Style::Plain));
            lines.flat_map(row_paragraph).collect()
        }
        Node::Quote { label, nodes } => {
            let label = label.map(|label| host_row(&format!("[{label}]"), Style::Strong));
            let label = label.into_iter().flat_map(row_paragraph);
            label.chain(nodes).collect()
        }
        Node::Fields(mut fields) => {
            let first = fields.pop_front().map(field_row);
            let mut nodes: Vec<Node> = first.into_iter().flat_map(row_paragraph).collect();
            nodes.extend((!fields.is_empty()).then_some(Node::Fields(fields)));
            nodes
        }
    }
}

fn row_paragraph(row: Row) -> Vec<Node> {
    let row = trim_row(row);
    Vec::from_iter((!row.is_empty()).then(|| Node::Paragraph(vec![row])))
}

fn field_row((label, value): (Row, Row)) -> Row {
    let mut row = field_label(&label);
    push_text(&mut row, " ", Style::Plain);
    append_row(&mut row, value);
    row
}

/// Simplifies a table. The titles are removed first: without them the rows may fit.
fn plainer_table(mut table: Grid) -> Vec<Node> {
    let mut nodes = row_paragraph(std::mem::take(&mut table.caption));
    let cells = table.head.take().or_else(|| table.rows.pop_front());
    let cell = |cell: Cell| cell.into_iter().filter(|row| !row.is_empty()).collect();
    let cells = cells.into_iter().flatten().map(cell);
    nodes.extend(
        cells
            .filter(|rows: &Vec<Row>| !rows.is_empty())
            .map(Node::Paragraph),
    );
    nodes.extend((!table.rows.is_empty()).then_some(Node::Table(table)));
    nodes
}
