//! Finds every audience that a document names: in blocks, spans, columns, and keys of its data.

use super::{Audience, Block, Document, Item, Line, Table};
use crate::value::Value;

impl Document {
    /// Reports all audiences that the document names, its own too, each one every time that it is named.
    ///
    /// A key of `data` that begins with `@` and does not name an audience is reported as the seat of that name.
    pub fn for_each_audience(&self, tell: &mut impl FnMut(&Audience)) {
        tell(&self.audience);
        report_block_audiences(&self.blocks, tell);
        if let Some(value) = &self.data {
            report_data_audiences(value, tell);
        }
    }
}

fn report_block_audiences(all: &[Block], tell: &mut impl FnMut(&Audience)) {
    for one in all {
        match one {
            Block::Heading { line: text, .. } | Block::Paragraph(text) => {
                report_line_audiences(text, tell);
            }
            Block::List { items, .. } => items
                .iter()
                .for_each(|one| report_item_audiences(one, tell)),
            Block::Table(inner) => report_table_audiences(inner, tell),
            Block::Bars(chart) => {
                report_line_audiences(&chart.caption, tell);
                for bar in &chart.bars {
                    report_line_audiences(&bar.label, tell);
                    report_line_audiences(&bar.text, tell);
                }
            }
            Block::Grid(_) | Block::Code { .. } | Block::Rule => {}
            Block::Quote(inner) => report_block_audiences(inner, tell),
            Block::Fields(fields) => {
                for field in fields {
                    report_line_audiences(&field.label, tell);
                    report_line_audiences(&field.value, tell);
                }
            }
            Block::For {
                audience,
                blocks: inner,
            } => {
                tell(audience);
                report_block_audiences(inner, tell);
            }
        }
    }
}

fn report_line_audiences(line: &Line, tell: &mut impl FnMut(&Audience)) {
    line.0
        .iter()
        .filter_map(|span| span.audience.as_ref())
        .for_each(tell);
}

fn report_item_audiences(item: &Item, tell: &mut impl FnMut(&Audience)) {
    report_line_audiences(&item.line, tell);
    report_block_audiences(&item.blocks, tell);
}

fn report_table_audiences(table: &Table, tell: &mut impl FnMut(&Audience)) {
    report_line_audiences(&table.caption, tell);
    for column in &table.columns {
        report_line_audiences(&column.title, tell);
        column.audience.iter().for_each(&mut *tell);
    }
    for cell in table.rows.iter().flatten() {
        report_line_audiences(cell, tell);
    }
}

fn report_data_audiences(value: &Value, tell: &mut impl FnMut(&Audience)) {
    for item in value.items() {
        report_data_audiences(item, tell);
    }
    for (key, value) in value.as_map().into_iter().flatten() {
        if let Some(name) = key.strip_prefix('@') {
            let named = Audience::parse(name);
            tell(&named.unwrap_or_else(|_| Audience::Seat(name.to_owned())));
        }
        report_data_audiences(value, tell);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::from_json;

    #[test]
    fn every_place_that_takes_an_audience_is_found() {
        let json = r#"[
            {"text": "x", "audience": "a"}, [{"strong": "x", "audience": "b"}],
            {"heading": [{"text": "x", "audience": "c"}]},
            {"list": [{"text": [{"text": "x", "audience": "d"}], "list": [[{"text": "x", "audience": "e"}]]}]},
            {"table": [[[{"text": "x", "audience": "f"}]]], "caption": [{"text": "x", "audience": "g"}],
             "columns": [{"title": [{"text": "x", "audience": "h"}], "audience": "i"}]},
            {"bars": [{"label": [{"text": "x", "audience": "j"}], "value": 1, "text": [{"text": "x", "audience": "k"}]}],
             "caption": [{"text": "x", "audience": "l"}]},
            {"quote": [{"text": "x", "audience": "m"}]},
            {"fields": [[[{"text": "x", "audience": "n"}], [{"text": "x", "audience": "o"}]]]},
            {"blocks": ["x"], "audience": "group:p"}, {"code": "x"}, {"rule": true}
        ]"#;
        let json = serde_json::from_str(json).expect("the test writes JSON");
        let document = Document::from_value(&from_json(&json).unwrap()).unwrap();
        let data = Value::map([(
            "list",
            Value::list([Value::map([("@q", Value::map([("@", Value::Nil)]))])]),
        )]);
        let mut found = Vec::new();
        document
            .data(data)
            .limit_to_audience(Audience::Gm)
            .for_each_audience(&mut |audience| found.push(audience.to_string()));
        found.sort();
        found.dedup();
        assert_eq!(
            found.join(" ").trim(),
            "a b c d e f g gm group:p h i j k l m n o q"
        );
    }
}
