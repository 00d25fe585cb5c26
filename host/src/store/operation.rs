//! What history keeps of one command.

use std::fmt;

use super::{Change, StateHash, StoreError};
use crate::diag::Diagnostic;
use crate::value::{Text, Value};

/// What kind of entry an operation is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// A command was ruled on; it has a slot.
    Ruling,
    /// A ruling was taken back.
    Undo {
        /// Number of the ruling.
        of: u64,
    },
    /// A ruling that was taken back holds again.
    Redo {
        /// Number of the ruling.
        of: u64,
    },
    /// A command was refused and changed nothing.
    Refused {
        /// The code of the refusal.
        code: Text,
        /// What it said.
        message: Text,
    },
    /// A ruling was left out as if it had never been given, or a correction was; those behind it were ruled again.
    Revert {
        /// Number of the ruling or correction.
        of: u64,
        /// The rulings that did something else when they were ruled again.
        changed: Vec<u64>,
        /// Those that were refused then.
        refused: Vec<u64>,
    },
    /// A ruling was replaced by another command in its slot; those behind it were ruled again.
    Replace {
        /// Number of the ruling, or of the correction that replaced it before.
        of: u64,
        /// The command.
        with: Text,
        /// The rulings that did something else when they were ruled again.
        changed: Vec<u64>,
        /// Those that were refused then.
        refused: Vec<u64>,
    },
}

impl What {
    /// Returns whether an operation became the same as another: a refusal is the same one by its code, since each program
    /// says it in words of its own.
    #[must_use]
    pub fn is_same_outcome(&self, other: &What) -> bool {
        match (self, other) {
            (What::Refused { code, .. }, What::Refused { code: same, .. }) => code == same,
            _ => self == other,
        }
    }

    /// Returns whether it ruled on something: a command, or a correction of one.
    pub fn is_ruling(&self) -> bool {
        matches!(
            self,
            What::Ruling | What::Revert { .. } | What::Replace { .. }
        )
    }

    /// Returns the rulings that a correction changed, and those that are refused since; none of what is none.
    pub fn rulings_changed_and_refused(&self) -> (&[u64], &[u64]) {
        match self {
            What::Revert {
                changed, refused, ..
            }
            | What::Replace {
                changed, refused, ..
            } => (changed, refused),
            What::Ruling | What::Undo { .. } | What::Redo { .. } | What::Refused { .. } => {
                (&[], &[])
            }
        }
    }

    /// Returns the number that a correction of the past is about; nothing for what is none.
    pub fn corrected_number(&self) -> Option<u64> {
        match self {
            What::Revert { of, .. } | What::Replace { of, .. } => Some(*of),
            What::Ruling | What::Undo { .. } | What::Redo { .. } | What::Refused { .. } => None,
        }
    }
}

/// One entry of the history; it never changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// Number of the operation, from 1.
    pub seq: u64,
    /// Number of the ruling among those that hold, from 1; other operations have none. All operations of a ruling
    /// that waited for answers have the same, also where it is a correction that the last of them makes.
    pub slot: Option<u64>,
    /// Who gave the command.
    pub by: Text,
    /// Who typed it for them, if it was somebody else.
    pub through: Option<Text>,
    /// The line as it was given.
    pub command: Text,
    /// The rules it ran under.
    pub rules: Text,
    /// Answers and dice, each a map with its `address`.
    pub inputs: Vec<Value>,
    /// What changed, in canonical order.
    pub changes: Vec<Change>,
    /// What led to the changes.
    pub causes: Vec<Value>,
    /// What was said.
    pub documents: Vec<Value>,
    /// The hash of the state afterwards.
    pub state: StateHash,
    /// What kind of entry it is.
    pub what: What,
}

/// What the caller knows of an operation before it is recorded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Draft {
    /// Who gave the command.
    pub by: Text,
    /// Who typed it for them, if it was somebody else.
    pub through: Option<Text>,
    /// The line as it was given.
    pub command: Text,
    /// The slot of the ruling that this goes on with; a new ruling has none yet.
    pub slot: Option<u64>,
    /// The rules it ran under.
    pub rules: Text,
    /// Answers and dice, each a map with its `address`.
    pub inputs: Vec<Value>,
    /// What led to the changes.
    pub causes: Vec<Value>,
    /// What was said.
    pub documents: Vec<Value>,
}

/// Why history refuses something; history and state are as they were.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HistoryError {
    /// No ruling is left to take back.
    NothingToUndo,
    /// No ruling was taken back since the last one.
    NothingToRedo,
    /// There is no operation with this number.
    UnknownOperation(u64),
    /// The state is not the one that this history leads to.
    OtherState,
    /// An operation does not continue this history.
    OutOfOrder(u64),
    /// An operation does not lead to the state that it says.
    HashDiffers(u64),
    /// The changes of an operation do not fit the state.
    Store(u64, StoreError),
}

impl HistoryError {
    /// Returns the stable name of this refusal, `area/name`.
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

    /// Returns the refusal that the person who asked is shown.
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
