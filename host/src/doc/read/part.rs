//! Reads the small parts of a document: texts, spans, lines, columns, bars, audiences.

use super::read_error::{
    Read, Wrong, check_keys, find_kind_key, list_items, quote_shortened, read_each, read_entry,
    read_optional_entry,
};
use crate::diag::near_hint;
use crate::doc::{
    Align, Audience, Bar, Column, Field, GridCell, GridMap, GridRow, Kind, Line, Span, Style, Tally,
};
use crate::value::{Number, Value};

/// Reads the key `audience` of a table, if it has one.
pub(super) fn read_audience(value: &Value) -> Read<Option<Audience>> {
    read_optional_entry(value, "audience", |value| {
        let name = value
            .as_str()
            .ok_or_else(|| Wrong::expected("an audience", value))?;
        Audience::parse(name).map(Some).map_err(Wrong::from_finding)
    })
}

/// Reads the kind of a document.
pub(super) fn read_kind(value: &Value) -> Read<Kind> {
    let words = Kind::ALL.map(Kind::table_key);
    let word = value
        .as_str()
        .ok_or_else(|| Wrong::expected("story, ledger, notice or result", value))?;
    let found = Kind::ALL.into_iter().find(|kind| kind.table_key() == word);
    found.ok_or_else(|| {
        Wrong::new(format!(
            "{} is not a kind of document",
            quote_shortened(word)
        ))
        .hint(near_hint(word, words))
        .hint("write story, ledger, notice or result")
    })
}

/// Reads a tally: `of`, `by`, and a `choice` unless one is taken back.
pub(super) fn read_tally(value: &Value) -> Read<Tally> {
    let map = value
        .as_map()
        .ok_or_else(|| Wrong::expected("a table with of, by and choice", value))?;
    check_keys(map, &["of", "by", "choice"], "tally")?;
    Ok(Tally {
        of: read_entry(value, "of", read_text)?,
        by: read_entry(value, "by", read_text)?,
        choice: read_optional_entry(value, "choice", |choice| read_text(choice).map(Some))?,
    })
}

/// Reads a text; a number is converted to text.
pub(super) fn read_text(value: &Value) -> Read<String> {
    match value {
        Value::Text(text) => Ok(text.to_string()),
        Value::Number(number) => Ok(number.to_string()),
        Value::Nil | Value::Bool(_) | Value::List(_) | Value::Map(_) => {
            Err(Wrong::expected("a text", value))
        }
    }
}

/// Reads true or false.
pub(super) fn read_boolean(value: &Value) -> Read<bool> {
    value
        .as_bool()
        .ok_or_else(|| Wrong::expected("true or false", value))
}

/// Reads a line: nothing, a text, one span, or a list of spans.
pub(super) fn read_line(value: &Value) -> Read<Line> {
    match value {
        Value::Nil => Ok(Line::default()),
        Value::Text(_) | Value::Number(_) => read_text(value).map(Line::from),
        Value::List(items) => read_each(items, read_span).map(Line),
        Value::Map(map) if map.is_empty() => Ok(Line::default()),
        Value::Map(_) => Ok(Line(vec![read_span(value)?])),
        Value::Bool(_) => Err(Wrong::expected("a text or spans", value)),
    }
}

/// Reads one span.
pub(super) fn read_span(value: &Value) -> Read<Span> {
    let Some(map) = value.as_map() else {
        let text = read_text(value)?;
        return Ok(Span {
            text,
            ..Span::default()
        });
    };
    let key = find_kind_key(map, Style::ALL.map(Style::table_key), &["audience"], "span")?;
    check_keys(map, &[key, "audience"], "span")?;
    let style = Style::ALL
        .into_iter()
        .find(|style| style.table_key() == key);
    Ok(Span {
        text: read_entry(value, key, read_text)?,
        style: style.unwrap_or_default(),
        audience: read_audience(value)?,
    })
}

/// Reads a column: a title, or a table with `title`, `align` and `audience`.
pub(super) fn read_column(value: &Value) -> Read<Column> {
    let whole = ["title", "align"]
        .iter()
        .any(|key| !value.get(key).is_nil());
    let Some(map) = value.as_map().filter(|_| whole) else {
        return Ok(Column {
            title: read_line(value)?,
            ..Column::default()
        });
    };
    check_keys(map, &["title", "align", "audience"], "column")?;
    Ok(Column {
        title: read_optional_entry(value, "title", read_line)?,
        align: read_optional_entry(value, "align", read_align)?,
        audience: read_audience(value)?,
    })
}

fn read_align(value: &Value) -> Read<Align> {
    let words = Align::ALL.map(Align::table_key);
    let word = value
        .as_str()
        .ok_or_else(|| Wrong::expected("left, right or center", value))?;
    let found = Align::ALL
        .into_iter()
        .find(|align| align.table_key() == word);
    found.ok_or_else(|| {
        Wrong::new(format!("{} is not an alignment", quote_shortened(word)))
            .hint(near_hint(word, words))
            .hint("write left, right or center")
    })
}

