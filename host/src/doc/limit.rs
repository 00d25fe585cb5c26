//! Measures documents: the size of a finished document and its depth of nesting.

use super::{Block, Document, Field, GridCell, GridMap, Item, Line};
use crate::diag::Diagnostic;
use crate::value::Value;

/// Most bytes of a finished document.
pub const SIZE: usize = 8 * 1024 * 1024;

/// Deepest nesting of blocks, and of data.
pub const DEPTH: usize = 16;

/// Bytes that every block, row, cell, span, line end and value counts beside its text: an empty one costs memory too.
const NODE: usize = 16;

impl Document {
    /// Returns the size that counts against [`SIZE`]: bytes of text and 16 for each part and line end.
    ///
    /// Parts deeper than [`DEPTH`] are not counted; [`Document::check_limits`] refuses them.
    pub fn size_in_limit(&self) -> usize {
        let mut measure = Measure::default();
        measure.count_document(self);
        measure.size
    }

    /// Checks a finished document. Errors: `limit/output`, `limit/depth`.
    pub fn check_limits(&self) -> Result<(), Box<Diagnostic>> {
        let mut measure = Measure::default();
        measure.count_document(self);
        if measure.too_deep {
            Err(too_deep_finding())
        } else if measure.size > SIZE {
            let found = format!("the document has {} bytes", measure.size);
            let hint = format!("a document may have {SIZE} bytes: split it into several documents");
            Err(Box::new(
                Diagnostic::error("limit/output", found).hint(hint),
            ))
        } else {
            Ok(())
        }
    }
}

/// Returns the finding about nesting.
pub(super) fn too_deep_finding() -> Box<Diagnostic> {
    let found = format!("the document is nested more than {DEPTH} levels deep");
    Box::new(Diagnostic::error("limit/depth", found))
}

#[derive(Default)]
struct Measure {
    size: usize,
    too_deep: bool,
}

impl Measure {
    fn count_document(&mut self, document: &Document) {
        self.count_blocks(&document.blocks, 1);
        if let Some(tally) = &document.tally {
            let texts = [Some(&tally.of), Some(&tally.by), tally.choice.as_ref()];
            texts
                .into_iter()
                .flatten()
                .for_each(|one| self.count_text(one));
        }
        if let Some(data) = &document.data {
            self.count_value(data, 0);
        }
    }

    fn count_blocks(&mut self, blocks: &[Block], depth: usize) {
        if depth > DEPTH {
            self.too_deep |= !blocks.is_empty();
            return;
        }
        for block in blocks {
            self.count_block(block, depth);
        }
    }

    fn count_block(&mut self, block: &Block, depth: usize) {
        self.size += NODE;
        match block {
            Block::Heading { line, .. } | Block::Paragraph(line) => self.count_line(line),
            Block::List { items, .. } => {
                for Item { line, blocks } in items {
                    self.count_line(line);
                    self.count_blocks(blocks, depth + 1);
                }
            }
            Block::Table(table) => {
                self.count_line(&table.caption);
                self.count_lines(table.columns.iter().map(|column| &column.title));
                self.size += NODE * table.rows.len();
                self.count_lines(table.rows.iter().flatten());
            }
            Block::Bars(chart) => {
                self.count_line(&chart.caption);
                self.count_lines(chart.bars.iter().flat_map(|bar| [&bar.label, &bar.text]));
            }
            Block::Grid(map) => self.count_map(map),
            Block::Code { language, text } => {
                self.count_text(language);
                self.count_text(text);
            }
            Block::Quote(blocks) | Block::For { blocks, .. } => {
                self.count_blocks(blocks, depth + 1);
            }
            Block::Fields(fields) => {
                let lines = fields
                    .iter()
                    .flat_map(|Field { label, value }| [label, value]);
                self.count_lines(lines);
            }
            Block::Rule => {}
        }
    }

    fn count_map(&mut self, map: &GridMap) {
        self.count_text(&map.title);
        self.count_text(&map.below);
        map.columns.iter().for_each(|one| self.count_text(one));
        for row in &map.rows {
            self.size += NODE;
            self.count_text(&row.label);
            for GridCell { mark, kind, label } in &row.cells {
                self.size += NODE;
                [mark, kind, label]
                    .into_iter()
                    .for_each(|text| self.count_text(text));
            }
        }
    }

    fn count_lines<'a>(&mut self, lines: impl IntoIterator<Item = &'a Line>) {
        for line in lines {
            self.count_line(line);
        }
    }

    fn count_line(&mut self, line: &Line) {
        self.size += NODE;
        for span in &line.0 {
            self.size += NODE;
            self.count_text(&span.text);
        }
    }

    fn count_text(&mut self, text: &str) {
        let line_ends = text.bytes().filter(|byte| *byte == b'\n').count();
        self.size += text.len() + NODE * line_ends;
    }

    fn count_value(&mut self, value: &Value, depth: usize) {
        self.size += NODE;
        if depth > DEPTH {
            self.too_deep = true;
            return;
        }
        match value {
            Value::Nil | Value::Bool(_) | Value::Number(_) => {}
            Value::Text(text) => self.size += text.len(),
            Value::List(items) => {
                for item in items.iter() {
                    self.count_value(item, depth + 1);
                }
            }
            Value::Map(entries) => {
                for (key, value) in entries.iter() {
                    self.size += key.len();
                    self.count_value(value, depth + 1);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doc::build::{code, paragraph, quote};

    fn nested(levels: usize) -> Document {
        let mut block = paragraph("core");
        for _ in 1..levels {
            block = quote([block]);
        }
        Document::new([block])
    }

    #[test]
    fn a_document_may_hold_eight_mebibytes() {
        let of_size = |bytes: usize| Document::new([code("", "x".repeat(bytes - NODE))]);
        assert_eq!(of_size(SIZE).size_in_limit(), SIZE);
        assert_eq!(of_size(SIZE).check_limits(), Ok(()));
        let finding = of_size(SIZE + 1).check_limits().unwrap_err();
        assert_eq!(finding.code, "limit/output");
        assert_eq!(finding.message, "the document has 8388609 bytes");
    }

    #[test]
    fn empty_parts_count() {
        let lines = Document::new([code("", "\n".repeat(SIZE / NODE))]);
        assert_eq!(lines.check_limits().unwrap_err().code, "limit/output");
    }

    #[test]
    fn blocks_and_data_nest_sixteen_deep() {
        assert_eq!(nested(DEPTH).check_limits(), Ok(()));
        assert_eq!(
            nested(DEPTH + 1).check_limits().unwrap_err().code,
            "limit/depth"
        );
        let mut data = Value::from(1);
        for _ in 0..=DEPTH {
            data = Value::list([data]);
        }
        let document = Document::new([]).data(data);
        assert_eq!(document.check_limits().unwrap_err().code, "limit/depth");
    }
}
