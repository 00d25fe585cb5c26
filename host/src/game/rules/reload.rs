//! This module swaps rules in a running game: the candidate is built beside the live rules, and a broken one is dropped.

use super::home::Files;
use crate::content::Diff;
use crate::diag::Diagnostic;
use crate::game::session::{Session, build};
use crate::script::Compiled;

/// What became of a reload.
#[derive(Clone, Debug)]
pub enum Reloaded {
    /// The files are those of the live rules.
    Unchanged,
    /// The files were broken and are those of the live rules again.
    Mended,
    /// The new rules are live.
    Swapped {
        /// What is new, changed and gone.
        diff: Diff,
        /// Warnings about the new rules.
        findings: Vec<Diagnostic>,
    },
    /// The new rules are broken; the old ones stay.
    Kept {
        /// Why.
        findings: Vec<Diagnostic>,
    },
}

impl Session {
    /// Reads all files again and swaps to the new rules if they have no error; the state is untouched.
    ///
    /// `prepared` is bytecode that another thread compiled ahead.
    pub fn reload(&mut self, prepared: Compiled) -> Reloaded {
        let files = match self.options.home.read(&self.options.ruleset) {
            Ok(files) => files,
            Err(finding) => return self.keep(vec![finding]),
        };
        // A file that cannot be taken has no part in the hash.
        let is_same = files.hash == self.rules_hash && files.findings == self.files.findings;
        if is_same {
            let was_stale = !std::mem::take(&mut self.stale).is_empty();
            return if was_stale {
                Reloaded::Mended
            } else {
                Reloaded::Unchanged
            };
        }
        self.swap(files, prepared)
    }

    pub(in crate::game) fn swap(&mut self, files: Files, prepared: Compiled) -> Reloaded {
        let hash = files.hash.clone();
        let mut compiled = self.engine.take_compiled();
        compiled.absorb(prepared);
        let built = build(&self.options, self.commands, files.clone(), compiled);
        let (engine, mut findings) = match built {
            Ok(built) => built,
            Err(findings) => return self.keep(findings),
        };
        findings.retain(|found| !found.is_note());
        if findings.iter().any(Diagnostic::is_error) {
            self.engine.give_compiled(engine.take_compiled());
            return self.keep(findings);
        }
        let diff = self.engine.rules().registry.diff(&engine.rules().registry);
        self.engine = engine;
        self.engine.rules().equip(&mut self.state);
        let old_hash = std::mem::replace(&mut self.rules_hash, hash);
        let old_files = std::mem::replace(&mut self.files, files);
        let mut operations = self.history.operations().iter();
        if operations.any(|operation| *operation.rules == *old_hash) {
            self.pinned.insert(old_hash, old_files);
        }
        self.stale.clear();
        self.live_findings = findings.clone();
        Reloaded::Swapped { diff, findings }
    }

    fn keep(&mut self, findings: Vec<Diagnostic>) -> Reloaded {
        self.stale = findings.clone();
        Reloaded::Kept { findings }
    }
}
