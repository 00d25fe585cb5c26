//! This module keeps values that follow from files alone, packed, so that a load makes them again instead of finding them out.
//!
//! So that nobody can tell what was kept from what was found out now, the latter is packed and made again as well.

use std::collections::HashMap;

use mlua::{Table, Value as LuaValue};

use super::keys::add;
use crate::content::Key;
use crate::script::border::packed::{Definitions, pack, unpack};
use crate::script::engine::Engine;
use crate::script::rules::Rules;

/// The values that follow from some files.
pub(super) struct Packing<'a> {
    engine: &'a Engine,
    named: Named<'a>,
    /// The files.
    files: Key,
}

/// Whether values may name texts: while these are read, only their heads are known.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Texts {
    AreRead,
    AreHeads,
}

impl<'a> Packing<'a> {
    pub(super) fn new(
        engine: &'a Engine,
        rules: &'a Rules,
        files: Key,
        texts: Texts,
    ) -> Packing<'a> {
        let named = Named::of(rules, texts);
        Packing {
            engine,
            named,
            files,
        }
    }

    /// Returns the key of what follows from the files and from these parts of them.
    pub(super) fn key(&self, parts: &[&str]) -> Key {
        let mut hash = blake3::Hasher::new_keyed(&self.files);
        parts
            .iter()
            .for_each(|part| add(&mut hash, part.as_bytes()));
        hash.finalize().into()
    }

    /// Returns the values that are kept by a key. Errors: memory.
    pub(super) fn known(&self, key: &Key) -> mlua::Result<Option<Vec<LuaValue>>> {
        let packed = self.engine.host.known_files().packed(key);
        match packed {
            Some(packed) => unpack(&self.engine.lua, &packed, &self.named),
            None => Ok(None),
        }
    }

    /// Keeps values by a key, and returns them made again; those that cannot be packed stay as they are. Errors: memory.
    pub(super) fn keep(&self, key: Key, values: Vec<LuaValue>) -> mlua::Result<Vec<LuaValue>> {
        let Some(packed) = pack(&values, &self.named) else {
            return Ok(values);
        };
        let Some(made) = unpack(&self.engine.lua, &packed, &self.named)? else {
            return Ok(values);
        };
        self.engine.host.known_files().keep(key, packed.into());
        Ok(made)
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
