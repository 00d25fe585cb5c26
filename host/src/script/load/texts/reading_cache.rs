//! This module finds what was read of texts before: a text in which nothing was found need not be read again.
//!
//! What `read` returns follows from the scripts, from the text, and from the definitions that are known while texts are read:
//! those of scripts and of content, and the heads of all texts. All of that is in the key.

use mlua::{Table, Value as LuaValue};

use super::{ID, is_text};
use crate::content::Key;
use crate::script::engine::Engine;
use crate::script::load::definitions::Read;
use crate::script::load::keys::{add, with_content};
use crate::script::load::loader::ModFiles;
use crate::script::load::value_cache::{Texts, ValueCache};
use crate::script::rules::Rules;
use crate::value::write_value;

/// What was read of a text.
pub(super) struct Made {
    pub(super) definition: Table,
    /// What it noted for `gather`.
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

/// What is known of texts before they are read.
pub(super) struct ReadingCache<'a>(ValueCache<'a>);

impl<'a> ReadingCache<'a> {
    pub(super) fn new(engine: &'a Engine, rules: &'a Rules, mods: &[ModFiles]) -> ReadingCache<'a> {
        let files = seen(engine, rules, mods);
        ReadingCache(ValueCache::new(engine, rules, files, Texts::AreHeads))
    }

    fn key(&self, one: &Read) -> Key {
        let definition = &one.kept.definition;
        let text = definition.source.text();
        self.0.key(&[&definition.collection, &definition.id, text])
    }

    /// Returns what was read of a text before, if nothing that it follows from is another.
    pub(super) fn known(&self, one: &Read) -> Option<Made> {
        Made::of(self.0.known(&self.key(one))?)
    }

    /// Returns a copy of what was read of a text, with its id and read-only; it is kept if the text is clean. What is no plain
    /// data has no copy. Errors: memory.
    pub(super) fn copy(
        &self,
        one: &Read,
        read: &Made,
        is_clean: bool,
    ) -> mlua::Result<Option<Made>> {
        if !read.definition.is_readonly() {
            read.definition.raw_set(ID, &*one.kept.definition.id)?;
        }
        let values = [LuaValue::Table(read.definition.clone()), read.noted.clone()];
        let copy = self.0.copy(&values, is_clean.then(|| self.key(one)));
        Ok(copy.and_then(Made::of))
    }
}

/// Returns the key of all that readings of texts see together.
fn seen(engine: &Engine, rules: &Rules, mods: &[ModFiles]) -> Key {
    let content = mods.iter().flat_map(|files| &files.content);
    let others = content.filter(|file| !is_text(&file.path));
    let scripts = engine.host.file_facts().about();
    let mut hash = blake3::Hasher::new_keyed(&with_content(&scripts, others));
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

#[cfg(test)]
mod tests;
