//! Removes from a document the parts that a viewer may not see. No other code decides that.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Audience, Bar, Bars, Block, Document, Field, Item, Line, Table, Viewer, may_see};
use crate::value::{Text, Value};

/// Returns the document with the parts that the viewer may see, or nothing if it is not for the viewer.
///
/// Parts that became empty by the removal are removed too (paragraphs, items, rows, fields, bars), so that no empty
/// place shows that something was there. In `data`, map entries whose key is `@` and an audience stay for viewers who
/// may see that audience. If the key does not name an audience, its entry stays for the game master alone.
pub fn for_viewer(document: &Document, viewer: &Viewer) -> Option<Document> {
    may_see(viewer, &document.audience).then(|| Document {
        audience: document.audience.clone(),
        kind: document.kind,
        tally: document.tally.clone(),
        blocks: visible_blocks(&document.blocks, viewer),
        data: document
            .data
            .as_ref()
            .and_then(|value| visible_data(value, viewer)),
    })
}

fn visible_blocks(all: &[Block], viewer: &Viewer) -> Vec<Block> {
    all.iter()
        .filter_map(|one| visible_block(one, viewer))
        .collect()
}

fn visible_block(block: &Block, viewer: &Viewer) -> Option<Block> {
    Some(match block {
        Block::Heading { level, line } => Block::Heading {
            level: *level,
            line: visible_line_unless_emptied(line, viewer)?,
        },
        Block::Paragraph(line) => Block::Paragraph(visible_line_unless_emptied(line, viewer)?),
        Block::List { ordered, items } => Block::List {
            ordered: *ordered,
            items: keep_visible(items, |item| visible_item(item, viewer))?,
        },
        Block::Table(table) => Block::Table(visible_table(table, viewer)?),
        Block::Bars(chart) => Block::Bars(Bars {
            caption: visible_line(&chart.caption, viewer),
            bars: keep_visible(&chart.bars, |bar| visible_bar(bar, viewer))?,
        }),
        Block::Grid(_) | Block::Code { .. } | Block::Rule => block.clone(),
        Block::Quote(inner) => Block::Quote(visible_blocks_unless_emptied(inner, viewer)?),
        Block::Fields(fields) => Block::Fields(keep_visible(fields, |field| {
            Some(Field {
                label: visible_line_unless_emptied(&field.label, viewer)?,
                value: visible_line_unless_emptied(&field.value, viewer)?,
            })
        })?),
        Block::For {
            audience,
            blocks: inner,
        } if may_see(viewer, audience) => Block::For {
            audience: audience.clone(),
            blocks: visible_blocks_unless_emptied(inner, viewer)?,
        },
        Block::For { .. } => return None,
    })
}

/// Returns the visible items; nothing if there were items and all of them were removed.
fn keep_visible<T, U>(all: &[T], keep: impl Fn(&T) -> Option<U>) -> Option<Vec<U>> {
    let kept: Vec<U> = all.iter().filter_map(keep).collect();
    (all.is_empty() || !kept.is_empty()).then_some(kept)
}

fn visible_blocks_unless_emptied(all: &[Block], viewer: &Viewer) -> Option<Vec<Block>> {
    keep_visible(all, |one| visible_block(one, viewer))
}

fn visible_line(line: &Line, viewer: &Viewer) -> Line {
    let seen = |audience: &Option<Audience>| {
        audience
            .as_ref()
            .is_none_or(|audience| may_see(viewer, audience))
    };
    let spans = line.0.iter().filter(|span| seen(&span.audience));
    Line(spans.cloned().collect())
}

/// Returns the line; nothing if the removal left no text in it.
fn visible_line_unless_emptied(all: &Line, viewer: &Viewer) -> Option<Line> {
    let left = visible_line(all, viewer);
    (left.0.len() == all.0.len() || !left.is_empty()).then_some(left)
}

fn visible_item(item: &Item, viewer: &Viewer) -> Option<Item> {
    let left = Item {
        line: visible_line(&item.line, viewer),
        blocks: visible_blocks(&item.blocks, viewer),
    };
    let gone = left.line.is_empty() && left.blocks.is_empty() && left != *item;
    (!gone).then_some(left)
}

fn visible_bar(bar: &Bar, viewer: &Viewer) -> Option<Bar> {
    Some(Bar {
        label: visible_line_unless_emptied(&bar.label, viewer)?,
        value: bar.value,
        text: visible_line_unless_emptied(&bar.text, viewer)?,
    })
}

fn visible_table(table: &Table, viewer: &Viewer) -> Option<Table> {
    let hidden: Vec<bool> = table
        .columns
        .iter()
        .map(|column| column.audience.as_ref())
        .map(|audience| audience.is_some_and(|audience| !may_see(viewer, audience)))
        .collect();
    if !hidden.is_empty() && hidden.iter().all(|hidden| *hidden) {
        return None;
    }
    let shown = |at: usize| !hidden.get(at).copied().unwrap_or(false);
    let columns = table
        .columns
        .iter()
        .enumerate()
        .filter(|(at, _)| shown(*at));
    let row = |row: &Vec<Line>| {
        let cells = row.iter().enumerate().filter(|(at, _)| shown(*at));
        let left: Vec<Line> = cells.map(|(_, cell)| visible_line(cell, viewer)).collect();
        let gone = left.iter().all(Line::is_empty) && !row.iter().all(Line::is_empty);
        (!gone).then_some(left)
    };
    Some(Table {
        caption: visible_line(&table.caption, viewer),
        columns: columns
            .map(|(_, column)| {
                let mut column = column.clone();
                column.title = visible_line(&column.title, viewer);
                column
            })
            .collect(),
        rows: keep_visible(&table.rows, row)?,
    })
}

fn visible_data(value: &Value, viewer: &Viewer) -> Option<Value> {
    let left = visible_entries(value, viewer);
    let gone = left.as_map().is_some_and(BTreeMap::is_empty) && left != *value;
    (!gone).then_some(left)
}

fn visible_entries(value: &Value, viewer: &Viewer) -> Value {
    match value {
        Value::Nil | Value::Bool(_) | Value::Number(_) | Value::Text(_) => value.clone(),
        Value::List(items) => Value::list(items.iter().map(|item| visible_entries(item, viewer))),
        Value::Map(map) => Value::Map(Arc::new(
            map.iter()
                .filter(|(key, _)| may_see_key(key, viewer))
                .map(|(key, value)| (Text::clone(key), visible_entries(value, viewer)))
                .collect(),
        )),
    }
}

fn may_see_key(key: &str, viewer: &Viewer) -> bool {
    key.strip_prefix('@').is_none_or(|audience| {
        let audience = Audience::parse(audience).unwrap_or(Audience::Gm);
        may_see(viewer, &audience)
    })
}
