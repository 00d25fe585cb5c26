//! Finds values that follow from files alone and that another load computed: a script need not run for them.
//!
//! Cached values and new values are the same kind of copy, so scripts cannot distinguish them. The copy is read-only.
//! Its tables are not tables of anything else, except for definitions as such.

use std::collections::HashMap;

use mlua::{Table, Value as LuaValue};

use super::file_keys::add_bytes_to_hash;
use crate::content::Key;
use crate::script::border::table_bytes::{Definitions, pack, unpack};
use crate::script::engine::Engine;
use crate::script::rules::Rules;

/// The values that follow from some files.
pub(super) struct ValueCache<'a> {
    engine: &'a Engine,
    named: Named<'a>,
    /// The key of the files. Without it, no value is known or kept.
    files: Option<Key>,
}

/// Whether values may name texts: while these are read, only their heads are known.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Texts {
    AreRead,
    AreHeads,
}

impl<'a> ValueCache<'a> {
    pub(super) fn new(
        engine: &'a Engine,
        rules: &'a Rules,
        files: Option<Key>,
        texts: Texts,
    ) -> ValueCache<'a> {
        let named = Named::of(rules, texts);
        ValueCache {
            engine,
            named,
            files,
        }
    }

    /// Returns the key of the values that follow from the files and from these parts of them.
    pub(super) fn key(&self, parts: &[&str]) -> Option<Key> {
        let mut hash = blake3::Hasher::new_keyed(self.files.as_ref()?);
        parts
            .iter()
            .for_each(|part| add_bytes_to_hash(&mut hash, part.as_bytes()));
        Some(hash.finalize().into())
    }

    /// Returns the values that are kept by a key.
    pub(super) fn known_values(&self, key: Option<&Key>) -> Option<Vec<LuaValue>> {
        let packed = self.engine.host.file_facts().packed_value(key?)?;
        unpack(&self.engine.lua, &packed, &self.named)
    }

    /// Returns a copy of values, and keeps it by a key if there is one. Returns nothing if they are not plain data.
    pub(super) fn copy_and_keep(
        &self,
        values: &[LuaValue],
        key: Option<Key>,
    ) -> Option<Vec<LuaValue>> {
        let packed = pack(values, &self.named)?;
        let made = unpack(&self.engine.lua, &packed, &self.named)?;
        if let Some(key) = key {
            self.engine.host.file_facts().keep_value(key, packed.into());
        }
        Some(made)
    }
}

/// The definitions that values may name.
struct Named<'a> {
    rules: &'a Rules,
    texts: Texts,
    keys: HashMap<usize, &'a (String, String)>,
}

impl<'a> Named<'a> {
    fn of(rules: &'a Rules, texts: Texts) -> Named<'a> {
        let keys = rules.registry.iter().filter_map(|definition| {
            let key = (definition.collection.to_string(), definition.id.to_string());
            let (key, table) = rules.tables.get_key_value(&key)?;
            Some((table.to_pointer() as usize, key))
        });
        Named {
            rules,
            texts,
            keys: keys.collect(),
        }
    }
}

impl Definitions for Named<'_> {
    fn key_of(&self, table: &Table) -> Option<(&str, &str)> {
        let (collection, id) = self.keys.get(&(table.to_pointer() as usize))?;
        Some((collection, id))
    }

    fn table_of(&self, collection: &str, id: &str) -> Option<Table> {
        let definition = self.rules.registry.get(collection, id)?;
        let is_whole = self.texts == Texts::AreRead || !definition.is_text;
        let key = || (collection.to_owned(), id.to_owned());
        let table = is_whole.then(|| self.rules.tables.get(&key()));
        table.flatten().cloned()
    }
}

#[cfg(test)]
mod tests;
