//! Replaces rules in a running game. The candidate is built beside the live rules, and a broken candidate is dropped.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::content::{CollectionDiff, Diff};
use crate::diag::Diagnostic;
use crate::game::rules::home::Files;
use crate::game::session::Session;
use crate::game::timeline::reply::Reply;
use crate::script::{Compiled, Rules, is_script, joining_command_line};
use crate::value::Text;

/// Returns the scripts that are new, changed and removed, by the names that people see.
fn script_differences(old: &Files, new: &Files) -> CollectionDiff {
    let scripts = |files: &Files| -> BTreeMap<Text, [u8; 32]> {
        let all = files.mods.iter().flat_map(|one| &one.scripts);
        let all = all.filter(|file| is_script(&file.path));
        all.map(|file| (file.source.name().into(), file.hash))
            .collect()
    };
    let (old, new) = (scripts(old), scripts(new));
    let only = |one: &BTreeMap<Text, _>, other: &BTreeMap<Text, _>| -> Vec<Text> {
        one.keys()
            .filter(|name| !other.contains_key(*name))
            .cloned()
            .collect()
    };
    let is_changed =
        |(name, hash): &(&Text, &[u8; 32])| old.get(*name).is_some_and(|was| was != *hash);
    CollectionDiff {
        collection: "files".into(),
        added: only(&new, &old),
        removed: only(&old, &new),
        changed: new
            .iter()
            .filter(is_changed)
            .map(|(name, _)| name.clone())
            .collect(),
    }
}

/// Returns the command lines that put the new definitions into a running game, for those that need it.
fn lines_that_join(diff: &Diff, rules: &Rules) -> Vec<String> {
    let added = diff.collections.iter().flat_map(|one| {
        let ids = one.added.iter();
        ids.filter_map(move |id| rules.registry.get(&one.collection, id))
    });
    added
        .filter_map(|definition| joining_command_line(rules, definition))
        .collect()
}

/// The result of a reload.
#[derive(Clone, Debug)]
pub enum ReloadResult {
    /// The files equal the files of the live rules.
    Unchanged,
    /// The files were broken and equal the files of the live rules again.
    Mended,
    /// The new rules are live.
    Swapped {
        /// The new, changed and removed parts.
        diff: Diff,
        /// Warnings about the new rules.
        findings: Vec<Diagnostic>,
    },
    /// The new rules are broken; the last working version stays.
    Kept {
        /// The errors.
        findings: Vec<Diagnostic>,
    },
}

impl Session {
    /// Reads all files again and replaces the rules by the new ones if these have no error; the state does not change.
    ///
    /// `prepared` is bytecode that another thread compiled ahead.
    pub fn reload(&mut self, prepared: Compiled) -> ReloadResult {
        let files = match self.program.home.read_ruleset(&self.main.game.ruleset) {
            Ok(files) => files,
            Err(finding) => return self.keep_live_rules(vec![finding]),
        };
        // A file that cannot be used is not part of the hash.
        let is_same = {
            let live = self.generations.live();
            files.hash == live.hash() && files.findings == live.files().findings
        };
        if is_same {
            let was_stale = !self.generations.rejected_findings().is_empty();
            self.generations.note_rejected_findings(Vec::new());
            return if was_stale {
                ReloadResult::Mended
            } else {
                ReloadResult::Unchanged
            };
        }
        self.swap_rules(files, prepared)
    }

    /// Builds rules from files and makes them live. If they have errors, the live rules stay.
    pub(in crate::game) fn swap_rules(&mut self, files: Files, prepared: Compiled) -> ReloadResult {
        let candidate = match self.generations.build_candidate(files, prepared) {
            Ok(candidate) => candidate,
            Err(findings) => return self.keep_live_rules(findings),
        };
        let live = Rc::clone(self.generations.live());
        let mut diff = live.rules().registry.diff(&candidate.rules().registry);
        diff.add_shared_files(script_differences(live.files(), candidate.files()));
        diff.joining_lines = lines_that_join(&diff, &candidate.rules());
        let findings = candidate.findings().iter().filter(|one| !one.is_note());
        let findings = findings.cloned().collect();
        let forks = self.forks.values().map(|fork| &fork.timeline);
        let mut lines = std::iter::once(&self.main).chain(forks);
        let is_used = lines.any(|line| {
            let mut operations = line.history.operations().iter();
            operations.any(|operation| *operation.rules == *live.hash())
        });
        self.generations.make_generation_live(candidate, is_used);
        let live = self.generations.live();
        self.main.play_under_rules(live);
        for fork in self.forks.values_mut() {
            fork.timeline.play_under_rules(live);
        }
        ReloadResult::Swapped { diff, findings }
    }

    /// Reads all files again, and returns the result as a reply.
    pub(in crate::game) fn reload_reply(&mut self) -> Reply {
        match self.reload(Compiled::default()) {
            ReloadResult::Unchanged | ReloadResult::Mended => {
                Reply::line("the rules match the files")
            }
            ReloadResult::Swapped { diff, findings } => {
                let text = if diff.is_empty() {
                    "the new rules are active".to_owned()
                } else {
                    diff.to_string()
                };
                Reply {
                    findings,
                    ..Reply::line(text)
                }
            }
            ReloadResult::Kept { findings } => {
                let message = "the new rules have errors; the last working version stays active";
                Reply {
                    findings,
                    ..Reply::refused(Diagnostic::error("content/not-reloaded", message))
                }
            }
        }
    }

    /// Returns the errors in the rules, or in newer rules that were rejected.
    pub(in crate::game) fn check_reply(&self) -> Reply {
        let findings = match self.generations.rejected_findings() {
            [] => self.generations.live().findings(),
            rejected => rejected,
        };
        match findings {
            [] => Reply::line("no errors found in the rules"),
            findings => Reply {
                findings: findings.to_vec(),
                ..Reply::default()
            },
        }
    }

    fn keep_live_rules(&mut self, findings: Vec<Diagnostic>) -> ReloadResult {
        self.generations.note_rejected_findings(findings.clone());
        ReloadResult::Kept { findings }
    }
}
