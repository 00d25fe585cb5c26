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

/// Tables inside each other that are looked at.
const DEPTH: usize = 16;

/// Values in one definition, as many as in a content file.
const NODES: usize = 50_000;

/// Bytes of text in one definition.
const BYTES: usize = 1 << 20;

/// Returns the place of a whole definition, for scripts that were not looked at closer.
pub(crate) fn whole(source: &Source) -> Places {
    let at = source.text().rfind("return").unwrap_or(0);
    Places {
        whole: Some(Span::new(at, source.text().len())),
        entries: BTreeMap::new(),
    }
}

/// Returns the table of a script as a tree, or nothing if it holds too much; what lies deeper than 16 is left out.
pub(crate) fn to_node(table: &Table, places: &Places) -> Option<Node> {
    let mut walk = Walk {
        places,
        nodes: NODES,
        bytes: BYTES,
    };
    walk.node(&LuaValue::Table(table.clone()), "", 0)
}

struct Walk<'a> {
    places: &'a Places,
    nodes: usize,
    bytes: usize,
}

impl Walk<'_> {
    fn node(&mut self, value: &LuaValue, path: &str, depth: usize) -> Option<Node> {
        self.nodes = self.nodes.checked_sub(1)?;
        let place = self.places.entries.get(path).map(|(_, value)| *value);
        let span = place.or(self.places.whole).unwrap_or_default();
        let kind = match value {
            LuaValue::Table(table) if depth < DEPTH => self.table(table, path, depth)?,
            LuaValue::Function(_) => Kind::Function,
            LuaValue::String(text) => Kind::Text(self.text(text)?.into()),
            LuaValue::Boolean(value) => Kind::Bool(*value),
            other => match convert::from_lua(other.clone()) {
                Ok(Value::Number(number)) => Kind::Number(number, number.to_string().into()),
                _ => Kind::Nil,
            },
        };
        Some(Node::new(span, kind))
    }

    fn text(&mut self, text: &mlua::LuaString) -> Option<String> {
        self.bytes = self.bytes.checked_sub(text.as_bytes().len())?;
        Some(text.to_string_lossy())
    }

    fn table(&mut self, table: &Table, path: &str, depth: usize) -> Option<Kind> {
        let length = table.raw_len();
        if length > 0 {
            let items = (1..=length).map(|index| {
                let value = table.raw_get(index).unwrap_or(LuaValue::Nil);
                self.node(&value, &format!("{path}[{index}]"), depth + 1)
            });
            return Some(Kind::List(items.collect::<Option<Vec<Node>>>()?));
        }
        let mut entries = BTreeMap::new();
        let walked = table.for_each(|key: LuaValue, value: LuaValue| {
            let entry = self.entry(&key, &value, path, depth);
            let entry = entry.ok_or_else(|| mlua::Error::runtime("too large"))?;
            entries.insert(entry.key.clone(), entry);
            Ok(())
        });
        walked.ok()?;
        Some(Kind::Map(entries.into_values().collect()))
    }

    fn entry(
        &mut self,
        key: &LuaValue,
        value: &LuaValue,
        path: &str,
        depth: usize,
    ) -> Option<Entry> {
        let key = match key {
            LuaValue::String(text) => self.text(text)?,
            LuaValue::Integer(_) | LuaValue::Number(_) | LuaValue::Boolean(_) => {
                key.to_string().unwrap_or_default()
            }
            other => format!("({})", other.type_name()),
        };
        let inner = if path.is_empty() {
            key.clone()
        } else {
            format!("{path}.{key}")
        };
        let node = self.node(value, &inner, depth + 1)?;
        let place = self.places.entries.get(&inner).map(|(key, _)| *key);
        Some(Entry {
            key: key.into(),
            key_span: place.unwrap_or(node.span),
            node,
        })
    }
}
