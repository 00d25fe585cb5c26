//! The data that passes between all layers: values, exact numbers, interned names, canonical bytes.

mod canonical_bytes;
mod exact_json;
mod json;
mod name_table;
mod number;
mod path;

pub use canonical_bytes::{CanonicalError, Reader, write_value};
pub(crate) use canonical_bytes::{write_length, write_text};
pub use exact_json::{Exact, ReadExact};
pub use json::{from_json, to_json};
pub use name_table::{Name, Names};
pub use number::{Number, NumberError, parse_written_decimal};
pub use path::{split_first_key, value_at_path};

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// A text inside a value; shared, so that copying costs a counter.
pub type Text = Arc<str>;

/// A list inside a value.
pub type List = Arc<Vec<Value>>;

/// A map inside a value; keys are in order, so that a walk over it is the same everywhere.
pub type Map = Arc<BTreeMap<Text, Value>>;

/// One piece of plain data: the values of the store, of scripts and of documents.
///
/// Ids of rows are texts. Lists never hold trailing `Nil`, maps never hold `Nil`.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Value {
    /// Nothing; setting a field to it removes the field.
    #[default]
    Nil,
    /// True or false.
    Bool(bool),
    /// An exact number.
    Number(Number),
    /// A text, or the id of a row.
    Text(Text),
    /// Values in order.
    List(List),
    /// Values by name.
    Map(Map),
}

impl Value {
    /// Returns a text value.
    pub fn text(text: impl Into<Text>) -> Value {
        Value::Text(text.into())
    }

    /// Returns a list value.
    pub fn list(items: impl IntoIterator<Item = Value>) -> Value {
        Value::List(Arc::new(items.into_iter().collect()))
    }

    /// Returns a map value; entries whose value is `Nil` are left out.
    pub fn map<K: Into<Text>>(entries: impl IntoIterator<Item = (K, Value)>) -> Value {
        let entries = entries.into_iter().filter(|(_, value)| !value.is_nil());
        Value::Map(Arc::new(
            entries.map(|(key, value)| (key.into(), value)).collect(),
        ))
    }

    /// Returns whether this is `Nil`.
    pub fn is_nil(&self) -> bool {
        matches!(self, Value::Nil)
    }

    /// Returns the bool, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        if let Value::Bool(value) = self {
            Some(*value)
        } else {
            None
        }
    }

    /// Returns the number, if it is one.
    pub fn as_number(&self) -> Option<&Number> {
        if let Value::Number(value) = self {
            Some(value)
        } else {
            None
        }
    }

    /// Returns the whole number, if it is one that fits.
    pub fn as_i64(&self) -> Option<i64> {
        self.as_number().and_then(Number::to_i64)
    }

    /// Returns the text, if it is one.
    pub fn as_str(&self) -> Option<&str> {
        if let Value::Text(value) = self {
            Some(value)
        } else {
            None
        }
    }

    /// Returns the items of a list; for any other value, none.
    pub fn items(&self) -> &[Value] {
        if let Value::List(items) = self {
            items
        } else {
            &[]
        }
    }

    /// Returns the map, if it is one.
    pub fn as_map(&self) -> Option<&BTreeMap<Text, Value>> {
        if let Value::Map(map) = self {
            Some(map)
        } else {
            None
        }
    }

    /// Returns the entry of a map. Returns `Nil` if the entry is missing or the value is not a map.
    pub fn get(&self, key: &str) -> &Value {
        self.as_map()
            .and_then(|map| map.get(key))
            .unwrap_or(&Value::Nil)
    }

    /// Returns the word for this kind of value in messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Nil => "nil",
            Value::Bool(_) => "bool",
            Value::Number(_) => "number",
            Value::Text(_) => "text",
            Value::List(_) => "list",
            Value::Map(_) => "map",
        }
    }
}

/// Prints a value in the form for people: texts bare, lists in brackets, maps in braces.
impl fmt::Display for Value {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Nil => out.write_str("nil"),
            Value::Bool(value) => write!(out, "{value}"),
            Value::Number(value) => write!(out, "{value}"),
            Value::Text(value) => out.write_str(value),
            Value::List(items) => {
                out.write_str("[")?;
                for (index, item) in items.iter().enumerate() {
                    let comma = if index == 0 { "" } else { ", " };
                    write!(out, "{comma}{item}")?;
                }
                out.write_str("]")
            }
            Value::Map(entries) => {
                out.write_str("{")?;
                for (index, (key, value)) in entries.iter().enumerate() {
                    let comma = if index == 0 { "" } else { ", " };
                    write!(out, "{comma}{key}: {value}")?;
                }
                out.write_str("}")
            }
        }
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Value {
        Value::Bool(value)
    }
}

impl From<i64> for Value {
    fn from(value: i64) -> Value {
        Value::Number(Number::from(value))
    }
}

impl From<Number> for Value {
    fn from(value: Number) -> Value {
        Value::Number(value)
    }
}

impl From<&str> for Value {
    fn from(value: &str) -> Value {
        Value::text(value)
    }
}

impl From<String> for Value {
    fn from(value: String) -> Value {
        Value::text(value)
    }
}
