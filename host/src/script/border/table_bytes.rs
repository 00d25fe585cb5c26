//! Packs tables of a script into bytes, and unpacks them in another machine.
//!
//! In: tables of booleans, numbers, texts and further tables, as keys too. A table that occurs twice is one table
//! again, and may contain itself. A definition is packed as its collection and id. Out: the same bytes for the same
//! tables, regardless of the order in which the machine keeps them. The unpacked tables are read-only. The bytes may
//! come from a foreign file: they are checked before anything is made.

use std::cmp::Ordering;
use std::collections::HashMap;

use mlua::{Lua, LuaString, Table, Value};
use serde::{Deserialize, Serialize};

use super::value_conversion::without_memory_limit;

/// Most tables, texts and definitions of some values, of each. The values of a text of the allowed size have far fewer.
const MOST: usize = 50_000;

/// Most bytes of some values. Each value takes at least one byte.
const BYTES: usize = 1 << 20;

/// An entry of a table. Texts, definitions and tables are stored by their number.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
enum Item {
    Nothing,
    Bool(bool),
    Number(f64),
    Text(u32),
    Definition(u32),
    Table(u32),
}

#[derive(Default, Serialize, Deserialize)]
struct Entries {
    /// The entries with the keys 1..n.
    list: Vec<Item>,
    /// All other entries, in the order of keys.
    others: Vec<(Item, Item)>,
}

#[derive(Serialize, Deserialize)]
struct Packed<'a> {
    #[serde(borrow)]
    texts: Vec<&'a [u8]>,
    #[serde(borrow)]
    definitions: Vec<(&'a str, &'a str)>,
    tables: Vec<Entries>,
    values: Vec<Item>,
}

impl Packed<'_> {
    fn is_within_limits(&self) -> bool {
        let counts = [self.tables.len(), self.texts.len(), self.definitions.len()];
        counts.iter().all(|count| *count <= MOST)
    }
}

/// The definitions of a machine.
pub(crate) trait Definitions {
    /// Returns the collection and the id of the definition that a table is. Returns nothing for any other table.
    fn key_of(&self, table: &Table) -> Option<(&str, &str)>;

    /// Returns the table of a definition.
    fn table_of(&self, collection: &str, id: &str) -> Option<Table>;
}

/// Returns values as bytes. Returns nothing if a value cannot be packed: a function, an object, a table with a
/// metatable, or more than `unpack` takes.
pub(crate) fn pack(values: &[Value], definitions: &impl Definitions) -> Option<Vec<u8>> {
    let mut packer = Packer {
        definitions,
        known: HashMap::new(),
        numbers: HashMap::new(),
        tables: Vec::new(),
        texts: Vec::new(),
        named: Vec::new(),
    };
    let (mut items, mut entries) = (Vec::new(), Vec::new());
    for value in values {
        items.push(packer.pack_value(value)?);
        // The contents of the first value get their numbers before later values are visited.
        while entries.len() < packer.tables.len() {
            let table = packer.tables[entries.len()].clone();
            entries.push(packer.pack_entries(&table)?);
        }
    }
    let texts: Vec<_> = packer.texts.iter().map(LuaString::as_bytes).collect();
    let packed = Packed {
        texts: texts.iter().map(|text| &**text).collect(),
        definitions: packer.named,
        tables: entries,
        values: items,
    };
    let bytes = postcard::to_allocvec(&packed).ok()?;
    (packed.is_within_limits() && bytes.len() <= BYTES).then_some(bytes)
}

struct Packer<'d, D> {
    definitions: &'d D,
    /// The items of visited tables and texts, by their address in the machine.
    known: HashMap<usize, Item>,
    numbers: HashMap<(&'d str, &'d str), u32>,
    tables: Vec<Table>,
    texts: Vec<LuaString>,
    named: Vec<(&'d str, &'d str)>,
}

