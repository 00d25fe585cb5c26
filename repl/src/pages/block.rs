//! Blocks of a document as HTML. The texts are gated already; the templates escape them.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use host::doc::node::{Cell as TableCell, Node, document_nodes};
use host::doc::{Align, Document, Row, Style};
use host::words::Words;
use maud::{Markup, html};

use super::{chart, grid, table};

/// Where blocks are written: the level of headings, and the names of regions, which are unique on a page.
pub(super) struct Canvas {
    words: Arc<Words>,
    /// The level of the heading above.
    above: u8,
    /// The levels of the headings of the document that are open, as its author wrote them.
    open: RefCell<Vec<u8>>,
    regions: Cell<usize>,
}

impl Canvas {
    /// Returns a canvas below a heading of a level.
    pub(super) fn below_heading(above: u8, words: &Arc<Words>) -> Canvas {
        Canvas {
            words: Arc::clone(words),
            above,
            open: RefCell::default(),
            regions: Cell::default(),
        }
    }

    /// Returns the words of the page.
    pub(super) fn words(&self) -> &Words {
        &self.words
    }

    /// Returns the number of another region of the page, from 1.
    pub(super) fn next_region(&self) -> usize {
        self.regions.set(self.regions.get() + 1);
        self.regions.get()
    }

    /// Returns a document, without its audience.
    pub(super) fn document(&self, document: &Document) -> Markup {
        self.open.borrow_mut().clear();
        self.nodes(&document_nodes(document))
    }

    pub(super) fn nodes<'a>(&self, nodes: impl IntoIterator<Item = &'a Node>) -> Markup {
        html! { @for node in nodes { (self.node(node)) } }
    }

    fn node(&self, node: &Node) -> Markup {
        match node {
            Node::Heading { level, row } => self.heading(*level, row),
            Node::Paragraph(rows) => html! { p { (lines(rows)) } },
            Node::List { start, items } => self.list(*start, items.iter().map(Vec::as_slice)),
            Node::Table(grid) => table::table(self, grid),
            Node::Chart(bars) => chart::figure(self, bars),
            Node::Code {
                picture: Some(map),
                lines,
                ..
            } => {
                let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
                grid::map(self, map, &lines.join("\n"))
            }
            Node::Code { lines, .. } => {
                let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
                html! { pre { code { (lines.join("\n")) } } }
            }
            Node::Quote { label: None, nodes } => html! { blockquote { (self.nodes(nodes)) } },
            Node::Quote {
                label: Some(label),
                nodes,
            } => html! {
                div.private { p.reader { (reader_label(label, &self.words)) } (self.nodes(nodes)) }
            },
            Node::Fields(fields) => html! {
                dl { @for (label, value) in fields { div { dt { (row(label)) } dd { (row(value)) } } } }
            },
            Node::Rule => html! { hr; },
        }
    }

    /// Writes a heading one level below the heading that is above it, however many levels its author left out.
    fn heading(&self, level: u8, text: &Row) -> Markup {
        let mut open = self.open.borrow_mut();
        while open.last().is_some_and(|last| *last >= level) {
            open.pop();
        }
        open.push(level);
        let depth = u8::try_from(open.len()).unwrap_or(u8::MAX);
        let text = row(text);
        match self.above.saturating_add(depth) {
            0..=2 => html! { h2 { (text) } },
            3 => html! { h3 { (text) } },
            4 => html! { h4 { (text) } },
            5 => html! { h5 { (text) } },
            _ => html! { h6 { (text) } },
        }
    }

    fn list<'a>(&self, start: Option<usize>, items: impl Iterator<Item = &'a [Node]>) -> Markup {
        let items = html! { @for item in items { (self.item(item)) } };
        match start {
            None => html! { ul { (items) } },
            Some(1) => html! { ol { (items) } },
            Some(start) => html! { ol start=(start) { (items) } },
        }
    }

    fn item(&self, nodes: &[Node]) -> Markup {
        match nodes {
            [Node::Paragraph(rows), below @ ..] => {
                html! { li { (lines(rows)) (self.nodes(below)) } }
            }
            all => html! { li { (self.nodes(all)) } },
        }
    }
}

/// Returns the words for the readers of a part.
pub(super) fn reader_label(audience: &str, words: &Words) -> String {
    match audience {
        "gm" => words.text("reader.label_gm"),
        other => match other.strip_prefix("group:") {
            Some(group) => words.fill("reader.label_group", &[("group", &group)]),
            None => {
                let name = other.strip_prefix("seat:").unwrap_or(other);
                words.fill("reader.label_seat", &[("name", &name)])
            }
        },
    }
}

/// Returns the rows of a cell or a paragraph, with line breaks.
pub(super) fn lines(rows: &TableCell) -> Markup {
    html! {
        @for (at, one) in rows.iter().enumerate() {
            @if at > 0 { br; }
            (row(one))
        }
    }
}

/// Returns a row of text with its styles.
pub(super) fn row(row: &Row) -> Markup {
    html! {
        @for piece in row {
            @match piece.style {
                Style::Plain | Style::LogLine => (piece.text),
                Style::Strong => strong { (piece.text) },
                Style::Emphasis => em { (piece.text) },
                Style::Strike => s { (piece.text) },
                Style::Code => code { (piece.text) },
                Style::Muted => span.muted { (piece.text) },
                Style::Good => span.good { (piece.text) },
                Style::Warn => span.warn { (piece.text) },
                Style::Bad => span.bad { (piece.text) },
            }
        }
    }
}

/// Returns the class of an alignment.
pub(super) fn align_class(align: Align) -> Option<&'static str> {
    match align {
        Align::Left => None,
        Align::Right => Some("right"),
        Align::Center => Some("center"),
    }
}

#[cfg(test)]
mod tests {
    use host::doc::build::{heading, paragraph, strong};

    use super::*;

    fn shown(blocks: Vec<host::doc::Block>) -> String {
        Canvas::below_heading(2, &Words::english())
            .document(&Document::new(blocks))
            .into_string()
    }

    #[test]
    fn headings_never_skip_a_level() {
        let levels = [2, 5, 5, 1, 6];
        let text = shown(levels.map(|level| heading(level, "x")).to_vec());
        assert_eq!(text, "<h3>x</h3><h4>x</h4><h4>x</h4><h3>x</h3><h4>x</h4>");
    }

    #[test]
    fn texts_are_escaped_and_line_ends_are_breaks() {
        let text = shown(vec![paragraph(strong("a<b\n\"c\"&"))]);
        assert_eq!(
            text,
            "<p><strong>a&lt;b</strong><br><strong>&quot;c&quot;&amp;</strong></p>"
        );
    }
}
