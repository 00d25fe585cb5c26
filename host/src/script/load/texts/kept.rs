//! This module reads a text only where it has to be read: what was read of it before, and found without fault, is made again.
//!
//! What `read` returns follows from the scripts, from the text, and from the definitions that are known while texts are read:
//! those of scripts and of content, and the heads of all texts. All of that is in the key.

use mlua::{Table, Value as LuaValue};

use super::is_text;
use crate::content::Key;
use crate::script::engine::Engine;
use crate::script::load::definitions::Read;
use crate::script::load::keys::{add, with_content};
use crate::script::load::loader::ModFiles;
use crate::script::load::packing::{Packing, Texts};
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
pub(super) struct Kept<'a>(Packing<'a>);

impl<'a> Kept<'a> {
    pub(super) fn new(engine: &'a Engine, rules: &'a Rules, mods: &[ModFiles]) -> Kept<'a> {
        let files = seen(engine, rules, mods);
        Kept(Packing::new(engine, rules, files, Texts::AreHeads))
    }

    fn key(&self, one: &Read) -> Key {
        let definition = &one.kept.definition;
        let text = definition.source.text();
        self.0.key(&[&definition.collection, &definition.id, text])
    }

    /// Returns what was read of a text before, if nothing that it follows from is another. Errors: memory.
    pub(super) fn known(&self, one: &Read) -> mlua::Result<Option<Made>> {
        Ok(self.0.known(&self.key(one))?.and_then(Made::of))
    }

    /// Keeps what was read of a text without a fault, and returns it made again. Errors: memory.
    pub(super) fn keep(&self, one: &Read, read: Made) -> mlua::Result<Made> {
        let values = vec![LuaValue::Table(read.definition.clone()), read.noted.clone()];
        let made = self.0.keep(self.key(one), values)?;
        Ok(Made::of(made).unwrap_or(read))
    }
}

/// Returns the key of all that readings of texts see together.
fn seen(engine: &Engine, rules: &Rules, mods: &[ModFiles]) -> Key {
    let content = mods.iter().flat_map(|files| &files.content);
    let others = content.filter(|file| !is_text(&file.path));
    let scripts = engine.host.known_files().about();
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
