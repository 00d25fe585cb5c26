//! Reads the small parts of a document: texts, spans, lines, columns, bars, audiences.

use std::collections::BTreeMap;

use super::read_error::{
    Read, Wrong, check_keys, find_kind_key, list_items, quote_shortened, read_each, read_entry,
    read_optional_entry,
};
use crate::diag::near_hint;
use crate::doc::{
    Align, Audience, Bar, Column, Field, GridCell, GridMap, GridRow, Kind, Line, Span, Style, Tally,
};
use crate::value::{Number, Text, Value};

/// A part of a block: its name in the forms of blocks, the keys of its table, and the ways to write it.
pub(super) struct Part {
    name: &'static str,
    /// The keys of its table, if it has one.
    keys: &'static [&'static str],
    /// The ways to write it, each with its meaning.
    written: &'static [(&'static str, &'static str)],
}

/// An item of a list.
pub(super) const ITEM: Part = Part {
    name: "ITEM",
    keys: &["text", "blocks", "list", "ordered"],
    written: &[
        ("LINE", "one line"),
        (
            "{ text = LINE, blocks = BLOCKS }",
            "a line with blocks below it",
        ),
        (
            "{ text = LINE, list = { ITEM, … }, ordered = true }",
            "a line with a list below it; without `ordered`, the list has no numbers",
        ),
    ],
};

/// A column of a table.
const COLUMN: Part = Part {
    name: "COLUMN",
    keys: &["title", "align", "audience"],
    written: &[
        ("LINE", "a title"),
        (
            "{ title = LINE, align = \"right\", audience = \"gm\" }",
            "a title, the side of its cells (`left`, `right` or `center`), and who sees the column",
        ),
    ],
};

/// A bar of a bar chart.
const BAR: Part = Part {
    name: "BAR",
    keys: &["label", "value", "text"],
    written: &[
        (
            "{ LINE, VALUE, LINE }",
            "label, value and text; the text may be missing",
        ),
        (
            "{ label = LINE, value = VALUE, text = LINE }",
            "the same by name",
        ),
    ],
};

/// A row of a map.
const GRID_ROW: Part = Part {
    name: "GRIDROW",
    keys: &["label", "cells"],
    written: &[
        ("{ GRIDCELL, … }", "cells"),
        (
            "{ label = \"…\", cells = { GRIDCELL, … } }",
            "cells with a label at the left",
        ),
    ],
};

/// A cell of a map.
const GRID_CELL: Part = Part {
    name: "GRIDCELL",
    keys: &["mark", "kind", "label"],
    written: &[
        ("\"~\"", "a mark of one character"),
        (
            "{ mark = \"~\", kind = \"…\", label = \"…\" }",
            "a mark, its kind of ground, and the name of what is there",
        ),
    ],
};

/// All parts, in the order of the documentation.
const PARTS: [Part; 10] = [
    Part {
        name: "BLOCKS",
        keys: &[],
        written: &[
            ("BLOCK", "one block, if it is not a list of spans"),
            ("{ BLOCK, … }", "a list of blocks"),
        ],
    },
    Part {
        name: "LINE",
        keys: &[],
        written: &[
            ("SPAN", "one span"),
            ("{ SPAN, … }", "spans without a space between them"),
        ],
    },
    Part {
        name: "SPAN",
        keys: &[],
        written: &[
            (
                "\"…\"",
                "a text or a number; a line end in it is a line break",
            ),
            (
                "{ STYLE = \"…\", audience = \"gm\" }",
                "a text in a style, and who reads it",
            ),
        ],
    },
    ITEM,
    Part {
        name: "ROW",
        keys: &[],
        written: &[("{ LINE, … }", "one cell for each column")],
    },
    COLUMN,
    BAR,
    Part {
        name: "VALUE",
        keys: &[],
        written: &[("0.25", "a number"), ("\"1/6\"", "a fraction as text")],
    },
    GRID_ROW,
    GRID_CELL,
];

/// A part of a block as pages describe it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartText {
    /// Its name in the forms of blocks: `COLUMN`.
    pub name: &'static str,
    /// The ways to write it, each with its meaning.
    pub written: &'static [(&'static str, &'static str)],
}

/// Returns the descriptions of all parts of blocks.
pub fn part_texts() -> impl Iterator<Item = PartText> {
    PARTS.iter().map(|part| PartText {
        name: part.name,
        written: part.written,
    })
}

impl Part {
    /// Finds keys that its table does not have.
    pub(super) fn check_keys(&self, map: &BTreeMap<Text, Value>, what: &str) -> Read<()> {
        check_keys(map, self.keys, what)
    }
}

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
    COLUMN.check_keys(map, "column")?;
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
    GRID_ROW.check_keys(map, "row")?;
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
    GRID_CELL.check_keys(map, "cell")?;
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
            BAR.check_keys(map, "bar")?;
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
        let field = |(key, value): (&Text, &Value)| {
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

#[cfg(test)]
mod tests {
    use super::super::block::block_texts;
    use super::*;

    /// Names in forms that other tables explain.
    const ELSEWHERE: [&str; 2] = ["BLOCK", "STYLE"];

    #[test]
    fn each_key_of_a_part_is_in_one_of_its_forms() {
        for part in &PARTS {
            for key in part.keys {
                let form = format!(" {key} = ");
                let is_written = part
                    .written
                    .iter()
                    .any(|(form_of, _)| form_of.contains(&form));
                assert!(is_written, "{}: {key}", part.name);
            }
        }
    }

    #[test]
    fn each_part_that_a_form_names_is_explained() {
        let blocks = block_texts().flat_map(|block| {
            let keys = block.further.iter().map(|(_, values)| *values);
            let ways = block.written.iter().map(|(written, _)| *written);
            keys.chain(ways).collect::<Vec<_>>()
        });
        let parts = PARTS.iter().flat_map(|part| part.written);
        let mut named: Vec<&str> = blocks
            .chain(parts.map(|(written, _)| *written))
            .flat_map(|form| form.split(|c: char| !c.is_alphabetic()))
            .filter(|word| word.len() > 2 && word.chars().all(char::is_uppercase))
            .filter(|word| !ELSEWHERE.contains(word))
            .collect();
        named.sort_unstable();
        named.dedup();
        let mut known: Vec<&str> = PARTS.iter().map(|part| part.name).collect();
        known.sort_unstable();
        assert_eq!(named, known);
    }

    #[test]
    fn the_alignments_of_a_column_are_in_its_form() {
        let meanings: String = COLUMN.written.iter().map(|(_, meaning)| *meaning).collect();
        for align in Align::ALL.map(Align::table_key) {
            assert!(meanings.contains(&format!("`{align}`")), "{align}");
        }
    }
}
