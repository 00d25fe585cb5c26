//! All generations of rules that a session can name. They are the live one, those under which earlier commands ran, and
//! machines of a few of them. The kept machines save a rebuild the next time the past is read.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use crate::diag::Diagnostic;
use crate::game::rules::generation::{Builder, Generation};
use crate::game::rules::home::Files;
use crate::game::rules::lint::lint_changed_scripts_and_dependents;
use crate::script::{Compiled, EngineOptions};

/// The number of machines of earlier rules that are kept.
const KEPT: usize = 2;

/// All generations of rules that a session can name.
pub struct Generations {
    builder: Rc<Builder>,
    live: Rc<Generation>,
    /// The findings of newer rules that were rejected; none if the live rules are the newest.
    rejected: Vec<Diagnostic>,
    /// The files of rules that commands of this session ran under, by hash.
    files: BTreeMap<String, Files>,
    /// Earlier rules with a machine; the most recently used is last.
    machines: RefCell<Vec<Rc<Generation>>>,
    /// The rules before a test replaced text of scripts.
    unedited: Option<Files>,
}

impl Generations {
    /// Returns generations that contain only the live one.
    pub(in crate::game) fn new(builder: Rc<Builder>, live: Generation) -> Generations {
        Generations {
            builder,
            live: Rc::new(live),
            rejected: Vec::new(),
            files: BTreeMap::new(),
            machines: RefCell::default(),
            unedited: None,
        }
    }

    /// Returns the options for building its machines.
    pub(in crate::game) fn engine_options(&self) -> &EngineOptions {
        self.builder.options()
    }

    /// Returns the live one.
    pub fn live(&self) -> &Rc<Generation> {
        &self.live
    }

    /// Builds the candidate from files that were read again, with bytecode that was compiled ahead.
    ///
    /// Errors: the errors in the candidate; the live generation gets its bytecode back.
    pub(in crate::game) fn build_candidate(
        &self,
        files: Files,
        prepared: Compiled,
    ) -> Result<Generation, Vec<Diagnostic>> {
        let mut compiled = self.live.machine().take_compile_cache();
        compiled.absorb(prepared);
        let mut built = Generation::build(&self.builder, files, compiled)?;
        let mut findings = built.findings().to_vec();
        let texts = (built.files(), self.live.files());
        let linted = lint_changed_scripts_and_dependents(&built.machine(), texts, &findings);
        findings.extend(linted);
        if findings.iter().any(Diagnostic::is_error) {
            let compiled = built.machine().take_compile_cache();
            self.live.machine().return_compile_cache(compiled);
            findings.sort_by_key(Diagnostic::sort_key);
            return Err(findings);
        }
        built.set_findings(findings);
        Ok(built)
    }

    /// Makes a candidate the live generation. `is_used` is true if a recorded operation ran under the previous one.
    pub(in crate::game) fn make_generation_live(&mut self, candidate: Generation, is_used: bool) {
        let before = std::mem::replace(&mut self.live, Rc::new(candidate));
        if is_used {
            self.store_rule_files(before.files().clone());
        }
        self.rejected.clear();
    }

    /// Stores the files of rules, so that their hash finds them.
    pub(in crate::game) fn store_rule_files(&mut self, files: Files) {
        self.files.insert(files.hash.clone(), files);
    }

    /// Stores all files of rules that another session has.
    pub(in crate::game) fn copy_rule_files_from(&mut self, other: &Generations) {
        self.files.clone_from(&other.files);
    }

    /// Returns the findings of newer rules that were rejected.
    pub fn rejected_findings(&self) -> &[Diagnostic] {
        &self.rejected
    }

    /// Notes that newer rules were rejected, or, with no findings, that the live ones are the newest.
    pub(in crate::game) fn note_rejected_findings(&mut self, findings: Vec<Diagnostic>) {
        self.rejected = findings;
    }

    /// Returns the files of a generation, if this session has them.
    pub(in crate::game) fn files(&self, hash: &str) -> Option<&Files> {
        match self.live.hash() == hash {
            true => Some(self.live.files()),
            false => self.files.get(hash),
        }
    }

    /// Returns a generation with a machine; `on_disk` finds the files of a generation that this session does not have.
    ///
    /// Returns nothing if its files are not stored or cannot be used.
    pub(in crate::game) fn find_generation(
        &self,
        hash: &str,
        on_disk: impl FnOnce() -> Option<Files>,
    ) -> Option<Rc<Generation>> {
        if self.live.hash() == hash {
            return Some(Rc::clone(&self.live));
        }
        let known = self.take_stored_generation(hash);
        let found = known.or_else(|| {
            let files = self.files(hash).cloned().or_else(on_disk)?;
            let builder = Rc::new(self.builder.for_past_rules());
            let built = Generation::build(&builder, files, Compiled::default());
            built.ok().map(Rc::new)
        })?;
        self.cache_recent_generation(&found);
        Some(found)
    }

    fn take_stored_generation(&self, hash: &str) -> Option<Rc<Generation>> {
        let mut machines = self.machines.borrow_mut();
        let at = machines.iter().position(|one| one.hash() == hash)?;
        let found = machines.remove(at);
        (!found.machine().is_memory_short_after_collection()).then_some(found)
    }

    fn cache_recent_generation(&self, one: &Rc<Generation>) {
        let mut machines = self.machines.borrow_mut();
        machines.push(Rc::clone(one));
        let over = machines.len().saturating_sub(KEPT);
        machines.drain(..over);
    }

    /// Stores the files of the live rules before a test replaces text of scripts, so that they can become live again.
    pub(in crate::game) fn note_unedited_files(&mut self, files: Files) {
        self.unedited.get_or_insert(files);
    }

    /// Takes the files of the rules from before a test replaced text of scripts.
    pub(in crate::game) fn take_unedited_files(&mut self) -> Option<Files> {
        self.unedited.take()
    }
}
