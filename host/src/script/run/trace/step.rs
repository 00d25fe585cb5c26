//! The parts of a trace: the steps of a run, and the lines of rules that did them.

use crate::script::run::chance::Face;
use crate::value::{Name, Text, Value};

/// A line of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulePlace {
    /// The file, such as `mod/folder/file.luau`.
    pub chunk: Text,
    /// Its line, from 1.
    pub line: usize,
}

/// One thing that happened.
#[derive(Clone, Debug)]
pub struct Line {
    /// The line that it hangs below, by its place in the list.
    pub parent: Option<usize>,
    /// The rule functions at work, the innermost first.
    pub at: Vec<RulePlace>,
    /// What it was.
    pub step: Step,
    /// Whether it was taken back because a rule broke.
    pub is_undone: bool,
}

/// What happened.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// A cause began to work: `rule`, `element` and `event` of a handler, `queue` and `row` of a batch.
    Began(Value),
    /// A cell was written.
    Wrote {
        /// Its row.
        row: Name,
        /// Its field.
        field: Name,
        /// What it was.
        old: Value,
        /// What it became.
        new: Value,
    },
    /// A row came.
    Made {
        /// Its id.
        row: Name,
        /// What it is.
        kind: Text,
        /// Whom it belongs to, if it is a record.
        owner: Option<Name>,
        /// Its fields.
        fields: Value,
    },
    /// A row went.
    Removed {
        /// Its id.
        row: Name,
        /// All that it was, the host's fields too.
        fields: Value,
    },
    /// Chance decided.
    Drew {
        /// What was asked of it.
        what: String,
        /// What came of it.
        result: String,
        /// The faces behind it.
        faces: Vec<Face>,
    },
    /// An event was told; who heard it hangs below.
    Emitted {
        /// Its name.
        event: Text,
        /// To whom it was narrowed.
        to: Option<Vec<Name>>,
        /// Its field `reason`, if that is a text.
        reason: Option<String>,
    },
    /// A handler changed a field of the event that it heard.
    Turned {
        /// The field.
        field: String,
        /// What it was.
        old: Value,
        /// What it became.
        new: Value,
    },
    /// A handler did not hear an event.
    PassedOver {
        /// The definition, `collection/id`.
        rule: Name,
        /// The element.
        element: Name,
        /// Why not, in words.
        why: String,
    },
    /// A rule named a condition.
    Tested {
        /// What it asks.
        text: String,
        /// Whether it held.
        holds: bool,
        /// What it was.
        value: Value,
    },
    /// Somebody was asked.
    Asked {
        /// Who.
        to: String,
        /// What.
        text: String,
        /// What they answered; nothing while the ruling waits for it.
        answer: Option<Value>,
    },
    /// A rule made a refusal.
    Refused {
        /// Its code.
        code: String,
        /// What it says.
        message: String,
    },
    /// Something was said.
    Said {
        /// To whom.
        audience: String,
    },
}
