//! Shows the tables of messages in a log: a line only names a table, and the table follows below all lines.

use host::doc::build::paragraph;
use host::doc::{Block, Document, Table, plain};
use host::game::Entry;

/// The text in a line in place of a table.
const TABLE: &str = "(a table)";
/// The maximum number of shown rows of a table. Further rows are only counted.
const ROWS: usize = 20;

/// Returns a document on one line, without its tables.
pub(super) fn document_on_one_line(document: &Document) -> String {
    let mut rest = document.clone();
    for table in take_tables(&mut rest.blocks) {
        let title = table.caption.clone();
        let mark = match title.is_empty() {
            true => paragraph(TABLE),
            false => Block::Paragraph(title),
        };
        rest.blocks.push(mark);
    }
    headings_to_sentences(&mut rest.blocks);
    let text = plain(&rest);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the tables in the messages of lines, each after the number of its line.
pub(super) fn tables_of_entries<'a>(entries: impl Iterator<Item = &'a Entry<'a>>) -> Vec<Block> {
    let mut blocks = Vec::new();
    for entry in entries {
        let documents = entry.documents.iter();
        let tables = documents.flat_map(|document| take_tables(&mut document.blocks.clone()));
        for table in tables {
            blocks.extend(numbered_table(entry.number, table));
        }
    }
    blocks
}

fn numbered_table(number: u64, mut table: Table) -> Vec<Block> {
    let more = table.rows.len().saturating_sub(ROWS);
    table.rows.truncate(ROWS);
    let left_out = paragraph(format!("{more} more rows; `post {number}` shows all"));
    let caption = Document::new([Block::Paragraph(std::mem::take(&mut table.caption))]);
    table.caption = match plain(&caption).as_str() {
        "" => format!("line {number}").into(),
        caption => format!("line {number}: {caption}").into(),
    };
    let mut blocks = vec![Block::Table(table)];
    blocks.extend((more > 0).then_some(left_out));
    blocks
}

/// Turns headings into sentences. In other places headings are underlined.
fn headings_to_sentences(blocks: &mut Vec<Block>) {
    blocks.retain(|block| *block != Block::Rule);
    for block in blocks {
        match block {
            Block::Heading { line, .. } => {
                let title = Block::Paragraph(std::mem::take(line));
                let title = plain(&Document::new([title]));
                *block = paragraph(format!("{}:", title.trim_end_matches([':', '.'])));
            }
            Block::Quote(inner) | Block::For { blocks: inner, .. } => headings_to_sentences(inner),
            Block::List { items, .. } => {
                items
                    .iter_mut()
                    .for_each(|item| headings_to_sentences(&mut item.blocks));
            }
            Block::Paragraph(_)
            | Block::Table(_)
            | Block::Bars(_)
            | Block::Grid(_)
            | Block::Code { .. }
            | Block::Fields(_)
            | Block::Rule => {}
        }
    }
}

/// Removes the tables from blocks and nested blocks, and returns them in order.
fn take_tables(blocks: &mut Vec<Block>) -> Vec<Table> {
    let mut tables = Vec::new();
    let mut rest = Vec::with_capacity(blocks.len());
    for mut block in std::mem::take(blocks) {
        match &mut block {
            Block::Table(table) => {
                tables.push(std::mem::take(table));
                continue;
            }
            Block::Quote(inner) | Block::For { blocks: inner, .. } => {
                tables.extend(take_tables(inner));
                if inner.is_empty() {
                    continue;
                }
            }
            Block::List { items, .. } => {
                for item in items {
                    tables.extend(take_tables(&mut item.blocks));
                }
            }
            Block::Heading { .. }
            | Block::Paragraph(_)
            | Block::Bars(_)
            | Block::Grid(_)
            | Block::Code { .. }
            | Block::Fields(_)
            | Block::Rule => {}
        }
        rest.push(block);
    }
    *blocks = rest;
    tables
}

#[cfg(test)]
mod tests {
    use host::doc::build::{heading, table};

    use super::*;

    #[test]
    fn a_line_names_a_table_and_its_cells_stand_elsewhere() {
        let shown = table(["who", "what"]).row(["Ann", "a lamp"]);
        let quoted = Block::Quote(vec![shown.clone().into()]);
        let title = heading(2, "Night 1");
        let has = paragraph("What you have:");
        let document = Document::new([title, Block::Rule, has, quoted, shown.into()]);
        assert_eq!(
            document_on_one_line(&document),
            "Night 1: What you have: (a table) (a table)"
        );
        assert_eq!(take_tables(&mut document.blocks.clone()).len(), 2);
    }
}
