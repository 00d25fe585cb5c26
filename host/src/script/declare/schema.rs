//! Schemas: the shape of the definitions of a collection, and the files that they are read from.

use std::sync::Arc;

use super::event_settings::{EVENT, EVENTS, EventSettings, settings_shape};
use super::listener_rows::{
    LISTENER_SHAPE, ListenerRows, add_on_key_to_shape, untestable_map_reason,
};
use crate::content::{Definition, Kind, Node, Shape, TreeLimits, check, parse_shape, read_yaml};
use crate::diag::{Diagnostic, Source, near_hint};
use crate::value::{Number, Text, Value};

/// The source of the definitions of a collection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Scripts: `scripts/MOD/FOLDER/*.luau`.
    Luau,
    /// Content: `content/MOD/FOLDER/*.yaml`.
    Yaml,
    /// Content in a language of the ruleset, which its `texts` reads: files anywhere below `content/MOD/`.
    Text,
}

impl Format {
    /// Returns the word that schemas write.
    pub fn as_str(self) -> &'static str {
        match self {
            Format::Luau => "luau",
            Format::Yaml => "yaml",
            Format::Text => "text",
        }
    }
}

/// A collection of definitions.
#[derive(Clone, Debug)]
pub struct Schema {
    /// Name of the function that definition files call: the file name of the schema.
    pub name: String,
    /// The mod that contains it.
    pub mod_name: String,
    /// Name of the collection and of its folder.
    pub collection: String,
    /// The source of its definitions.
    pub format: Format,
    /// The slot type that has the `syntax` lines of its definitions as templates.
    pub slot_type: Option<String>,
    /// The keys that make a value of each slot type, if its definitions are slot types of values.
    pub slot_values: Option<SlotValues>,
    /// The listeners of its definitions: rows that handle events.
    pub listener_rows: ListenerRows,
    /// The kind of rows that are definitions themselves, and the field that holds their text.
    pub stored_in: Option<(String, String)>,
    /// The settings of its definitions as events, if each of them is one.
    pub events: Option<EventSettings>,
    /// The shape of each definition.
    pub shape: Shape,
    /// The keys of its definitions with words for them, besides their ids.
    pub name_keys: Vec<String>,
    /// The command line that prints a complete description of a definition, with `{key}` for its own texts.
    pub page: Option<String>,
    /// The command line that puts a definition into a running game, with `{key}` for its own texts.
    pub joins: Option<String>,
    /// The meaning of one definition.
    pub summary: String,
    /// The file that contains it.
    pub source: Arc<Source>,
}

/// The keys of definitions that are slot types of values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlotValues {
    /// The key of the list of names.
    pub(crate) names: String,
    /// The key of the least similarity of a misspelled name.
    pub(crate) cutoff: String,
    /// The key of the name that a number alone means.
    pub(crate) base: Option<String>,
    /// The key of the form of a text.
    pub(crate) form: Option<String>,
    /// The form of a number with a name.
    pub(crate) amount: Option<String>,
    /// The form of a name with a detail.
    pub(crate) detail: Option<String>,
    /// The least similarity of a name before a detail in brackets.
    pub(crate) detail_cutoff: Option<Number>,
}

/// The key of a schema with the keys of its definitions that make slot types of values.
const SLOT_VALUES: &str = "slot_values";

impl SlotValues {
    /// Returns the keys of definitions that it names.
    fn keys(&self) -> impl Iterator<Item = &str> {
        let optional = [&self.base, &self.form].into_iter().flatten();
        let keys = [&self.names, &self.cutoff].into_iter().chain(optional);
        keys.map(String::as_str)
    }

    fn read(node: &Node) -> Option<SlotValues> {
        let text = |key: &str| node.get(key).and_then(Node::as_str).map(str::to_owned);
        Some(SlotValues {
            names: text("names")?,
            cutoff: text("cutoff")?,
            base: text("base"),
            form: text("form"),
            amount: text("amount"),
            detail: text("detail"),
            detail_cutoff: node
                .get("detail_cutoff")
                .and_then(|node| node.to_value().as_number().copied()),
        })
    }
}

/// The key of a definition's template lines: a text or a list of them.
pub(crate) const SYNTAX: &str = "syntax";

/// The key of a definition's variants with slots of their own: each has template lines and other keys of its schema.
pub(crate) const FORMS: &str = "forms";

/// The key that stands for the id of a definition in a `page`.
pub(crate) const ID: &str = "id";

/// The shape of schemas themselves. `LISTENER` and `SETTINGS` stand for the shapes of listeners and of event settings.
pub(super) const SCHEMA: &str = include_str!("schema_shape.yaml");

/// The shape of `ruleset.luau`. `SETTINGS` stands for the shape of event settings.
pub(super) const RULESET: &str = include_str!("ruleset_shape.yaml");

/// Returns the shape of a schema file.
pub(crate) fn schema_shape() -> Shape {
    let shape = SCHEMA.replace("LISTENER", LISTENER_SHAPE);
    built_in_shape("schema", &shape.replace("SETTINGS", &settings_shape()))
}

