//! Finds every audience that a document names, in its blocks, spans and columns and in the keys of its data.

use super::{Audience, Block, Document, Item, Line, Table};
use crate::value::Value;

impl Document {
    /// Reports all audiences that the document names, its own too, each one every time that it is named.
    ///
    /// A key of `data` that begins with `@` and does not name an audience is reported as the seat of that name.
    pub fn for_each_audience(&self, tell: &mut impl FnMut(&Audience)) {
        tell(&self.audience);
        tell_of_blocks(&self.blocks, tell);
        if let Some(value) = &self.data {
            tell_of_data(value, tell);
        }
    }
}

fn tell_of_blocks(all: &[Block], tell: &mut impl FnMut(&Audience)) {
    for one in all {
        match one {
            Block::Heading { line: text, .. } | Block::Paragraph(text) => tell_of_line(text, tell),
            Block::List { items, .. } => items.iter().for_each(|one| tell_of_item(one, tell)),
            Block::Table(inner) => tell_of_table(inner, tell),
            Block::Bars(chart) => {
                tell_of_line(&chart.caption, tell);
                for bar in &chart.bars {
                    tell_of_line(&bar.label, tell);
                    tell_of_line(&bar.text, tell);
                }
            }
            Block::Code { .. } | Block::Rule => {}
            Block::Quote(inner) => tell_of_blocks(inner, tell),
            Block::Fields(fields) => {
                for field in fields {
                    tell_of_line(&field.label, tell);
                    tell_of_line(&field.value, tell);
                }
            }
            Block::For {
                audience,
                blocks: inner,
            } => {
                tell(audience);
                tell_of_blocks(inner, tell);
            }
        }
    }
}

fn tell_of_line(line: &Line, tell: &mut impl FnMut(&Audience)) {
    line.0
        .iter()
        .filter_map(|span| span.audience.as_ref())
        .for_each(tell);
}

fn tell_of_item(item: &Item, tell: &mut impl FnMut(&Audience)) {
    tell_of_line(&item.line, tell);
    tell_of_blocks(&item.blocks, tell);
}

fn tell_of_table(table: &Table, tell: &mut impl FnMut(&Audience)) {
    tell_of_line(&table.caption, tell);
    for column in &table.columns {
        tell_of_line(&column.title, tell);
        column.audience.iter().for_each(&mut *tell);
    }
    for cell in table.rows.iter().flatten() {
        tell_of_line(cell, tell);
    }
}

fn tell_of_data(value: &Value, tell: &mut impl FnMut(&Audience)) {
    for item in value.items() {
        tell_of_data(item, tell);
    }
    for (key, value) in value.as_map().into_iter().flatten() {
        if let Some(name) = key.strip_prefix('@') {
            let named = Audience::parse(name);
            tell(&named.unwrap_or_else(|_| Audience::Seat(name.to_owned())));
        }
        tell_of_data(value, tell);
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
