//! This module turns the table of a script into a tree with places, as content files are trees.
//!
//! The machine keeps no places, so they are looked up in the source, and only when something is to be reported.

use std::collections::BTreeMap;

use mlua::{Table, Value as LuaValue};

use super::convert;
use super::convert::Passing;
use super::locate::Places;
use super::raw::This;
use crate::content::{Entry, Kind, Node};
use crate::diag::{Source, Span};
use crate::value::{Text, Value};

/// Tables inside each other that are looked at.
const DEPTH: usize = 16;

/// Values in one definition, as many as in a content file.
const NODES: usize = 50_000;

/// Inner tables that are remembered for sealing; each holds a place of the machine.
const TABLES: usize = 64;

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
    Walk::new(places).table_node(table, "", 0)
}

/// The same, with the tables inside the table, if the tree shows all of them and they are few.
pub(crate) fn to_node_with_tables(
    table: &Table,
    places: &Places,
) -> Option<(Node, Option<Vec<Table>>)> {
    let mut walk = Walk::new(places);
    walk.inner = Some(Vec::new());
    let node = walk.table_node(table, "", 0)?;
    Some((node, walk.inner))
}

struct Walk<'a> {
    places: &'a Places,
    nodes: usize,
    bytes: usize,
    /// The tables below the first one, as long as none was passed over.
    inner: Option<Vec<Table>>,
}

impl Walk<'_> {
    fn new(places: &Places) -> Walk<'_> {
        Walk {
            places,
            nodes: NODES,
            bytes: BYTES,
            inner: None,
        }
    }

    fn remember(&mut self, table: Table, depth: usize) {
        let inner = self.inner.take();
        let has_room = |inner: &Vec<Table>| depth < DEPTH && inner.len() < TABLES;
        self.inner = inner.filter(has_room).map(|mut inner| {
            inner.push(table);
            inner
        });
    }
}

impl Walk<'_> {
    fn node(&mut self, value: Passing, path: &str, depth: usize) -> Option<Node> {
        if let Passing::Table(table) = value {
            let node = self.table_node(&table, path, depth);
            self.remember(table, depth);
            return node;
        }
        self.nodes = self.nodes.checked_sub(1)?;
        let kind = match value {
            Passing::Text(text) => Kind::Text(self.text(text)?),
            Passing::Other(LuaValue::Function(_)) => Kind::Function,
            Passing::Other(LuaValue::Boolean(value)) => Kind::Bool(value),
            Passing::Other(other) => match convert::from_lua(other) {
                Ok(Value::Number(number)) => Kind::Number(number, number.to_string().into()),
                _ => Kind::Nil,
            },
            Passing::Table(_) => Kind::Nil,
        };
        Some(Node::new(self.span(path), kind))
    }

    fn table_node(&mut self, table: &Table, path: &str, depth: usize) -> Option<Node> {
        self.nodes = self.nodes.checked_sub(1)?;
        let kind = if depth < DEPTH {
            self.table(table, path, depth)?
        } else {
            Kind::Nil
        };
        Some(Node::new(self.span(path), kind))
    }

    fn span(&self, path: &str) -> Span {
        let place = self.places.entries.get(path).map(|(_, value)| *value);
        place.or(self.places.whole).unwrap_or_default()
    }

    fn text(&mut self, text: Text) -> Option<Text> {
        self.bytes = self.bytes.checked_sub(text.len())?;
        Some(text)
    }

    fn table(&mut self, table: &Table, path: &str, depth: usize) -> Option<Kind> {
        let length = table.raw_len();
        if length > 0 {
            let items = (1..=length).map(|index| {
                let value = table
                    .raw_get(index)
                    .unwrap_or(Passing::Other(LuaValue::Nil));
                let inner = self.inner(|| format!("{path}[{index}]"));
                self.node(value, &inner, depth + 1)
            });
            let items = items.collect::<Option<Vec<Node>>>()?;
            if self.inner.is_some() && !holds_only(table, &items) {
                self.inner = None;
            }
            return Some(Kind::List(items));
        }
        let mut entries = Vec::new();
        let walked = table.for_each(|key: Passing, value: Passing| {
            let entry = self.entry(key, value, path, depth);
            entries.push(entry.ok_or_else(|| mlua::Error::runtime("too large"))?);
            Ok(())
        });
        walked.ok()?;
        entries.sort_by(|one: &Entry, other| one.key.cmp(&other.key));
        entries.dedup_by(|one, other| one.key == other.key);
        Some(Kind::Map(entries))
    }

    fn entry(&mut self, key: Passing, value: Passing, path: &str, depth: usize) -> Option<Entry> {
        let key = match key {
            Passing::Text(text) => self.text(text)?,
            Passing::Other(
                key @ (LuaValue::Integer(_) | LuaValue::Number(_) | LuaValue::Boolean(_)),
            ) => key.to_string().unwrap_or_default().into(),
            Passing::Other(other) => format!("({})", other.type_name()).into(),
            Passing::Table(_) => "(table)".into(),
        };
        let inner = self.inner(|| match path {
            "" => key.to_string(),
            path => format!("{path}.{key}"),
        });
        let node = self.node(value, &inner, depth + 1)?;
        let place = self.places.entries.get(&inner).map(|(key, _)| *key);
        Some(Entry {
            key,
            key_span: place.unwrap_or(node.span),
            node,
        })
    }

    /// Returns a path, if there are places to look up.
    fn inner(&self, path: impl FnOnce() -> String) -> String {
        if self.places.entries.is_empty() {
            String::new()
        } else {
            path()
        }
    }
}

/// Returns whether a table holds the items of its list and nothing else.
fn holds_only(table: &Table, items: &[Node]) -> bool {
    let mut count = 0;
    let counted = table.for_each(|_: This, _: This| {
        count += 1;
        Ok(())
    });
    counted.is_ok() && count == items.len() && !items.iter().any(Node::is_nil)
}

#[cfg(test)]
mod tests {
    use mlua::Lua;

    use super::*;

    #[test]
    fn the_tables_inside_are_known_where_the_tree_shows_all_of_them_and_they_are_few() {
        let many = format!("{{ {} }}", "{}, ".repeat(TABLES + 1));
        let deep = format!("{}{}", "{ a = ".repeat(DEPTH + 1), "}".repeat(DEPTH + 1));
        let deep = deep.replace("a = }", "}");
        let cases = [
            ("{}", Some(0)),
            (
                "{ a = { b = { 1 } }, c = { 1, { 2 } }, d = print }",
                Some(4),
            ),
            ("{ a = { 1, b = {} } }", None),
            ("{ a = { {}, nil, {}, b = {} } }", None),
            (&many, None),
            (&deep, None),
        ];
        let lua = Lua::new();
        for (text, expected) in cases {
            let table: Table = lua.load(text).eval().unwrap();
            let (_, inner) = to_node_with_tables(&table, &whole(&Source::new("a", text))).unwrap();
            assert_eq!(inner.map(|inner| inner.len()), expected, "{text}");
        }
    }
}