/// Returns the shape of a ruleset file.
pub(crate) fn ruleset_shape() -> Shape {
    built_in_shape("ruleset", &RULESET.replace("SETTINGS", &settings_shape()))
}

pub(crate) fn built_in_shape(name: &str, text: &str) -> Shape {
    let (node, source) = built_in_node(name, text);
    let (shape, findings) = parse_shape(&node, &source);
    assert!(
        findings.is_empty(),
        "invariant: the host's own shapes are shapes: {findings:?}"
    );
    shape
}

pub(crate) fn built_in_node(name: &str, text: &str) -> (Node, Arc<Source>) {
    let source = Source::new(name, text);
    let (node, findings) = read_yaml(&source, TreeLimits::CONTENT);
    let node = node.filter(|_| findings.is_empty());
    let node = node.expect("invariant: the host's own shapes can be read");
    (node, source)
}

impl Schema {
    /// Reads a schema from the table of its file, already checked against [`schema_shape`].
    pub(crate) fn read(
        name: &str,
        mod_name: &str,
        node: &Node,
        source: &Arc<Source>,
    ) -> (Option<Schema>, Vec<Diagnostic>) {
        let text = |key: &str| node.get(key).and_then(Node::as_str).map(str::to_owned);
        let (Some(collection), Some(keys)) = (text("folder"), node.get("keys")) else {
            return (None, Vec::new());
        };
        let (shape, mut findings) = parse_shape(keys, source);
        let called = read_name_keys(node);
        let page = text("page");
        findings.extend(unknown_key_findings(&shape, node, source));
        let format = match text("format").as_deref() {
            Some("yaml") => Format::Yaml,
            Some("text") => Format::Text,
            Some(_) | None => Format::Luau,
        };
        let listener_rows = ListenerRows::read(node);
        let events = node.get(EVENTS);
        findings.extend(unpaired_function_finding(node, source));
        findings.extend(untested_condition_findings(node, source));
        let shape = match listener_rows == ListenerRows::None {
            true => shape,
            false => add_on_key_to_shape(shape),
        };
        let schema = Schema {
            name: name.to_owned(),
            mod_name: mod_name.to_owned(),
            collection,
            format,
            slot_type: text("slot_type"),
            slot_values: node.get(SLOT_VALUES).and_then(SlotValues::read),
            shape: match events {
                None => shape,
                Some(_) => add_event_key_to_shape(shape),
            },
            listener_rows,
            stored_in: node.get("stored_in").and_then(|stored| {
                let text = |key: &str| stored.get(key).and_then(Node::as_str).map(str::to_owned);
                Some((text("kind")?, text("field")?))
            }),
            events: events.map(|events| EventSettings::of_value(&events.to_value())),
            name_keys: called,
            page,
            joins: text("joins"),
            summary: text("summary").unwrap_or_default(),
            source: Arc::clone(source),
        };
        (Some(schema), findings)
    }

    /// Returns whether the schema names a key of its definitions.
    pub(crate) fn has_key(&self, key: &str) -> bool {
        matches!(&self.shape, Shape::Record(record) if record.field(key).is_some())
    }

    /// Compares a definition with the schema. A definition without a source is a finding too.
    pub(crate) fn check(&self, id: &str, node: &Node, source: &Arc<Source>) -> Vec<Diagnostic> {
        let what = format!("the {} \"{id}\"", self.name);
        let mut findings = check(&self.shape, node, source, &what);
        if let Some(entry) = node.entry("source")
            && let Kind::Text(text) = &entry.node.kind
            && text.trim().is_empty()
        {
            let finding = Diagnostic::error(
                "schema/empty-source",
                format!("{what} has no source"),
            )
            .hint("name where the rule comes from: a book and section, or your own table's ruling");
            findings.push(finding.at(source, entry.node.span));
        }
        findings
    }
}

/// Adds the key `event` to the shape of definitions that are events.
fn add_event_key_to_shape(shape: Shape) -> Shape {
    let key = format!("'{EVENT}?': {{ {} }}", settings_shape());
    match (shape, built_in_shape("schema", &key)) {
        (Shape::Record(mut record), Shape::Record(own)) if record.field(EVENT).is_none() => {
            record.fields.extend(own.fields);
            Shape::Record(record)
        }
        (shape, _) => shape,
    }
}

/// The functions of a schema that read the handlers of its definitions, and run them.
const HANDLERS: &str = "handlers";
const FIRE: &str = "fire";

