//! This module reads a text only where it has to be read: what was read of it before, and found without fault, is made again.
//!
//! What `read` returns follows from the scripts, from the text, and from the definitions that are known while texts are read:
//! those of scripts and of content, and the heads of all texts. All of that is in the key. So that nobody can tell what was
//! kept from what was read now, the latter is packed and made again as well.

use std::collections::HashMap;

use mlua::{Table, Value as LuaValue};

use super::is_text;
use crate::content::Key;
use crate::script::border::packed::{Definitions, pack, unpack};
use crate::script::engine::Engine;
use crate::script::load::definitions::Read;
use crate::script::load::keys::{add, with_content};
use crate::script::load::loader::ModFiles;
use crate::script::rules::Rules;
use crate::value::write_value;

/// What was read of a text.
pub(super) struct Made {
    pub(super) definition: Table,
    /// What it noted for `gather`.
    pub(super) noted: LuaValue,
}

/// What is known of texts before they are read.
pub(super) struct Kept<'a> {
    engine: &'a Engine,
    named: Named<'a>,
    /// All that readings follow from, but for the text itself.
    common: Key,
}

impl<'a> Kept<'a> {
    pub(super) fn new(engine: &'a Engine, rules: &'a Rules, mods: &[ModFiles]) -> Kept<'a> {
        Kept {
            engine,
            named: Named::of(rules),
            common: common(engine, rules, mods),
        }
    }

    /// Returns the key of what is read of a text.
    fn key(&self, one: &Read) -> Key {
        let definition = &one.kept.definition;
        let mut hash = blake3::Hasher::new_keyed(&self.common);
        add(&mut hash, definition.collection.as_bytes());
        add(&mut hash, definition.id.as_bytes());
        add(&mut hash, definition.source.text().as_bytes());
        hash.finalize().into()
    }

    /// Returns what was read of a text before, if nothing that it follows from is another. Errors: memory.
    pub(super) fn known(&self, one: &Read) -> mlua::Result<Option<Made>> {
        let packed = self.engine.host.known_files().reading(&self.key(one));
        match packed {
            Some(packed) => self.made(&packed),
            None => Ok(None),
        }
    }

    /// Keeps what was read of a text without a fault, and returns it made again; what cannot be packed stays as it is.
    ///
    /// Errors: memory.
    pub(super) fn keep(&self, one: &Read, read: Made) -> mlua::Result<Made> {
        let values = [LuaValue::Table(read.definition.clone()), read.noted.clone()];
        let Some(packed) = pack(&values, &self.named) else {
            return Ok(read);
        };
        let Some(made) = self.made(&packed)? else {
            return Ok(read);
        };
        let mut known = self.engine.host.known_files();
        known.keep_reading(self.key(one), packed.into());
        Ok(made)
    }

    fn made(&self, packed: &[u8]) -> mlua::Result<Option<Made>> {
        let values = unpack(&self.engine.lua, packed, &self.named)?;
        let values: Option<[LuaValue; 2]> = values.and_then(|values| values.try_into().ok());
        Ok(values.and_then(|[definition, noted]| match definition {
            LuaValue::Table(definition) => Some(Made { definition, noted }),
            _ => None,
        }))
    }
}

/// Returns the key of all that readings of texts follow from together.
fn common(engine: &Engine, rules: &Rules, mods: &[ModFiles]) -> Key {
    let content = mods.iter().flat_map(|files| &files.content);
    let others = content.filter(|file| !is_text(&file.path));
    let about = engine.host.known_files().about();
    let mut hash = blake3::Hasher::new_keyed(&with_content(&about, others));
    let texts = rules.registry.iter().filter(|one| one.is_text);
    let mut said = Vec::new();
    for text in texts {
        for name in [&text.collection, &text.id, &text.source.name().into()] {
            add(&mut hash, name.as_bytes());
        }
        said.clear();
        write_value(&mut said, &text.value);
        add(&mut hash, &said);
    }
    hash.finalize().into()
}

/// The definitions that what was read of a text may name: not other texts, of which only the heads are known yet.
struct Named<'a> {
    rules: &'a Rules,
    keys: HashMap<usize, &'a (String, String)>,
}

impl<'a> Named<'a> {
    fn of(rules: &'a Rules) -> Named<'a> {
        let keys = rules.registry.iter().filter_map(|definition| {
            let key = (definition.collection.to_string(), definition.id.to_string());
            let (key, table) = rules.tables.get_key_value(&key)?;
            Some((table.to_pointer() as usize, key))
        });
        Named {
            rules,
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
        let key = || (collection.to_owned(), id.to_owned());
        let table = (!definition.is_text).then(|| self.rules.tables.get(&key()));
        table.flatten().cloned()
    }
}

#[cfg(test)]
mod tests;