impl<D: Definitions> Packer<'_, D> {
    fn pack_value(&mut self, value: &Value) -> Option<Item> {
        match value {
            Value::Nil => Some(Item::Nothing),
            Value::Boolean(value) => Some(Item::Bool(*value)),
            #[expect(clippy::cast_precision_loss, reason = "it was a number of the machine")]
            Value::Integer(value) => Some(Item::Number(*value as f64)),
            Value::Number(value) => Some(Item::Number(*value)),
            Value::String(text) => Some(self.pack_text(text)),
            Value::Table(table) => self.pack_table(table),
            _ => None,
        }
    }

    fn pack_text(&mut self, text: &LuaString) -> Item {
        // The machine keeps equal texts once.
        let known = self.known.entry(text.to_pointer() as usize);
        *known.or_insert_with(|| {
            self.texts.push(text.clone());
            Item::Text(count_as_u32(self.texts.len() - 1))
        })
    }

    fn pack_table(&mut self, table: &Table) -> Option<Item> {
        let place = table.to_pointer() as usize;
        if let Some(item) = self.known.get(&place) {
            return Some(*item);
        }
        let item = match self.definitions.key_of(table) {
            Some(key) => {
                let next = count_as_u32(self.named.len());
                let number = *self.numbers.entry(key).or_insert_with(|| {
                    self.named.push(key);
                    next
                });
                Item::Definition(number)
            }
            None if table.metatable().is_some() || self.tables.len() >= MOST => return None,
            None => {
                self.tables.push(table.clone());
                Item::Table(count_as_u32(self.tables.len() - 1))
            }
        };
        self.known.insert(place, item);
        Some(item)
    }

    fn pack_entries(&mut self, table: &Table) -> Option<Entries> {
        let length = table.raw_len();
        let list = (1..=length).map(|at| self.pack_value(&table.raw_get(at).ok()?));
        let list = list.collect::<Option<_>>()?;
        let is_in_list =
            |key: &Value| matches!(key, Value::Integer(at) if (1..=length as i64).contains(at));
        let mut others = Vec::new();
        let walked = table.for_each(|key: Value, value: Value| {
            if !is_in_list(&key) {
                others.push((key, value));
            }
            Ok(())
        });
        walked.ok()?;
        others.sort_by(|(one, _), (other, _)| self.compare_keys(one, other));
        let others = others.iter();
        let others =
            others.map(|(key, value)| Some((self.pack_value(key)?, self.pack_value(value)?)));
        Some(Entries {
            list,
            others: others.collect::<Option<_>>()?,
        })
    }

    /// Returns the order of two keys, which does not depend on their addresses in the machine. Tables that were not
    /// visited yet come last, in no order.
    fn compare_keys(&self, one: &Value, other: &Value) -> Ordering {
        let rank = |value: &Value| match value {
            Value::Boolean(value) => (0, f64::from(u8::from(*value))),
            #[expect(clippy::cast_precision_loss, reason = "it was a number of the machine")]
            Value::Integer(value) => (1, *value as f64),
            Value::Number(value) => (1, *value),
            Value::String(_) => (2, 0.0),
            Value::Table(table) => match self.known.get(&(table.to_pointer() as usize)) {
                Some(Item::Table(number) | Item::Definition(number)) => (3, f64::from(*number)),
                _ => (4, 0.0),
            },
            _ => (5, 0.0),
        };
        match (one, other) {
            (Value::String(one), Value::String(other)) => one.as_bytes().cmp(&other.as_bytes()),
            _ => {
                let ((kind, at), (other_kind, other_at)) = (rank(one), rank(other));
                kind.cmp(&other_kind).then(at.total_cmp(&other_at))
            }
        }
    }
}

fn count_as_u32(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// Returns the values of bytes. Each table is new and read-only. Returns nothing if the bytes are invalid, name missing
/// definitions, or exceed the limits.
pub(crate) fn unpack(
    lua: &Lua,
    bytes: &[u8],
    definitions: &impl Definitions,
) -> Option<Vec<Value>> {
    let packed = (bytes.len() <= BYTES).then(|| postcard::from_bytes::<Packed<'_>>(bytes));
    let packed = packed?.ok().filter(Packed::is_within_limits)?;
    without_memory_limit(lua, || make_values(lua, &packed, definitions)).ok()?
}

fn make_values(
    lua: &Lua,
    packed: &Packed<'_>,
    definitions: &impl Definitions,
) -> mlua::Result<Option<Vec<Value>>> {
    let texts = packed.texts.iter().map(|text| lua.create_string(text));
    let texts: Vec<LuaString> = texts.collect::<mlua::Result<_>>()?;
    let named = packed.definitions.iter();
    let named = named.map(|(collection, id)| definitions.table_of(collection, id));
    let Some(named) = named.collect::<Option<Vec<Table>>>() else {
        return Ok(None);
    };
    let tables = packed.tables.iter().map(|entries| {
        let (list, others) = (entries.list.len(), entries.others.len());
        lua.create_table_with_capacity(list, others)
    });
    let tables: Vec<Table> = tables.collect::<mlua::Result<_>>()?;
    let value = |item: Item| match item {
        Item::Nothing => Some(Value::Nil),
        Item::Bool(value) => Some(Value::Boolean(value)),
        Item::Number(value) => Some(Value::Number(value)),
        Item::Text(at) => texts.get(at as usize).cloned().map(Value::String),
        Item::Definition(at) => named.get(at as usize).cloned().map(Value::Table),
        Item::Table(at) => tables.get(at as usize).cloned().map(Value::Table),
    };
    let is_key = |item: &Item| match item {
        Item::Nothing => false,
        Item::Number(value) => !value.is_nan(),
        Item::Bool(_) | Item::Text(_) | Item::Definition(_) | Item::Table(_) => true,
    };
    for (table, entries) in tables.iter().zip(&packed.tables) {
        for (at, item) in (1..).zip(&entries.list) {
            let Some(item) = value(*item) else {
                return Ok(None);
            };
            table.raw_set(at, item)?;
        }
        for (key, item) in &entries.others {
            let key = Some(key)
                .filter(|key| is_key(key))
                .and_then(|key| value(*key));
            let (Some(key), Some(item)) = (key, value(*item)) else {
                return Ok(None);
            };
            table.raw_set(key, item)?;
        }
    }
    for table in &tables {
        table.set_readonly(true);
    }
    Ok(packed.values.iter().map(|item| value(*item)).collect())
}

#[cfg(test)]
mod tests;
