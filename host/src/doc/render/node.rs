//! The nodes that the formats for posts and files share: a document after the gate, ready to be written.
//!
//! In: a document for one reader. Out: nodes whose texts are gated, cut and trimmed, without empty ones. Nothing here
//! depends on a format: renderers do the escaping and the marks. Parts that may be long are in a `VecDeque`, so that
//! posts can take from its front.

use std::collections::VecDeque;

use super::terminal::{bar_share, bar_value};
use crate::doc::gated_map::gated_map_lines;
use crate::doc::gated_rows::{
    Piece, Row, audience_label, gated_rows, gated_single_row, host_piece, push_text,
};
use crate::doc::hidden_character_gate::{gate, gate_single_line};
use crate::doc::limit::DEPTH;
use crate::doc::{
    Align, Audience, Bars, Block, Document, Field, GridCell, GridMap, GridRow, Item, Line, Style,
};
use crate::value::Number;

/// The text of a cell: one row for each of its lines; none if it is empty.
pub type Cell = Vec<Row>;

/// One block, ready to be written.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// A heading; 1 is the largest, 6 the smallest.
    Heading {
        /// 1 to 6.
        level: u8,
        /// Its text.
        row: Row,
    },
    /// Lines of text, at least one and none empty.
    Paragraph(Vec<Row>),
    /// A list, with the number of its first item if it has numbers. The first part of an item is its text.
    List {
        /// The number of the first item, if items have numbers.
        start: Option<usize>,
        /// The items.
        items: VecDeque<Vec<Node>>,
    },
    /// A table.
    Table(Grid),
    /// A bar chart.
    Chart(Chart),
    /// Text that is shown unchanged; the text of a map has its picture too.
    Code {
        /// The name of its language; may be empty.
        language: String,
        /// Its lines.
        lines: VecDeque<String>,
        /// The map that the lines show.
        picture: Option<Box<GridMap>>,
    },
    /// A quotation, or blocks for some readers, whom the label names.
    Quote {
        /// The readers, if not everybody.
        label: Option<String>,
        /// The content.
        nodes: VecDeque<Node>,
    },
    /// Labels with values.
    Fields(VecDeque<(Row, Row)>),
    /// A line across.
    Rule,
}

/// A table of at least one column.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    /// Shown above it; may be empty.
    pub caption: Row,
    /// The titles of its columns; none if all are empty.
    pub head: Option<Vec<Cell>>,
    /// Its columns.
    pub aligns: Vec<Align>,
    /// Its rows, each with a cell for every column.
    pub rows: VecDeque<Vec<Cell>>,
}

/// A bar chart with at least one bar.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// Shown above it; may be empty.
    pub caption: Row,
    /// Its bars, from the top.
    pub bars: VecDeque<Measure>,
}

/// One bar of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Measure {
    /// Its label.
    pub label: Row,
    /// The value in the form for people.
    pub text: Row,
    /// Its length as its author wrote it.
    pub value: f64,
    /// Its share of the longest bar, 0 to 1.
    pub share: f64,
}

impl Chart {
    /// Returns the labels and values as a table without titles.
    pub(super) fn grid(&self) -> Grid {
        let row = |bar: &Measure| vec![cell_of_row(&bar.label), cell_of_row(&bar.text)];
        let is_number = |bar: &Measure| plain_text(&bar.label).parse::<Number>().is_ok();
        let counted = self.bars.iter().all(is_number);
        let labels = if counted { Align::Right } else { Align::Left };
        Grid {
            caption: self.caption.clone(),
            head: None,
            aligns: vec![labels, Align::Right],
            rows: self.bars.iter().map(row).collect(),
        }
    }
}

/// Returns the content of a document, without its audience and data.
pub fn document_nodes(document: &Document) -> Vec<Node> {
    blocks_to_nodes(&document.blocks, 1)
}

