//! Tells cheaply that nodes are too long, before they are written.
//!
//! Each sign that is not a space is written at least once, so their count is never above the length of the text.

use crate::doc::render::node::{Cell, Node};
use crate::doc::shown::Row;

/// Returns whether the nodes hold more signs than `room`. Stops counting there.
pub(super) fn exceeds(nodes: &[Node], room: usize) -> bool {
    // Of blocks and rows, each but the first is parted from the one above.
    let mut scale = Scale {
        left: room.saturating_add(1),
    };
    !scale.nodes(nodes)
}

/// Returns whether cells hold more signs than `room`.
pub(super) fn cells_exceed<'a>(mut cells: impl Iterator<Item = &'a Cell>, room: usize) -> bool {
    let mut scale = Scale { left: room };
    !cells.all(|cell| cell.iter().all(|row| scale.row(row)))
}

struct Scale {
    left: usize,
}

/// Each returns whether the room was enough.
impl Scale {
    fn nodes<'a>(&mut self, nodes: impl IntoIterator<Item = &'a Node>) -> bool {
        nodes.into_iter().all(|node| self.node(node))
    }

    fn node(&mut self, node: &Node) -> bool {
        self.take(1)
            && match node {
                Node::Heading { row, .. } => self.row(row),
                Node::Paragraph(rows) => rows.iter().all(|row| self.row(row)),
                Node::List { items, .. } => {
                    items.iter().all(|item| self.take(1) && self.nodes(item))
                }
                Node::Table(table) => {
                    let mut rows = table.head.iter().chain(&table.rows);
                    self.row(&table.caption)
                        && rows.all(|row| {
                            self.take(1) && row.iter().flatten().all(|row| self.row(row))
                        })
                }
                Node::Chart(chart) => {
                    let mut bars = chart.bars.iter();
                    self.row(&chart.caption)
                        && bars
                            .all(|bar| self.take(1) && self.row(&bar.label) && self.row(&bar.text))
                }
                Node::Code { lines, .. } => {
                    lines.iter().all(|line| self.take(1) && self.text(line))
                }
                Node::Quote { nodes, .. } => self.nodes(nodes),
                Node::Fields(fields) => fields
                    .iter()
                    .all(|(label, value)| self.take(1) && self.row(label) && self.row(value)),
                Node::Rule => true,
            }
    }

    fn row(&mut self, row: &Row) -> bool {
        row.iter().all(|piece| self.text(&piece.text))
    }

    fn text(&mut self, text: &str) -> bool {
        text.chars().all(|c| c.is_whitespace() || self.take(1))
    }

    fn take(&mut self, count: usize) -> bool {
        match self.left.checked_sub(count) {
            Some(left) => {
                self.left = left;
                true
            }
            None => false,
        }
    }
}
