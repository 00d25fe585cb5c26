//! This module writes a document as Markdown (CommonMark with tables and strikes) that can be pasted into a post.
//!
//! All texts are gated and escaped: none can start a block, a link, a tag or a style of its own.
//! Styles that Markdown lacks (muted, good, warn, bad) are written plainly. Blocks for some readers are
//! a quotation that begins with their audience. Bars become a table.

mod inline;

use super::terminal::bar_value;
use crate::doc::gate::gate;
use crate::doc::limit::DEPTH;
use crate::doc::shown::{self, Row, append, flat, label, piece, push};
use crate::doc::{Align, Audience, Bar, Bars, Block, Document, Field, Item, Line, Style, Table};
use inline::{cell, inline, start};

/// Returns the document as Markdown, without a final line end.
pub fn markdown(document: &Document) -> String {
    blocks(&document.blocks, 1).join("\n")
}

fn blocks(all: &[Block], depth: usize) -> Vec<String> {
    if depth > DEPTH && !all.is_empty() {
        return vec!["…".to_owned()];
    }
    let mut lines: Vec<String> = Vec::new();
    let mut above: Option<(bool, Marks)> = None;
    for block in all {
        let kind = list_kind(block);
        let marks = match (above, kind) {
            (Some((before, marks)), Some(now)) if before == now => marks.other(),
            (Some(_) | None, Some(_) | None) => Marks::First,
        };
        let drawn = draw(block, marks, depth);
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
enum Marks {
    First,
    Second,
}

impl Marks {
    fn other(self) -> Marks {
        match self {
            Marks::First => Marks::Second,
            Marks::Second => Marks::First,
        }
    }

    fn bullet(self) -> &'static str {
        match self {
            Marks::First => "- ",
            Marks::Second => "* ",
        }
    }

    fn number(self, number: usize) -> String {
        match self {
            Marks::First => format!("{number}. "),
            Marks::Second => format!("{number}) "),
        }
    }
}

/// Returns whether a block is written as an ordered list (true) or one with bullets (false).
fn list_kind(block: &Block) -> Option<bool> {
    match block {
        Block::List { ordered, .. } => Some(*ordered),
        Block::Fields(_) => Some(false),
        Block::Heading { .. }
        | Block::Paragraph(_)
        | Block::Table(_)
        | Block::Bars(_)
        | Block::Code { .. }
        | Block::Quote(_)
        | Block::Rule
        | Block::For { .. } => None,
    }
}

fn draw(block: &Block, marks: Marks, depth: usize) -> Vec<String> {
    match block {
        Block::Heading { level, line } => heading(*level, line),
        Block::Paragraph(line) => paragraph(line),
        Block::List { ordered, items } => list(*ordered, items, marks, depth),
        Block::Table(table) => draw_table(table),
        Block::Bars(chart) => draw_table(&bars(chart)),
        Block::Code { language, text } => code(language, text),
        Block::Quote(inner) => quoted(blocks(inner, depth + 1)),
        Block::Fields(fields) => fields.iter().map(|one| field(one, marks)).collect(),
        Block::Rule => vec!["___".to_owned()],
        Block::For {
            audience: Audience::Public,
            blocks: inner,
        } => blocks(inner, depth + 1),
        Block::For {
            audience,
            blocks: inner,
        } => {
            let mark = vec![piece(&format!("[{}]", label(audience)), Style::Strong)];
            let mut lines = vec![inline(&mark), String::new()];
            lines.extend(blocks(inner, depth + 1));
            quoted(lines)
        }
    }
}

fn heading(level: u8, line: &Line) -> Vec<String> {
    let text = inline(&flat(line));
    let marks = "#".repeat(usize::from(level.clamp(1, 6)));
    if text.is_empty() {
        Vec::new()
    } else {
        vec![format!("{marks} {text}")]
    }
}

/// Returns a paragraph; an empty line inside it parts it in two.
fn paragraph(line: &Line) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for row in shown::rows(line) {
        let text = start(inline(&row));
        match lines.last_mut() {
            Some(above) if !above.is_empty() && !text.is_empty() => above.push('\\'),
            Some(above) if above.is_empty() && text.is_empty() => continue,
            None if text.is_empty() => continue,
            Some(_) | None => {}
        }
        lines.push(text);
    }
    if lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}

fn list(ordered: bool, items: &[Item], marks: Marks, depth: usize) -> Vec<String> {
    let is_loose = |item: &Item| item.blocks.iter().any(|block| list_kind(block).is_none());
    let loose = items.iter().any(is_loose);
    let mut lines = Vec::new();
    for (at, item) in items.iter().enumerate() {
        if loose && at > 0 {
            lines.push(String::new());
        }
        let mark = if ordered {
            marks.number(at + 1)
        } else {
            marks.bullet().to_owned()
        };
        let indent = " ".repeat(mark.len());
        lines.extend(prefixed(list_item(item, loose, depth), &mark, &indent));
    }
    lines
}

fn list_item(item: &Item, loose: bool, depth: usize) -> Vec<String> {
    let mut lines = paragraph(&item.line);
    let below = blocks(&item.blocks, depth + 1);
    if loose && !lines.is_empty() && !below.is_empty() {
        lines.push(String::new());
    }
    lines.extend(below);
    lines
}

fn field(field: &Field, marks: Marks) -> String {
    let mut row = Row::new();
    let mut name = flat(&field.label);
    push(&mut name, ":", Style::Plain);
    for part in name {
        let style = match part.style {
            Style::Plain => Style::Strong,
            other => other,
        };
        push(&mut row, &part.text, style);
    }
    push(&mut row, " ", Style::Plain);
    append(&mut row, flat(&field.value));
    format!("{}{}", marks.bullet(), start(inline(&row)))
}

fn bars(chart: &Bars) -> Table {
    let row = |bar: &Bar| vec![bar.label.clone(), bar_value(bar)];
    Table {
        caption: chart.caption.clone(),
        columns: crate::doc::build::table(["", ""]).columns,
        rows: chart.bars.iter().map(row).collect(),
    }
}

fn draw_table(table: &Table) -> Vec<String> {
    let width = table.width();
    let mut lines = paragraph(&table.caption);
    if width == 0 {
        return lines;
    }
    if !lines.is_empty() {
        lines.push(String::new());
    }
    let empty = Line::default();
    let row = |cells: Vec<&Line>| {
        let cells = (0..width).map(|at| cell(cells.get(at).copied().unwrap_or(&empty)));
        format!("| {} |", cells.collect::<Vec<_>>().join(" | "))
    };
    let rules = (0..width).map(|at| match table.align(at) {
        Align::Left => "---",
        Align::Right => "--:",
        Align::Center => ":-:",
    });
    lines.push(row(table.columns.iter().map(|one| &one.title).collect()));
    lines.push(format!("| {} |", rules.collect::<Vec<_>>().join(" | ")));
    lines.extend(table.rows.iter().map(|cells| row(cells.iter().collect())));
    lines
}

fn code(language: &str, text: &str) -> Vec<String> {
    let gated = gate(text.strip_suffix('\n').unwrap_or(text));
    let fence = "`".repeat(inline::longest_ticks(&gated).max(2) + 1);
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_+#.-".contains(c);
    let language: String = language.chars().filter(|c| is_plain(*c)).collect();
    let mut lines = vec![format!("{fence}{language}")];
    lines.extend(gated.split('\n').map(str::to_owned));
    lines.push(fence);
    lines
}

fn quoted(lines: Vec<String>) -> Vec<String> {
    prefixed(lines, "> ", "> ")
}

fn prefixed(lines: Vec<String>, first: &str, others: &str) -> Vec<String> {
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
