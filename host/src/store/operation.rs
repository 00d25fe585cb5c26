//! Operations: the entries of the history.

use std::fmt;

use super::{Change, StateHash, StoreError};
use crate::diag::Diagnostic;
use crate::value::{Text, Value};

/// Kind of an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// A command was ruled on; it has a ruling number.
    Ruling,
    /// A ruling was undone.
    Undo {
        /// Number of the ruling.
        of: u64,
    },
    /// An undone ruling was redone.
    Redo {
        /// Number of the ruling.
        of: u64,
    },
    /// A command was refused and changed nothing.
    Refused {
        /// The code of the refusal.
        code: Text,
        /// Its message.
        message: Text,
    },
    /// Messages were published: a note of the game master. It changes nothing else, and `undo` passes over it.
    Posted {
        /// The messages by reader, at least one; readers of the same messages are together.
        posts: Vec<Publication>,
        /// The last operation when the messages were written: readers know the game as it was then.
        after: u64,
    },
    /// An earlier note that messages were published is taken back.
    Withdrawn {
        /// Number of the note.
        of: u64,
    },
    /// A ruling or a correction was left out as if it had never been given; the later rulings were run again.
    Revert {
        /// Number of the ruling or correction.
        of: u64,
        /// The rulings with another result when they were run again.
        changed: Vec<u64>,
        /// The rulings that were refused when they were run again.
        refused: Vec<u64>,
    },
    /// A ruling was replaced by another command with the same ruling number; the later rulings were run again.
    Replace {
        /// Number of the ruling, or of the earlier correction that replaced it.
        of: u64,
        /// The command.
        with: Text,
        /// The rulings with another result when they were run again.
        changed: Vec<u64>,
        /// The rulings that were refused when they were run again.
        refused: Vec<u64>,
    },
}

/// Messages that some readers could read in a post.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Publication {
    /// The readers, each as the text of an audience.
    pub to: Vec<Text>,
    /// The operations whose messages were published, as first and last numbers.
    pub lines: Vec<(u64, u64)>,
    /// The operations with only some published messages, and the places of these among the messages of the operation to
    /// these readers, from 0. If `lines` has the operation too, readers know no other ones.
    pub parts: Vec<(u64, Vec<u64>)>,
}

impl What {
    /// Returns whether a repeated operation has the same outcome. Refusals are compared only by code, because each
    /// program has its own texts for them.
    #[must_use]
    pub fn is_same_outcome(&self, other: &What) -> bool {
        match (self, other) {
            (What::Refused { code, .. }, What::Refused { code: same, .. }) => code == same,
            _ => self == other,
        }
    }

    /// Returns whether it is a ruling or a correction of one.
    pub fn is_ruling(&self) -> bool {
        matches!(
            self,
            What::Ruling | What::Revert { .. } | What::Replace { .. }
        )
    }

    /// Returns whether it is a note about what was published.
    pub fn is_note(&self) -> bool {
        matches!(self, What::Posted { .. } | What::Withdrawn { .. })
    }

    /// Returns the rulings that a correction changed, and the rulings that are refused since; both are empty for
    /// other operations.
    pub fn rulings_changed_and_refused(&self) -> (&[u64], &[u64]) {
        match self {
            What::Revert {
                changed, refused, ..
            }
            | What::Replace {
                changed, refused, ..
            } => (changed, refused),
            What::Ruling
            | What::Undo { .. }
            | What::Redo { .. }
            | What::Refused { .. }
            | What::Posted { .. }
            | What::Withdrawn { .. } => (&[], &[]),
        }
    }

    /// Returns the number of the ruling or correction that a correction of the past is about; nothing for other
    /// operations.
    pub fn corrected_number(&self) -> Option<u64> {
        match self {
            What::Revert { of, .. } | What::Replace { of, .. } => Some(*of),
            What::Ruling
            | What::Undo { .. }
            | What::Redo { .. }
            | What::Refused { .. }
            | What::Posted { .. }
            | What::Withdrawn { .. } => None,
        }
    }
}

/// One entry of the history; it never changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// Number of the operation, from 1.
    pub seq: u64,
    /// Ruling number: the number among the live rulings, from 1; other operations have none. All operations of a
    /// ruling that waited for answers have the same number. This includes a correction as the last of these
    /// operations.
    pub slot: Option<u64>,
    /// The user who gave the command.
    pub by: Text,
    /// The user who typed it on behalf of `by`, if it was another user.
    pub through: Option<Text>,
    /// The line as it was given.
    pub command: Text,
    /// The rules of the run.
    pub rules: Text,
    /// Answers and dice, each a map with its `address`.
    pub inputs: Vec<Value>,
    /// The changes, in canonical order.
    pub changes: Vec<Change>,
    /// The causes of the changes.
    pub causes: Vec<Value>,
    /// The documents that were shown.
    pub documents: Vec<Value>,
    /// The hash of the state after the operation.
    pub state: StateHash,
    /// The kind of the operation.
    pub what: What,
}

/// Data of an operation that the caller has before it is recorded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Draft {
    /// The user who gave the command.
    pub by: Text,
    /// The user who typed it on behalf of `by`, if it was another user.
    pub through: Option<Text>,
    /// The line as it was given.
    pub command: Text,
    /// The ruling number of the ruling that this continues; a new ruling has none yet.
    pub slot: Option<u64>,
    /// The rules of the run.
    pub rules: Text,
    /// Answers and dice, each a map with its `address`.
    pub inputs: Vec<Value>,
    /// The causes of the changes.
    pub causes: Vec<Value>,
    /// The documents that were shown.
    pub documents: Vec<Value>,
}

/// Reason why the history refuses an operation; history and state are unchanged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HistoryError {
    /// No ruling is left to undo.
    NothingToUndo,
    /// No ruling was undone since the last one.
    NothingToRedo,
    /// There is no operation with this number.
    UnknownOperation(u64),
    /// The state is not the result of this history.
    OtherState,
    /// An operation does not continue this history.
    OutOfOrder(u64),
    /// An operation does not lead to its recorded state.
    HashDiffers(u64),
    /// The changes of an operation do not fit the state.
    Store(u64, StoreError),
}

impl HistoryError {
    /// Returns the stable name of this error, `area/name`.
    pub fn code(&self) -> &'static str {
        match self {
            HistoryError::NothingToUndo => "store/nothing-to-undo",
            HistoryError::NothingToRedo => "store/nothing-to-redo",
            HistoryError::UnknownOperation(_) => "store/unknown-operation",
            HistoryError::OtherState => "store/other-state",
            HistoryError::OutOfOrder(_) => "save/out-of-order",
            HistoryError::HashDiffers(_) => "save/hash-differs",
            HistoryError::Store(_, error) => error.code(),
        }
    }

    /// Returns the error as a diagnostic for the user.
    pub fn to_diagnostic(&self) -> Diagnostic {
        Diagnostic::error(self.code(), self.to_string())
    }
}

impl fmt::Display for HistoryError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HistoryError::NothingToUndo => out.write_str("there is nothing to undo"),
            HistoryError::NothingToRedo => out.write_str("there is nothing to redo"),
            HistoryError::UnknownOperation(seq) => write!(out, "no log line {seq} found"),
            HistoryError::OtherState => out.write_str("the state is not the one of this history"),
            HistoryError::OutOfOrder(seq) => {
                write!(out, "log line {seq} does not continue the history")
            }
            HistoryError::HashDiffers(seq) => {
                write!(out, "log line {seq} leads to another state than it records")
            }
            HistoryError::Store(seq, error) => write!(out, "log line {seq}: {error}"),
        }
    }
}

impl std::error::Error for HistoryError {}
