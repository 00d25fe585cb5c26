//! Writes documents as plain tables, in the one form that gives the same document when read.

use super::{Bar, Block, Column, Document, Field, Item, Line, Span, Style, Table};
use crate::value::Value;

impl Document {
    /// Returns the document as a table; [`Document::from_value`] gives it back.
    pub fn to_value(&self) -> Value {
        Value::map([
            ("audience", audience(&self.audience)),
            ("blocks", blocks(&self.blocks)),
            ("data", self.data.clone().unwrap_or_default()),
        ])
    }
}

/// `public` is what a missing key means.
fn audience(audience: &super::Audience) -> Value {
    match audience {
        super::Audience::Public => Value::Nil,
        super::Audience::Gm | super::Audience::Seat(_) | super::Audience::Group(_) => {
            Value::from(audience.to_string())
        }
    }
}

fn blocks(all: &[Block]) -> Value {
    Value::list(all.iter().map(block))
}

fn block(block: &Block) -> Value {
    match block {
        Block::Heading { level, line: text } => Value::map([
            ("heading", line(text)),
            ("level", Value::from(i64::from(*level))),
        ]),
        Block::Paragraph(text) => line(text),
        Block::List { ordered, items } => Value::map([
            ("list", Value::list(items.iter().map(item))),
            ("ordered", if *ordered { true.into() } else { Value::Nil }),
        ]),
        Block::Table(one) => table(one),
        Block::Bars(chart) => Value::map([
            ("bars", Value::list(chart.bars.iter().map(bar))),
            ("caption", filled(&chart.caption)),
        ]),
        Block::Code { language, text } => Value::map([
            ("code", Value::from(text.as_str())),
            ("language", Value::from(language.as_str())),
        ]),
        Block::Quote(inner) => Value::map([("quote", blocks(inner))]),
        Block::Fields(fields) => {
            let pair = |Field { label, value }: &Field| Value::list([line(label), line(value)]);
            Value::map([("fields", Value::list(fields.iter().map(pair)))])
        }
        Block::Rule => Value::map([("rule", Value::from(true))]),
        Block::For {
            audience,
            blocks: inner,
        } => Value::map([
            ("audience", Value::from(audience.to_string())),
            ("blocks", blocks(inner)),
        ]),
    }
}

fn item(item: &Item) -> Value {
    if item.blocks.is_empty() {
        return line(&item.line);
    }
    Value::map([
        ("text", filled(&item.line)),
        ("blocks", blocks(&item.blocks)),
    ])
}

fn table(table: &Table) -> Value {
    let row = |cells: &Vec<Line>| Value::list(cells.iter().map(line));
    let columns = Value::list(table.columns.iter().map(column));
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
        ("caption", filled(&table.caption)),
    ])
}

fn column(column: &Column) -> Value {
    let limit = column.audience.as_ref();
    Value::map([
        ("title", line(&column.title)),
        ("align", Value::from(column.align.key())),
        (
            "audience",
            limit.map_or(Value::Nil, |one| one.to_string().into()),
        ),
    ])
}

fn bar(bar: &Bar) -> Value {
    Value::map([
        ("label", line(&bar.label)),
        ("value", Value::from(bar.value)),
        ("text", filled(&bar.text)),
    ])
}

/// An empty line is left out.
fn filled(text: &Line) -> Value {
    if text.0.is_empty() {
        Value::Nil
    } else {
        line(text)
    }
}

/// A line of one ordinary span is a text, and so is an empty one.
fn line(line: &Line) -> Value {
    match &line.0[..] {
        [] => Value::from(""),
        [only] if is_bare(only) && !only.text.is_empty() => Value::from(only.text.as_str()),
        spans => Value::list(spans.iter().map(span)),
    }
}

fn span(span: &Span) -> Value {
    if is_bare(span) {
        return Value::from(span.text.as_str());
    }
    let limit = span.audience.as_ref();
    Value::map([
        (span.style.key(), Value::from(span.text.as_str())),
        (
            "audience",
            limit.map_or(Value::Nil, |one| one.to_string().into()),
        ),
    ])
}

fn is_bare(span: &Span) -> bool {
    span.style == Style::Plain && span.audience.is_none()
}