/// Reads a map: its rows, its labels, and the lines below.
pub(super) fn read_map(value: &Value) -> Read<GridMap> {
    Ok(GridMap {
        title: read_optional_entry(value, "title", read_text)?,
        rows: read_entry(value, "grid", |rows| {
            read_each(list_items(rows, "a list of rows")?, read_grid_row)
        })?,
        columns: read_optional_entry(value, "columns", |columns| {
            read_each(list_items(columns, "a list of texts")?, read_text)
        })?,
        below: read_optional_entry(value, "below", read_text)?,
    })
}

/// Reads a row of a map: its cells, or a table with `label` and `cells`.
fn read_grid_row(value: &Value) -> Read<GridRow> {
    let cells = |cells: &Value| read_each(list_items(cells, "a list of cells")?, read_grid_cell);
    let Some(map) = value.as_map().filter(|map| !map.is_empty()) else {
        return Ok(GridRow {
            label: String::new(),
            cells: cells(value)?,
        });
    };
    check_keys(map, &["label", "cells"], "row")?;
    Ok(GridRow {
        label: read_optional_entry(value, "label", read_text)?,
        cells: read_entry(value, "cells", cells)?,
    })
}

/// Reads a cell of a map: its mark, or a table with `mark`, `kind` and `label`.
fn read_grid_cell(value: &Value) -> Read<GridCell> {
    let Some(map) = value.as_map() else {
        return Ok(GridCell {
            mark: read_text(value)?,
            ..GridCell::default()
        });
    };
    check_keys(map, &["mark", "kind", "label"], "cell")?;
    Ok(GridCell {
        mark: read_entry(value, "mark", read_text)?,
        kind: read_optional_entry(value, "kind", read_text)?,
        label: read_optional_entry(value, "label", read_text)?,
    })
}

/// Reads a bar: `{label, value, text}` as a list or by name.
pub(super) fn read_bar(value: &Value) -> Read<Bar> {
    let (named, label, amount, shown) = match value {
        Value::List(items) => {
            let at = |index: usize| items.get(index).unwrap_or(&Value::Nil);
            (items.len() <= 3, at(0), at(1), at(2))
        }
        Value::Map(map) => {
            check_keys(map, &["label", "value", "text"], "bar")?;
            let at = |key| value.get(key);
            (true, at("label"), at("value"), at("text"))
        }
        Value::Nil | Value::Bool(_) | Value::Number(_) | Value::Text(_) => {
            return Err(Wrong::expected("a bar", value).hint("write { label, value, text }"));
        }
    };
    if !named {
        return Err(Wrong::new("a bar has a label, a value and a text"));
    }
    let label = read_line(label).map_err(|wrong| wrong.under_key("label"))?;
    let (number, written) =
        read_number_or_fraction(amount).map_err(|wrong| wrong.under_key("value"))?;
    let shown = read_line(shown).map_err(|wrong| wrong.under_key("text"))?;
    Ok(Bar {
        label,
        value: number,
        text: if shown.0.is_empty() { written } else { shown },
    })
}

/// Reads a number, or a fraction as text; a fraction is shown as it was written.
fn read_number_or_fraction(value: &Value) -> Read<(Number, Line)> {
    match value {
        Value::Number(number) => Ok((*number, Line::default())),
        Value::Text(written) => {
            let number = parse_fraction(written).ok_or_else(|| {
                let message = format!(
                    "{} is neither a number nor a fraction",
                    quote_shortened(written)
                );
                Wrong::new(message).hint("write 0.25 or \"1/4\"")
            })?;
            Ok((number, Line::from(written.as_ref())))
        }
        Value::Nil | Value::Bool(_) | Value::List(_) | Value::Map(_) => {
            Err(Wrong::expected("a number", value))
        }
    }
}

fn parse_fraction(text: &str) -> Option<Number> {
    let number = |text: &str| text.trim().parse::<Number>().ok();
    match text.split_once('/') {
        None => number(text),
        Some((above, below)) => {
            let (above, below) = (number(above)?, number(below)?);
            let quotient = above.to_decimal().checked_div(below.to_decimal())?;
            Some(Number::from_decimal(quotient))
        }
    }
}

/// Reads fields: a list of `{label, value}`, or one table in the order of its keys.
pub(super) fn read_fields(value: &Value) -> Read<Vec<Field>> {
    if let Some(map) = value.as_map() {
        let field = |(key, value): (&crate::value::Text, &Value)| {
            Ok(Field {
                label: Line::from(key.as_ref()),
                value: read_line(value).map_err(|wrong| wrong.under_key(key))?,
            })
        };
        return map.iter().map(field).collect();
    }
    read_each(
        list_items(value, "a list of fields")?,
        |field| match field.items() {
            [label, value] => Ok(Field {
                label: read_line(label).map_err(|wrong| wrong.under_index(0))?,
                value: read_line(value).map_err(|wrong| wrong.under_index(1))?,
            }),
            [label] => Ok(Field {
                label: read_line(label).map_err(|wrong| wrong.under_index(0))?,
                value: Line::default(),
            }),
            _ => Err(Wrong::expected("a label and a value", field).hint("write { \"HP\", 12 }")),
        },
    )
}
