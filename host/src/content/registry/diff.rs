//! Reports the changes of a reload in a few lines.

use std::fmt;

use super::Registry;
use crate::value::Text;

/// Ids that a line names; the others are counted.
const NAMED: usize = 5;

/// The differences of a newer registry.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diff {
    /// The collections in which something differs, in order.
    pub collections: Vec<CollectionDiff>,
    /// Command lines that put new definitions into a running game.
    pub joining_lines: Vec<String>,
}

/// The differences in one collection; ids in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CollectionDiff {
    /// The collection.
    pub collection: Text,
    /// Ids that are new.
    pub added: Vec<Text>,
    /// Ids that were removed.
    pub removed: Vec<Text>,
    /// Ids whose content is different.
    pub changed: Vec<Text>,
}

impl Registry {
    /// Returns the differences of `newer`.
    pub fn diff(&self, newer: &Registry) -> Diff {
        let mut names: Vec<&Text> = self.collections().chain(newer.collections()).collect();
        names.sort();
        names.dedup();
        let all = names
            .into_iter()
            .map(|name| self.diff_collection(newer, name));
        Diff {
            collections: all.filter(|one| !one.is_empty()).collect(),
            joining_lines: Vec::new(),
        }
    }

    fn diff_collection(&self, newer: &Registry, collection: &Text) -> CollectionDiff {
        let mut out = CollectionDiff {
            collection: collection.clone(),
            ..CollectionDiff::default()
        };
        for old in self.of_collection(collection) {
            match newer.get(collection, &old.id) {
                None => out.removed.push(old.id.clone()),
                Some(new) if !old.has_same_content(new) => out.changed.push(old.id.clone()),
                Some(_) => {}
            }
        }
        let added = newer
            .of_collection(collection)
            .filter(|new| self.get(collection, &new.id).is_none());
        out.added = added.map(|new| new.id.clone()).collect();
        out
    }
}

impl Diff {
    /// Returns whether nothing is different.
    pub fn is_empty(&self) -> bool {
        self.collections.is_empty()
    }
}

impl Diff {
    /// Adds files that no definition here names: those that many definitions share.
    pub(crate) fn add_shared_files(&mut self, mut files: CollectionDiff) {
        let is_told = |file: &Text| {
            let Some((folder, name)) = file.rsplit_once('/') else {
                return false;
            };
            let id = name.strip_suffix(".luau").unwrap_or(name);
            let collections = self.collections.iter();
            let mut own =
                collections.filter(|one| folder.rsplit('/').next() == Some(&*one.collection));
            own.any(|one| {
                let mut ids = one.added.iter().chain(&one.removed).chain(&one.changed);
                ids.any(|known| **known == *id)
            })
        };
        for list in [&mut files.added, &mut files.removed, &mut files.changed] {
            list.retain(|file| !is_told(file));
        }
        if !files.is_empty() {
            self.collections.push(files);
        }
    }
}

impl CollectionDiff {
    fn is_empty(&self) -> bool {
        self.added.is_empty() && self.removed.is_empty() && self.changed.is_empty()
    }
}

/// Prints one line for each collection: `roles: 2 added (ann, bo), 1 changed (cy)`. The last line says what to type so
/// that the running game has the new definitions.
impl fmt::Display for Diff {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, one) in self.collections.iter().enumerate() {
            let line_end = if index == 0 { "" } else { "\n" };
            let kinds = [
                (&one.added, "added"),
                (&one.removed, "removed"),
                (&one.changed, "changed"),
            ];
            let parts: Vec<String> = kinds
                .iter()
                .filter(|(ids, _)| !ids.is_empty())
                .map(|(ids, word)| format!("{} {word} ({})", ids.len(), first_ids_text(ids)))
                .collect();
            write!(out, "{line_end}{}: {}", one.collection, parts.join(", "))?;
        }
        let lines = self.joining_lines.iter().take(NAMED);
        let mut lines: Vec<String> = lines.map(|line| format!("`{line}`")).collect();
        match self.joining_lines.len() - lines.len() {
            0 => {}
            more => lines.push(format!("{more} more")),
        }
        match lines.is_empty() {
            true => Ok(()),
            false => write!(out, "\nnot in this game yet: type {}", lines.join(", ")),
        }
    }
}

fn first_ids_text(ids: &[Text]) -> String {
    let named: Vec<&str> = ids.iter().take(NAMED).map(|id| &**id).collect();
    let more = if ids.len() > NAMED { ", …" } else { "" };
    format!("{}{more}", named.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_named_unless_what_it_defines_is() {
        let changed = |collection: &str, ids: &[&str]| CollectionDiff {
            collection: collection.into(),
            changed: ids.iter().map(|id| (*id).into()).collect(),
            ..CollectionDiff::default()
        };
        let mut diff = Diff {
            collections: vec![changed("commands", &["dig"])],
            ..Diff::default()
        };
        let files = [
            "scripts/mini/commands/dig.luau",
            "scripts/mini/pipeline/dig.luau",
        ];
        diff.add_shared_files(changed("files", &files));
        let lines = "commands: 1 changed (dig)\nfiles: 1 changed (scripts/mini/pipeline/dig.luau)";
        assert_eq!(diff.to_string(), lines);
        diff.joining_lines = vec!["add Lea".to_owned()];
        let line = "not in this game yet: type `add Lea`";
        assert_eq!(diff.to_string(), format!("{lines}\n{line}"));
        diff.joining_lines = (1..=7).map(|number| format!("add {number}")).collect();
        let last = diff.to_string();
        assert!(last.ends_with("`add 4`, `add 5`, 2 more"), "{last}");
        let mut none = Diff::default();
        none.add_shared_files(CollectionDiff::default());
        assert!(none.is_empty());
    }
}
