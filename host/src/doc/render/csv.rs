//! Writes a document as CSV (RFC 4180) for spreadsheets: one table after another.
//!
//! Tables, fields, charts and nested lists keep their columns. Any other text is a record of one cell. There is an
//! empty line between two blocks, and a record with the audience above blocks for some readers. Spreadsheets run a cell
//! that begins with `= + - @`, a tab or a return as a formula. Some do so after spaces or after a line end in a cell
//! too. Each such line of a cell gets a `'` in front, but a plain number does not.

use super::node::{Cell, Node, document_nodes, plain_text};
use crate::doc::Document;
use crate::doc::gated_rows::Row;

type Record = Vec<String>;

/// Returns the document as CSV. Each record, the last one too, ends with CR LF.
pub fn csv(document: &Document) -> String {
    blocks_records(&document_nodes(document))
        .iter()
        .map(record_line)
        .collect()
}

fn blocks_records<'a>(nodes: impl IntoIterator<Item = &'a Node>) -> Vec<Record> {
    let mut records: Vec<Record> = Vec::new();
    for node in nodes {
        let made = block_records(node);
        if !records.is_empty() && !made.is_empty() {
            records.push(Record::new());
        }
        records.extend(made);
    }
    records
}

fn block_records(node: &Node) -> Vec<Record> {
    match node {
        Node::Heading { row, .. } => vec![vec![plain_text(row)]],
        Node::Paragraph(rows) => rows.iter().map(|row| vec![plain_text(row)]).collect(),
        Node::List { start, items } => {
            let items = items.iter().enumerate();
            items
                .flat_map(|(at, item)| list_item_records(start.map(|start| start + at), item))
                .collect()
        }
        Node::Table(table) => {
            let head = table.head.iter();
            let records = head.chain(&table.rows);
            let records = records.map(|cells| cells.iter().map(cell_text).collect());
            with_caption(&table.caption, records)
        }
        Node::Chart(chart) => {
            let bars = chart.bars.iter();
            let records = bars.map(|bar| vec![plain_text(&bar.label), plain_text(&bar.text)]);
            with_caption(&chart.caption, records)
        }
        Node::Code { lines, .. } => lines.iter().map(|line| vec![line.clone()]).collect(),
        Node::Quote { label, nodes } => {
            let mut records =
                Vec::from_iter(label.as_ref().map(|label| vec![format!("[{label}]")]));
            records.extend(blocks_records(nodes));
            records
        }
        Node::Fields(fields) => {
            let fields = fields.iter();
            fields
                .map(|(label, value)| vec![plain_text(label), plain_text(value)])
                .collect()
        }
        Node::Rule => Vec::new(),
    }
}

/// Returns the records of an item. Its number has a cell of its own; the content below it is one cell further right.
fn list_item_records(number: Option<usize>, item: &[Node]) -> Vec<Record> {
    let (own, below) = match item {
        [own @ Node::Paragraph(_), below @ ..] => (block_records(own), below),
        all => (Vec::new(), all),
    };
    let mut records = own;
    for node in below {
        let indented = block_records(node).into_iter().map(|record| {
            let mut cells = vec![String::new()];
            cells.extend(record);
            cells
        });
        records.extend(indented);
    }
    if let Some(number) = number {
        for (at, record) in records.iter_mut().enumerate() {
            let cell = if at == 0 {
                number.to_string()
            } else {
                String::new()
            };
            record.insert(0, cell);
        }
    }
    records
}

fn with_caption(caption: &Row, records: impl Iterator<Item = Record>) -> Vec<Record> {
    let caption = (!caption.is_empty()).then(|| vec![plain_text(caption)]);
    caption.into_iter().chain(records).collect()
}

fn cell_text(cell: &Cell) -> String {
    let rows: Vec<String> = cell.iter().map(plain_text).collect();
    rows.join("\n")
}

fn record_line(record: &Record) -> String {
    let cells: Vec<String> = record
        .iter()
        .map(|cell| quote_cell(&defuse_formulas(cell)))
        .collect();
    cells.join(",") + "\r\n"
}

/// Returns the text of a cell with a `'` before each line that a spreadsheet would run.
fn defuse_formulas(cell: &str) -> String {
    let line = |line: &str| {
        if is_formula(line) {
            format!("'{line}")
        } else {
            line.to_owned()
        }
    };
    cell.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

fn is_formula(line: &str) -> bool {
    let start = line.trim_start_matches(|c: char| c.is_whitespace() || is_quote(c));
    let signs = ['=', '+', '-', '@', '＝', '＋', '－', '＠', '\t', '\r'];
    // A dash alone means nothing, and runs nothing.
    start.starts_with(signs) && !is_number(line) && line != "-"
}

/// Returns whether a character is a quote. Some readers drop quotes in front and run the text after them. A `'` of the
/// text must stay distinct from the `'` that is added.
fn is_quote(c: char) -> bool {
    c == '"' || c == '\''
}

fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (whole, part) = digits.split_once('.').unwrap_or((digits, "0"));
    let all = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    all(whole) && all(part)
}

fn quote_cell(cell: &str) -> String {
    let is_plain = |c: char| !matches!(c, ',' | '"' | '\n' | '\r' | ';');
    let blank_ends = cell.trim() != cell;
    if cell.chars().all(is_plain) && !blank_ends {
        cell.to_owned()
    } else {
        format!("\"{}\"", cell.replace('"', "\"\""))
    }
}

#[cfg(test)]
mod tests;
