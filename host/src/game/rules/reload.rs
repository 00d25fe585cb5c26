//! This module swaps rules in a running game: the candidate is built beside the live rules, and a broken one is dropped.

use std::rc::Rc;

use super::home::Files;
use crate::content::Diff;
use crate::diag::Diagnostic;
use crate::game::session::Session;
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
        let is_same = {
            let live = self.rules.live();
            files.hash == live.hash() && files.findings == live.files().findings
        };
        if is_same {
            let was_stale = !self.rules.rejected().is_empty();
            self.rules.reject(Vec::new());
            return if was_stale {
                Reloaded::Mended
            } else {
                Reloaded::Unchanged
            };
        }
        self.swap(files, prepared)
    }

    pub(in crate::game) fn swap(&mut self, files: Files, prepared: Compiled) -> Reloaded {
        let candidate = match self.rules.candidate(files, prepared) {
            Ok(candidate) => candidate,
            Err(findings) => return self.keep(findings),
        };
        let live = Rc::clone(self.rules.live());
        let diff = live.rules().registry.diff(&candidate.rules().registry);
        let findings = candidate.findings().to_vec();
        let mut operations = self.history.operations().iter();
        let is_used = operations.any(|operation| *operation.rules == *live.hash());
        self.rules.swap(candidate, is_used);
        self.plays_under(Rc::clone(self.rules.live()));
        Reloaded::Swapped { diff, findings }
    }

    fn keep(&mut self, findings: Vec<Diagnostic>) -> Reloaded {
        self.rules.reject(findings.clone());
        Reloaded::Kept { findings }
    }
}
