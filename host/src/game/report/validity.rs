//! Later outcomes of operations: they hold, were taken back, or were left out.

use std::collections::{BTreeMap, BTreeSet};

use crate::doc::{Viewer, may_see};
use crate::game::past::correction::rulings_with_changed_messages;
use crate::game::timeline::Timeline;
use crate::game::timeline::command_words::{CommandEffect, CommandWords, host_command_of_line};
use crate::game::timeline::post_notes::post_note_in_language;
use crate::game::timeline::seat_replies::refusal_code_for_seat;
use crate::store::{History, Operation, What};
use crate::words::Words;

/// Later outcome of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Validity {
    /// It holds.
    Holds,
    /// It holds, and has another effect since a correction.
    Changed {
        /// The number of the correction.
        by: u64,
    },
    /// `undo` took it back.
    Undone,
    /// It has no effect because of a correction: it was left out, or the rules now refuse it.
    LeftOut {
        /// The number of the correction.
        by: u64,
    },
}

/// Later outcome of each operation of a history, as far as a reader may know.
pub struct Validities {
    live: BTreeSet<u64>,
    corrected: BTreeMap<u64, Validity>,
    is_gm: bool,
    commands: Vec<CommandWords>,
}

/// Returns the outcomes of the operations of the history so far, for a reader. A ruling with unchanged messages for
/// this reader counts as unchanged.
pub fn validities_for_viewer(timeline: &Timeline, viewer: &Viewer) -> Validities {
    validities_in_history(&timeline.history, viewer, &timeline.game.commands)
}

/// Returns the outcomes of the operations of a history, for a reader.
pub(in crate::game) fn validities_in_history(
    history: &History,
    viewer: &Viewer,
    commands: &[CommandWords],
) -> Validities {
    let is_gm = *viewer == Viewer::Gm;
    let left_out = history.ineffective_rulings();
    let mut corrected = BTreeMap::new();
    let corrections = history
        .live_operations()
        .filter(|one| !left_out.contains_key(&one.seq));
    for operation in corrections {
        let by = operation.seq;
        let told = rulings_with_changed_messages(operation);
        let is_told = |seq: u64| {
            let mut told = told.iter().filter(|(of, _)| *of == seq);
            told.any(|(_, to)| may_see(viewer, to))
        };
        let (changed, refused) = operation.what.rulings_changed_and_refused();
        for seq in changed {
            let before = corrected.get(seq);
            let is_back = matches!(before, Some(Validity::LeftOut { .. }));
            if is_gm || is_back || is_told(*seq) {
                corrected.insert(*seq, Validity::Changed { by });
            }
        }
        corrected.extend(refused.iter().map(|seq| (*seq, Validity::LeftOut { by })));
    }
    let left_out = left_out.into_iter();
    corrected.extend(left_out.map(|(seq, by)| (seq, Validity::LeftOut { by })));
    Validities {
        live: history
            .live_operations()
            .map(|operation| operation.seq)
            .collect(),
        corrected,
        is_gm,
        commands: commands.to_vec(),
    }
}

impl Validities {
    /// Returns the outcome of an operation; a walk through the history, or a refusal, counts as undone.
    pub fn validity_of(&self, seq: u64) -> Validity {
        match self.corrected.get(&seq) {
            _ if !self.live.contains(&seq) => Validity::Undone,
            Some(standing) => *standing,
            None => Validity::Holds,
        }
    }

    /// Returns the code of a refusal as the reader gets it.
    fn code_for_reader<'a>(&self, operation: &Operation, code: &'a str) -> &'a str {
        let command = host_command_of_line(&self.commands, &operation.command);
        let is_answer = command.is_some_and(|command| command.does == CommandEffect::Answers);
        match self.is_gm {
            true => code,
            false => refusal_code_for_seat(is_answer, code),
        }
    }

    /// Returns whether an operation has an effect.
    pub fn has_effect(&self, seq: u64) -> bool {
        matches!(
            self.validity_of(seq),
            Validity::Holds | Validity::Changed { .. }
        )
    }
}

/// Maximum number of rulings that the text on a correction names; the others are counted.
const LISTED: usize = 12;

/// Describes the outcome of an operation, for the game master with the numbers of other lines; empty if there is
/// nothing to report.
pub fn fate_in_words(operation: &Operation, standings: &Validities, words: &Words) -> String {
    let (stands, is_gm) = (standings.validity_of(operation.seq), standings.is_gm);
    match &operation.what {
        What::Ruling | What::Revert { .. } | What::Replace { .. } if stands == Validity::Undone => {
            words.text("fate.undone")
        }
        What::Ruling | What::Revert { .. } | What::Replace { .. }
            if let Validity::LeftOut { by } = stands =>
        {
            match is_gm {
                true => words.fill("fate.reverted_by", &[("line", &by)]),
                // The number would reveal how many lines others have.
                false => words.text("fate.no_effect"),
            }
        }
        What::Ruling if let Validity::Changed { by } = stands => match is_gm {
            true => words.fill("fate.ruled_again_by", &[("line", &by)]),
            false => words.text("fate.ruled_again"),
        },
        What::Ruling => String::new(),
        What::Refused { code, .. } => {
            let code = standings.code_for_reader(operation, code);
            words.fill("fate.refused", &[("code", &code)])
        }
        _ if !is_gm => String::new(),
        What::Posted { .. } => {
            let posts = post_note_in_language(&operation.what, words);
            words.fill("fate.posted", &[("posts", &posts)])
        }
        What::Withdrawn { of } => words.fill("fate.withdrew", &[("line", of)]),
        What::Undo { of } => words.fill("fate.took_back", &[("line", of)]),
        What::Redo { of } => words.fill("fate.redid", &[("line", of)]),
        What::Revert {
            of,
            changed,
            refused,
        } => {
            words.fill("fate.left_out", &[("line", of)])
                + &changed_rulings_text(changed, refused, words)
        }
        What::Replace {
            of,
            changed,
            refused,
            ..
        } => {
            words.fill("fate.replaced", &[("line", of)])
                + &changed_rulings_text(changed, refused, words)
        }
    }
}

/// Lists the rulings that a correction changed.
fn changed_rulings_text(changed: &[u64], refused: &[u64], words: &Words) -> String {
    let part = |key: &str, numbers: &[u64]| {
        let shown: Vec<String> = numbers.iter().take(LISTED).map(u64::to_string).collect();
        let shown = shown.join(" ");
        let lines = match numbers.len().saturating_sub(LISTED) {
            _ if shown.is_empty() => return String::new(),
            0 => shown,
            more => words.count("fate.more_lines", more, &[("lines", &shown)]),
        };
        format!(", {}", words.fill(key, &[("lines", &lines)]))
    };
    part("fate.changed_others", changed) + &part("fate.refused_others", refused)
}
