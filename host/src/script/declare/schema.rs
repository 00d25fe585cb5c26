//! Schemas: the shape of the definitions of a collection, and the files that they are read from.

use std::sync::Arc;

use super::event_settings::{EVENT, EVENTS, EventSettings, settings_shape};
use super::listener_rows::{
    LISTENER_SHAPE, ListenerRows, add_on_key_to_shape, untestable_map_reason,
};
use crate::content::{Definition, Kind, Node, Shape, TreeLimits, check, parse_shape, read_yaml};
use crate::diag::{Diagnostic, Source, near_hint};
use crate::value::{Text, Value};

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
    /// The meaning of one definition.
    pub summary: String,
    /// The file that contains it.
    pub source: Arc<Source>,
}

/// The key of a definition's template lines: a text or a list of them.
pub(crate) const SYNTAX: &str = "syntax";

/// The key of a definition's variants with slots of their own: each has template lines and other keys of its schema.
pub(crate) const FORMS: &str = "forms";

/// The key that stands for the id of a definition in a `page`.
pub(crate) const ID: &str = "id";

/// The shape of schemas themselves.
///
/// `name_keys` names keys of the definitions. The texts under these keys are words for the definitions in `help` and in
/// near names. Without `name_keys` the key is `name`. `page = "sheet {name}"` is a command line with an answer that
/// contains more than `help` does. `stays = true` is for collections that the rules themselves need: content that is
/// kept elsewhere is added to it, and does not replace it.
///
/// `handlers(definition)` reads which events a definition handles, once for each generation. It returns a list of `{
/// on, key, where?, watches?, round?, priority?, all_events?, data? }`. In place of `on` an item may have `of(act,
/// self, bearer)`, which only looks but may roll; see [`crate::script::load::definition_handlers`]. When an event
/// reaches a row, `applies(act, event, self, bearer, rule)` may check whether the row is meant. Then `fire` runs with
/// the same arguments above a savepoint. Its effects are filed below the name that `label(act, self, bearer, rule)`
/// returns, and below the row that `label` may return besides. `rule` is the very table that `handlers` returned. With
/// `events` each definition is an event of its id, with these settings or the settings of its own key `event`.
///
/// `check(definition, report)` makes the checks that no shape can make. It is called for each definition of the
/// collection that fits its shape, scripts and content alike, when all definitions are read. `definition` is the result
/// of `definitions.get`, and everything that scripts ask of `definitions` and `phrase` is available. `check` has no
/// game, and the budgets of one callback for each definition. See [`crate::script::load::script_report`] for the
/// arguments of `report`. A definition with an error, of `check` or in it, is not in the generation, like a definition
/// that does not fit its shape. A definition with warnings is in the generation, and so is one whose errors are all
/// `kept`. References to it from other definitions are not errors of theirs, and `check` still finds it.
const SCHEMA: &str = "
source: string
summary: string
folder: id
'format, formerly reads': one of luau, yaml, text
'slot_type?, formerly phrase': string
'name_keys?, formerly called': string or list of string
'page?': string
'stays?': boolean
'listeners?, formerly elements': [any of, one of game, LISTENER, [list of, LISTENER]]
keys: any
'check?': function
'events?': { SETTINGS }
'stored_in?': { kind: string, field: string }
'handlers?': function
'applies?': function
'fire?': function
'label?': function
";

