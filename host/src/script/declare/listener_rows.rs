//! Listeners: rows of a definition, which handle the events of its handlers.

use crate::content::{Node, Shape};
use crate::diag::near_hint;
use crate::script::declare::schema::built_in_shape;
use crate::store::{FieldTest, ListenerEntry, Test};
use crate::value::{Names, Value};

/// The key of a definition that holds its handlers.
pub(crate) const ON: &str = "on";

/// The key of a schema that declares which rows listen.
const LISTENERS: &str = "listeners";

/// The shape of an entry of `listeners`.
pub(crate) const LISTENER_SHAPE: &str = "{ 'kind?': string, 'field?': string, 'listener_if?': map of any, 'broadcast_if?': map of any }";

/// The shape of `on`.
const ON_SHAPE: &str = "
'on?':
  '*':
    - any of
    - function
    - { run: function, 'hears?': 'one of own, all', 'where?': map of any, 'watches?': list of string, 'priority?': integer -1000..1000, 'round?': integer 1..1000 }
";

/// The meaning of `on`, and of each key inside of it.
pub(super) const ON_TEXTS: [(&str, &str); 8] = [
    (ON, "Handlers by the name of their event."),
    (
        "on.*",
        "`run(act, event, self, bearer)` alone, or with tests and its place among other handlers.",
    ),
    (
        "on.*.run",
        "`run(act, event, self, bearer)` handles the event.",
    ),
    (
        "on.*.hears",
        "`all`: it handles events for other rows too. Default: `own`.",
    ),
    (
        "on.*.where",
        "Tests by field of the event: a value, `{ one_of = { … } }` or `{ other_than = VALUE }`.",
    ),
    (
        "on.*.watches",
        "The fields and kinds of rows whose changes let a repeated event reach it again. Default: all.",
    ),
    (
        "on.*.priority",
        "Handlers with a lower number run first. Default: 0.",
    ),
    (
        "on.*.round",
        "All listeners finish one round before the next, if the event has `round` as its first order.",
    ),
];

/// The rows that are listeners of the definitions of a collection.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum ListenerRows {
    /// None: its definitions handle no events.
    #[default]
    None,
    /// Each definition is one permanent listener with the id `collection/id`.
    Game,
    /// The rows of any of these entries.
    Rows(Vec<Entry>),
}

/// Rows of a kind, or of any kind, with a field that names the definition. Without a field, the kind names it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Entry {
    /// The kind of the rows.
    pub kind: Option<String>,
    /// The field that names the definition.
    pub field: Option<String>,
    /// The condition for a row to be a listener: tests by field.
    listener_if: Vec<(String, Test)>,
    /// The condition for events that are emitted to everybody: tests by field.
    broadcast_if: Vec<(String, Test)>,
}

impl ListenerRows {
    /// Reads the key `listeners` of a schema, which was checked.
    pub(crate) fn read(schema: &Node) -> ListenerRows {
        let Some(node) = schema.get(LISTENERS) else {
            return ListenerRows::None;
        };
        if node.as_str().is_some() {
            return ListenerRows::Game;
        }
        ListenerRows::Rows(match node.items() {
            [] => vec![Entry::read(node)],
            several => several.iter().map(Entry::read).collect(),
        })
    }

    /// Returns the entries by which rows are listeners.
    pub(crate) fn entries(&self) -> &[Entry] {
        match self {
            ListenerRows::Rows(entries) => entries,
            ListenerRows::None | ListenerRows::Game => &[],
        }
    }
}

impl Entry {
    fn read(node: &Node) -> Entry {
        let text = |key: &str| node.get(key).and_then(Node::as_str).map(str::to_owned);
        let tests = |key: &str| {
            let entries = node.get(key).map(Node::entries).unwrap_or_default();
            let test = entries
                .iter()
                .map(|one| (one.key.to_string(), Test::from_value(&one.node.to_value())));
            test.collect()
        };
        Entry {
            kind: text("kind"),
            field: text("field"),
            listener_if: tests("listener_if"),
            broadcast_if: tests("broadcast_if"),
        }
    }

    /// Returns the entry as the store keeps it, without definitions.
    pub(crate) fn store_entry(&self, names: &Names) -> ListenerEntry {
        let name = |text: &Option<String>| text.as_ref().map(|text| names.intern(text));
        let tests = |tests: &[(String, Test)]| {
            let tests = tests.iter().map(|(field, test)| FieldTest {
                field: names.intern(field),
                test: test.clone(),
            });
            tests.collect()
        };
        let mut entry = ListenerEntry::new(name(&self.kind), name(&self.field));
        entry.listener_if = tests(&self.listener_if);
        entry.broadcast_if = tests(&self.broadcast_if);
        entry
    }
}

/// The tests of a value.
const TESTS: [&str; 2] = ["one_of", "other_than"];

/// Returns the reason why a map is not a test, and a suggestion. Returns nothing for a test.
pub(crate) fn untestable_map_reason(value: &Value) -> Option<(String, String)> {
    let test = value.as_map().filter(|test| !test.is_empty())?;
    if let Some(key) = test.keys().find(|key| !TESTS.contains(&&***key)) {
        let near = near_hint(key, TESTS);
        return Some((format!("has the unknown test \"{key}\""), near));
    }
    if test.len() > 1 {
        return Some(("has two tests".to_owned(), "write one of them".to_owned()));
    }
    let one_of = value.get("one_of");
    let is_list = one_of.is_nil() || matches!(one_of, Value::List(_));
    (!is_list).then(|| {
        let found = format!("has `one_of` with {one_of} instead of a list");
        (found, "write one_of = { … }".to_owned())
    })
}

/// Adds the key `on` to the shape of definitions that have listeners.
pub(crate) fn add_on_key_to_shape(shape: Shape) -> Shape {
    match (shape, built_in_shape("schema", ON_SHAPE)) {
        (Shape::Record(mut record), Shape::Record(on)) if record.field(ON).is_none() => {
            record.fields.extend(on.fields);
            Shape::Record(record)
        }
        (shape, _) => shape,
    }
}
