//! Writes a document as Markdown (CommonMark with tables and strikes) that can be pasted into a post.
//!
//! All texts are gated and escaped: none can start a block, a link, a tag or a style of its own. Styles that Markdown
//! lacks (muted, good, warn, bad) are written plainly. Blocks for some readers are a quotation that begins with their
//! audience. Bars become a table.

use std::collections::VecDeque;

use super::node::{Grid, Node, document_nodes, field_label, host_row};
use crate::doc::gated_rows::{Row, append_row, push_text};
use crate::doc::{Align, Document, Style};
use inline::{cell_markup, escape_line_start, inline_markup};

pub(super) mod inline;

/// Returns the document as Markdown, without a final line end.
pub fn markdown(document: &Document) -> String {
    write_nodes(&document_nodes(document))
}

/// Returns nodes as Markdown.
pub(super) fn write_nodes(nodes: &[Node]) -> String {
    blocks_lines(nodes).join("\n")
}

fn blocks_lines<'a>(nodes: impl IntoIterator<Item = &'a Node>) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut above: Option<(bool, Marks)> = None;
    for node in nodes {
        let kind = is_ordered_list(node);
        let marks = Marks::marks_below(above, kind);
        let drawn = node_lines(node, marks);
        if drawn.is_empty() {
            continue;
        }
        if !lines.is_empty() {
            lines.push(String::new());
        }
        lines.extend(drawn);
        above = kind.map(|kind| (kind, marks));
    }
    lines
}

/// The marks of a list: two lists in a row need different ones, or they become one.
#[derive(Clone, Copy)]
pub(super) enum Marks {
    First,
    Second,
}

impl Marks {
    /// Returns the marks of a list, if it is one, below another.
    pub(super) fn marks_below(above: Option<(bool, Marks)>, kind: Option<bool>) -> Marks {
        match (above, kind) {
            (Some((before, Marks::First)), Some(now)) if before == now => Marks::Second,
            (Some(_) | None, Some(_) | None) => Marks::First,
        }
    }

    pub(super) fn bullet_mark(self) -> &'static str {
        match self {
            Marks::First => "- ",
            Marks::Second => "* ",
        }
    }

    pub(super) fn number_mark(self, number: usize) -> String {
        match self {
            Marks::First => format!("{number}. "),
            Marks::Second => format!("{number}) "),
        }
    }

    /// Returns the mark of the item at a place of a list.
    pub(super) fn item_mark(self, start: Option<usize>, at: usize) -> String {
        start.map_or_else(
            || self.bullet_mark().to_owned(),
            |start| self.number_mark(start + at),
        )
    }
}

/// Returns whether a block is written as an ordered list (true) or one with bullets (false).
pub(super) fn is_ordered_list(node: &Node) -> Option<bool> {
    match node {
        Node::List { start, .. } => Some(start.is_some()),
        Node::Fields(_) => Some(false),
        Node::Heading { .. }
        | Node::Paragraph(_)
        | Node::Table(_)
        | Node::Chart(_)
        | Node::Code { .. }
        | Node::Quote { .. }
        | Node::Rule => None,
    }
}

fn node_lines(node: &Node, marks: Marks) -> Vec<String> {
    match node {
        Node::Heading { level, row } => {
            vec![format!(
                "{} {}",
                "#".repeat(usize::from(*level)),
                inline_markup(row)
            )]
        }
        Node::Paragraph(rows) => paragraph_lines(rows),
        Node::List { start, items } => list_lines(*start, items, marks, |item, is_loose| {
            list_item_lines(item, is_loose)
        }),
        Node::Table(table) => table_lines(table),
        Node::Chart(chart) => table_lines(&chart.grid()),
        Node::Code {
            language, lines, ..
        } => code_lines(language, lines),
        Node::Quote { label, nodes } => {
            let mut lines = Vec::new();
            if let Some(label) = label {
                let mark = host_row(&format!("[{label}]"), Style::Strong);
                lines.extend([inline_markup(&mark), String::new()]);
            }
            lines.extend(blocks_lines(nodes));
            prefix_lines(lines, "> ", "> ")
        }
        Node::Fields(fields) => {
            let line = |(label, value): &(Row, Row)| field_line(label, value, marks);
            fields.iter().map(line).collect()
        }
        Node::Rule => vec!["___".to_owned()],
    }
}

