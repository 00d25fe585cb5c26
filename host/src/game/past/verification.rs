//! Runs a saved game again, operation by operation, and reports each difference from the record.
//!
//! Input: a folder. The rules are those that were saved with it, no others. Each operation runs from the state that the
//! operations before it lead to, with the recorded inputs. All effects of the operation are compared. The clock is off:
//! fuel decides. Nothing on disk is changed.

use std::collections::BTreeSet;
use std::path::Path;
use std::rc::Rc;
use std::vec::IntoIter;

use crate::diag::Diagnostic;
use crate::game::attempt::command_kind::host_effect_of_line;
use crate::game::command::dispatch::dispatch_line;
use crate::game::command::lines_for_seats::seat_spoken_for;
use crate::game::past::correction::correction_suspension::redo_correction_line;
use crate::game::past::replay::{
    ReplayResult, records_outside_fact, redo_host_command, replay_in_timeline, rule_of_operation,
    ruling_number_of_waiting_correction, ruling_of_operation,
};
use crate::game::past::verification::later_rulings::rulings_with_missing_rules;
use crate::game::past::verification::mismatch::{
    mismatch_finding, nothing_done_finding, other_end_state_finding, wrong_giver_finding,
};
use crate::game::rules::generations::Generations;
use crate::game::rules::home::{Files, Home};
use crate::game::ruling::caller::Caller;
use crate::game::ruling::client::Client;
use crate::game::ruling::host_command::{HostCommand, words_of_host_commands};
use crate::game::ruling::ruling_context::{Responders, Trace};
use crate::game::timeline::Timeline;
use crate::game::timeline::command_words::CommandEffect;
use crate::game::timeline::reply::Reply;
use crate::game::timeline::seed::Seed;
use crate::game::timeline::timeline_start::{SessionOptions, open_timeline};
use crate::script::EngineOptions;
use crate::store::archive::{ArchiveError, Reading};
use crate::store::{Operation, What};
use crate::value::Names;

mod dice;
mod expected_inputs;
mod later_rulings;
mod mismatch;
mod seed_in_journal;

pub use dice::DiceCheck;
pub use dice::UsedDie;

/// A game during verification.
pub struct Verifier {
    reading: Reading,
    names: Rc<Names>,
    /// The game up to the last verified operation.
    timeline: Option<Timeline>,
    generations: Option<Generations>,
    /// Missing rules that were already reported.
    missing: BTreeSet<String>,
    rest: IntoIter<Operation>,
    seed: Option<Seed>,
    /// Whether the remaining operations cannot run, because the state before them is not known.
    is_lost: bool,
    /// The operation that the last finding is about.
    told: Option<u64>,
    report: VerificationReport,
    commands: &'static [HostCommand],
}

/// Results of a verification so far.
#[derive(Clone, Debug, Default)]
pub struct VerificationReport {
    /// Number of operations that did the same again.
    pub same: u64,
    /// Number of operations that were not run. Their inputs do not lead to their result, which is an outside fact, or
    /// their rules are missing.
    pub not_run: u64,
    /// Number of operations that did something else.
    pub different: u64,
    /// Differences from the record, in order.
    pub findings: Vec<Diagnostic>,
}

impl Verifier {
    /// Reads a game to verify it. Errors: there is no game, or its first line cannot be read.
    pub fn open(folder: &Path, commands: &'static [HostCommand]) -> Result<Verifier, ArchiveError> {
        let names = Rc::<Names>::default();
        let reading = Reading::from_folder(folder, &names)?;
        let mut report = VerificationReport::default();
        let seed = seed_of_game(&reading, &mut report.findings);
        let mut verifier = Verifier {
            rest: reading.operations.clone().into_iter(),
            names,
            timeline: None,
            generations: None,
            missing: BTreeSet::new(),
            is_lost: false,
            told: None,
            seed,
            report,
            reading,
            commands,
        };
        verifier.begin_game();
        Ok(verifier)
    }

