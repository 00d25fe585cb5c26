//! Makes keys of files: facts that follow from files alone are found by these keys, see
//! [`crate::script::rules::file_facts`].

use std::cell::OnceCell;

use super::loader::ModFiles;
use crate::content::{File, Key};
use crate::script::declare::template_owner::HostPhrase;
use crate::script::engine::EngineOptions;
use crate::script::run::checks_in_force::Checks;
use crate::script::source::mod_files::{is_script, is_text};

/// Returns the key of a ruleset: the names of its mods. Mods that were kept with a game have a key of their own.
pub(super) fn ruleset_key(mods: &[ModFiles], checks: Checks) -> Key {
    let mut hash = blake3::Hasher::new();
    add_bytes_to_hash(&mut hash, format!("{checks:?}").as_bytes());
    mods.iter()
        .for_each(|one| add_bytes_to_hash(&mut hash, one.name.as_bytes()));
    hash.finalize().into()
}

/// Returns the key of the scripts of mods, of the names of their content files, and of how the host runs them.
pub(super) fn scripts_key(
    mods: &[ModFiles],
    phrases: &[HostPhrase],
    options: &EngineOptions,
) -> Key {
    let mut hash = blake3::Hasher::new();
    add_bytes_to_hash(
        &mut hash,
        format!("{:?} {:?}", options.checks, options.limits).as_bytes(),
    );
    for phrase in phrases {
        add_bytes_to_hash(&mut hash, phrase.id.as_bytes());
        phrase
            .syntax
            .iter()
            .for_each(|line| add_bytes_to_hash(&mut hash, line.as_bytes()));
    }
    for one in mods {
        add_bytes_to_hash(&mut hash, one.name.as_bytes());
        for file in one.scripts.iter().filter(|file| is_script(&file.path)) {
            add_file_to_hash(&mut hash, file);
        }
        hash.update(&[0]);
        for file in &one.content {
            add_bytes_to_hash(&mut hash, file.source.name().as_bytes());
        }
    }
    hash.finalize().into()
}

/// The keys of files, made when one is asked for: not every ruleset has facts that follow from its content.
pub(super) struct FileKeys<'f> {
    mods: &'f [ModFiles],
    scripts: Key,
    trees: OnceCell<blake3::Hasher>,
}

impl<'f> FileKeys<'f> {
    /// `scripts` is the key of their scripts.
    pub(super) fn new(mods: &'f [ModFiles], scripts: Key) -> FileKeys<'f> {
        FileKeys {
            mods,
            scripts,
            trees: OnceCell::new(),
        }
    }

    /// Returns the key of scripts and of content files that are no texts.
    pub(super) fn key_without_texts(&self) -> Key {
        self.hash().finalize().into()
    }

    /// Returns the key of all files.
    pub(super) fn key_of_all(&self) -> Key {
        let mut hash = self.hash().clone();
        let texts = self.content_files().filter(|file| is_text(&file.path));
        texts.for_each(|file| add_file_to_hash(&mut hash, file));
        hash.finalize().into()
    }

    fn hash(&self) -> &blake3::Hasher {
        self.trees.get_or_init(|| {
            let mut hash = blake3::Hasher::new_keyed(&self.scripts);
            let trees = self.content_files().filter(|file| !is_text(&file.path));
            trees.for_each(|file| add_file_to_hash(&mut hash, file));
            hash
        })
    }

    fn content_files(&self) -> impl Iterator<Item = &'f File> + use<'f> {
        self.mods.iter().flat_map(|files| &files.content)
    }
}

fn add_file_to_hash(hash: &mut blake3::Hasher, file: &File) {
    add_bytes_to_hash(hash, file.source.name().as_bytes());
    add_bytes_to_hash(hash, file.path.as_bytes());
    hash.update(&file.text_hash);
}

/// Adds bytes with a separation from other bytes.
pub(super) fn add_bytes_to_hash(hash: &mut blake3::Hasher, bytes: &[u8]) {
    hash.update(&(bytes.len() as u64).to_le_bytes());
    hash.update(bytes);
}
