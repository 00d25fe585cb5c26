//! Keeps the results of reading definition files, for the next generation.
//!
//! The script of a definition runs again in every machine, for its functions. Its tree, its plain data and its lack of
//! errors depend only on three inputs. These are its text, its required modules, and the files for the checks of all
//! definitions. Plain data only.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::content::{Definition, Node};
use crate::diag::{Diagnostic, Source};
use crate::script::source::mod_files::{RULESET, is_schema};
use crate::script::source::sources::Sources;

/// The definitions that the last generations read without a finding.
#[derive(Clone, Debug, Default)]
pub(crate) struct DefinitionCache {
    /// The mods of the last generation, in their order.
    mods: Vec<String>,
    /// Its scripts by chunk name.
    sources: Sources,
    /// The modules that schemas and rulesets require: all definitions are checked against them.
    base: BTreeSet<String>,
    /// By chunk name.
    scripts: BTreeMap<String, KeptFile>,
    /// By the name of the mod and the path.
    content: BTreeMap<String, KeptFile>,
    /// The scripts that have changed.
    changed: BTreeSet<String>,
    generation: u64,
}

/// A definition as it was read.
#[derive(Clone, Debug)]
pub(crate) struct KeptDefinition {
    pub(crate) definition: Arc<Definition>,
    /// Its tree. The tree of a script has no places.
    pub(crate) node: Arc<Node>,
}

/// The results of checks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Checked {
    pub(crate) findings: Vec<Diagnostic>,
    /// The definitions that cannot be used, by collection and id.
    pub(crate) broken: Vec<(String, String)>,
    /// Whether a limit was passed, so that the same check might end otherwise another time.
    pub(crate) is_cut: bool,
}

#[derive(Clone, Debug)]
struct KeptFile {
    read: KeptDefinition,
    /// The modules it requires, and those that they require.
    required: BTreeSet<String>,
    /// The last generation that used it.
    used: u64,
}

impl DefinitionCache {
    /// Returns whether nothing is kept.
    pub(crate) fn is_empty(&self) -> bool {
        self.scripts.is_empty() && self.content.is_empty()
    }

    /// Begins a generation of some mods, in their order. Finds the changes since the last generation.
    pub(crate) fn begin_generation(&mut self, mods: Vec<String>, sources: &Sources) {
        self.changed = changed_scripts(&self.sources, sources);
        let is_base = |chunk: &String| self.base.contains(chunk) || is_base(chunk);
        if self.mods != mods || self.changed.iter().any(is_base) {
            self.scripts.clear();
            self.content.clear();
        }
        self.mods = mods;
        self.sources.clone_from(sources);
        self.generation += 1;
    }

    /// Returns the result of reading the script of a definition, if it is still valid.
    pub(crate) fn kept_script(&mut self, chunk: &str) -> Option<KeptDefinition> {
        let file = self.scripts.get_mut(chunk)?;
        let changed = &self.changed;
        let holds =
            changed.is_empty() || !changed.contains(chunk) && changed.is_disjoint(&file.required);
        holds.then(|| file.definition_marking_used(self.generation))
    }

    /// Returns the result of reading a content file, if it is still valid.
    pub(crate) fn kept_content(
        &mut self,
        chunk: &str,
        source: &Arc<Source>,
    ) -> Option<KeptDefinition> {
        let file = self.content.get_mut(chunk)?;
        let holds = file.read.definition.source == *source;
        holds.then(|| file.definition_marking_used(self.generation))
    }

    /// Keeps the result of reading the script of a definition, if all the modules that it depends on are known.
    pub(crate) fn keep_script(
        &mut self,
        chunk: &str,
        read: KeptDefinition,
        required: Option<BTreeSet<String>>,
    ) {
        if let Some(required) = required {
            let file = KeptFile::new(read, required, self.generation);
            self.scripts.insert(chunk.to_owned(), file);
        }
    }

    /// Keeps the result of reading a content file.
    pub(crate) fn keep_content(&mut self, chunk: &str, read: KeptDefinition) {
        let file = KeptFile::new(read, BTreeSet::new(), self.generation);
        self.content.insert(chunk.to_owned(), file);
    }

    /// Ends a generation: forgets the files that it did not use. `required_by` returns the modules that a file depends
    /// on, if they are known.
    pub(crate) fn end_generation(
        &mut self,
        required_by: impl Fn(&str) -> Option<BTreeSet<String>>,
    ) {
        let current = self.generation;
        self.scripts.retain(|_, file| file.used == current);
        self.content.retain(|_, file| file.used == current);
        self.changed.clear();
        let base = self.sources.keys().filter(|chunk| is_base(chunk));
        let required = base.map(|chunk| required_by(chunk));
        match required.collect::<Option<Vec<BTreeSet<String>>>>() {
            Some(required) => self.base = required.into_iter().flatten().collect(),
            None => *self = DefinitionCache::default(),
        }
    }
}

impl KeptFile {
    fn new(read: KeptDefinition, required: BTreeSet<String>, used: u64) -> KeptFile {
        KeptFile {
            read,
            required,
            used,
        }
    }

    fn definition_marking_used(&mut self, generation: u64) -> KeptDefinition {
        self.used = generation;
        self.read.clone()
    }
}

/// Returns whether definitions are checked against a script.
fn is_base(chunk: &str) -> bool {
    let path = chunk.split_once('/').map_or(chunk, |(_, path)| path);
    path == RULESET || is_schema(path)
}

/// Returns the scripts that were added, removed or changed.
fn changed_scripts(old: &Sources, new: &Sources) -> BTreeSet<String> {
    let differs = |(chunk, source): (&String, &Arc<Source>), other: &Sources| {
        (other.get(chunk) != Some(source)).then(|| chunk.clone())
    };
    let came = new.iter().filter_map(|one| differs(one, old));
    let went = old.iter().filter_map(|one| differs(one, new));
    came.chain(went).collect()
}