    /// Returns the number of operations.
    pub fn operation_count(&self) -> usize {
        self.reading.operations.len()
    }

    /// Returns the game as read from disk.
    pub fn read_game(&self) -> &Reading {
        &self.reading
    }

    /// Verifies the next operation; returns false if there is none.
    pub fn verify_next_operation(&mut self) -> bool {
        let Some(operation) = self.rest.next() else {
            return false;
        };
        self.verify_operation(operation);
        true
    }

    /// Returns the results, with the errors of the journal as a whole.
    pub fn finish(mut self) -> VerificationReport {
        while self.verify_next_operation() {}
        if let Some(failure) = &self.reading.failure {
            let finding = failure.to_diagnostic_of_game(self.reading.folder());
            self.report.findings.push(finding);
        }
        let strange = self.reading.mismatched_snapshot_seqs(&self.names);
        for seq in strange.unwrap_or_default() {
            let message = format!("the snapshot of log line {seq} does not match the journal");
            let finding = Diagnostic::error("verify/snapshot", message);
            self.report.findings.push(
                finding
                    .hint("delete the snapshot file; the game then opens from the journal alone"),
            );
        }
        self.report
    }

    /// Recomputes every die from the seed.
    pub fn check_dice(&self) -> DiceCheck {
        dice::check_dice_of_journal(&self.reading.operations, &self.names, self.seed.as_ref())
    }

    /// Starts the game with the first rules that can be used.
    fn begin_game(&mut self) {
        let operations = self.reading.operations.iter();
        let mut tried = BTreeSet::new();
        let names = operations.map(|operation| &*operation.rules);
        for name in names.filter(|name| tried.insert(*name)) {
            let Ok(files) = self.reading.saved_rules(name) else {
                continue;
            };
            let files = Files::of_stored_generation(&files);
            let options = self.session_options();
            let opened = open_timeline(
                &options,
                words_of_host_commands(self.commands),
                files,
                Rc::clone(&self.names),
            );
            if let Ok((timeline, mut generations)) = opened {
                self.all_saved_rule_files()
                    .for_each(|files| generations.store_rule_files(files));
                (self.timeline, self.generations) = (Some(timeline), Some(generations));
                return;
            }
        }
    }

    /// Returns all saved rules, for rulings that run again under their own rules.
    fn all_saved_rule_files(&self) -> impl Iterator<Item = Files> {
        let names = self.reading.operations.iter();
        let names: BTreeSet<&str> = names.map(|operation| &*operation.rules).collect();
        let kept = names.into_iter();
        kept.filter_map(|name| {
            Some(Files::of_stored_generation(
                &self.reading.saved_rules(name).ok()?,
            ))
        })
    }

    fn session_options(&self) -> SessionOptions {
        let engine = EngineOptions::default();
        SessionOptions {
            home: Home {
                folder: std::path::PathBuf::new(),
                mods: Vec::new(),
                content: None,
            },
            ruleset: self.reading.first.ruleset.clone(),
            seed: self
                .seed
                .clone()
                .unwrap_or_else(|| Seed::from_stored_bytes([0; 32], true)),
            engine: EngineOptions {
                limits: engine.limits.for_replay(),
                ..engine
            },
        }
    }

    fn verify_operation(&mut self, operation: Operation) {
        let Some(mut timeline) = self.timeline.take().filter(|_| !self.is_lost) else {
            self.report.not_run += 1;
            self.note_missing_rules(&operation);
            return;
        };
        let Some(generations) = self.generations.take() else {
            unreachable!("invariant: a game that is verified has rules");
        };
        let (responders, client) = (Responders::default(), Client::default());
        let caller = Caller {
            commands: self.commands,
            responders: &responders,
            generations: &generations,
            disk: None,
            client: &client,
        };
        match operation.what {
            _ if ruling_number_of_waiting_correction(&operation).is_some() => {
                self.verify_history_step(&caller, &mut timeline, operation);
            }
            What::Ruling | What::Refused { .. } => {
                self.verify_ruling(&caller, &mut timeline, operation);
            }
            What::Undo { .. } | What::Redo { .. } | What::Revert { .. } | What::Replace { .. } => {
                self.verify_history_step(&caller, &mut timeline, operation);
            }
            // A person notes a fact from outside the game: nothing runs.
            What::Posted { .. } | What::Withdrawn { .. } => {
                self.report.not_run += 1;
                self.append_recorded(&mut timeline, operation, None);
            }
        }
        self.timeline = Some(timeline);
        self.generations = Some(generations);
    }

