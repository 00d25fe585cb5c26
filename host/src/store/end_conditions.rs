//! End conditions of a record: the list in its `@ends`, which is an *or*, and the one table of all their forms.
//!
//! In: the stored value. All its numbers are absolute, so the value and one moment decide. Out: ends. Rules and
//! people write relative ends; module `relative_duration` converts them to the stored form.

use crate::value::{Name, Text, Value};

mod due_records;
mod end_index;
pub(super) mod end_reason;
mod moment;
mod question;
mod relative_duration;
mod stored_form;
#[cfg(test)]
mod tests;

pub use due_records::{Due, Ended, Found, How};
pub(super) use end_index::{EndIndex, Entry};
pub use end_reason::duration_text;
pub use moment::Moment;
pub use question::{Question, due_by_answers};
pub use relative_duration::{CheckEvent, Setting, resolve_duration};
pub(super) use stored_form::{count_value, read_stored, stored_value};

/// One of the two sides of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    /// The start of the turn.
    Start,
    /// The end of the turn.
    End,
}

/// One end condition of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EndCondition {
    /// The end of the phase with this number among all phases.
    Phase {
        /// Number from 1.
        serial: u64,
    },
    /// The end of the n-th phase of a kind.
    PhaseOf {
        /// The kind.
        phase: Text,
        /// Number among the phases of its kind, from 1.
        number: u64,
    },
    /// One side of the n-th turn of a row.
    Turn {
        /// The side of the turn.
        edge: Edge,
        /// The row that has the turn.
        of: Name,
        /// Number among the turns of that row, from 1.
        number: u64,
    },
    /// The end of the n-th round of the game.
    Rounds {
        /// Number among all rounds that end, from 1.
        number: u64,
    },
    /// A moment of game time.
    Time {
        /// Seconds since the game began.
        seconds: u64,
    },
    /// A number of uses.
    Uses {
        /// Number of uses left, 1 or more.
        left: u64,
        /// Number of uses at the start.
        of: u64,
    },
    /// With another row.
    With {
        /// The other row.
        row: Name,
    },
    /// An event.
    Event {
        /// Its kind.
        kind: Name,
        /// The wanted values at paths of its fields: values, or tests for `Test::from_value`.
        filters: Vec<(Text, Value)>,
        /// A further condition that must hold.
        test: Option<Text>,
        /// The values passed to the test, if it is a text of the ruleset.
        bound: Option<Value>,
    },
    /// An expression that turns true.
    When {
        /// Its text.
        expression: Text,
        /// The values passed to it, if it is a text of the ruleset.
        bound: Option<Value>,
    },
}

/// The forms of end conditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A phase ends.
    Phase,
    /// A turn begins or ends.
    Turn,
    /// Rounds end.
    Rounds,
    /// Game time reaches a second.
    Time,
    /// The last use is spent.
    Uses,
    /// Another row is removed, and the record with it.
    With,
    /// An event is emitted.
    Event,
    /// An expression becomes true.
    When,
}

/// Description of a form.
struct Line {
    form: Form,
    /// The keys that rules write. The first key names the form, and is the word for the cause of an end.
    keys: &'static [Key],
    /// The keys that records keep; the first key is the same name.
    stored: &'static [&'static str],
    /// Ways to write it, each with its meaning.
    written: &'static [(&'static str, &'static str)],
}

/// A way to write an end condition, as pages describe it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndConditionText {
    /// The table of a rule. Words in capitals stand for values.
    pub written: &'static str,
    /// When an attribute with it ends.
    pub ends: &'static str,
    /// The cause that rules learn.
    pub how: &'static str,
    /// A reason that people read.
    pub reason: String,
}

