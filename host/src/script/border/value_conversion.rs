//! Converts plain values to Luau values and back. No other code converts them.
//!
//! Tables are read raw. Metatables have no effect. A list has the keys 1..n. Any other table is a map with texts as
//! keys. An empty table is an empty list. Inside a list or map, `null` represents nothing.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use mlua::{FromLua, IntoLua, Lua, Table};

use super::DecimalValue;
use super::type_in_words;
use crate::value::{Number, NumberError, Text, Value};

/// Most levels of lists and maps.
pub(crate) const DEPTH: usize = 16;
/// Most levels of the values of a read text. They nest deeper, because each level of the text, and each bracket in a
/// line, is several tables.
const TEXT_DEPTH: usize = 128;
/// Most values in all.
pub(crate) const NODES: usize = 10_000;
/// Most bytes of text in all.
pub(crate) const BYTES: usize = 64 << 10;

/// Reasons why a Luau value cannot cross the border.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ConvertError {
    /// A function, thread, buffer or foreign object.
    NotData(&'static str),
    /// A number that is not finite or too large.
    Number(NumberError),
    /// A text that is not UTF-8.
    NotUtf8,
    /// A key that is neither a text nor part of 1..n.
    Key(String),
    /// More levels than this number, or a table that contains itself.
    TooDeep(usize),
    /// More values, or more bytes of text, than these numbers.
    TooLarge(usize, usize),
}

impl fmt::Display for ConvertError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ConvertError::NotData(kind) => write!(out, "{} is not plain data", type_in_words(kind)),
            ConvertError::Number(reason) => write!(out, "{reason}"),
            ConvertError::NotUtf8 => out.write_str("a text must be UTF-8"),
            ConvertError::Key(key) => {
                write!(
                    out,
                    "the key {key} is neither a text nor part of a list without gaps"
                )
            }
            ConvertError::TooDeep(depth) => {
                write!(
                    out,
                    "a table may be nested {depth} levels deep and must not contain itself"
                )
            }
            ConvertError::TooLarge(nodes, bytes) => {
                write!(
                    out,
                    "a value may contain {nodes} values and {} KiB of text",
                    bytes >> 10
                )
            }
        }
    }
}

/// Returns a plain value as a Luau value. Numbers become doubles.
///
/// The contents of a game are already bounded, so a list or map is made without the limit of the machine's memory. Then
/// the machine need not guard each entry by itself. A value that is too large for the machine ends the script at its
/// next step.
pub(crate) fn to_lua(value: &Value, lua: &Lua) -> mlua::Result<mlua::Value> {
    match value {
        Value::List(_) | Value::Map(_) => without_memory_limit(lua, || make_lua_value(value, lua)),
        Value::Nil | Value::Bool(_) | Value::Number(_) | Value::Text(_) => {
            make_lua_value(value, lua)
        }
    }
}

/// Makes a value of a bounded size without the limit of the machine's memory.
pub(crate) fn without_memory_limit<R>(
    lua: &Lua,
    make: impl FnOnce() -> mlua::Result<R>,
) -> mlua::Result<R> {
    let limit = lua.set_memory_limit(0)?;
    let made = make();
    lua.set_memory_limit(limit)?;
    made
}

fn make_lua_value(value: &Value, lua: &Lua) -> mlua::Result<mlua::Value> {
    Ok(match value {
        Value::Nil => mlua::Value::Nil,
        Value::Bool(value) => mlua::Value::Boolean(*value),
        Value::Number(number) => mlua::Value::Number(number.to_f64()),
        Value::Text(text) => mlua::Value::String(lua.create_string(text.as_bytes())?),
        Value::List(items) => {
            let items = items.iter().map(Entry);
            mlua::Value::Table(lua.create_sequence_from(items)?)
        }
        Value::Map(entries) => {
            let entries = entries.iter().map(|(key, item)| (&**key, Entry(item)));
            mlua::Value::Table(lua.create_table_from(entries)?)
        }
    })
}

/// An entry of a list or map, in which `null` represents nothing.
struct Entry<'a>(&'a Value);

