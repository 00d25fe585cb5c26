//! Writes a document for a screen: wrapped, aligned, with colour if wanted.
//!
//! All texts are gated before a colour is added, so the host adds all escape sequences in the output. Blocks for some
//! readers have their audience in front of every line. Paragraphs follow each other without an empty line; an empty
//! paragraph makes one. Without colour `~~` marks struck text.

use std::cell::Cell;

mod chart;
mod list;
mod paint;
mod table;

use crate::doc::gated_map::gated_map_lines;
use crate::doc::gated_rows::{
    self, Piece, Row, append_row, audience_label, gated_single_row, host_piece, push_text,
};
use crate::doc::hidden_character_gate::gate;
use crate::doc::layout::{Long, row_width, wrap_row};
use crate::doc::limit::DEPTH;
use crate::doc::{Audience, Block, Document, Line, Style};
pub(super) use chart::{bar_share, bar_text, bar_value};
use paint::paint_row;

/// The width and the colours of a screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Screen {
    /// Columns of the terminal; between 20 and 1000, else the nearer of these.
    pub width: usize,
    /// Whether ANSI colours are wanted.
    pub color: bool,
    /// Whether a document that is not for everybody has its audience in front of every line.
    pub label: bool,
}

/// 100 columns, no colour, no label.
impl Default for Screen {
    fn default() -> Screen {
        Screen {
            width: 100,
            color: false,
            label: false,
        }
    }
}

/// The smallest number of columns for texts in nested blocks, at any depth.
const NARROWEST: usize = 20;
const WIDEST: usize = 1000;

/// Most columns that are drawn in total. An honest document of the largest size needs far less. But marks and indents
/// of every level are on every line, and a narrow room makes many lines.
const LONGEST: usize = 64 * 1024 * 1024;

/// Returns the document for a screen, without a final line end.
pub fn terminal(document: &Document, screen: &Screen) -> String {
    let left = Cell::new(LONGEST);
    let canvas = Canvas {
        columns: screen.width.clamp(NARROWEST, WIDEST),
        indent: 0,
        depth: 1,
        color: screen.color,
        left: &left,
    };
    let rows = if screen.label {
        canvas.rows_with_audience_label(&document.audience, &document.blocks)
    } else {
        canvas.rows_of_blocks(&document.blocks)
    };
    let lines: Vec<String> = rows
        .into_iter()
        .map(|row| paint_row(row, screen.color))
        .collect();
    lines.join("\n")
}

/// The area in which blocks are drawn.
#[derive(Clone, Copy)]
struct Canvas<'a> {
    columns: usize,
    /// Bytes that the outer levels put before each row.
    indent: usize,
    depth: usize,
    color: bool,
    /// Columns that may still be drawn; shared by all levels.
    left: &'a Cell<usize>,
}