/// A key of an end as rules write it, with a sample value for testing an end before the real value is known.
type Key = (&'static str, Sample);

/// Sample for a value that is known only during play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sample {
    /// This word.
    Word(&'static str),
    /// A 1.
    One,
    /// An existing row; the row used in play is never known before.
    Row,
    /// Any data.
    Data,
    /// Nothing.
    Nothing,
}

/// All forms of ends, in the order shown to people.
static FORMS: [Line; 8] = [
    Line {
        form: Form::Phase,
        keys: &[("phase", Sample::Word("this"))],
        stored: &["phase", "number"],
        written: &[
            ("{ phase = \"this\" }", "at the end of the present phase"),
            ("{ phase = \"next\" }", "at the end of the next phase"),
            (
                "{ phase = NAME }",
                "at the end of the next phase of this name that has not begun yet",
            ),
        ],
    },
    Line {
        form: Form::Turn,
        keys: &[
            ("turn", Sample::Word("start")),
            ("of", Sample::Row),
            ("nth", Sample::One),
        ],
        stored: &["turn", "of", "number"],
        written: &[
            (
                "{ turn = \"start\", of = ROW }",
                "when the next turn of the row begins",
            ),
            (
                "{ turn = \"end\", of = ROW }",
                "when the next turn of the row that has not begun yet ends",
            ),
            (
                "{ turn = \"start\", of = ROW, nth = N }",
                "when the nth of these turns begins, counted from 1",
            ),
            (
                "{ turn = \"end\", of = ROW, nth = N }",
                "when the nth of these turns ends, counted from 1. `nth = 0` is the present turn",
            ),
        ],
    },
    Line {
        form: Form::Rounds,
        keys: &[("rounds", Sample::One)],
        stored: &["rounds"],
        written: &[("{ rounds = N }", "when N rounds have ended")],
    },
    Line {
        form: Form::Time,
        keys: &[("time", Sample::One)],
        stored: &["time"],
        written: &[("{ time = SECONDS }", "after this game time")],
    },
    Line {
        form: Form::Uses,
        keys: &[("uses", Sample::One)],
        stored: &["uses", "of"],
        written: &[("{ uses = N }", "with the Nth `act:use`")],
    },
    Line {
        form: Form::With,
        keys: &[("with", Sample::Row)],
        stored: &["with"],
        written: &[("{ with = ROW }", "when the other row is removed")],
    },
    Line {
        form: Form::Event,
        keys: &[
            ("event", Sample::Word("any")),
            ("where", Sample::Nothing),
            ("test", Sample::Word("true")),
            ("bound", Sample::Data),
        ],
        stored: &["event", "where", "test", "bound"],
        written: &[(
            "{ event = KIND, where = { … }, test = TEXT, bound = DATA }",
            "after an event of this kind",
        )],
    },
    Line {
        form: Form::When,
        keys: &[("when", Sample::Word("true")), ("bound", Sample::Data)],
        stored: &["when", "bound"],
        written: &[(
            "{ when = TEXT, bound = DATA }",
            "when the text is true after an event or a command",
        )],
    },
];

/// Returns the keys of all forms as rules write them; a key of several forms occurs several times.
pub fn end_condition_keys() -> impl Iterator<Item = &'static str> {
    Form::all().flat_map(Form::keys)
}

/// Returns the descriptions of all ways to write an end condition.
pub fn end_condition_texts() -> Vec<EndConditionText> {
    let text =
        |line: &'static Line, (written, ends): (&'static str, &'static str)| EndConditionText {
            written,
            ends,
            how: line.form.as_str(),
            reason: end_reason::sample_reason(line.form, written),
        };
    let all = FORMS
        .iter()
        .flat_map(|line| line.written.iter().map(move |one| (line, *one)));
    all.map(|(line, one)| text(line, one)).collect()
}

/// Returns the sample for the value of a key that is known only during play.
pub fn sample_of_end_key(key: &str) -> Sample {
    let mut keys = FORMS.iter().flat_map(|line| line.keys);
    keys.find(|one| one.0 == key)
        .map_or(Sample::Nothing, |one| one.1)
}

impl Form {
    fn all() -> impl Iterator<Item = Form> {
        FORMS.iter().map(|line| line.form)
    }

    fn line(self) -> &'static Line {
        let line = FORMS.iter().find(|line| line.form == self);
        line.expect("invariant: the table has all forms")
    }

    /// Returns the key that names the form, which is the word for the cause of an end.
    pub fn as_str(self) -> &'static str {
        self.line().keys[0].0
    }

    /// Returns the keys that rules write.
    fn keys(self) -> impl Iterator<Item = &'static str> {
        self.line().keys.iter().map(|(key, _)| *key)
    }

    /// Returns whether records keep a key.
    fn is_stored_key(self, key: &str) -> bool {
        self.line().stored.contains(&key)
    }

    /// Returns the form that is named by a key of an end.
    fn named_by(end: &Value) -> Option<Form> {
        Form::all().find(|form| !end.get(form.as_str()).is_nil())
    }
}

impl Edge {
    /// Returns the word in `turn`.
    pub fn as_str(self) -> &'static str {
        match self {
            Edge::Start => "start",
            Edge::End => "end",
        }
    }

    /// Returns the side of a word.
    pub fn parse(word: &str) -> Option<Edge> {
        [Edge::Start, Edge::End]
            .into_iter()
            .find(|edge| edge.as_str() == word)
    }
}

impl EndCondition {
    /// Returns the form of the end condition.
    fn form(&self) -> Form {
        match self {
            EndCondition::Phase { .. } | EndCondition::PhaseOf { .. } => Form::Phase,
            EndCondition::Turn { .. } => Form::Turn,
            EndCondition::Rounds { .. } => Form::Rounds,
            EndCondition::Time { .. } => Form::Time,
            EndCondition::Uses { .. } => Form::Uses,
            EndCondition::With { .. } => Form::With,
            EndCondition::Event { .. } => Form::Event,
            EndCondition::When { .. } => Form::When,
        }
    }
}
