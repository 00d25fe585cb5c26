//! Writes the number of a log line into a document. Each reader has a separate count of log lines.
//!
//! A rule marks the place of the number with a span of the style [`Style::LogLine`]. The code that shows the document
//! to a reader provides the number. There is no number before a ruling is saved, and none for queries: then the text of
//! the span stays.

use super::{Block, Document, Item, Line, Style, Table};

impl Document {
    /// Returns whether the document has a span for the number of its log line.
    pub fn has_log_line_span(&self) -> bool {
        let mut found = false;
        let mut document = self.clone();
        for_each_line(&mut document.blocks, &mut |line| {
            found |= line.0.iter().any(|span| span.style == Style::LogLine);
        });
        found
    }

    /// Returns the document with the number of its line in the log of a reader.
    #[must_use]
    pub fn with_log_line_number(mut self, number: u64) -> Document {
        for_each_line(&mut self.blocks, &mut |line| {
            let spans = line.0.iter_mut();
            for span in spans.filter(|span| span.style == Style::LogLine) {
                span.text = number.to_string();
                span.style = Style::Plain;
            }
        });
        self
    }
}

/// Calls `each` with every line of text.
pub(super) fn for_each_line(blocks: &mut [Block], each: &mut impl FnMut(&mut Line)) {
    for block in blocks {
        match block {
            Block::Heading { line, .. } | Block::Paragraph(line) => each(line),
            Block::List { items, .. } => {
                for Item { line, blocks } in items {
                    each(line);
                    for_each_line(blocks, each);
                }
            }
            Block::Table(table) => for_each_line_of_table(table, each),
            Block::Bars(chart) => {
                each(&mut chart.caption);
                for bar in &mut chart.bars {
                    each(&mut bar.label);
                    each(&mut bar.text);
                }
            }
            Block::Grid(_) | Block::Code { .. } | Block::Rule => {}
            Block::Quote(blocks) | Block::For { blocks, .. } => for_each_line(blocks, each),
            Block::Fields(fields) => {
                for field in fields {
                    each(&mut field.label);
                    each(&mut field.value);
                }
            }
        }
    }
}

fn for_each_line_of_table(table: &mut Table, each: &mut impl FnMut(&mut Line)) {
    each(&mut table.caption);
    for column in &mut table.columns {
        each(&mut column.title);
    }
    for cell in table.rows.iter_mut().flatten() {
        each(cell);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doc::plain;
    use crate::value::from_json;

    fn document(json: &str) -> Document {
        let json = serde_json::from_str(json).expect("the test writes JSON");
        Document::from_value(&from_json(&json).unwrap()).unwrap()
    }

    #[test]
    fn the_number_stands_wherever_a_text_may() {
        let json = r#"[
            ["Ruling ", {"log_line": "?"}, "."], {"heading": [{"log_line": "?"}]},
            {"list": [{"text": [{"log_line": "?"}], "list": [[{"log_line": "?"}]]}]},
            {"table": [[[{"log_line": "?"}]]], "columns": [[{"log_line": "?"}]], "caption": [{"log_line": "?"}]},
            {"bars": [{"label": [{"log_line": "?"}], "value": 1, "text": [{"log_line": "?"}]}],
             "caption": [{"log_line": "?"}]},
            {"quote": [[{"log_line": "?"}]]}, {"fields": [[[{"log_line": "?"}], [{"log_line": "?"}]]]},
            {"blocks": [[{"log_line": "?"}]], "audience": "gm"}
        ]"#;
        let open = document(json);
        assert!(open.has_log_line_span());
        assert_eq!(plain(&open).matches('?').count(), 14);
        let shown = open.with_log_line_number(12);
        assert!(!shown.has_log_line_span());
        assert_eq!(plain(&shown).matches("12").count(), 14);
        assert!(!plain(&shown).contains('?'));
    }

    #[test]
    fn other_texts_stay() {
        let text = document(r#"["Ruling ", {"strong": "4"}]"#);
        assert!(!text.has_log_line_span());
        assert_eq!(text.clone().with_log_line_number(12), text);
    }
}