/// Returns a paragraph; a backslash breaks a line.
fn paragraph_lines(rows: &[Row]) -> Vec<String> {
    let mut lines: Vec<String> = rows
        .iter()
        .map(|row| escape_line_start(inline_markup(row)))
        .collect();
    let last = lines.len().saturating_sub(1);
    for line in &mut lines[..last] {
        line.push('\\');
    }
    lines
}

/// Returns a list. A function writes its items; the argument of the function is whether empty lines are between items.
pub(super) fn list_lines(
    start: Option<usize>,
    items: &VecDeque<Vec<Node>>,
    marks: Marks,
    write: impl Fn(&Vec<Node>, bool) -> Vec<String>,
) -> Vec<String> {
    let loose = items.iter().any(|item| is_loose(item));
    let mut lines = Vec::new();
    for (at, item) in items.iter().enumerate() {
        if loose && at > 0 {
            lines.push(String::new());
        }
        let mark = marks.item_mark(start, at);
        let indent = " ".repeat(mark.len());
        lines.extend(prefix_lines(write(item, loose), &mark, &indent));
    }
    lines
}

/// Returns whether an item contains more than a text and lists.
fn is_loose(item: &[Node]) -> bool {
    let below = match item {
        [Node::Paragraph(_), below @ ..] => below,
        all => all,
    };
    below.iter().any(|node| is_ordered_list(node).is_none())
}

fn list_item_lines(item: &[Node], is_loose: bool) -> Vec<String> {
    match item {
        [text @ Node::Paragraph(_), below @ ..] if !is_loose => {
            let mut lines = blocks_lines([text]);
            lines.extend(blocks_lines(below));
            lines
        }
        all => blocks_lines(all),
    }
}

fn field_line(label: &Row, value: &Row, marks: Marks) -> String {
    let mut row = field_label(label);
    push_text(&mut row, " ", Style::Plain);
    append_row(&mut row, value.clone());
    format!(
        "{}{}",
        marks.bullet_mark(),
        escape_line_start(inline_markup(&row))
    )
}

fn table_lines(table: &Grid) -> Vec<String> {
    let mut lines = Vec::new();
    if !table.caption.is_empty() {
        lines.extend([
            escape_line_start(inline_markup(&table.caption)),
            String::new(),
        ]);
    }
    let row = |cells: Vec<String>| format!("| {} |", cells.join(" | "));
    let rules = table.aligns.iter().map(|align| match align {
        Align::Left => "---",
        Align::Right => "--:",
        Align::Center => ":-:",
    });
    let head = match &table.head {
        Some(titles) => titles.iter().map(cell_markup).collect(),
        None => vec![String::new(); table.aligns.len()],
    };
    lines.push(row(head));
    lines.push(row(rules.map(str::to_owned).collect()));
    let rows = table.rows.iter();
    lines.extend(rows.map(|cells| row(cells.iter().map(cell_markup).collect())));
    lines
}

fn code_lines(language: &str, text: &VecDeque<String>) -> Vec<String> {
    let ticks = text.iter().map(|line| inline::longest_ticks(line)).max();
    let fence = "`".repeat(ticks.unwrap_or_default().max(2) + 1);
    let mut lines = vec![format!("{fence}{language}")];
    lines.extend(text.iter().cloned());
    lines.push(fence);
    lines
}

/// Returns lines after a mark; an empty line has no spaces at its end.
pub(super) fn prefix_lines(lines: Vec<String>, first: &str, others: &str) -> Vec<String> {
    let lines = if lines.is_empty() {
        vec![String::new()]
    } else {
        lines
    };
    let prefix = |(at, line): (usize, String)| {
        let text = format!("{}{line}", if at == 0 { first } else { others });
        if line.is_empty() {
            text.trim_end().to_owned()
        } else {
            text
        }
    };
    lines.into_iter().enumerate().map(prefix).collect()
}

#[cfg(test)]
mod tests;
