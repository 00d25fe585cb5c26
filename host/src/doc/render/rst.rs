//! Writes a document as reStructuredText, as docutils reads it.
//!
//! Headings at the top level are sections, nested in the order of the text. A level that no heading introduced counts
//! as the next level, because docutils refuses a jump. Headings inside other blocks are rubrics. Tables are list
//! tables. A quotation begins with an empty comment (`..`), which separates the quotation from the block above. Lines
//! of one paragraph are a line block. The line across is drawn with `─`, because a transition is not allowed
//! everywhere. Styles without a name in the language (struck, muted, good, warn, bad) are plain, struck text between
//! `~~`.

use std::collections::VecDeque;

use unicode_width::UnicodeWidthChar;

use super::markdown::{Marks, is_ordered_list, prefix_lines};
use super::node::{Cell, Grid, Node, document_nodes, field_label, host_row};
use crate::doc::gated_rows::{Row, append_row, join_rows, push_text};
use crate::doc::{Document, Style};
use inline::{escape_line_start, inline_markup};

mod inline;

/// The signs below section titles, the largest first.
const ADORNMENTS: [char; 6] = ['=', '-', '~', '^', '"', '\''];

/// Returns the document as reStructuredText, without a final line end.
pub fn rst(document: &Document) -> String {
    let mut levels = Vec::new();
    blocks_lines(&document_nodes(document), &mut |level, row| {
        section_title(level, row, &mut levels)
    })
    .join("\n")
}

type Titles<'a> = &'a mut dyn FnMut(u8, &Row) -> Vec<String>;

fn blocks_lines<'a>(nodes: impl IntoIterator<Item = &'a Node>, titles: Titles<'_>) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut above: Option<(bool, Marks)> = None;
    for node in nodes {
        let kind = is_ordered_list(node);
        let marks = Marks::marks_below(above, kind);
        if !lines.is_empty() {
            lines.push(String::new());
        }
        lines.extend(node_lines(node, marks, titles));
        above = kind.map(|kind| (kind, marks));
    }
    lines
}

/// Returns blocks inside of another block, where no section begins.
fn nested_blocks_lines<'a>(nodes: impl IntoIterator<Item = &'a Node>) -> Vec<String> {
    blocks_lines(nodes, &mut |_, row| {
        vec![format!(
            ".. rubric:: {}",
            escape_line_start(inline_markup(row))
        )]
    })
}

fn node_lines(node: &Node, marks: Marks, titles: Titles<'_>) -> Vec<String> {
    match node {
        Node::Heading { level, row } => titles(*level, row),
        Node::Paragraph(rows) => paragraph_lines(rows),
        Node::List { start, items } => list_lines(*start, items, marks),
        Node::Table(table) => table_lines(table),
        Node::Chart(chart) => table_lines(&chart.grid()),
        Node::Code { lines, .. } => code_lines(lines),
        Node::Quote { label, nodes } => {
            let label = label.as_ref().map(|label| {
                let label = host_row(&format!("[{label}]"), Style::Strong);
                Node::Paragraph(vec![label])
            });
            let mut lines = vec!["..".to_owned(), String::new()];
            let inner = nested_blocks_lines(label.iter().chain(nodes));
            lines.extend(prefix_lines(inner, "   ", "   "));
            lines
        }
        Node::Fields(fields) => {
            let field = |(label, value): &(Row, Row)| {
                let mut row = field_label(label);
                push_text(&mut row, " ", Style::Plain);
                append_row(&mut row, value.clone());
                format!(
                    "{}{}",
                    marks.bullet_mark(),
                    escape_line_start(inline_markup(&row))
                )
            };
            fields.iter().map(field).collect()
        }
        Node::Rule => vec!["─".repeat(20)],
    }
}

/// Writes a section title; `levels` are the levels of the open sections.
fn section_title(level: u8, row: &Row, levels: &mut Vec<u8>) -> Vec<String> {
    levels.retain(|open| *open < level);
    let sign = ADORNMENTS[levels.len().min(ADORNMENTS.len() - 1)];
    levels.push(level);
    let title = escape_line_start(inline_markup(row));
    // At least one column for each sign: docutils counts some as wider than terminals do.
    let columns = title
        .chars()
        .map(|c| c.width().unwrap_or(1).max(1))
        .sum::<usize>();
    let line = sign.to_string().repeat(columns.max(4));
    vec![title, line]
}

fn paragraph_lines(rows: &[Row]) -> Vec<String> {
    match rows {
        [row] => vec![escape_line_start(inline_markup(row))],
        rows => rows
            .iter()
            .map(|row| format!("| {}", inline_markup(row)).trim_end().to_owned())
            .collect(),
    }
}

fn list_lines(first: Option<usize>, items: &VecDeque<Vec<Node>>, marks: Marks) -> Vec<String> {
    let is_short = |item: &Vec<Node>| match item.as_slice() {
        [Node::Paragraph(rows)] => rows.len() == 1,
        all => all.is_empty(),
    };
    let loose = !items.iter().all(is_short);
    let mut lines = Vec::new();
    for (at, item) in items.iter().enumerate() {
        if loose && at > 0 {
            lines.push(String::new());
        }
        let mark = marks.item_mark(first, at);
        let indent = " ".repeat(mark.len());
        lines.extend(prefix_lines(nested_blocks_lines(item), &mark, &indent));
    }
    lines
}

fn table_lines(table: &Grid) -> Vec<String> {
    let caption = inline_markup(&table.caption);
    let mut lines = vec![
        format!(".. list-table:: {}", escape_line_start(caption))
            .trim_end()
            .to_owned(),
    ];
    let head = table.head.iter();
    if table.head.is_some() && !table.rows.is_empty() {
        lines.push("   :header-rows: 1".to_owned());
    }
    lines.extend(["   :widths: auto".to_owned(), String::new()]);
    for cells in head.chain(&table.rows) {
        for (at, cell) in cells.iter().enumerate() {
            let mark = if at == 0 { "   * - " } else { "     - " };
            lines.extend(prefix_lines(cell_lines(cell), mark, "       "));
        }
    }
    lines
}

fn cell_lines(cell: &Cell) -> Vec<String> {
    match cell.as_slice() {
        [] => Vec::new(),
        rows if rows.len() > 1 && rows.iter().any(|row| !row.is_empty()) => paragraph_lines(rows),
        rows => vec![escape_line_start(inline_markup(&join_rows(rows.to_vec())))],
    }
}

fn code_lines(text: &VecDeque<String>) -> Vec<String> {
    if text.iter().all(|line| line.trim().is_empty()) {
        return vec!["─".to_owned()];
    }
    let mut lines = vec!["::".to_owned(), String::new()];
    lines.extend(prefix_lines(text.iter().cloned().collect(), "   ", "   "));
    lines
}

#[cfg(test)]
mod tests;
