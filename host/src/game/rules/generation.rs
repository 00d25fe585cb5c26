//! One generation of rules: its files, the findings in them, and the machine that runs them.
//!
//! The machine can be replaced by a new one of the same files. This happens if it is spent or if a panic of the host
//! went through it.

use std::any::Any;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use crate::diag::Diagnostic;
use crate::game::rules::home::Files;
use crate::script::{Compiled, Engine, EngineOptions, HostPhrase, Rules, Run, load_rules};
use crate::store::State;
use crate::value::Names;

/// Builds the machines of one game, which share its names.
#[derive(Clone)]
pub(in crate::game) struct Builder {
    options: EngineOptions,
    phrases: Vec<HostPhrase>,
}

impl Builder {
    /// Returns a builder for machines that have the phrases of the host; `names` are the names of the game.
    pub(in crate::game) fn new(
        options: &EngineOptions,
        names: Rc<Names>,
        phrases: Vec<HostPhrase>,
    ) -> Builder {
        let options = EngineOptions {
            names,
            ..options.clone()
        };
        Builder { options, phrases }
    }

    /// Returns a copy of the builder without a cache folder, for rules that are used only to read the past. The cache
    /// folder belongs to the played rules.
    pub(in crate::game) fn for_past_rules(&self) -> Builder {
        let mut builder = self.clone();
        builder.options.cache = None;
        builder
    }

    /// Returns the options for building machines.
    pub(in crate::game) fn options(&self) -> &EngineOptions {
        &self.options
    }

    /// Builds a machine from files, and returns the findings in them. Errors: no machine can be built.
    pub(in crate::game) fn build_machine(
        &self,
        files: &Files,
        compiled: Compiled,
    ) -> Result<(Engine, Vec<Diagnostic>), Vec<Diagnostic>> {
        let options = EngineOptions {
            checks: files.checks,
            ..self.options.clone()
        };
        let loaded = load_rules(&files.mods, &self.phrases, &options, compiled);
        let (engine, found) = loaded.map_err(|finding| vec![finding])?;
        let findings = files.findings.iter().cloned().chain(found).collect();
        Ok((engine, findings))
    }
}

/// One generation of rules.
pub struct Generation {
    files: Files,
    /// The findings in the files, without notes.
    findings: Vec<Diagnostic>,
    machine: RefCell<Rc<Engine>>,
    builder: Rc<Builder>,
}

impl Generation {
    /// Builds the machine of files. Errors: no machine can be built.
    pub(in crate::game) fn build(
        builder: &Rc<Builder>,
        files: Files,
        compiled: Compiled,
    ) -> Result<Generation, Vec<Diagnostic>> {
        let (engine, mut findings) = builder.build_machine(&files, compiled)?;
        findings.retain(|found| !found.is_optional_note());
        Ok(Generation {
            files,
            findings,
            machine: RefCell::new(Rc::new(engine)),
            builder: Rc::clone(builder),
        })
    }

    /// Returns the hash over all paths and contents of its files.
    pub fn hash(&self) -> &str {
        &self.files.hash
    }

    /// Returns the names of the game, which its machine shares with the states.
    pub(in crate::game) fn names(&self) -> &Rc<Names> {
        &self.builder.options.names
    }

    /// Returns the files that it was read from.
    pub(in crate::game) fn files(&self) -> &Files {
        &self.files
    }

    /// Returns the findings in its files, without notes.
    pub fn findings(&self) -> &[Diagnostic] {
        &self.findings
    }

    /// Replaces the findings in its files by a more complete list.
    pub(in crate::game) fn set_findings(&mut self, findings: Vec<Diagnostic>) {
        self.findings = findings;
    }

    /// Returns its present machine.
    pub fn machine(&self) -> Rc<Engine> {
        Rc::clone(&self.machine.borrow())
    }

    /// Returns the rules that its files define.
    pub fn rules(&self) -> Rc<Rules> {
        self.machine.borrow().rules()
    }

    /// Prepares a state for play under it: stats, times and watched fields.
    pub(in crate::game) fn add_declarations_to_state(&self, state: &mut State) {
        self.rules().add_declarations_to_state(state);
    }

    /// Runs scripts. A panic of the host becomes a finding, and the run is returned in its state at that moment.
    pub(in crate::game) fn run_scripts_catching_panics<T>(
        &self,
        body: impl FnOnce(&Engine) -> (Run, Result<T, Diagnostic>),
    ) -> (Run, Result<T, Diagnostic>) {
        let machine = self.machine();
        match catch_unwind(AssertUnwindSafe(|| body(&machine))) {
            Ok(ended) => ended,
            Err(panic) => {
                let bug = host_bug_finding(&*panic).hint("nothing of the command was kept");
                (machine.take_run_after_panic(), Err(bug))
            }
        }
    }

    /// Replaces the machine by a new one of the same files if its memory would otherwise stay short.
    pub(in crate::game) fn rebuild_spent_machine(&self) {
        let is_spent = self.machine.borrow().is_memory_short_after_collection();
        if is_spent {
            self.rebuild_machine();
        }
    }

    /// Builds another machine of the same files. Errors: no machine can be built.
    pub(in crate::game) fn build_another_machine(&self) -> Result<Engine, Vec<Diagnostic>> {
        let (engine, _) = self
            .builder
            .build_machine(&self.files, Compiled::default())?;
        Ok(engine)
    }

    /// Replaces the machine by another one of the same files, and returns the previous one.
    pub(in crate::game) fn exchange_machine(&self, other: Rc<Engine>) -> Rc<Engine> {
        self.machine.replace(other)
    }

    /// Replaces the machine by a new one of the same files.
    pub(in crate::game) fn rebuild_machine(&self) {
        let compiled = self.machine.borrow().take_compile_cache();
        if let Ok((engine, _)) = self.builder.build_machine(&self.files, compiled) {
            self.machine.replace(Rc::new(engine));
        }
    }
}

/// Returns a panic of the host as a finding.
pub(in crate::game) fn host_bug_finding(panic: &(dyn Any + Send)) -> Diagnostic {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("no text");
    Diagnostic::error("host/bug", format!("this is a bug in the host: {text}"))
}