impl IntoLua for Entry<'_> {
    fn into_lua(self, lua: &Lua) -> mlua::Result<mlua::Value> {
        match self.0 {
            Value::Nil => Ok(mlua::Value::NULL),
            Value::Bool(_) | Value::Number(_) | Value::Text(_) | Value::List(_) | Value::Map(_) => {
                make_lua_value(self.0, lua)
            }
        }
    }
}

/// Returns a Luau value as a plain value. Errors: the value cannot cross the border.
pub(crate) fn from_lua(value: mlua::Value) -> Result<Value, ConvertError> {
    convert_with_fuel(value, Extent::VALUE).0
}

/// Returns a Luau value as a plain value, and the fuel of the conversion. Errors: the value cannot cross the border.
pub(crate) fn from_lua_with_fuel(value: mlua::Value) -> (Result<Value, ConvertError>, u64) {
    convert_with_fuel(value, Extent::VALUE)
}

/// Does the same for a document, which may be larger than other values. The limit is the size that the fuel of a call
/// covers, so that a larger document is reported as too large.
pub(crate) fn document_from_lua(value: mlua::Value) -> (Result<Value, ConvertError>, u64) {
    convert_with_fuel(value, Extent::LARGE)
}

/// Returns the values of a read text as a plain value, which may be as large as a document, and nest deeper.
pub(crate) fn text_values_from_lua(value: mlua::Value) -> Result<Value, ConvertError> {
    let extent = Extent {
        depth: TEXT_DEPTH,
        ..Extent::LARGE
    };
    convert_with_fuel(value, extent).0
}

/// Limits of the contents of a value.
#[derive(Clone, Copy)]
struct Extent {
    nodes: usize,
    bytes: usize,
    depth: usize,
}

impl Extent {
    const VALUE: Extent = Extent {
        nodes: NODES,
        bytes: BYTES,
        depth: DEPTH,
    };
    const LARGE: Extent = Extent {
        nodes: 30 * NODES,
        bytes: 8 << 20,
        depth: DEPTH,
    };
}

fn convert_with_fuel(value: mlua::Value, most: Extent) -> (Result<Value, ConvertError>, u64) {
    let mut walk = Walk {
        nodes: most.nodes,
        bytes: most.bytes,
        most,
    };
    let made = walk.convert_value(value, 0);
    (
        made,
        fuel_of_passing(most.nodes - walk.nodes, most.bytes - walk.bytes),
    )
}

/// Returns the fuel of passing this number of values with this number of bytes of text.
pub(crate) fn fuel_of_passing(nodes: usize, bytes: usize) -> u64 {
    (nodes * 6 + bytes / 16) as u64
}

/// Returns the fuel of passing a value to a script.
pub(crate) fn fuel_of_passing_value(value: &Value) -> u64 {
    let inside = match value {
        Value::Nil | Value::Bool(_) | Value::Number(_) => 0,
        Value::Text(text) => text.len() as u64 / 32,
        Value::List(items) => items.iter().map(fuel_of_passing_value).sum(),
        Value::Map(entries) => entries
            .values()
            .map(|value| 2 + fuel_of_passing_value(value))
            .sum(),
    };
    1 + inside
}

/// The remaining limits of a conversion, and the limits at its start.
struct Walk {
    nodes: usize,
    bytes: usize,
    most: Extent,
}

impl Walk {
    fn too_large_error(&self) -> ConvertError {
        ConvertError::TooLarge(self.most.nodes, self.most.bytes)
    }

