//! Finds earlier readings of texts: a text without findings need not be read again.
//!
//! The result of `read` follows from the scripts, from the text, and from the definitions that are known while texts
//! are read. These are the definitions of scripts and of content, and the heads of all texts. All of that is in the
//! key.

use mlua::{Table, Value as LuaValue};

use super::ID;
use crate::content::Key;
use crate::script::engine::Engine;
use crate::script::load::definitions::Read;
use crate::script::load::file_keys::add_bytes_to_hash;
use crate::script::load::value_cache::{Texts, ValueCache};
use crate::script::rules::Rules;
use crate::value::write_value;

/// The result of reading a text.
pub(super) struct Made {
    pub(super) definition: Table,
    /// Its notes for `gather`.
    pub(super) noted: LuaValue,
}

impl Made {
    fn of(values: Vec<LuaValue>) -> Option<Made> {
        let mut values = values.into_iter();
        match (values.next(), values.next()) {
            (Some(LuaValue::Table(definition)), Some(noted)) => Some(Made { definition, noted }),
            _ => None,
        }
    }
}

/// The results that are known of texts before they are read.
pub(super) struct ReadingCache<'a>(ValueCache<'a>);

impl<'a> ReadingCache<'a> {
    /// `trees` is the key of the files beside the texts. Without it, no reading is known or kept.
    pub(super) fn new(
        engine: &'a Engine,
        rules: &'a Rules,
        trees: Option<Key>,
    ) -> ReadingCache<'a> {
        let files = trees.map(|trees| shared_key(rules, &trees));
        ReadingCache(ValueCache::new(engine, rules, files, Texts::AreHeads))
    }

    fn key(&self, one: &Read) -> Option<Key> {
        let definition = &one.kept.definition;
        let text = definition.source.text();
        self.0.key(&[&definition.collection, &definition.id, text])
    }

    /// Returns the earlier reading of a text, if all its inputs are the same.
    pub(super) fn known_reading(&self, one: &Read) -> Option<Made> {
        Made::of(self.0.known_values(self.key(one).as_ref())?)
    }

    /// Returns a copy of the reading of a text, with its id and read-only. It is kept if the text is clean. A value
    /// that is not plain data has no copy. Errors: memory.
    pub(super) fn copy_and_keep(
        &self,
        one: &Read,
        read: &Made,
        is_clean: bool,
    ) -> mlua::Result<Option<Made>> {
        if !read.definition.is_readonly() {
            read.definition.raw_set(ID, &*one.kept.definition.id)?;
        }
        let values = [LuaValue::Table(read.definition.clone()), read.noted.clone()];
        let key = self.key(one).filter(|_| is_clean);
        let copy = self.0.copy_and_keep(&values, key);
        Ok(copy.and_then(Made::of))
    }
}

/// Returns the key of the common inputs of all readings: the files beside the texts, and the heads of these.
fn shared_key(rules: &Rules, trees: &Key) -> Key {
    let mut hash = blake3::Hasher::new_keyed(trees);
    let texts = rules.registry.iter().filter(|one| one.is_text);
    let mut said = Vec::new();
    for text in texts {
        for name in [&text.collection, &text.id, &text.source.name().into()] {
            add_bytes_to_hash(&mut hash, name.as_bytes());
        }
        said.clear();
        write_value(&mut said, &text.value);
        add_bytes_to_hash(&mut hash, &said);
    }
    hash.finalize().into()
}

#[cfg(test)]
mod tests;