    /// Runs a ruling again and compares it with its record.
    fn verify_ruling(
        &mut self,
        caller: &Caller<'_>,
        timeline: &mut Timeline,
        operation: Operation,
    ) {
        if records_outside_fact(&operation) || !self.switch_rules(caller, timeline, &operation) {
            self.report.not_run += 1;
            return self.append_recorded(timeline, operation, None);
        }
        let giver = wrong_giver_finding(&operation, &timeline.state);
        let giver = giver.or_else(|| unauthorized_typist_finding(timeline, &operation));
        let found = match rule_of_operation(&operation) {
            Some(_) => {
                let again =
                    replay_in_timeline(timeline.scratch_copy(), caller, &operation, Trace::Off);
                again.map_or_else(|_| None, |again: ReplayResult| again.operation)
            }
            None => redo_host_command(timeline, caller, &operation),
        };
        let strange = match &found {
            Some(found) => mismatch_finding(&operation, found, &self.names).or(giver),
            None => Some(nothing_done_finding(&operation)),
        };
        self.count_result(strange.is_none());
        self.note_finding(operation.seq, strange);
        // The ruling numbers of later operations follow from the rulings before them.
        let ruling_number = found.as_ref().and_then(|found| found.slot);
        let ruling_number = operation.slot.and(ruling_number).or(operation.slot);
        self.append_recorded(
            timeline,
            Operation {
                slot: ruling_number,
                ..operation
            },
            found,
        );
    }

    /// Repeats a step in the history: undo, redo or a correction, also a waiting one.
    fn verify_history_step(
        &mut self,
        caller: &Caller<'_>,
        timeline: &mut Timeline,
        operation: Operation,
    ) {
        // Undo and redo do not need the rules of that time.
        let waited = ruling_number_of_waiting_correction(&operation).is_some();
        let corrects = operation.what.corrected_number().is_some() || waited;
        let is_known = !corrects
            || self.has_rules_for_rerun(caller, timeline, &operation)
                && self.switch_rules(caller, timeline, &operation);
        if !is_known || records_outside_fact(&operation) {
            self.report.not_run += 1;
            return self.append_recorded(timeline, operation, None);
        }
        let before = timeline.history.operations().len();
        let given = (&*operation.by, &*operation.command);
        let typist = unauthorized_typist_finding(timeline, &operation);
        let reply = match host_effect_of_line(timeline, given) {
            _ if corrects => redo_correction_line(timeline, &operation, caller),
            Some(CommandEffect::Walks) => {
                dispatch_line(timeline, &ruling_of_operation(&operation, caller))
            }
            Some(_) | None => Reply::default(),
        };
        let found = timeline.history.operations().get(before);
        let found = found.map(|one| Operation::clone(one));
        let strange = match (&found, reply.refusal) {
            (Some(found), _) => mismatch_finding(&operation, found, &self.names).or(typist),
            (None, Some(refusal)) => Some(nothing_done_finding(&operation).hint(refusal.message)),
            (None, None) => Some(nothing_done_finding(&operation)),
        };
        self.count_result(strange.is_none());
        let is_same = strange.is_none();
        self.note_finding(operation.seq, strange);
        if is_same {
            return;
        }
        if found.is_some() {
            let Timeline { history, state, .. } = timeline;
            let withdrawn = history.remove_last_operation(state);
            withdrawn.expect("invariant: the last operation leads to the state of now");
        }
        self.append_recorded(timeline, operation, found);
    }