/// Finds functions about handlers without the keys that they need.
fn unpaired_function_finding(node: &Node, source: &Arc<Source>) -> Option<Diagnostic> {
    let has = |key: &str| node.get(key).is_some();
    let listens = has("listeners");
    let (key, message, hint) = if has("stored_in") && !has(HANDLERS) {
        (
            "stored_in",
            "rows store definitions, but nothing reads their handlers",
            "write handlers = function(definition) … end",
        )
    } else if has(HANDLERS) && !has(FIRE) {
        (
            HANDLERS,
            "`handlers` reads handlers, but nothing runs them",
            "write fire = function(act, event, self, bearer, rule) … end",
        )
    } else if has(HANDLERS) && !listens {
        (
            HANDLERS,
            "`handlers` reads handlers, but no row listens",
            "say which rows listen: listeners = { kind = \"…\", field = \"…\" }, or listeners = \"game\"",
        )
    } else {
        let key = [FIRE, "applies", "label"]
            .into_iter()
            .find(|key| has(key))?;
        if has(HANDLERS) {
            return None;
        }
        (
            key,
            "this is for handlers, but nothing reads handlers",
            "write handlers = function(definition) … end, which returns a list of { on = EVENT, key = NAME }",
        )
    };
    let finding = Diagnostic::error("schema/handlers", message).hint(hint);
    Some(match node.entry(key) {
        Some(entry) => finding.at(source, entry.key_span),
        None => finding,
    })
}

/// Finds conditions on fields of the rows that listen that test nothing.
fn untested_condition_findings(node: &Node, source: &Arc<Source>) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    if let Some(said) = node.get("listeners") {
        let entries: Vec<&Node> = match said.items() {
            [] => vec![said],
            several => several.iter().collect(),
        };
        let tests = entries.into_iter().flat_map(|entry| {
            let of = |key| entry.get(key).map(Node::entries).unwrap_or_default();
            of("listener_if").iter().chain(of("broadcast_if"))
        });
        for test in tests {
            if let Some((wrong, hint)) = untestable_map_reason(&test.node.to_value()) {
                let message = format!("the test of the field `{}` {wrong}", test.key);
                let finding = Diagnostic::error("schema/handlers", message).hint(hint);
                findings.push(finding.at(source, test.node.span));
            }
        }
    }
    findings
}

/// Returns the keys that a schema names as `name_keys`.
fn read_name_keys(node: &Node) -> Vec<String> {
    let called = node.get("name_keys");
    let one = called.and_then(Node::as_str);
    let several = called.map(Node::items).unwrap_or_default();
    let texts = one
        .into_iter()
        .chain(several.iter().filter_map(Node::as_str));
    texts.map(str::to_owned).collect()
}

/// Finds keys under `name_keys` and `slot_values`, and in `page`, that no definition can have.
fn unknown_key_findings(shape: &Shape, node: &Node, source: &Arc<Source>) -> Vec<Diagnostic> {
    let Shape::Record(record) = shape else {
        return Vec::new();
    };
    let in_lines = ["page", "joins"].into_iter().flat_map(|where_| {
        let line = node.get(where_).and_then(Node::as_str).unwrap_or_default();
        let parts = line.split('{').skip(1);
        let keys = parts.filter_map(|part| part.split('}').next().filter(|key| *key != ID));
        keys.map(move |key| (where_, key))
    });
    let called = read_name_keys(node);
    let called = called.iter().map(|key| ("name_keys", key.as_str()));
    let values = node.get(SLOT_VALUES).and_then(SlotValues::read);
    let values = values.iter().flat_map(SlotValues::keys);
    let named = called.chain(in_lines);
    let named = named.chain(values.map(|key| (SLOT_VALUES, key)));
    let is_known = |key: &str| record.others.is_some() || record.field(key).is_some();
    let unknown = named.filter(|(_, key)| !is_known(key));
    let known = || record.fields.iter().map(|field| &*field.key);
    let found = unknown.map(|(where_, key)| {
        let message = format!("`{where_}` names \"{key}\", which is not a key of `keys`");
        let finding = Diagnostic::error(format!("schema/{where_}"), message);
        let finding = finding.hint(near_hint(key, known()));
        match node.entry(where_) {
            Some(entry) => finding.at(source, entry.node.span),
            None => finding,
        }
    });
    found.collect()
}

/// Returns the template lines of a definition: `syntax`, then `forms`.
pub fn syntax_lines(definition: &Definition) -> Vec<&str> {
    syntax_texts(definition).map(AsRef::as_ref).collect()
}

/// Returns the template lines of a definition as they are stored in it.
pub(crate) fn syntax_texts(definition: &Definition) -> impl Iterator<Item = &Text> {
    let forms = definition.value.get(FORMS).items().iter();
    let forms = forms.flat_map(|form| texts_of_key(form, SYNTAX));
    texts_of_definition(definition, SYNTAX).chain(forms)
}

/// Returns the texts of a key that is a text or a list of them.
pub(crate) fn texts_of_definition<'a>(
    definition: &'a Definition,
    key: &str,
) -> impl Iterator<Item = &'a Text> + use<'a> {
    texts_of_key(&definition.value, key)
}

fn texts_of_key<'a>(said: &'a Value, key: &str) -> impl Iterator<Item = &'a Text> + use<'a> {
    let value = said.get(key);
    let lines = std::iter::once(value).chain(value.items());
    lines.filter_map(|line| match line {
        Value::Text(text) => Some(text),
        Value::Nil | Value::Bool(_) | Value::Number(_) | Value::List(_) | Value::Map(_) => None,
    })
}
