//! Compiles script sources to bytecode and keeps the bytecode by the text of the source. It also keeps the last
//! grammar, the definitions that were read last, and other facts that follow from files.

mod compile_threads;

use std::collections::BTreeMap;
use std::sync::Arc;

use super::definition_cache::DefinitionCache;
use super::file_facts::FileFacts;
use super::grammar::KnownGrammar;
use crate::diag::Source;
use crate::script::source::script_compiler::script_compiler;
use compile_threads::CompileThreads;

/// The compiled data that the next machine can use. It is plain data, so that another thread can fill it.
#[derive(Clone, Debug, Default)]
pub struct Compiled {
    /// Texts differ early, so comparing some of them costs less than a hash of one.
    by_source: BTreeMap<Arc<str>, (Arc<Vec<u8>>, u64)>,
    generation: u64,
    /// The scripts that threads compile while a machine is made.
    ahead: Option<Arc<CompileThreads>>,
    /// The last grammar without mistakes.
    pub(crate) grammar: Option<KnownGrammar>,
    /// The definitions that were read without a finding.
    pub(crate) kept: DefinitionCache,
    /// The other facts that follow from the files.
    pub(crate) file_facts: FileFacts,
}

impl Compiled {
    /// Returns the bytecode of a source text. Errors: a syntax error, with its line in the message.
    pub(crate) fn bytecode_of_text(&mut self, text: &str) -> mlua::Result<Arc<Vec<u8>>> {
        if let Some((bytecode, used)) = self.by_source.get_mut(text) {
            *used = self.generation;
            return Ok(Arc::clone(bytecode));
        }
        let ahead = self
            .ahead
            .as_ref()
            .and_then(|ahead| ahead.bytecode_of_text(text));
        let bytecode = match ahead {
            Some(bytecode) => bytecode,
            None => Arc::new(script_compiler().compile(text)?),
        };
        self.by_source
            .insert(text.into(), (Arc::clone(&bytecode), self.generation));
        Ok(bytecode)
    }

    /// Compiles a text ahead of its use. An error shows when the text is loaded.
    pub fn compile_early(&mut self, text: &str) {
        let _ = self.bytecode_of_text(text);
    }

    /// Returns the number of cached values that follow from the files: readings of texts, handlers of definitions.
    pub fn known_value_count(&self) -> usize {
        self.file_facts.value_count()
    }

    /// Begins to compile the unknown ones of some scripts, on threads beside the thread that uses them.
    pub(crate) fn compile_on_threads<'s>(
        &mut self,
        sources: impl Iterator<Item = &'s Arc<Source>>,
    ) {
        let known = &self.by_source;
        let unknown = sources.filter(|source| !known.contains_key(source.text()));
        self.ahead = CompileThreads::begin_compiling(unknown.cloned().collect()).map(Arc::new);
    }

    /// Stops the compilation on other threads.
    pub(crate) fn stop_compiling(&mut self) {
        self.ahead = None;
    }

    /// Takes the content of another cache.
    pub fn absorb(&mut self, other: Compiled) {
        for (key, (bytecode, _)) in other.by_source {
            self.by_source
                .entry(key)
                .or_insert((bytecode, self.generation));
        }
        self.grammar = self.grammar.take().or(other.grammar);
        if self.kept.is_empty() {
            self.kept = other.kept;
        }
        self.file_facts.absorb(other.file_facts);
    }

    /// Forgets everything that the ending generation did not use.
    pub(crate) fn forget_unused(&mut self) {
        let current = self.generation;
        self.by_source.retain(|_, (_, used)| *used == current);
        self.generation += 1;
    }
}
