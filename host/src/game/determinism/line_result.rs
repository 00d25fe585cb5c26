//! The result of one line of a game, reduced to the parts that must be the same each time the line is given.

use crate::diag::Diagnostic;
use crate::doc::Document;
use crate::game::determinism::script::{Script, ScriptStep};
use crate::game::determinism::test_session::set_up_test;
use crate::game::past::replay::ruling_number_of_waiting_correction;
use crate::game::past::run_difference::{differing_parts, differing_parts_in_words};
use crate::game::report::dispute::is_dispute_row_id;
use crate::game::ruling::waiting_ruling::ruling_number_from_row_id;
use crate::game::session::Solo;
use crate::game::timeline::reply::Reply;
use crate::store::{Operation, What};
use crate::value::{Names, Text, Value};

/// The result of a line.
#[derive(Debug, PartialEq)]
pub(in crate::game) struct LineResult {
    /// The operations of the line, and those that followed automatically.
    pub(super) operations: Vec<ComparableOperation>,
    documents: Vec<Document>,
    provisional: Vec<Document>,
    refusal: Option<(String, String)>,
}

/// An operation without the names that only one session has.
#[derive(Debug, PartialEq)]
pub(in crate::game) struct ComparableOperation {
    /// The operation; its changes are stored in the next field.
    pub(super) operation: Operation,
    /// Row, field, old value, new value.
    changes: Vec<(Text, Text, Value, Value)>,
}

impl ComparableOperation {
    fn of(operation: &Operation, names: &Names) -> ComparableOperation {
        let changes = operation.changes.iter().map(|change| {
            let (row, field) = change.row_and_field_texts(names);
            (row, field, change.old.clone(), change.new.clone())
        });
        ComparableOperation {
            changes: changes.collect(),
            operation: Operation {
                changes: Vec::new(),
                ..operation.clone()
            },
        }
    }
}

impl LineResult {
    /// Returns whether the line moved the game or was refused. Queries and steps through the history do not move it.
    pub(super) fn moves_game(&self) -> bool {
        let mut all = self.operations.iter().map(|one| &one.operation.what);
        let is_ruled = |what: &What| matches!(what, What::Ruling | What::Refused { .. });
        !self.operations.is_empty() && all.all(is_ruled)
    }

    /// Returns whether the line corrected an older ruling.
    pub(super) fn is_correction(&self) -> bool {
        let mut all = self.operations.iter().map(|one| &one.operation.what);
        all.any(|what| matches!(what, What::Revert { .. } | What::Replace { .. }))
    }

    /// Returns whether the line suspended a correction, or continued a waiting correction.
    pub(super) fn is_waiting_correction(&self) -> bool {
        let mut all = self.operations.iter();
        all.any(|one| ruling_number_of_waiting_correction(&one.operation).is_some())
    }

    /// Returns whether the line names operations by numbers. Such a line is a correction, an action on disputes, or an
    /// action on a waiting ruling if the line contains a number.
    pub(super) fn names_operations(&self, line: &str) -> bool {
        let mut rows = self.operations.iter().flat_map(|one| &one.changes);
        let corrects = self.is_correction() || self.is_waiting_correction();
        let is_number = |word: &str| word.starts_with(|first: char| first.is_ascii_digit());
        let has_number = line.split_whitespace().any(is_number);
        corrects
            || self
                .operations
                .iter()
                .any(|one| one.operation.what.is_note())
            || rows.any(|(row, ..)| {
                is_dispute_row_id(row) || has_number && ruling_number_from_row_id(row).is_some()
            })
    }

    /// Returns whether the line was refused with a code.
    #[cfg(test)]
    pub(super) fn is_refused(&self, code: &str) -> bool {
        let refusal = self.refusal.as_ref();
        refusal.is_some_and(|(found, _)| found == code)
    }

    /// Returns the difference between two results in words. Different operation numbers do not count.
    pub(super) fn difference(&self, other: &LineResult) -> Option<String> {
        let mut parts = vec![
            ("the refusal", self.refusal != other.refusal),
            ("the messages", self.documents != other.documents),
            (
                "the messages before the answer",
                self.provisional != other.provisional,
            ),
            (
                "the number of log lines",
                self.operations.len() != other.operations.len(),
            ),
        ];
        for (one, other) in self.operations.iter().zip(&other.operations) {
            parts.extend(differing_parts(&one.operation, &other.operation));
            parts.push(("the changes", one.changes != other.changes));
        }
        differing_parts_in_words(&parts)
    }
}

/// The machine with which a game begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::game) enum Begin {
    /// A machine that was never used.
    Fresh,
    /// The present machine, with all values that scripts keep in it.
    Same,
}

/// Begins the game of a script. Errors: its setup is refused.
pub(super) fn begin_script_game(
    game: &mut Solo,
    script: &Script,
    begins: Begin,
) -> Result<(), Diagnostic> {
    if begins == Begin::Fresh {
        game.timeline().generation().rebuild_machine();
    }
    let begun = game.restart(script.seed.clone());
    let refusal = match &script.settings {
        Some(settings) if begun.refusal.is_none() => set_up_test(game, settings).refusal,
        Some(_) | None => begun.refusal,
    };
    refusal.map_or(Ok(()), Err)
}

/// Gives one line, or saves a script. Errors: the script cannot be saved with that text.
pub(super) fn give_script_line(
    game: &mut Solo,
    said: &ScriptStep,
) -> Result<LineResult, Diagnostic> {
    let before = game.timeline().history.operations().len();
    let reply = match said {
        ScriptStep::Line { by, line } => game.submit(by, line),
        ScriptStep::Rewrite(rewrite) => game
            .session
            .rewrite_script(rewrite)
            .map(|()| Reply::default())?,
    };
    // Entering a fork that has fewer operations is not an operation itself.
    let operations = game.timeline().history.operations();
    let added = operations.get(before..).unwrap_or_default();
    Ok(LineResult {
        operations: added
            .iter()
            .map(|operation| ComparableOperation::of(operation, game.timeline().state.names()))
            .collect(),
        documents: reply.documents,
        provisional: reply.provisional,
        refusal: reply
            .refusal
            .map(|finding| (finding.code.to_string(), finding.message)),
    })
}
