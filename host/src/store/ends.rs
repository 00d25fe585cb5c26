//! When a record ends: the list in its `@ends`, which is an *or*, and the one table of all forms of ends.
//!
//! In: the stored value. Everything in it is absolute, so that it and one moment decide. Out: ends.
//! What people and rules write is relative and becomes this form in `relative_ends`.

use crate::value::{Name, Text, Value};

mod due_records;
mod end_index;
pub(super) mod end_reason;
mod moment;
mod question;
mod relative_ends;
mod stored_form;
#[cfg(test)]
mod tests;

pub use due_records::{Due, Ended, Found, How};
pub(super) use end_index::{EndIndex, Entry};
pub use end_reason::duration_text;
pub use moment::Moment;
pub use question::{Question, due_by_answers};
pub use relative_ends::{CheckEvent, Setting, resolve_ends};
pub(super) use stored_form::{count, read, to_value};

/// One of the two sides of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    /// Where it begins.
    Start,
    /// Where it is over.
    End,
}

/// One end of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// The end of the phase with this number among all phases.
    Phase {
        /// Number from 1.
        serial: u64,
    },
    /// The end of the n-th phase of a kind.
    PhaseOf {
        /// The kind.
        phase: Text,
        /// Number among those of its kind, from 1.
        number: u64,
    },
    /// One side of the n-th turn of a row.
    Turn {
        /// Which side.
        edge: Edge,
        /// Whose turn.
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
        /// How many are left, 1 or more.
        left: u64,
        /// How many there were.
        of: u64,
    },
    /// With another row.
    With {
        /// That row.
        row: Name,
    },
    /// An event.
    Event {
        /// Its kind.
        kind: Name,
        /// What it must be at paths of its fields: values, or what `Test::read` reads.
        filters: Vec<(Text, Value)>,
        /// What must hold then, too.
        test: Option<Text>,
        /// What the test is asked with, where it is a text of the ruleset.
        bound: Option<Value>,
    },
    /// An expression that turns true.
    When {
        /// Its text.
        expression: Text,
        /// What it is asked with, where it is a text of the ruleset.
        bound: Option<Value>,
    },
}

/// The forms of ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A phase is over.
    Phase,
    /// A turn begins or is over.
    Turn,
    /// Rounds are over.
    Rounds,
    /// Game time runs out.
    Time,
    /// The last use is spent.
    Uses,
    /// Another row goes, and takes it along.
    With,
    /// An event is told.
    Event,
    /// An expression turns true.
    When,
}

/// What there is to know of a form.
struct Line {
    form: Form,
    /// The keys that rules write; the first names the form, and is the word for what ended a record by it.
    keys: &'static [Key],
    /// The keys that records keep; the first is that one.
    stored: &'static [&'static str],
}

/// A key of an end as rules write it, and what stands for a value that only play knows, where an end is tried before.
type Key = (&'static str, Sample);

/// What stands for a value that only play knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sample {
    /// This word.
    Word(&'static str),
    /// A 1.
    One,
    /// A row that is there: which rows play knows is never known before.
    Row,
    /// Any data.
    Data,
    /// Nothing.
    Nothing,
}

/// All forms of ends, in the order in which they are named to people.
static FORMS: [Line; 8] = [
    Line {
        form: Form::Phase,
        keys: &[("phase", Sample::Word("this"))],
        stored: &["phase", "number"],
    },
    Line {
        form: Form::Turn,
        keys: &[
            ("turn", Sample::Word("start")),
            ("of", Sample::Row),
            ("nth", Sample::One),
        ],
        stored: &["turn", "of", "number"],
    },
    Line {
        form: Form::Rounds,
        keys: &[("rounds", Sample::One)],
        stored: &["rounds"],
    },
    Line {
        form: Form::Time,
        keys: &[("time", Sample::One)],
        stored: &["time"],
    },
    Line {
        form: Form::Uses,
        keys: &[("uses", Sample::One)],
        stored: &["uses", "of"],
    },
    Line {
        form: Form::With,
        keys: &[("with", Sample::Row)],
        stored: &["with"],
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
    },
    Line {
        form: Form::When,
        keys: &[("when", Sample::Word("true")), ("bound", Sample::Data)],
        stored: &["when", "bound"],
    },
];

/// Returns the keys of all forms as rules write them; one that several have comes as often.
pub fn keys_of_ends() -> impl Iterator<Item = &'static str> {
    Form::all().flat_map(Form::keys)
}

/// Returns what stands for the value of a key that only play knows.
pub fn sample_of_key(key: &str) -> Sample {
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

    /// Returns the key that names it, which is the word for what ended a record by it.
    pub fn as_str(self) -> &'static str {
        self.line().keys[0].0
    }

    /// Returns the keys that rules write.
    fn keys(self) -> impl Iterator<Item = &'static str> {
        self.line().keys.iter().map(|(key, _)| *key)
    }

    /// Returns whether records keep a key.
    fn is_kept(self, key: &str) -> bool {
        self.line().stored.contains(&key)
    }

    /// Returns the form whose name is a key of an end.
    fn of(end: &Value) -> Option<Form> {
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

impl End {
    /// Returns its form.
    fn form(&self) -> Form {
        match self {
            End::Phase { .. } | End::PhaseOf { .. } => Form::Phase,
            End::Turn { .. } => Form::Turn,
            End::Rounds { .. } => Form::Rounds,
            End::Time { .. } => Form::Time,
            End::Uses { .. } => Form::Uses,
            End::With { .. } => Form::With,
            End::Event { .. } => Form::Event,
            End::When { .. } => Form::When,
        }
    }
}
