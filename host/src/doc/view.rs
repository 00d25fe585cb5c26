//! Removes from a document what a viewer may not see. No other code decides that.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Audience, Bar, Bars, Block, Document, Field, Item, Line, Table, Viewer, may_see};
use crate::value::{Text, Value};

/// Returns the document as the viewer may see it, or nothing if it is not for them.
///
/// What became empty by the removal goes too (paragraphs, items, rows, fields, bars), so that not even
/// its place shows that something stood there. Of `data`, map entries whose key is `@` and an audience
/// stay for those who may see that audience; behind a key that names none, for the game master alone.
pub fn for_viewer(document: &Document, viewer: &Viewer) -> Option<Document> {
    may_see(viewer, &document.audience).then(|| Document {
        audience: document.audience.clone(),
        blocks: blocks(&document.blocks, viewer),
        data: document.data.as_ref().and_then(|value| data(value, viewer)),
    })
}

fn blocks(all: &[Block], viewer: &Viewer) -> Vec<Block> {
    all.iter().filter_map(|one| block(one, viewer)).collect()
}

fn block(block: &Block, viewer: &Viewer) -> Option<Block> {
    Some(match block {
        Block::Heading { level, line } => Block::Heading {
            level: *level,
            line: whole(line, viewer)?,
        },
        Block::Paragraph(line) => Block::Paragraph(whole(line, viewer)?),
        Block::List { ordered, items } => Block::List {
            ordered: *ordered,
            items: some(items, |item| list_item(item, viewer))?,
        },
        Block::Table(table) => Block::Table(cells(table, viewer)?),
        Block::Bars(chart) => Block::Bars(Bars {
            caption: line(&chart.caption, viewer),
            bars: some(&chart.bars, |bar| one_bar(bar, viewer))?,
        }),
        Block::Code { .. } | Block::Rule => block.clone(),
        Block::Quote(inner) => Block::Quote(some_blocks(inner, viewer)?),
        Block::Fields(fields) => Block::Fields(some(fields, |field| {
            Some(Field {
                label: whole(&field.label, viewer)?,
                value: whole(&field.value, viewer)?,
            })
        })?),
        Block::For {
            audience,
            blocks: inner,
        } if may_see(viewer, audience) => Block::For {
            audience: audience.clone(),
            blocks: some_blocks(inner, viewer)?,
        },
        Block::For { .. } => return None,
    })
}

/// Returns what is left; nothing if there was something and all of it went.
fn some<T, U>(all: &[T], keep: impl Fn(&T) -> Option<U>) -> Option<Vec<U>> {
    let kept: Vec<U> = all.iter().filter_map(keep).collect();
    (all.is_empty() || !kept.is_empty()).then_some(kept)
}

fn some_blocks(all: &[Block], viewer: &Viewer) -> Option<Vec<Block>> {
    some(all, |one| block(one, viewer))
}

fn line(line: &Line, viewer: &Viewer) -> Line {
    let seen = |audience: &Option<Audience>| {
        audience
            .as_ref()
            .is_none_or(|audience| may_see(viewer, audience))
    };
    let spans = line.0.iter().filter(|span| seen(&span.audience));
    Line(spans.cloned().collect())
}

/// Returns the line; nothing if the removal left no text of it.
fn whole(all: &Line, viewer: &Viewer) -> Option<Line> {
    let left = line(all, viewer);
    (left.0.len() == all.0.len() || !left.is_empty()).then_some(left)
}

fn list_item(item: &Item, viewer: &Viewer) -> Option<Item> {
    let left = Item {
        line: line(&item.line, viewer),
        blocks: blocks(&item.blocks, viewer),
    };
    let gone = left.line.is_empty() && left.blocks.is_empty() && left != *item;
    (!gone).then_some(left)
}

fn one_bar(bar: &Bar, viewer: &Viewer) -> Option<Bar> {
    Some(Bar {
        label: whole(&bar.label, viewer)?,
        value: bar.value,
        text: whole(&bar.text, viewer)?,
    })
}

fn cells(table: &Table, viewer: &Viewer) -> Option<Table> {
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
        let left: Vec<Line> = cells.map(|(_, cell)| line(cell, viewer)).collect();
        let gone = left.iter().all(Line::is_empty) && !row.iter().all(Line::is_empty);
        (!gone).then_some(left)
    };
    Some(Table {
        caption: line(&table.caption, viewer),
        columns: columns
            .map(|(_, column)| {
                let mut column = column.clone();
                column.title = line(&column.title, viewer);
                column
            })
            .collect(),
        rows: some(&table.rows, row)?,
    })
}

fn data(value: &Value, viewer: &Viewer) -> Option<Value> {
    let left = entries(value, viewer);
    let gone = left.as_map().is_some_and(BTreeMap::is_empty) && left != *value;
    (!gone).then_some(left)
}

fn entries(value: &Value, viewer: &Viewer) -> Value {
    match value {
        Value::Nil | Value::Bool(_) | Value::Number(_) | Value::Text(_) => value.clone(),
        Value::List(items) => Value::list(items.iter().map(|item| entries(item, viewer))),
        Value::Map(map) => Value::Map(Arc::new(
            map.iter()
                .filter(|(key, _)| may_see_key(key, viewer))
                .map(|(key, value)| (Text::clone(key), entries(value, viewer)))
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
