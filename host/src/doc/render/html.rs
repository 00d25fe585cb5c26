//! Writes a document as a fragment of HTML: one `article`, to be put into a page.
//!
//! Content is marked by its meaning (`h2` to `h6`, `ol`, `table`, `blockquote`, `dl`, `meter`). Colours are classes of
//! the stylesheet of [`page()`]. The first heading of a document is an `h2`, because the page has the `h1`. Every text
//! has `& < > " '` escaped, in attributes too. No part of a document becomes an address.

use super::node::{Cell, Chart, Grid, Measure, Node, document_nodes, host_row};
use crate::doc::gated_rows::Row;
use crate::doc::{Align, Document, Style};

mod page;

pub use page::{Link, Page, Section, page};

/// Returns the document as one `article`, without a final line end.
pub fn html(document: &Document) -> String {
    write_nodes(&document_nodes(document))
}

/// Returns nodes as one `article`.
pub(super) fn write_nodes(nodes: &[Node]) -> String {
    let mut lines = vec!["<article>".to_owned()];
    lines.extend(blocks_html(nodes));
    lines.push("</article>".to_owned());
    lines.join("\n")
}

fn blocks_html<'a>(nodes: impl IntoIterator<Item = &'a Node>) -> Vec<String> {
    nodes.into_iter().flat_map(block_html).collect()
}

fn block_html(node: &Node) -> Vec<String> {
    match node {
        Node::Heading { level, row } => {
            let level = (level + 1).min(6);
            vec![format!("<h{level}>{}</h{level}>", row_html(row))]
        }
        Node::Paragraph(rows) => vec![format!("<p>{}</p>", rows_with_breaks(rows))],
        Node::List { start, items } => {
            let (open, close) = match start {
                None => ("<ul>".to_owned(), "</ul>"),
                Some(1) => ("<ol>".to_owned(), "</ol>"),
                Some(start) => (format!("<ol start=\"{start}\">"), "</ol>"),
            };
            let items = items.iter().flat_map(|item| list_item_html(item));
            wrap_in_tags(open, items, close)
        }
        Node::Table(table) => table_html(table),
        Node::Chart(chart) => chart_html(chart),
        Node::Code {
            language, lines, ..
        } => vec![code_html(language, lines)],
        Node::Quote { label: None, nodes } => wrap_in_tags(
            "<blockquote>".to_owned(),
            blocks_html(nodes),
            "</blockquote>",
        ),
        Node::Quote {
            label: Some(label),
            nodes,
        } => {
            let label = row_html(&host_row(&format!("[{label}]"), Style::Strong));
            let lines = std::iter::once(format!("<p>{label}</p>")).chain(blocks_html(nodes));
            wrap_in_tags("<aside>".to_owned(), lines, "</aside>")
        }
        Node::Fields(fields) => {
            let field = |(label, value): &(Row, Row)| {
                format!("<dt>{}</dt><dd>{}</dd>", row_html(label), row_html(value))
            };
            wrap_in_tags("<dl>".to_owned(), fields.iter().map(field), "</dl>")
        }
        Node::Rule => vec!["<hr>".to_owned()],
    }
}

fn wrap_in_tags(
    open: String,
    lines: impl IntoIterator<Item = String>,
    close: &'static str,
) -> Vec<String> {
    let mut all = vec![open];
    all.extend(lines);
    all.push(close.to_owned());
    all
}

fn list_item_html(item: &[Node]) -> Vec<String> {
    let (text, below) = match item {
        [Node::Paragraph(rows), below @ ..] => (rows_with_breaks(rows), below),
        all => (String::new(), all),
    };
    if below.is_empty() {
        return vec![format!("<li>{text}</li>")];
    }
    wrap_in_tags(format!("<li>{text}"), blocks_html(below), "</li>")
}

fn table_html(table: &Grid) -> Vec<String> {
    let mut lines = vec!["<table>".to_owned()];
    lines.extend(caption_html(&table.caption));
    let row = |cells: &Vec<Cell>, (open, close): (&str, &str)| {
        let cells = cells.iter().zip(&table.aligns);
        let cells = cells.map(|(cell, align)| {
            let class = align_class(*align);
            format!("<{open}{class}>{}</{close}>", rows_with_breaks(cell))
        });
        format!("<tr>{}</tr>", cells.collect::<String>())
    };
    if let Some(titles) = &table.head {
        let titles = row(titles, ("th scope=\"col\"", "th"));
        lines.push(format!("<thead>{titles}</thead>"));
    }
    let rows = table.rows.iter().map(|cells| row(cells, ("td", "td")));
    if !table.rows.is_empty() {
        lines.extend(wrap_in_tags("<tbody>".to_owned(), rows, "</tbody>"));
    }
    lines.push("</table>".to_owned());
    lines
}

/// Draws a chart. The bar is a `meter`: readers without its picture get the value beside it.
fn chart_html(chart: &Chart) -> Vec<String> {
    let class = align_class(chart.grid().aligns[0]);
    let bar = |bar: &Measure| {
        let (label, text) = (row_html(&bar.label), row_html(&bar.text));
        let share = bar.share;
        format!(
            "<tr><th scope=\"row\"{class}>{label}</th><td class=\"right\">{text}</td>\
             <td><meter value=\"{share:.3}\"></meter></td></tr>"
        )
    };
    let mut lines = vec!["<table>".to_owned()];
    lines.extend(caption_html(&chart.caption));
    lines.extend(wrap_in_tags(
        "<tbody>".to_owned(),
        chart.bars.iter().map(bar),
        "</tbody>",
    ));
    lines.push("</table>".to_owned());
    lines
}

fn caption_html(row: &Row) -> Option<String> {
    (!row.is_empty()).then(|| format!("<caption>{}</caption>", row_html(row)))
}

fn align_class(align: Align) -> &'static str {
    match align {
        Align::Left => "",
        Align::Right => " class=\"right\"",
        Align::Center => " class=\"center\"",
    }
}

fn code_html<'a>(language: &str, lines: impl IntoIterator<Item = &'a String>) -> String {
    let class = if language.is_empty() {
        String::new()
    } else {
        format!(" class=\"language-{language}\"")
    };
    let lines: Vec<String> = lines.into_iter().map(|line| escape_text(line)).collect();
    format!("<pre><code{class}>{}</code></pre>", lines.join("\n"))
}

fn rows_with_breaks(rows: &[Row]) -> String {
    let rows: Vec<String> = rows.iter().map(row_html).collect();
    rows.join("<br>")
}

fn row_html(row: &Row) -> String {
    let mut out = String::new();
    for piece in row {
        let text = escape_text(&piece.text);
        let (open, close) = style_tags(piece.style);
        out.extend([open, &text, close]);
    }
    out
}

fn style_tags(style: Style) -> (&'static str, &'static str) {
    match style {
        Style::Plain | Style::LogLine => ("", ""),
        Style::Strong => ("<strong>", "</strong>"),
        Style::Emphasis => ("<em>", "</em>"),
        Style::Strike => ("<s>", "</s>"),
        Style::Code => ("<code>", "</code>"),
        Style::Muted => ("<span class=\"muted\">", "</span>"),
        Style::Good => ("<span class=\"good\">", "</span>"),
        Style::Warn => ("<span class=\"warn\">", "</span>"),
        Style::Bad => ("<span class=\"bad\">", "</span>"),
    }
}

/// Returns a gated text for an element or a quoted attribute.
fn escape_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests;
