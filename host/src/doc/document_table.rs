//! Writes documents as plain tables, in the one form that gives the same document when it is read.

use super::{
    Bar, Block, Column, Document, Field, GridCell, GridMap, GridRow, Item, Kind, Line, Span, Style,
    Table, Tally,
};
use crate::value::Value;

impl Document {
    /// Returns the document as a table; [`Document::from_value`] gives it back.
    pub fn to_value(&self) -> Value {
        Value::map([
            ("audience", audience_value(&self.audience)),
            ("kind", kind_value(self.kind)),
            ("tally", self.tally.as_ref().map_or(Value::Nil, tally_value)),
            ("blocks", blocks_value(&self.blocks)),
            ("data", self.data.clone().unwrap_or_default()),
        ])
    }
}

/// Writes an audience. `public` is the meaning of a missing key.
fn audience_value(audience: &super::Audience) -> Value {
    match audience {
        super::Audience::Public => Value::Nil,
        super::Audience::Gm | super::Audience::Seat(_) | super::Audience::Group(_) => {
            Value::from(audience.to_string())
        }
    }
}

/// Writes a kind. `story` is the meaning of a missing key, so that a journal of before reads the same.
fn kind_value(kind: Kind) -> Value {
    match kind {
        Kind::Story => Value::Nil,
        Kind::Ledger | Kind::Notice | Kind::Result => kind.table_key().into(),
    }
}

fn tally_value(tally: &Tally) -> Value {
    let choice = tally.choice.as_deref();
    Value::map([
        ("of", Value::from(tally.of.as_str())),
        ("by", Value::from(tally.by.as_str())),
        ("choice", choice.map_or(Value::Nil, Value::from)),
    ])
}

fn blocks_value(all: &[Block]) -> Value {
    Value::list(all.iter().map(block_value))
}

fn block_value(block: &Block) -> Value {
    match block {
        Block::Heading { level, line: text } => Value::map([
            ("heading", line_value(text)),
            ("level", Value::from(i64::from(*level))),
        ]),
        Block::Paragraph(text) => line_value(text),
        Block::List { ordered, items } => Value::map([
            ("list", Value::list(items.iter().map(item_value))),
            ("ordered", if *ordered { true.into() } else { Value::Nil }),
        ]),
        Block::Table(one) => table_value(one),
        Block::Bars(chart) => Value::map([
            ("bars", Value::list(chart.bars.iter().map(bar_value))),
            ("caption", line_value_unless_empty(&chart.caption)),
        ]),
        Block::Grid(map) => map_value(map),
        Block::Code { language, text } => Value::map([
            ("code", Value::from(text.as_str())),
            ("language", Value::from(language.as_str())),
        ]),
        Block::Quote(inner) => Value::map([("quote", blocks_value(inner))]),
        Block::Fields(fields) => {
            let pair = |Field { label, value }: &Field| {
                Value::list([line_value(label), line_value(value)])
            };
            Value::map([("fields", Value::list(fields.iter().map(pair)))])
        }
        Block::Rule => Value::map([("rule", Value::from(true))]),
        Block::For {
            audience,
            blocks: inner,
        } => Value::map([
            ("audience", Value::from(audience.to_string())),
            ("blocks", blocks_value(inner)),
        ]),
    }
}

fn item_value(item: &Item) -> Value {
    if item.blocks.is_empty() {
        return line_value(&item.line);
    }
    Value::map([
        ("text", line_value_unless_empty(&item.line)),
        ("blocks", blocks_value(&item.blocks)),
    ])
}

fn table_value(table: &Table) -> Value {
    let row = |cells: &Vec<Line>| Value::list(cells.iter().map(line_value));
    let columns = Value::list(table.columns.iter().map(column_value));
    Value::map([
        ("table", Value::list(table.rows.iter().map(row))),
        (
            "columns",
            if table.columns.is_empty() {
                Value::Nil
            } else {
                columns
            },
        ),
        ("caption", line_value_unless_empty(&table.caption)),
    ])
}

fn map_value(map: &GridMap) -> Value {
    let text = |text: &str| match text.is_empty() {
        true => Value::Nil,
        false => Value::from(text),
    };
    let cell = |cell: &GridCell| match (cell.kind.is_empty(), cell.label.is_empty()) {
        (true, true) => Value::from(cell.mark.as_str()),
        _ => Value::map([
            ("mark", Value::from(cell.mark.as_str())),
            ("kind", text(&cell.kind)),
            ("label", text(&cell.label)),
        ]),
    };
    let row = |row: &GridRow| {
        let cells = Value::list(row.cells.iter().map(cell));
        Value::map([("label", text(&row.label)), ("cells", cells)])
    };
    let columns = map.columns.iter().map(|one| Value::from(one.as_str()));
    let columns = match map.columns.is_empty() {
        true => Value::Nil,
        false => Value::list(columns),
    };
    Value::map([
        ("grid", Value::list(map.rows.iter().map(row))),
        ("title", text(&map.title)),
        ("columns", columns),
        ("below", text(&map.below)),
    ])
}

fn column_value(column: &Column) -> Value {
    let limit = column.audience.as_ref();
    Value::map([
        ("title", line_value(&column.title)),
        ("align", Value::from(column.align.table_key())),
        (
            "audience",
            limit.map_or(Value::Nil, |one| one.to_string().into()),
        ),
    ])
}

fn bar_value(bar: &Bar) -> Value {
    Value::map([
        ("label", line_value(&bar.label)),
        ("value", Value::from(bar.value)),
        ("text", line_value_unless_empty(&bar.text)),
    ])
}

/// Writes a line; an empty line is left out.
fn line_value_unless_empty(text: &Line) -> Value {
    if text.0.is_empty() {
        Value::Nil
    } else {
        line_value(text)
    }
}

/// Writes a line. A line of one ordinary span is a text, and so is an empty line.
fn line_value(line: &Line) -> Value {
    match &line.0[..] {
        [] => Value::from(""),
        [only] if is_plain_for_all(only) && !only.text.is_empty() => {
            Value::from(only.text.as_str())
        }
        spans => Value::list(spans.iter().map(span_value)),
    }
}

fn span_value(span: &Span) -> Value {
    if is_plain_for_all(span) {
        return Value::from(span.text.as_str());
    }
    let limit = span.audience.as_ref();
    Value::map([
        (span.style.table_key(), Value::from(span.text.as_str())),
        (
            "audience",
            limit.map_or(Value::Nil, |one| one.to_string().into()),
        ),
    ])
}

fn is_plain_for_all(span: &Span) -> bool {
    span.style == Style::Plain && span.audience.is_none()
}