/// Returns the row with another style for its plain pieces.
pub(super) fn style_plain_pieces(row: &Row, style: Style) -> Row {
    let mut out = Row::new();
    for Piece { text, style: own } in row {
        let style = if *own == Style::Plain { style } else { *own };
        push_text(&mut out, text, style);
    }
    out
}

/// Returns the label of a field with its colon, all of it strong.
pub(super) fn field_label(label: &Row) -> Row {
    let mut name = label.clone();
    push_text(&mut name, ":", Style::Plain);
    style_plain_pieces(&name, Style::Strong)
}

/// Returns a row of text of the host.
pub(super) fn host_row(text: &str, style: Style) -> Row {
    vec![host_piece(text, style)]
}

/// Returns the text of a row without its styles.
pub(super) fn plain_text(row: &Row) -> String {
    row.iter().map(|piece| piece.text.as_str()).collect()
}

/// Returns the row without spaces at its ends; empty if there are only spaces.
pub(super) fn trim_row(mut row: Row) -> Row {
    while let Some(first) = row.first_mut() {
        let kept = first.text.trim_start().len();
        first.text.drain(..first.text.len() - kept);
        if kept > 0 {
            break;
        }
        row.remove(0);
    }
    while let Some(last) = row.last_mut() {
        let kept = last.text.trim_end().len();
        last.text.truncate(kept);
        if kept > 0 {
            break;
        }
        row.pop();
    }
    row
}

fn blocks_to_nodes(all: &[Block], depth: usize) -> Vec<Node> {
    if depth > DEPTH && !all.is_empty() {
        return vec![Node::Paragraph(vec![host_row("…", Style::Plain)])];
    }
    all.iter()
        .flat_map(|one| block_to_nodes(one, depth))
        .collect()
}

fn block_to_nodes(block: &Block, depth: usize) -> Vec<Node> {
    match block {
        Block::Heading { level, line } => {
            let (level, row) = ((*level).clamp(1, 6), trimmed_single_row(line));
            node_if(!row.is_empty(), Node::Heading { level, row })
        }
        Block::Paragraph(line) => paragraph_nodes(line),
        Block::List { ordered, items } => {
            let made = Node::List {
                start: ordered.then_some(1),
                items: items.iter().map(|one| item_nodes(one, depth)).collect(),
            };
            node_if(!items.is_empty(), made)
        }
        Block::Table(table) => table_nodes(table),
        Block::Bars(bars) => chart_nodes(bars),
        Block::Grid(map) => vec![map_node(map)],
        Block::Code { language, text } => vec![code_node(language, text)],
        Block::Quote(inner) => quote_nodes(None, inner, depth),
        Block::Fields(fields) => {
            let pair = |field: &Field| {
                (
                    trimmed_single_row(&field.label),
                    trimmed_single_row(&field.value),
                )
            };
            let pairs = fields.iter().map(pair).collect();
            node_if(!fields.is_empty(), Node::Fields(pairs))
        }
        Block::Rule => vec![Node::Rule],
        Block::For { audience, blocks } if *audience == Audience::Public => {
            blocks_to_nodes(blocks, depth + 1)
        }
        Block::For { audience, blocks } => {
            quote_nodes(Some(audience_label(audience)), blocks, depth)
        }
    }
}

fn node_if(is_wanted: bool, node: Node) -> Vec<Node> {
    Vec::from_iter(is_wanted.then_some(node))
}

/// Returns a line as paragraphs, separated at empty rows.
fn paragraph_nodes(line: &Line) -> Vec<Node> {
    let rows: Vec<Row> = gated_rows(line).into_iter().map(trim_row).collect();
    let parts = rows.split(Vec::is_empty).filter(|part| !part.is_empty());
    parts.map(|part| Node::Paragraph(part.to_vec())).collect()
}

fn item_nodes(item: &Item, depth: usize) -> Vec<Node> {
    let mut nodes = paragraph_nodes(&item.line);
    nodes.extend(blocks_to_nodes(&item.blocks, depth + 1));
    nodes
}