    /// Continues after an operation as recorded. If the record cannot be applied, continues with the re-run.
    fn append_recorded(
        &mut self,
        timeline: &mut Timeline,
        operation: Operation,
        found: Option<Operation>,
    ) {
        let Timeline { history, state, .. } = timeline;
        let seq = operation.seq;
        let Err(error) = history
            .append_recorded_operation(state, operation.clone())
            .map(|_| ())
        else {
            return;
        };
        if self.told != Some(seq) {
            self.note_finding(seq, Some(other_end_state_finding(&operation, &error)));
        }
        let found = found.map(|found| Operation { seq, ..found });
        if found.is_some_and(|found| history.append_recorded_operation(state, found).is_ok()) {
            return;
        }
        self.is_lost = true;
        let left = self.rest.len();
        if left > 0 {
            let message = format!(
                "{left} log lines after {seq} were not run again, because the state before them is unknown"
            );
            self.report
                .findings
                .push(Diagnostic::error("verify/lost", message));
        }
    }

    fn note_finding(&mut self, seq: u64, finding: Option<Diagnostic>) {
        if let Some(finding) = finding {
            self.told = Some(seq);
            self.report.findings.push(finding);
        }
    }

    fn count_result(&mut self, is_same: bool) {
        match is_same {
            true => self.report.same += 1,
            false => self.report.different += 1,
        }
    }

    /// Makes the rules of an operation the live ones; returns false if that is not possible.
    fn switch_rules(
        &mut self,
        caller: &Caller<'_>,
        timeline: &mut Timeline,
        operation: &Operation,
    ) -> bool {
        let name = &*operation.rules;
        if *timeline.generation().hash() == *name {
            return true;
        }
        let Some(wanted) = caller.generation_by_hash(name) else {
            self.note_missing_rules(operation);
            return false;
        };
        timeline.play_under_rules(&wanted);
        true
    }

    /// Returns whether the rules of all rulings that a correction runs again are available. Reports the missing ones.
    fn has_rules_for_rerun(
        &mut self,
        caller: &Caller<'_>,
        timeline: &Timeline,
        operation: &Operation,
    ) -> bool {
        let gone = rulings_with_missing_rules(timeline, caller, operation);
        for one in &gone {
            self.note_missing_rules(one);
        }
        gone.is_empty()
    }

    /// Reports once that rules are missing or cannot be used.
    fn note_missing_rules(&mut self, operation: &Operation) {
        let name = operation.rules.to_string();
        if self.is_lost || !self.missing.insert(name.clone()) {
            return;
        }
        let why = match self.reading.saved_rules(&name) {
            Ok(_) => "they cannot be used".to_owned(),
            Err(error) => error.to_string(),
        };
        let message = format!("the rules of log line {} are missing: {why}", operation.seq);
        let finding = Diagnostic::error("verify/rules", message);
        self.report
            .findings
            .push(finding.hint("log lines that used them were not run again"));
    }
}

/// Returns a finding if a user typed a line for another one without permission; nothing if all is right.
fn unauthorized_typist_finding(timeline: &Timeline, operation: &Operation) -> Option<Diagnostic> {
    let typed_by = operation.through.as_deref()?;
    let refusal = seat_spoken_for(timeline, typed_by, &operation.by).err()?;
    Some(nothing_done_finding(operation).hint(refusal.message))
}

/// Returns the seed of a game: the secret, otherwise the revealed seed.
fn seed_of_game(reading: &Reading, findings: &mut Vec<Diagnostic>) -> Option<Seed> {
    let is_test = reading.first.test;
    match reading.secret() {
        Ok(Some(secret)) => return Some(Seed::from_stored_bytes(secret, is_test)),
        Ok(None) => {}
        Err(error) => {
            let message =
                format!("the seed does not match the commitment made at the start: {error}");
            findings.push(Diagnostic::error("verify/seed", message));
        }
    }
    let revealed = seed_in_journal::seed_in_journal(&reading.operations, &reading.first.seed)?;
    Some(Seed::from_stored_bytes(revealed, is_test))
}
