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

/// One step.
#[derive(Clone, Debug)]
pub struct Line {
    /// The line that it hangs below, by its place in the list.
    pub parent: Option<usize>,
    /// The rule functions at work, the innermost first.
    pub at: Vec<RulePlace>,
    /// The step itself.
    pub step: Step,
    /// Whether it was taken back because a rule broke.
    pub is_undone: bool,
}

/// A step of a run.
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
        /// The old value.
        old: Value,
        /// The new value.
        new: Value,
    },
    /// A row was created.
    Made {
        /// Its id.
        row: Name,
        /// Its kind.
        kind: Text,
        /// The row that it belongs to, if it is a record.
        owner: Option<Name>,
        /// Its fields.
        fields: Value,
    },
    /// A row was removed.
    Removed {
        /// Its id.
        row: Name,
        /// All its fields, the host's fields too.
        fields: Value,
    },
    /// Chance was used.
    Drew {
        /// The request.
        what: String,
        /// The result.
        result: String,
        /// The faces that led to it.
        faces: Vec<Face>,
    },
    /// An event was emitted. Its handlers hang below.
    Emitted {
        /// Its name.
        event: Text,
        /// The rows that it was narrowed to.
        to: Option<Vec<Name>>,
        /// Its field `reason`, if that is a text.
        reason: Option<String>,
    },
    /// A handler changed a field of the event that it handles.
    Turned {
        /// The field.
        field: String,
        /// The old value.
        old: Value,
        /// The new value.
        new: Value,
    },
    /// A handler did not handle an event.
    PassedOver {
        /// The definition, `collection/id`.
        rule: Name,
        /// The listener.
        element: Name,
        /// The reason, in words.
        why: String,
    },
    /// A rule named a condition.
    Tested {
        /// The text of the condition.
        text: String,
        /// Whether it held.
        holds: bool,
        /// Its value.
        value: Value,
    },
    /// A question was asked.
    Asked {
        /// The addressee.
        to: String,
        /// The text.
        text: String,
        /// The answer; nothing while the ruling waits for it.
        answer: Option<Value>,
    },
    /// A rule made a refusal.
    Refused {
        /// Its code.
        code: String,
        /// Its message.
        message: String,
    },
    /// A message was emitted.
    Said {
        /// Its audience.
        audience: String,
    },
}
