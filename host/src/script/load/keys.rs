//! This module makes keys of files: what follows from files alone is found by them, see [`crate::script::rules::file_facts`].

use super::loader::ModFiles;
use crate::content::{File, Key};
use crate::script::declare::phrase::HostPhrase;
use crate::script::engine::EngineOptions;
use crate::script::run::checks::Checks;
use crate::script::source::mod_folders::is_script;

/// Returns the key of a ruleset: the names of its mods. Those that were kept with a game have their own.
pub(super) fn of_ruleset(mods: &[ModFiles], checks: Checks) -> Key {
    let mut hash = blake3::Hasher::new();
    add(&mut hash, format!("{checks:?}").as_bytes());
    mods.iter()
        .for_each(|one| add(&mut hash, one.name.as_bytes()));
    hash.finalize().into()
}

/// Returns the key of the scripts of mods, of the names of their content files, and of how the host runs them.
pub(super) fn of_scripts(
    mods: &[ModFiles],
    phrases: &[HostPhrase],
    options: &EngineOptions,
) -> Key {
    let mut hash = blake3::Hasher::new();
    add(
        &mut hash,
        format!("{:?} {:?}", options.checks, options.limits).as_bytes(),
    );
    for phrase in phrases {
        add(&mut hash, phrase.id.as_bytes());
        phrase
            .syntax
            .iter()
            .for_each(|line| add(&mut hash, line.as_bytes()));
    }
    for one in mods {
        add(&mut hash, one.name.as_bytes());
        for file in one.scripts.iter().filter(|file| is_script(&file.path)) {
            add_file(&mut hash, file);
        }
        hash.update(&[0]);
        for file in &one.content {
            add(&mut hash, file.source.name().as_bytes());
        }
    }
    hash.finalize().into()
}

/// Returns the key of content files beside the scripts of a key.
pub(super) fn with_content<'f>(scripts: &Key, content: impl Iterator<Item = &'f File>) -> Key {
    let mut hash = blake3::Hasher::new_keyed(scripts);
    content.for_each(|file| add_file(&mut hash, file));
    hash.finalize().into()
}

fn add_file(hash: &mut blake3::Hasher, file: &File) {
    add(hash, file.source.name().as_bytes());
    add(hash, file.path.as_bytes());
    hash.update(&file.text_hash);
}

/// Adds bytes so that no others run into them.
pub(super) fn add(hash: &mut blake3::Hasher, bytes: &[u8]) {
    hash.update(&(bytes.len() as u64).to_le_bytes());
    hash.update(bytes);
}