/// The shape of `ruleset.luau`.
///
/// `texts` reads the definitions of collections whose schemas contain `format = "text"`. `file` is `{ path, text }`,
/// with the path below the content folder of the mod. `head(file)` names the definition of every content file that is
/// not YAML, JSON, `.txt`, `.md` or test. It returns `{ collection, id, name, … }`, checked against the `keys` of the
/// schema, or nil and `{ from?, to?, code, message, hint? }`. `head` sees no other definition. `begin()` makes the
/// value that all readings of one load share. `read(shared, file, head, report)` returns all data of a definition. It
/// is called in order of path, when grammar and names exist. Of other texts it sees the heads. See
/// [`crate::script::load::script_report`] for the arguments of `report`. `read` may also return notes for later, such
/// as the places of words. Notes are plain data, in which tables of the definition may be keys. Both are copied. In a
/// copy, only the tables of whole definitions are shared. `gather(shared, file, definition, noted)` gets the notes for
/// each text, when all were read, to put them into `shared`. `check(shared, definition, report)` is called for each
/// text that `read` read at least in part, also for those with errors, when all were gathered. `definition` is the
/// result of `read`, read-only now. A text without findings of `read` is not read again as long as the text, all
/// scripts, and all definitions that `read` sees are the same. This includes the next start: the result of `read` may
/// depend on nothing else. A `check` without a `gather` uses the data that `read` left in `shared`, so each text is
/// read each time. A definition with an error is not in the generation. `structure(definition)` and `write(definition,
/// file)` are for readers of a text from outside: its structure, and its canonical form. A text that could not be read
/// completely is not written. `slips` declares common typing mistakes in these texts, see
/// [`crate::script::load::texts::slips`]. If a finding contains `typo`, lines are read again with single edits.
/// `begin(true)` makes the value that these readings share. Only their codes and messages count. A language of lines
/// needs none of these functions: `phrase.language` makes them from its declarations. `cases(act, file)` returns the
/// transcript of the cases that a file holds in a form of its own, for `arbiter test FILE`. `test(act, text, bound,
/// record, event)` of `expressions` returns true or false for the `when` and `test` of ends that have `bound`: plain
/// data, given back with the text. `event` is a read-only copy of the event, nil for `when`. `test` only looks. The
/// stat `*` of `stats` declares all stats that have no declaration of their own. `start` lists the lines that a new
/// game shows, to begin with. `moves_on` is the line that moves a game on that has neither plans nor phases. A command
/// begins with the words of each. `simulation` declares how whole games are played without people, see
/// [`crate::script::call::simulation`]. First the lines that `begin(setup)` returns are played. Then `line` is played
/// again and again, at most `most` times, until `outcome(act)` returns how the game ended. `answers` sets the answers
/// to questions of the host: `any` choice, or the `default`. Without it, no question is answered. `queues` declares the
/// content of queues. A queue that is `transient` lasts no longer than a run, and its entries are not rows.
/// `on_limit(act, passed)` runs when `max_depth` or `max_repeats` of an event, or `again` or `alike` of a queue was
/// passed. `passed` is `{ limit, event?, queue?, most, self?, rule?, entry?, chain }`. Without `on_limit` such a
/// command is refused. `tokens` declares the quotes, brackets and marks in phrases, see
/// [`crate::script::source::token_table`].
const RULESET: &str = "
source: string
name: name
summary: string
'stats?': { '*': { 'base?': any, 'formula?': string, 'stacking?, formerly fold': one of in_order or list of string,
    'visible_to?, formerly seen': 'one of public, gm, owner', summary: string } }
'types?': { '*': { 'summary?': string, 'words?': list of string, 'kind?': id, 'collection?': id, 'names?': function, 'items?': string } }
'clock?': { 'phases?': list of id, 'start?': id, 'first?': { '*': 'integer 0..1000000' }, 'dates?': one of utc }
'expressions?':
  'variables?': { '*': function }
  'functions?': { '*': { operands: 'integer 0..16', 'quotes?': boolean, 'summary?': string, run: function } }
  'test?': function
'events?': { '*': { summary: string, SETTINGS } }
'queues?': { '*': { summary: string, 'transient?': boolean } }
'on_limit?': function
'setup?': function
'plan?': function
'test?': function
'seats?': [any of, function, { 'summary?': string, run: function, 'groups?': [any of, function, list of string] }]
'cases?': function
'import?': { read: function, 'judge?': function }
'simulation?': { begin: function, line: string, most: 'integer 1..100000', outcome: function, 'answers?': 'one of any, default' }
'one_at_a_time?': boolean
'start?': list of string
'moves_on?': string
'rolls?': one of public, gm
'reasons?': one of asked, required
'texts?': { head: function, begin: function, read: function, 'gather?': function, 'check?': function, 'structure?': function, 'write?': function,
  'slips?': { 'bullets?': string, 'marks?': list of string, 'signs?': list of string, 'quotes?': list of string, 'words?': list of string,
    'written?': { '*': string or list of string } } }
'tokens?': { 'quotes?': list of string, 'brackets?': list of string, 'marks?': list of string, 'inner?': string }
'disputes?': { 'visible_to?, formerly seen': 'one of public, own', 'judges?': string }
";

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

/// Finds keys under `name_keys` and in `page` that no definition can have.
fn unknown_key_findings(shape: &Shape, node: &Node, source: &Arc<Source>) -> Vec<Diagnostic> {
    let Shape::Record(record) = shape else {
        return Vec::new();
    };
    let page = node.get("page").and_then(Node::as_str).unwrap_or_default();
    let in_page = page.split('{').skip(1);
    let in_page = in_page.filter_map(|part| part.split('}').next().filter(|key| *key != ID));
    let called = read_name_keys(node);
    let called = called.iter().map(|key| ("name_keys", key.as_str()));
    let named = called.chain(in_page.map(|key| ("page", key)));
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
