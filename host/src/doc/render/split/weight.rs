//! Detects nodes that are too long before they are written, at low cost.
//!
//! Each sign that is not a space is written at least once, so the count of these signs is never above the length of the
//! text.

use crate::doc::gated_rows::Row;
use crate::doc::render::node::{Cell, Node};

/// Returns whether the nodes have more signs than `room`. Stops counting there.
pub(super) fn nodes_exceed(nodes: &[Node], room: usize) -> bool {
    // Each block and row except the first is separated from the one above.
    let mut scale = Scale {
        left: room.saturating_add(1),
    };
    !scale.add_nodes(nodes)
}

/// Returns whether cells have more signs than `room`.
pub(super) fn cells_exceed<'a>(mut cells: impl Iterator<Item = &'a Cell>, room: usize) -> bool {
    let mut scale = Scale { left: room };
    !cells.all(|cell| cell.iter().all(|row| scale.add_row(row)))
}

struct Scale {
    left: usize,
}

/// Each method returns whether the room was enough.
impl Scale {
    fn add_nodes<'a>(&mut self, nodes: impl IntoIterator<Item = &'a Node>) -> bool {
        nodes.into_iter().all(|node| self.add_node(node))
    }

    fn add_node(&mut self, node: &Node) -> bool {
        self.take_weight(1)
            && match node {
                Node::Heading { row, .. } => self.add_row(row),
                Node::Paragraph(rows) => rows.iter().all(|row| self.add_row(row)),
                Node::List { items, .. } => items
                    .iter()
                    .all(|item| self.take_weight(1) && self.add_nodes(item)),
                Node::Table(table) => {
                    let mut rows = table.head.iter().chain(&table.rows);
                    self.add_row(&table.caption)
                        && rows.all(|row| {
                            self.take_weight(1) && row.iter().flatten().all(|row| self.add_row(row))
                        })
                }
                Node::Chart(chart) => {
                    let mut bars = chart.bars.iter();
                    self.add_row(&chart.caption)
                        && bars.all(|bar| {
                            self.take_weight(1)
                                && self.add_row(&bar.label)
                                && self.add_row(&bar.text)
                        })
                }
                Node::Code { lines, .. } => lines
                    .iter()
                    .all(|line| self.take_weight(1) && self.add_text(line)),
                Node::Quote { nodes, .. } => self.add_nodes(nodes),
                Node::Fields(fields) => fields.iter().all(|(label, value)| {
                    self.take_weight(1) && self.add_row(label) && self.add_row(value)
                }),
                Node::Rule => true,
            }
    }

    fn add_row(&mut self, row: &Row) -> bool {
        row.iter().all(|piece| self.add_text(&piece.text))
    }

    fn add_text(&mut self, text: &str) -> bool {
        text.chars()
            .all(|c| c.is_whitespace() || self.take_weight(1))
    }

    fn take_weight(&mut self, count: usize) -> bool {
        match self.left.checked_sub(count) {
            Some(left) => {
                self.left = left;
                true
            }
            None => false,
        }
    }
}
