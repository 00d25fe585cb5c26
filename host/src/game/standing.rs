//! This module says what became of operations later: whether they hold, were taken back, or were left out.

use std::collections::{BTreeMap, BTreeSet};

use super::unsaid::told_code;
use crate::store::{History, Operation, What};

/// What became of an operation later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It holds.
    Holds,
    /// It holds, and does something else since a correction.
    Changed {
        /// The number of the correction.
        by: u64,
    },
    /// `undo` took it back.
    Undone,
    /// A correction lets it have no effect: it left it out, or the rules refuse it since.
    LeftOut {
        /// The number of the correction.
        by: u64,
    },
}

/// What became of each operation of a history.
pub struct Standings {
    live: BTreeSet<u64>,
    corrected: BTreeMap<u64, Standing>,
}

impl Standings {
    /// Returns what became of the operations of a history so far.
    pub fn of(history: &History) -> Standings {
        let left_out = history.left_out();
        let mut corrected = BTreeMap::new();
        let corrections = history
            .live()
            .filter(|one| !left_out.contains_key(&one.seq));
        for operation in corrections {
            let by = operation.seq;
            let (changed, refused) = operation.what.ruled_again();
            corrected.extend(changed.iter().map(|seq| (*seq, Standing::Changed { by })));
            corrected.extend(refused.iter().map(|seq| (*seq, Standing::LeftOut { by })));
        }
        let left_out = left_out.into_iter();
        corrected.extend(left_out.map(|(seq, by)| (seq, Standing::LeftOut { by })));
        Standings {
            live: history.live().map(|operation| operation.seq).collect(),
            corrected,
        }
    }

    /// Returns what became of one of them; a walk through the history, or a refusal, was never more than it is.
    pub fn at(&self, seq: u64) -> Standing {
        match self.corrected.get(&seq) {
            _ if !self.live.contains(&seq) => Standing::Undone,
            Some(standing) => *standing,
            None => Standing::Holds,
        }
    }

    /// Returns whether an operation has an effect.
    pub fn has_effect(&self, seq: u64) -> bool {
        matches!(self.at(seq), Standing::Holds | Standing::Changed { .. })
    }
}

/// Rulings that a correction names; the others are counted.
const LISTED: usize = 12;

/// Says what became of an operation, for the game master with the numbers of others; empty where there is nothing to say.
pub fn fate(operation: &Operation, standings: &Standings, is_gm: bool) -> String {
    let stands = standings.at(operation.seq);
    match &operation.what {
        What::Ruling | What::Revert { .. } | What::Replace { .. } if stands == Standing::Undone => {
            "undone".to_owned()
        }
        What::Ruling | What::Revert { .. } | What::Replace { .. }
            if let Standing::LeftOut { by } = stands =>
        {
            match is_gm {
                true => format!("has no effect since {by}"),
                // The number would count what others did.
                false => "has no effect any more".to_owned(),
            }
        }
        What::Ruling if let Standing::Changed { by } = stands => match is_gm {
            true => format!("ruled again by {by}"),
            false => "ruled again later".to_owned(),
        },
        What::Ruling => String::new(),
        What::Refused { code, .. } if is_gm => format!("refused: {code}"),
        What::Refused { code, .. } => format!("refused: {}", told_code(&operation.command, code)),
        _ if !is_gm => String::new(),
        What::Undo { of } => format!("took back {of}"),
        What::Redo { of } => format!("did {of} again"),
        What::Revert {
            of,
            changed,
            refused,
        } => format!("left out {of}{}", ruled_again(changed, refused)),
        What::Replace {
            of,
            changed,
            refused,
            ..
        } => format!("replaced {of}{}", ruled_again(changed, refused)),
    }
}

/// Says which rulings a correction changed.
fn ruled_again(changed: &[u64], refused: &[u64]) -> String {
    let part = |word: &str, numbers: &[u64]| {
        let shown: Vec<String> = numbers.iter().take(LISTED).map(u64::to_string).collect();
        let more = numbers.len().saturating_sub(LISTED);
        match (shown.is_empty(), more) {
            (true, _) => String::new(),
            (_, 0) => format!(", {word} {}", shown.join(" ")),
            (_, more) => format!(", {word} {} and {more} more", shown.join(" ")),
        }
    };
    part("changed", changed) + &part("refused", refused)
}
