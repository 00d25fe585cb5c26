//! Holds facts that loads found and that follow from files alone. These are the reading of each text, the handlers of a
//! definition, that the scripts have no errors, and that checks found nothing. Plain data only.
//!
//! The facts go to the next machine, and through the user's cache folder to the next start. Each fact is found by a
//! hash of all its inputs, so nothing has to be forgotten when files change. A fact that a load does not ask for is
//! gone after the load.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::content::{Cache, Key};

/// The known facts about files.
#[derive(Clone, Debug, Default)]
pub(crate) struct FileFacts {
    /// The scripts and the names of content files that the facts are about.
    about: Option<Key>,
    values: BTreeMap<Key, Value>,
    /// All files of a load without findings of its checks.
    sound: Option<Key>,
    /// Whether a load of these scripts found nothing at all.
    is_tidy: bool,
    /// Whether the cache folder lacks a part of it.
    is_news: bool,
    load: u64,
}

/// A value of a script.
#[derive(Clone, Debug)]
struct Value {
    packed: Arc<[u8]>,
    /// The last load that asked for it.
    asked: u64,
}

/// The format in the cache folder.
#[derive(Serialize, Deserialize)]
struct OnDisk<'a> {
    about: Key,
    sound: Option<Key>,
    is_tidy: bool,
    #[serde(borrow)]
    values: Vec<(Key, &'a [u8])>,
}

/// The place of the facts of a ruleset in the cache folder: one file for each ruleset, independent of its scripts.
pub(crate) struct Shelf<'a> {
    pub(crate) cache: &'a Cache,
    pub(crate) key: Key,
}

impl FileFacts {
    /// Begins a load of files, by the key of their scripts. Adds the facts about these scripts from a cache folder.
    pub(crate) fn begin_load(&mut self, about: Key, shelf: Option<&Shelf<'_>>) {
        self.load += 1;
        if self.about == Some(about) {
            return;
        }
        *self = FileFacts {
            about: Some(about),
            load: self.load,
            ..FileFacts::default()
        };
        let bytes = shelf.and_then(|shelf| shelf.cache.read_entry(&shelf.key));
        let found = bytes.as_deref().map(postcard::from_bytes::<OnDisk<'_>>);
        let found = found.and_then(Result::ok);
        if let Some(found) = found.filter(|found| found.about == about) {
            (self.sound, self.is_tidy) = (found.sound, found.is_tidy);
            for (key, packed) in found.values {
                self.keep_value(key, packed.into());
            }
            self.is_news = false;
        }
    }

    /// Takes the facts of another one, if this one has none.
    pub(crate) fn absorb(&mut self, other: FileFacts) {
        if self.about.is_none() {
            *self = other;
        }
    }

    /// Returns how many values it holds.
    pub(crate) fn value_count(&self) -> usize {
        self.values.len()
    }

    /// Returns the value that is kept by a key, as `pack` wrote it.
    pub(crate) fn packed_value(&mut self, key: &Key) -> Option<Arc<[u8]>> {
        let value = self.values.get_mut(key)?;
        value.asked = self.load;
        Some(Arc::clone(&value.packed))
    }

    /// Keeps a value by a key of all its inputs.
    pub(crate) fn keep_value(&mut self, key: Key, packed: Arc<[u8]>) {
        let asked = self.load;
        self.values.insert(key, Value { packed, asked });
        self.is_news = true;
    }

    /// Returns whether the checks of these files found nothing.
    pub(crate) fn has_clean_checks(&self, files: &Key) -> bool {
        self.sound.as_ref() == Some(files)
    }

    /// Keeps that the checks of files found nothing.
    pub(crate) fn keep_clean_checks(&mut self, files: Key) {
        self.sound = Some(files);
        self.is_news = true;
    }

    /// Returns whether the scripts themselves have no errors: a load of them found nothing at all.
    pub(crate) fn has_clean_load(&self) -> bool {
        self.is_tidy
    }

    /// Keeps that a load found nothing at all.
    pub(crate) fn keep_clean_load(&mut self) {
        self.is_news |= !self.is_tidy;
        self.is_tidy = true;
    }

    /// Ends a load: forgets the values that it did not ask for, and lets a cache folder keep the rest if there is news.
    pub(crate) fn end_load(&mut self, shelf: Option<&Shelf<'_>>) {
        let load = self.load;
        self.values.retain(|_, value| value.asked == load);
        let Some((shelf, about)) = shelf.zip(self.about).filter(|_| self.is_news) else {
            return;
        };
        let values = self.values.iter();
        let on_disk = OnDisk {
            about,
            sound: self.sound,
            is_tidy: self.is_tidy,
            values: values.map(|(key, one)| (*key, &*one.packed)).collect(),
        };
        if let Ok(bytes) = postcard::to_allocvec(&on_disk) {
            shelf.cache.store_entry(&shelf.key, &bytes);
        }
        self.is_news = false;
    }
}
