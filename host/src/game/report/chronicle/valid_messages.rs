//! The valid messages of a game, as other readers get them. Messages that were taken back are left out. Messages of a
//! ruling that was run again replace its first messages.
//!
//! Corrections recorded by an earlier version do not record the ruling of each message: these messages stay with the
//! correction.

use std::collections::{BTreeMap, BTreeSet};

use crate::doc::{Audience, Document, Viewer, for_viewer};
use crate::game::past::correction::{
    CorrectionNotice, Phase, notices_of_correction, phases_in_correction,
};
use crate::game::report::validity::Validities;
use crate::store::{History, Operation, What};

/// Messages that corrections put in the place of earlier ones.
#[derive(Debug, Default)]
pub(in crate::game) struct ValidMessages {
    /// By ruling and audience: the present messages; nothing if the correction keeps it.
    now: BTreeMap<(u64, Audience), Vec<Document>>,
    /// By correction: the documents that belong to a ruling.
    moved: BTreeMap<u64, BTreeSet<usize>>,
    /// By ruling: its phase.
    phases: BTreeMap<u64, Phase>,
}

/// Returns the valid messages; `lines` are the operations that have lines in the reader's log.
pub(in crate::game) fn valid_messages(history: &History, lines: &BTreeSet<u64>) -> ValidMessages {
    let left_out = history.ineffective_rulings();
    let live = history.live_operations();
    let mut words = ValidMessages::default();
    for correction in live.filter(|one| !left_out.contains_key(&one.seq)) {
        for told in notices_of_correction(correction) {
            words.add_notice(correction, told, lines);
        }
        words.phases.extend(phases_in_correction(correction));
    }
    words
}

impl ValidMessages {
    fn add_notice(
        &mut self,
        correction: &Operation,
        told: CorrectionNotice,
        lines: &BTreeSet<u64>,
    ) {
        if told.is_answer || !lines.contains(&told.seq) {
            return;
        }
        let documents = match told.place {
            Some(place) => {
                let moved = self.moved.entry(correction.seq).or_default();
                moved.extend(place);
                told.documents
            }
            None => Vec::new(),
        };
        self.now.insert((told.seq, told.to), documents);
    }

    /// Returns the phase of an operation; nothing if no correction ran it again.
    pub(super) fn phase_of(&self, operation: &Operation) -> Option<&Phase> {
        self.phases.get(&operation.seq)
    }

    /// Returns the present messages of an operation for a viewer.
    pub(in crate::game) fn present_documents_of(
        &self,
        operation: &Operation,
        viewer: &Viewer,
    ) -> Vec<Document> {
        if !operation.what.is_ruling() {
            return Vec::new();
        }
        let moved = self.moved.get(&operation.seq);
        let mut said = Vec::new();
        let mut told: BTreeSet<&Audience> = BTreeSet::new();
        for (at, value) in operation.documents.iter().enumerate() {
            let Some(document) = Document::from_value(value).ok() else {
                continue;
            };
            if moved.is_some_and(|moved| moved.contains(&at)) {
                continue;
            }
            let key = (operation.seq, document.audience.clone());
            match self.now.get_key_value(&key) {
                Some(((_, to), now)) if told.insert(to) => said.extend(now.iter().cloned()),
                Some(_) => {}
                None => said.push(document),
            }
        }
        let more = self
            .now
            .iter()
            .filter(|((seq, to), _)| *seq == operation.seq && !told.contains(to));
        said.extend(more.flat_map(|(_, now)| now.iter().cloned()));
        let seen = said.iter().filter_map(|one| for_viewer(one, viewer));
        seen.filter(|one| !one.blocks.is_empty()).collect()
    }
}

/// Returns whether a line is valid: it was not taken back, and it is not an undo or redo itself.
pub(in crate::game) fn is_valid_line(operation: &Operation, standings: &Validities) -> bool {
    match operation.what {
        What::Undo { .. } | What::Redo { .. } | What::Posted { .. } | What::Withdrawn { .. } => {
            false
        }
        What::Ruling | What::Revert { .. } | What::Replace { .. } | What::Refused { .. } => {
            standings.has_effect(operation.seq)
        }
    }
}
