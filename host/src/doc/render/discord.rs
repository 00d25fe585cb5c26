//! Writes a document as a message for Discord: its own dialect of Markdown.
//!
//! Tables and charts are aligned text in a code block. Three levels of headings exist, at the start of a line; further
//! levels are bold. Quotations do not nest: inner ones have a bar. Every sign that the dialect reads gets a backslash.
//! So no text makes a link, an emoji, a spoiler or a mention of a person, role or channel. `@everyone` and `@here` are
//! searched for before anything is escaped: a space separates the word from its sign. A run of three backticks ends a
//! code block in any context: in it, the third backtick becomes the accent `ˋ`.

use super::aligned_table::{aligned_chart, aligned_table};
use super::markdown::inline::{
    Dialect, code_span, escape_line_start, longest_ticks, row_in_dialect,
};
use super::markdown::{Marks, is_ordered_list, list_lines, prefix_lines};
use super::node::{Node, document_nodes, field_label, host_row, style_plain_pieces};
use crate::doc::gated_rows::{Row, append_row, push_text};
use crate::doc::{Document, Style};

/// Columns of aligned text: the width of a message without wrapping in a window of common size.
const COLUMNS: usize = 60;

const DISCORD: Dialect = Dialect {
    escape,
    code: code_with_ticks,
};

/// Returns the document as a message of any length, without a final line end.
pub fn discord(document: &Document) -> String {
    write_nodes(&document_nodes(document))
}

/// Returns nodes as a message.
pub(super) fn write_nodes(nodes: &[Node]) -> String {
    blocks_lines(nodes, Place::Top).join("\n")
}

/// The context of blocks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Top,
    /// In a quotation: headings have a meaning there, quotations do not.
    Quote,
    /// In a list: neither headings nor quotations have a meaning there.
    Inside,
}

fn blocks_lines<'a>(nodes: impl IntoIterator<Item = &'a Node>, place: Place) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut above: Option<(bool, Marks)> = None;
    for node in nodes {
        let kind = is_ordered_list(node).filter(|_| !matches!(node, Node::Fields(_)));
        // Numbers have one form only.
        let marks = Marks::marks_below(above, kind.filter(|is_ordered| !is_ordered));
        if !lines.is_empty() {
            lines.push(String::new());
        }
        lines.extend(node_lines(node, marks, place));
        above = kind.map(|kind| (kind, marks));
    }
    lines
}

fn node_lines(node: &Node, marks: Marks, place: Place) -> Vec<String> {
    match node {
        Node::Heading { level, row } => vec![heading_markup(*level, row, place)],
        Node::Paragraph(rows) => rows.iter().map(row_markup).collect(),
        Node::List { start, items } => {
            list_lines(*start, items, marks, |item, _| list_item_lines(item))
        }
        Node::Table(table) => with_caption(
            &table.caption,
            fenced_lines("", aligned_table(table, COLUMNS)),
        ),
        Node::Chart(chart) => with_caption(
            &chart.caption,
            fenced_lines("", aligned_chart(chart, COLUMNS)),
        ),
        Node::Code {
            language, lines, ..
        } => fenced_lines(language, lines.iter().cloned().collect()),
        Node::Quote { label, nodes } => quote_lines(label.as_deref(), nodes, place),
        Node::Fields(fields) => fields.iter().map(field_markup).collect(),
        Node::Rule => vec!["─".repeat(20)],
    }
}

fn row_markup(row: &Row) -> String {
    escape_line_start(row_in_dialect(row, DISCORD))
}

fn heading_markup(level: u8, row: &Row, place: Place) -> String {
    if level <= 3 && place != Place::Inside {
        format!(
            "{} {}",
            "#".repeat(usize::from(level)),
            row_in_dialect(row, DISCORD)
        )
    } else {
        row_markup(&style_plain_pieces(row, Style::Strong))
    }
}

fn list_item_lines(item: &[Node]) -> Vec<String> {
    match item {
        [text @ Node::Paragraph(_), below @ ..] => {
            let mut lines = blocks_lines([text], Place::Inside);
            lines.extend(blocks_lines(below, Place::Inside));
            lines
        }
        all => blocks_lines(all, Place::Inside),
    }
}

fn quote_lines<'a>(
    label: Option<&str>,
    nodes: impl IntoIterator<Item = &'a Node>,
    place: Place,
) -> Vec<String> {
    let (mark, inner) = match place {
        Place::Top => ("> ", Place::Quote),
        Place::Quote | Place::Inside => ("│ ", place),
    };
    let label = label.map(|label| host_row(&format!("[{label}]"), Style::Strong));
    let mut lines = Vec::from_iter(label.map(|label| row_markup(&label)));
    lines.extend(blocks_lines(nodes, inner));
    let lines = prefix_lines(lines, mark, mark).into_iter();
    // A quotation ends at a line that is only its mark without the space.
    let kept = lines.map(|line| if line == ">" { "> ".to_owned() } else { line });
    kept.collect()
}

fn field_markup((label, value): &(Row, Row)) -> String {
    let mut row = field_label(label);
    push_text(&mut row, " ", Style::Plain);
    append_row(&mut row, value.clone());
    row_markup(&row)
}

fn with_caption(caption: &Row, block: Vec<String>) -> Vec<String> {
    let caption =
        (!caption.is_empty()).then(|| row_markup(&style_plain_pieces(caption, Style::Strong)));
    caption.into_iter().chain(block).collect()
}

fn fenced_lines(language: &str, lines: Vec<String>) -> Vec<String> {
    let lines = lines
        .iter()
        .map(|line| escape_code_mentions(line).replace("```", "``ˋ"));
    let open = format!("```{language}");
    let mut all: Vec<String> = std::iter::once(open).chain(lines).collect();
    // A block that contains only spaces would not be a block.
    if all[1..].iter().all(|line| line.trim().is_empty()) {
        all = vec![all.swap_remove(0), "─".to_owned()];
    }
    all.push("```".to_owned());
    all
}

/// One or two backticks begin a code span, three a block.
fn code_with_ticks(text: &str) -> Option<String> {
    let text = escape_code_mentions(text);
    (longest_ticks(&text) < 2).then(|| code_span(&text))
}

/// Separates the signs of mentions from their names. Servers may search for mentions in code too.
fn escape_code_mentions(text: &str) -> String {
    break_mentions(text)
        .replace("<@", "< @")
        .replace("<#", "< #")
}

/// Separates the sign from the words that call everybody.
fn break_mentions(text: &str) -> String {
    let calls = |rest: &str| {
        let begins = |word: &str| {
            rest.get(..word.len())
                .is_some_and(|start| start.eq_ignore_ascii_case(word))
        };
        begins("everyone") || begins("here")
    };
    let mut out = String::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        out.push(c);
        if c == '@' && calls(&text[at + 1..]) {
            out.push(' ');
        }
    }
    out
}

/// Returns a gated text with every sign escaped that the dialect reads.
///
/// Colons are escaped unless a space or the end follows, points only before letters: elsewhere they make no emoji and
/// no link.
fn escape(text: &str) -> String {
    let text = break_mentions(text);
    let mut out = String::with_capacity(text.len() + 8);
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let next = rest.peek().copied();
        let is_read = match c {
            '\\' | '`' | '*' | '_' | '~' | '|' | '[' | ']' | '<' | '>' | '#' | '@' => true,
            ':' => next.is_some_and(|next| !next.is_whitespace()),
            '.' => next.is_some_and(char::is_alphabetic),
            _ => false,
        };
        if is_read {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests;