impl Canvas<'_> {
    fn rows_of_blocks(self, blocks: &[Block]) -> Vec<Row> {
        if self.depth > DEPTH && !blocks.is_empty() {
            return vec![vec![host_piece("…", Style::Muted)]];
        }
        let mut rows = Vec::new();
        let mut above: Option<&Block> = None;
        for block in blocks {
            let mut drawn = self.rows_of_block(block);
            if drawn.is_empty() {
                continue;
            }
            let cut = !is_container(block) && self.subtract_rows_from_budget(&mut drawn);
            if above.is_some_and(|above| needs_empty_line_between(above, block)) {
                rows.push(Row::new());
            }
            rows.extend(drawn);
            if cut {
                break;
            }
            above = Some(block);
        }
        rows
    }

    /// Subtracts the drawn rows from the budget; rows above the budget become a mark. Returns whether something was
    /// cut.
    fn subtract_rows_from_budget(self, drawn: &mut Vec<Row>) -> bool {
        let each = self.indent + self.columns;
        let fits = self.left.get() / each;
        let count = drawn.len();
        self.left.set(self.left.get() - each * count.min(fits));
        if count > fits {
            drawn.truncate(fits);
            drawn.push(vec![left_out_mark(count - fits, "lines")]);
        }
        count > fits
    }

    fn rows_of_block(self, block: &Block) -> Vec<Row> {
        match block {
            Block::Heading { level, line } => self.heading_rows(*level, line),
            Block::Paragraph(line) => self.wrapped_line(line),
            Block::List { ordered, items } => self.list_rows(*ordered, items),
            Block::Table(table) => self.table_rows(table),
            Block::Bars(chart) => self.chart_rows(chart),
            Block::Grid(map) => code_line_rows(gated_map_lines(map)),
            Block::Code { text, .. } => {
                let gated = gate(text.strip_suffix('\n').unwrap_or(text));
                code_line_rows(gated.split('\n'))
            }
            Block::Quote(blocks) => {
                let bar = vec![host_piece("│ ", Style::Muted)];
                prefix_rows(
                    self.room_after_prefix(&bar).rows_of_blocks(blocks),
                    &bar,
                    &bar,
                )
            }
            Block::Fields(fields) => self.field_rows(fields),
            Block::Rule => vec![vec![host_piece(&"─".repeat(self.columns), Style::Muted)]],
            Block::For { audience, blocks } => self.rows_with_audience_label(audience, blocks),
        }
    }

    fn rows_with_audience_label(self, audience: &Audience, blocks: &[Block]) -> Vec<Row> {
        if *audience == Audience::Public {
            return self.room_after_prefix(&Row::new()).rows_of_blocks(blocks);
        }
        let mark = vec![host_piece(
            &format!("[{}] ", audience_label(audience)),
            Style::Muted,
        )];
        prefix_rows(
            self.room_after_prefix(&mark).rows_of_blocks(blocks),
            &mark,
            &mark,
        )
    }

    /// Returns the room after a prefix.
    fn room_after_prefix(self, prefix: &Row) -> Self {
        let bytes: usize = prefix.iter().map(|piece| piece.text.len()).sum();
        Canvas {
            columns: self
                .columns
                .saturating_sub(row_width(prefix))
                .max(NARROWEST),
            indent: self.indent + bytes,
            depth: self.depth + 1,
            ..self
        }
    }

    /// Returns the rows of a line with the author's line breaks.
    fn line_rows(self, line: &Line) -> Vec<Row> {
        let rows = gated_rows::gated_rows(line).into_iter();
        rows.map(|row| self.mark_struck_without_colour(row))
            .collect()
    }

    fn mark_struck_without_colour(self, row: Row) -> Row {
        if self.color {
            return row;
        }
        let mark = |mut piece: Piece| {
            if piece.style == Style::Strike {
                piece.text = format!("~~{}~~", piece.text);
            }
            piece
        };
        row.into_iter().map(mark).collect()
    }

    fn wrapped_line(self, line: &Line) -> Vec<Row> {
        self.wrap_rows(&self.line_rows(line))
    }

    fn wrap_rows(self, rows: &[Row]) -> Vec<Row> {
        let rows = rows.iter();
        rows.flat_map(|row| wrap_row(row, self.columns, Long::Whole))
            .collect()
    }

    fn heading_rows(self, level: u8, line: &Line) -> Vec<Row> {
        let title = bold_row(self.mark_struck_without_colour(gated_single_row(line)));
        let mut rows = self.wrap_rows(&[title]);
        let wide = rows.iter().map(row_width).max().unwrap_or_default();
        let under = match level {
            1 => "═",
            2 => "─",
            _ => "",
        };
        if wide > 0 && !under.is_empty() {
            rows.push(vec![host_piece(&under.repeat(wide), Style::Strong)]);
        }
        rows
    }
}

/// Returns the mark for the part that is not drawn.
fn left_out_mark(count: usize, what: &str) -> Piece {
    host_piece(&format!("…[+{count} {what}]"), Style::Muted)
}

/// Returns gated lines of code as rows.
fn code_line_rows<L: AsRef<str>>(lines: impl IntoIterator<Item = L>) -> Vec<Row> {
    let row = |line: L| {
        let mut row = vec![host_piece("    ", Style::Plain)];
        push_text(&mut row, line.as_ref(), Style::Code);
        row
    };
    lines.into_iter().map(row).collect()
}

fn bold_row(row: Row) -> Row {
    let mut out = Row::new();
    for part in row {
        let style = match part.style {
            Style::Plain => Style::Strong,
            other => other,
        };
        push_text(&mut out, &part.text, style);
    }
    out
}

fn prefix_rows(rows: Vec<Row>, first: &Row, others: &Row) -> Vec<Row> {
    let prefix = |(at, row): (usize, Row)| {
        let mut out = if at == 0 { first } else { others }.clone();
        append_row(&mut out, row);
        out
    };
    let rows = if rows.is_empty() {
        vec![Row::new()]
    } else {
        rows
    };
    rows.into_iter().enumerate().map(prefix).collect()
}

/// Returns whether the inner blocks already subtracted the rows of a block from the budget.
fn is_container(block: &Block) -> bool {
    matches!(
        block,
        Block::List { .. } | Block::Quote(_) | Block::For { .. }
    )
}

/// Returns whether there is an empty line between two blocks.
fn needs_empty_line_between(above: &Block, below: &Block) -> bool {
    let (above, below) = (
        visible_edge_block(above, <[Block]>::last),
        visible_edge_block(below, <[Block]>::first),
    );
    let is_text = |block: &Block| matches!(block, Block::Paragraph(_));
    let is_compact = |block: &Block| matches!(block, Block::List { .. } | Block::Fields(_));
    let follows = is_text(above) && (is_text(below) || is_compact(below));
    !follows && !matches!(above, Block::Heading { .. })
}

/// Returns the visible block at the start or end of a limited block.
fn visible_edge_block(mut block: &Block, pick: fn(&[Block]) -> Option<&Block>) -> &Block {
    while let Block::For { blocks, .. } = block
        && let Some(inner) = pick(blocks)
    {
        block = inner;
    }
    block
}

#[cfg(test)]
mod tests;