    fn convert_value(&mut self, value: mlua::Value, depth: usize) -> Result<Value, ConvertError> {
        let left = self.nodes.checked_sub(1);
        self.nodes = left.ok_or_else(|| self.too_large_error())?;
        match value {
            mlua::Value::Nil => Ok(Value::Nil),
            mlua::Value::LightUserData(data) if data.0.is_null() => Ok(Value::Nil),
            mlua::Value::Boolean(value) => Ok(Value::Bool(value)),
            mlua::Value::Integer(value) => Ok(Value::from(value)),
            mlua::Value::Number(value) => Number::from_f64(value)
                .map(Value::Number)
                .map_err(ConvertError::Number),
            mlua::Value::String(text) => self.convert_text(&text).map(Value::Text),
            mlua::Value::Table(table) if depth < self.most.depth => {
                self.convert_table(&table, depth)
            }
            mlua::Value::Table(_) => Err(ConvertError::TooDeep(self.most.depth)),
            mlua::Value::UserData(data) => match data.borrow::<DecimalValue>() {
                Ok(decimal) => Ok(Value::Number(Number::from_decimal(decimal.0))),
                Err(_) => Err(ConvertError::NotData("foreign object")),
            },
            other => Err(ConvertError::NotData(other.type_name())),
        }
    }

    fn convert_text(&mut self, text: &mlua::LuaString) -> Result<Text, ConvertError> {
        let bytes = text.as_bytes();
        let left = self.bytes.checked_sub(bytes.len());
        self.bytes = left.ok_or_else(|| self.too_large_error())?;
        std::str::from_utf8(&bytes)
            .map(Text::from)
            .map_err(|_| ConvertError::NotUtf8)
    }

    fn convert_table(&mut self, table: &Table, depth: usize) -> Result<Value, ConvertError> {
        let mut list = BTreeMap::new();
        let mut map = BTreeMap::new();
        let mut walked = Ok(());
        let walk = table.for_each(|key: mlua::Value, value: mlua::Value| {
            walked = self.convert_entry(key, value, depth, &mut list, &mut map);
            if walked.is_err() {
                Err(mlua::Error::runtime("stop"))
            } else {
                Ok(())
            }
        });
        walked?;
        walk.map_err(|_| self.too_large_error())?;
        if list.is_empty() && !map.is_empty() {
            return Ok(Value::Map(Arc::new(map)));
        }
        if let Some(key) = map.keys().next() {
            return Err(ConvertError::Key(format!("\"{key}\" beside list items")));
        }
        if let Some(hole) = (1..).zip(list.keys()).find(|(want, have)| want != *have) {
            return Err(ConvertError::Key(hole.1.to_string()));
        }
        Ok(Value::List(Arc::new(list.into_values().collect())))
    }

    fn convert_entry(
        &mut self,
        key: mlua::Value,
        value: mlua::Value,
        depth: usize,
        list: &mut BTreeMap<i64, Value>,
        map: &mut BTreeMap<Text, Value>,
    ) -> Result<(), ConvertError> {
        let value = self.convert_value(value, depth + 1)?;
        match key {
            mlua::Value::Integer(index) if index > 0 => {
                list.insert(index, value);
            }
            mlua::Value::String(text) => {
                map.insert(self.convert_text(&text)?, value);
            }
            mlua::Value::Integer(other) => return Err(ConvertError::Key(other.to_string())),
            mlua::Value::Number(other) => return Err(ConvertError::Key(other.to_string())),
            other => return Err(ConvertError::Key(format!("of type {}", other.type_name()))),
        }
        Ok(())
    }
}

/// A table inside another table. Any other value is ignored.
pub(crate) struct Inner(pub(crate) Option<Table>);

impl FromLua for Inner {
    fn from_lua(value: mlua::Value, _: &Lua) -> mlua::Result<Inner> {
        Ok(Inner(value.as_table().cloned()))
    }
}

/// A visited value of a table. A text is converted directly, and bytes that are not valid text are replaced.
pub(crate) enum Passing {
    Text(Text),
    Table(Table),
    Other(mlua::Value),
}

impl Passing {
    /// Returns the visited form of a value.
    pub(crate) fn of(value: mlua::Value) -> Passing {
        match value {
            mlua::Value::String(text) => Passing::of_text(&text.as_bytes()),
            mlua::Value::Table(table) => Passing::Table(table),
            other => Passing::Other(other),
        }
    }

    pub(crate) fn of_text(bytes: &[u8]) -> Passing {
        Passing::Text(String::from_utf8_lossy(bytes).as_ref().into())
    }
}
