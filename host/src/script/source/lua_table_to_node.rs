//! Turns the table of a script into a tree with places, as content files are trees.
//!
//! The machine keeps no places, so they are looked up in the source, and only when something is to be reported.

use std::collections::BTreeMap;

use mlua::{Table, Value as LuaValue};

use super::source_places;
use super::source_places::Places;
use crate::content::{Entry, Kind, Node};
use crate::diag::{Source, Span};
use crate::script::border::value_conversion;
use crate::script::border::value_conversion::Passing;
use crate::value::{Text, Value};

/// Tables inside each other that are looked at.
const DEPTH: usize = 16;

/// Values in one definition, as many as in a content file.
pub(crate) const NODES: usize = 50_000;

/// Bytes of text in one definition.
pub(crate) const BYTES: usize = 1 << 20;

/// Returns the place of a whole definition, for scripts without a closer look.
pub(crate) fn whole_file_place(source: &Source) -> Places {
    let at = source_places::return_position(source).unwrap_or(0);
    Places {
        whole: Some(Span::new(at, source.text().len())),
        entries: BTreeMap::new(),
    }
}

/// Returns the table of a script as a tree, or nothing if it holds too much. Values deeper than 16 are left out.
pub(crate) fn table_to_node(table: &Table, places: &Places) -> Option<Node> {
    Walk::new_walk_within_limits(places).table_node(table, "", 0)
}

struct Walk<'a> {
    places: &'a Places,
    nodes: usize,
    bytes: usize,
}

impl Walk<'_> {
    fn new_walk_within_limits(places: &Places) -> Walk<'_> {
        Walk {
            places,
            nodes: NODES,
            bytes: BYTES,
        }
    }

    fn value_node(&mut self, value: Passing, path: &str, depth: usize) -> Option<Node> {
        if let Passing::Table(table) = value {
            return self.table_node(&table, path, depth);
        }
        self.nodes = self.nodes.checked_sub(1)?;
        let kind = match value {
            Passing::Text(text) => Kind::Text(self.charge_text(text)?),
            Passing::Other(LuaValue::Function(_)) => Kind::Function,
            Passing::Other(LuaValue::Boolean(value)) => Kind::Bool(value),
            Passing::Other(other) => match value_conversion::from_lua(other) {
                Ok(Value::Number(number)) => Kind::Number(number, number.to_string().into()),
                _ => Kind::Nil,
            },
            Passing::Table(_) => Kind::Nil,
        };
        Some(Node::new(self.span_at(path), kind))
    }

    fn table_node(&mut self, table: &Table, path: &str, depth: usize) -> Option<Node> {
        self.nodes = self.nodes.checked_sub(1)?;
        let kind = if depth < DEPTH {
            self.table_kind(table, path, depth)?
        } else {
            Kind::Nil
        };
        Some(Node::new(self.span_at(path), kind))
    }

    fn span_at(&self, path: &str) -> Span {
        let place = self.places.entries.get(path).map(|(_, value)| *value);
        place.or(self.places.whole).unwrap_or_default()
    }

    fn charge_text(&mut self, text: Text) -> Option<Text> {
        self.bytes = self.bytes.checked_sub(text.len())?;
        Some(text)
    }

    fn table_kind(&mut self, table: &Table, path: &str, depth: usize) -> Option<Kind> {
        let length = table.raw_len();
        if length > 0 {
            let items = (1..=length).map(|index| {
                let value = table
                    .raw_get(index)
                    .unwrap_or(Passing::Other(LuaValue::Nil));
                let inner = self.path_for_lookup(|| format!("{path}[{index}]"));
                self.value_node(value, &inner, depth + 1)
            });
            let items = items.collect::<Option<Vec<Node>>>()?;
            return Some(Kind::List(items));
        }
        let mut entries = Vec::new();
        let walked = table.for_each(|key: Passing, value: Passing| {
            let entry = self.entry_node(key, value, path, depth);
            entries.push(entry.ok_or_else(|| mlua::Error::runtime("too large"))?);
            Ok(())
        });
        walked.ok()?;
        entries.sort_by(|one: &Entry, other| one.key.cmp(&other.key));
        entries.dedup_by(|one, other| one.key == other.key);
        Some(Kind::Map(entries))
    }

    fn entry_node(
        &mut self,
        key: Passing,
        value: Passing,
        path: &str,
        depth: usize,
    ) -> Option<Entry> {
        let key = match key {
            Passing::Text(text) => self.charge_text(text)?,
            Passing::Other(
                key @ (LuaValue::Integer(_) | LuaValue::Number(_) | LuaValue::Boolean(_)),
            ) => key.to_string().unwrap_or_default().into(),
            Passing::Other(other) => format!("({})", other.type_name()).into(),
            Passing::Table(_) => "(table)".into(),
        };
        let inner = self.path_for_lookup(|| match path {
            "" => key.to_string(),
            path => format!("{path}.{key}"),
        });
        let node = self.value_node(value, &inner, depth + 1)?;
        let place = self.places.entries.get(&inner).map(|(key, _)| *key);
        Some(Entry {
            key,
            key_span: place.unwrap_or(node.span),
            node,
        })
    }

    /// Returns a path, if there are places to look up.
    fn path_for_lookup(&self, path: impl FnOnce() -> String) -> String {
        if self.places.entries.is_empty() {
            String::new()
        } else {
            path()
        }
    }
}
