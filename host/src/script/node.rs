//! This module turns the table of a script into a tree with places, as content files are trees.
//!
//! The machine keeps no places, so they are looked up in the source, and only when something is to be reported.

use std::collections::BTreeMap;

use mlua::{Table, Value as LuaValue};

use super::convert;
use super::locate::Places;
use crate::content::{Entry, Kind, Node};
use crate::diag::{Source, Span};
use crate::value::Value;

/// Returns the place of a whole definition, for scripts that were not looked at closer.
pub(crate) fn whole(source: &Source) -> Places {
    let at = source.text().rfind("return").unwrap_or(0);
    Places {
        whole: Some(Span::new(at, source.text().len())),
        entries: BTreeMap::new(),
    }
}

/// Returns a Luau value as a tree; depth is bounded, what lies deeper is left out.
pub(crate) fn to_node(value: &LuaValue, path: &str, places: &Places, depth: usize) -> Node {
    let span = places
        .entries
        .get(path)
        .map(|(_, value)| *value)
        .or(places.whole)
        .unwrap_or_default();
    let kind = match value {
        LuaValue::Table(table) if depth < 16 => table_kind(table, path, places, depth),
        LuaValue::Function(_) => Kind::Function,
        LuaValue::String(text) => Kind::Text(text.to_string_lossy().into()),
        LuaValue::Boolean(value) => Kind::Bool(*value),
        other => match convert::from_lua(other.clone()) {
            Ok(Value::Number(number)) => Kind::Number(number, number.to_string().into()),
            _ => Kind::Nil,
        },
    };
    Node::new(span, kind)
}

fn table_kind(table: &Table, path: &str, places: &Places, depth: usize) -> Kind {
    let length = table.raw_len();
    if length > 0 {
        let items = (1..=length).map(|index| {
            let value = table.raw_get(index).unwrap_or(LuaValue::Nil);
            to_node(&value, &format!("{path}[{index}]"), places, depth + 1)
        });
        return Kind::List(items.collect());
    }
    let mut entries = BTreeMap::new();
    let _ = table.for_each(|key: LuaValue, value: LuaValue| {
        let key = key.to_string().unwrap_or_default();
        let inner = if path.is_empty() {
            key.clone()
        } else {
            format!("{path}.{key}")
        };
        let node = to_node(&value, &inner, places, depth + 1);
        let key_span = places
            .entries
            .get(&inner)
            .map(|(key, _)| *key)
            .unwrap_or(node.span);
        entries.insert(
            key.clone(),
            Entry {
                key: key.into(),
                key_span,
                node,
            },
        );
        Ok(())
    });
    Kind::Map(entries.into_values().collect())
}
