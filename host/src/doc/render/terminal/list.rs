//! Draws lists.

use super::{Canvas, left_out_mark, needs_empty_line_between, prefix_rows};
use crate::doc::gated_rows::{Row, host_piece};
use crate::doc::layout::{pad_row, row_width};
use crate::doc::{Block, Item, Line, Style};

impl Canvas<'_> {
    pub(super) fn list_rows(self, ordered: bool, items: &[Item]) -> Vec<Row> {
        let last = items.len().to_string().len();
        let mut rows = Vec::new();
        for (at, item) in items.iter().enumerate() {
            let mark = if ordered {
                format!("{:>last$}. ", at + 1)
            } else {
                "- ".to_owned()
            };
            let mark = vec![host_piece(&mark, Style::Plain)];
            let mut indent = Row::new();
            pad_row(&mut indent, row_width(&mark));
            let drawn = self.room_after_prefix(&mark).item_rows(item);
            rows.extend(prefix_rows(drawn, &mark, &indent));
            if self.left.get() < self.indent + self.columns && at + 1 < items.len() {
                rows.push(vec![left_out_mark(items.len() - at - 1, "items")]);
                break;
            }
        }
        rows
    }

    fn item_rows(self, item: &Item) -> Vec<Row> {
        let blocks = self.rows_of_blocks(&item.blocks);
        if item.line.is_empty() && !blocks.is_empty() {
            return blocks;
        }
        let mut rows = self.wrapped_line(&item.line);
        self.subtract_rows_from_budget(&mut rows);
        let text = Block::Paragraph(Line::default());
        let first = item.blocks.first().filter(|_| !blocks.is_empty());
        if first.is_some_and(|first| needs_empty_line_between(&text, first)) {
            rows.push(Row::new());
        }
        rows.extend(blocks);
        rows
    }
}
