//! Reads blocks.

use std::collections::BTreeMap;

use super::part::{
    read_audience, read_bar, read_boolean, read_column, read_fields, read_line, read_map,
    read_span, read_text,
};
use super::read_error::{
    Read, Wrong, check_keys, find_kind_key, list_items, read_each, read_entry, read_optional_entry,
};
use crate::doc::limit::too_deep_finding;
use crate::doc::{Bars, Block, Column, DEPTH, Item, Line, Style, Table};
use crate::value::{Text, Value};

/// Keys that decide the kind of a block (beside the styles of a span), each with its further keys.
const KINDS: [(&str, &[&str]); 11] = [
    ("text", &[]),
    ("heading", &["level"]),
    ("list", &["ordered"]),
    ("table", &["columns", "caption"]),
    ("bars", &["caption"]),
    ("grid", &["title", "columns", "below"]),
    ("code", &["language"]),
    ("quote", &[]),
    ("fields", &[]),
    ("rule", &[]),
    ("blocks", &[]),
];

/// All keys of a block that do not decide its kind.
const FURTHER: [&str; 8] = [
    "level", "ordered", "columns", "caption", "title", "below", "language", "audience",
];

/// Reads blocks: a list of blocks, or one block that is not a list.
pub(super) fn blocks_from_value(value: &Value, depth: usize) -> Read<Vec<Block>> {
    match value {
        Value::List(items) => read_each(items, |item| read_block(item, depth)),
        Value::Map(map) if map.is_empty() => Ok(Vec::new()),
        Value::Text(_) | Value::Number(_) | Value::Map(_) => Ok(vec![read_block(value, depth)?]),
        Value::Nil | Value::Bool(_) => Err(Wrong::expected("blocks", value)),
    }
}

fn read_block(value: &Value, depth: usize) -> Read<Block> {
    if depth > DEPTH {
        return Err(Wrong::about_whole(too_deep_finding()));
    }
    match value {
        Value::Text(_) | Value::Number(_) | Value::List(_) => {
            read_line(value).map(Block::Paragraph)
        }
        Value::Map(map) => read_block_table(value, map, depth),
        Value::Nil | Value::Bool(_) => Err(Wrong::expected("a block", value)),
    }
}

fn read_block_table(value: &Value, map: &BTreeMap<Text, Value>, depth: usize) -> Read<Block> {
    let kinds = KINDS.map(|(key, _)| key).into_iter();
    let styles = Style::ALL.map(Style::table_key).into_iter();
    let styles = styles.filter(|style| KINDS.iter().all(|(key, _)| key != style));
    let key = find_kind_key(map, kinds.chain(styles), &FURTHER, "block")?;
    let further = KINDS.iter().find(|(kind, _)| *kind == key);
    let further = further.map_or(&[][..], |(_, further)| further);
    check_keys(map, &[&[key, "audience"], further].concat(), key)?;
    let audience = read_audience(value)?;
    if key == "blocks" {
        let inner = read_entry(value, key, |inner| blocks_from_value(inner, depth + 1))?;
        let audience = audience.unwrap_or_default();
        return Ok(Block::For {
            audience,
            blocks: inner,
        });
    }
    match audience {
        Some(_) if depth == DEPTH => Err(Wrong::about_whole(too_deep_finding())),
        Some(audience) => Ok(Block::For {
            audience,
            blocks: vec![read_block_of_kind(key, value, depth + 1)?],
        }),
        None => read_block_of_kind(key, value, depth),
    }
}

fn read_block_of_kind(key: &str, value: &Value, depth: usize) -> Read<Block> {
    Ok(match key {
        "text" => Block::Paragraph(read_entry(value, key, read_line)?),
        "heading" => Block::Heading {
            level: read_heading_level(value)?,
            line: read_entry(value, key, read_line)?,
        },
        "list" => read_items(value, depth)?,
        "table" => Block::Table(read_table(value)?),
        "bars" => Block::Bars(Bars {
            caption: read_optional_entry(value, "caption", read_line)?,
            bars: read_entry(value, key, |bars| {
                read_each(list_items(bars, "a list of bars")?, read_bar)
            })?,
        }),
        "grid" => Block::Grid(read_map(value)?),
        "code" => Block::Code {
            language: read_optional_entry(value, "language", read_text)?,
            text: read_entry(value, key, read_text)?,
        },
        "quote" => Block::Quote(read_entry(value, key, |inner| {
            blocks_from_value(inner, depth + 1)
        })?),
        "fields" => Block::Fields(read_entry(value, key, read_fields)?),
        "rule" => {
            read_entry(value, key, read_boolean)?;
            Block::Rule
        }
        _ => Block::Paragraph(Line(vec![read_styled_span(key, value)?])),
    })
}

/// Reads `{ strong = "..." }` as a block; it has the audience of the block.
fn read_styled_span(key: &str, value: &Value) -> Read<crate::doc::Span> {
    read_span(&Value::map([(key, value.get(key).clone())]))
}

fn read_heading_level(value: &Value) -> Read<u8> {
    if value.get("level").is_nil() {
        return Ok(1);
    }
    read_entry(value, "level", |level| {
        let number = level.as_i64().and_then(|level| u8::try_from(level).ok());
        let number = number.filter(|level| (1..=6).contains(level));
        number.ok_or_else(|| match level.as_number() {
            Some(number) => Wrong::new(format!("a level is 1 to 6, not {number}")),
            None => Wrong::expected("a level from 1 to 6", level),
        })
    })
}

fn read_items(value: &Value, depth: usize) -> Read<Block> {
    let read = |all: &Value| {
        read_each(list_items(all, "a list of items")?, |one| {
            read_item(one, depth)
        })
    };
    Ok(Block::List {
        ordered: read_optional_entry(value, "ordered", read_boolean)?,
        items: read_entry(value, "list", read)?,
    })
}

/// Reads an item: a line, or a table with `text` and the content below it.
fn read_item(value: &Value, depth: usize) -> Read<Item> {
    let has = |key: &str| !value.get(key).is_nil();
    let Some(map) = value.as_map().filter(|_| has("list") || has("blocks")) else {
        return Ok(Item {
            line: read_line(value)?,
            blocks: Vec::new(),
        });
    };
    check_keys(map, &["text", "blocks", "list", "ordered"], "item")?;
    if has("list") && has("blocks") {
        return Err(Wrong::new(
            "an item has a list or blocks, this one has both",
        ));
    }
    let below = if has("blocks") {
        read_entry(value, "blocks", |inner| blocks_from_value(inner, depth + 1))?
    } else if depth == DEPTH {
        return Err(Wrong::about_whole(too_deep_finding()));
    } else {
        vec![read_items(value, depth + 1)?]
    };
    Ok(Item {
        line: read_optional_entry(value, "text", read_line)?,
        blocks: below,
    })
}

fn read_table(value: &Value) -> Read<Table> {
    let columns: Vec<Column> = read_optional_entry(value, "columns", |columns| {
        read_each(list_items(columns, "a list of columns")?, read_column)
    })?;
    let row = |row: &Value| {
        let cells = read_each(list_items(row, "a list of cells")?, read_line)?;
        if !columns.is_empty() && cells.len() > columns.len() {
            let (cells, columns) = (cells.len(), columns.len());
            let message = format!("this row has {cells} cells, the table has {columns} columns");
            return Err(Wrong::new(message));
        }
        Ok(cells)
    };
    let rows = read_entry(value, "table", |rows| {
        read_each(list_items(rows, "a list of rows")?, row)
    })?;
    Ok(Table {
        caption: read_optional_entry(value, "caption", read_line)?,
        columns,
        rows,
    })
}