fn quote_nodes(label: Option<String>, inner: &[Block], depth: usize) -> Vec<Node> {
    let nodes: VecDeque<Node> = blocks_to_nodes(inner, depth + 1).into();
    let is_wanted = label.is_some() || !nodes.is_empty();
    node_if(is_wanted, Node::Quote { label, nodes })
}

fn table_nodes(table: &crate::doc::Table) -> Vec<Node> {
    let width = table.column_count();
    let caption = trimmed_single_row(&table.caption);
    let titles: Vec<Cell> = (0..width)
        .map(|at| table.columns.get(at))
        .map(|column| column.map(|column| cell_rows(&column.title)))
        .map(Option::unwrap_or_default)
        .collect();
    let titled = titles.iter().any(|title| !title.is_empty());
    let row = |cells: &Vec<Line>| {
        let mut cells: Vec<Cell> = cells.iter().map(cell_rows).collect();
        cells.resize_with(width, Cell::new);
        cells
    };
    if width == 0 || (!titled && table.rows.is_empty()) {
        return node_if(!caption.is_empty(), Node::Paragraph(vec![caption]));
    }
    vec![Node::Table(Grid {
        caption,
        head: titled.then_some(titles),
        aligns: (0..width).map(|at| table.column_align(at)).collect(),
        rows: table.rows.iter().map(row).collect(),
    })]
}

fn chart_nodes(chart: &Bars) -> Vec<Node> {
    let caption = trimmed_single_row(&chart.caption);
    if chart.bars.is_empty() {
        return node_if(!caption.is_empty(), Node::Paragraph(vec![caption]));
    }
    let largest = chart.bars.iter().map(|bar| bar.value).max();
    let bars = chart.bars.iter().map(|bar| Measure {
        label: trimmed_single_row(&bar.label),
        text: trimmed_single_row(&bar_value(bar)),
        value: bar.value.to_f64(),
        share: largest.map_or(0.0, |largest| bar_share(bar.value, largest)),
    });
    let bars = bars.collect();
    vec![Node::Chart(Chart { caption, bars })]
}

/// The maximum number of letters in the language name of a code block.
const LANGUAGE: usize = 20;

fn code_node(language: &str, text: &str) -> Node {
    let gated = gate(text);
    let gated = gated.strip_suffix('\n').unwrap_or(&gated);
    let is_plain = |c: &char| c.is_ascii_alphanumeric() || "_+#.-".contains(*c);
    Node::Code {
        language: language.chars().filter(is_plain).take(LANGUAGE).collect(),
        lines: gated.split('\n').map(str::to_owned).collect(),
        picture: None,
    }
}

/// Returns a map as its text and its gated picture.
fn map_node(map: &GridMap) -> Node {
    let text = |text: &String| gate_single_line(text).into_owned();
    let cell = |cell: &GridCell| GridCell {
        mark: text(&cell.mark),
        kind: text(&cell.kind),
        label: text(&cell.label),
    };
    let row = |row: &GridRow| GridRow {
        label: text(&row.label),
        cells: row.cells.iter().map(cell).collect(),
    };
    Node::Code {
        language: String::new(),
        lines: gated_map_lines(map).into(),
        picture: Some(Box::new(GridMap {
            title: text(&map.title),
            rows: map.rows.iter().map(row).collect(),
            columns: map.columns.iter().map(text).collect(),
            below: String::new(),
        })),
    }
}

fn trimmed_single_row(line: &Line) -> Row {
    trim_row(gated_single_row(line))
}

fn cell_of_row(row: &Row) -> Cell {
    Vec::from_iter((!row.is_empty()).then(|| row.clone()))
}

fn cell_rows(line: &Line) -> Cell {
    let rows: Cell = gated_rows(line).into_iter().map(trim_row).collect();
    if rows.iter().all(Vec::is_empty) {
        Cell::new()
    } else {
        rows
    }
}

#[cfg(test)]
mod tests;
