//! Reads blocks.

use std::collections::BTreeMap;

use super::part::{
    ITEM, read_audience, read_bar, read_boolean, read_column, read_fields, read_line, read_map,
    read_span, read_text,
};
use super::read_error::{
    Read, Wrong, check_keys, find_kind_key, list_items, read_each, read_entry, read_optional_entry,
};
use crate::doc::limit::too_deep_finding;
use crate::doc::{Bars, Block, Column, DEPTH, Item, Line, Style, Table};
use crate::value::{Text, Value};

/// A kind of block as a table.
struct Kind {
    /// The key that decides the kind.
    key: &'static str,
    /// Its further keys, each with its values.
    further: &'static [(&'static str, &'static str)],
    /// The ways to write it, each with its meaning.
    written: &'static [(&'static str, &'static str)],
    /// A block of this kind in Luau.
    example: &'static str,
}

/// All kinds of blocks as tables, beside the styles of a span.
const KINDS: [Kind; 11] = [
    Kind {
        key: "text",
        further: &[],
        written: &[("{ text = LINE }", "a paragraph")],
        example: "{ text = { \"Ann meets \", { strong = \"Bo\" } } }",
    },
    Kind {
        key: "heading",
        further: &[("level", "1 to 6, else 1")],
        written: &[("{ heading = LINE }", "a heading")],
        example: "{ heading = \"Night 2\", level = 2 }",
    },
    Kind {
        key: "list",
        further: &[("ordered", "`true` numbers the items")],
        written: &[("{ list = { ITEM, … } }", "a list")],
        example: "{ list = { \"bread\", { text = \"tools\", list = { \"saw\", \"axe\" } } } }",
    },
    Kind {
        key: "table",
        further: &[
            ("columns", "a list of COLUMN"),
            ("caption", "a LINE above the table"),
        ],
        written: &[(
            "{ table = { ROW, … } }",
            "a table; a row is a list of lines",
        )],
        example: "{ table = { { \"Ann\", 12 }, { \"Bo\", 9 } }, columns = { \"Name\", { title = \"HP\", align = \"right\" } }, caption = \"Health\" }",
    },
    Kind {
        key: "bars",
        further: &[("caption", "a LINE above the bars")],
        written: &[("{ bars = { BAR, … } }", "a bar chart")],
        example: "{ bars = { { \"none\", \"1/4\", \"25 %\" }, { \"one\", \"3/4\", \"75 %\" } }, caption = \"Lamps\" }",
    },
    Kind {
        key: "grid",
        further: &[
            ("title", "its name, a text"),
            ("columns", "a list of texts, the labels below"),
            ("below", "a text below the map"),
        ],
        written: &[("{ grid = { GRIDROW, … } }", "a map of cells")],
        example: "{ grid = { { label = \"5\", cells = { \".\", { mark = \"~\", kind = \"water\" } } }, { label = \"0\", cells = { { mark = \"A\", label = \"Ann\" }, \".\" } } }, columns = { \"0\", \"5\" }, below = \"~ water\" }",
    },
    Kind {
        key: "code",
        further: &[("language", "the name of its language")],
        written: &[("{ code = \"…\" }", "text that is shown unchanged")],
        example: "{ code = \"3d6 + 2\" }",
    },
    Kind {
        key: "quote",
        further: &[],
        written: &[("{ quote = BLOCKS }", "a quotation")],
        example: "{ quote = { \"Who is there?\" } }",
    },
    Kind {
        key: "fields",
        further: &[],
        written: &[
            (
                "{ fields = { { \"HP\", 12 }, … } }",
                "labels and values, in this order",
            ),
            (
                "{ fields = { HP = 12 } }",
                "labels and values, in the order of the labels",
            ),
        ],
        example: "{ fields = { HP = 12, AC = 9 } }",
    },
    Kind {
        key: "rule",
        further: &[],
        written: &[("{ rule = true }", "a line across")],
        example: "{ rule = true }",
    },
    Kind {
        key: "blocks",
        further: &[],
        written: &[(
            "{ blocks = BLOCKS, audience = \"gm\" }",
            "blocks for some readers",
        )],
        example: "{ blocks = { \"The lamp is a trap.\" }, audience = \"gm\" }",
    },
];

/// A kind of block as pages describe it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockText {
    /// The key that decides the kind.
    pub key: &'static str,
    /// The ways to write it, each with its meaning.
    pub written: &'static [(&'static str, &'static str)],
    /// Its further keys, each with its values. Every block takes `audience` too.
    pub further: &'static [(&'static str, &'static str)],
    /// A block of this kind in Luau.
    pub example: &'static str,
}

/// Returns the descriptions of all kinds of blocks.
pub fn block_texts() -> impl Iterator<Item = BlockText> {
    KINDS.iter().map(|kind| BlockText {
        key: kind.key,
        written: kind.written,
        further: kind.further,
        example: kind.example,
    })
}

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
    let kinds = KINDS.map(|kind| kind.key).into_iter();
    let styles = Style::ALL.map(Style::table_key).into_iter();
    let styles = styles.filter(|style| KINDS.iter().all(|kind| kind.key != *style));
    let key = find_kind_key(map, kinds.chain(styles), &FURTHER, "block")?;
    let own = KINDS.iter().find(|kind| kind.key == key);
    let further = own.into_iter().flat_map(|kind| kind.further);
    let known: Vec<&str> = [key, "audience"]
        .into_iter()
        .chain(further.map(|(key, _)| *key))
        .collect();
    check_keys(map, &known, key)?;
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
    ITEM.check_keys(map, "item")?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_further_keys_are_those_of_the_kinds() {
        let of_kinds = KINDS
            .iter()
            .flat_map(|kind| kind.further)
            .map(|(key, _)| *key);
        let of_kinds: std::collections::BTreeSet<&str> = of_kinds.chain(["audience"]).collect();
        assert_eq!(of_kinds, FURTHER.into_iter().collect());
    }

    #[test]
    fn each_kind_is_written_with_its_key() {
        for block in block_texts() {
            let head = format!("{{ {} = ", block.key);
            let ways = block.written.iter().map(|(written, _)| *written);
            for way in ways.chain([block.example]) {
                assert!(way.starts_with(&head), "{way}");
            }
        }
    }
}
