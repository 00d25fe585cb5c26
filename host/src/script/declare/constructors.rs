//! Constructors: the functions that files of rules call, with the keys of their tables and the text about each key.
//!
//! The shape of a table is written once, in its schema or in `ruleset_shape.yaml` and `schema_shape.yaml`. The comment
//! above a key is its text. References for people and declarations for editors are made from both.

use std::collections::BTreeMap;

use super::event_settings::{EVENT, SETTING_TEXTS};
use super::listener_rows::ON_TEXTS;
use super::schema::{Format, RULESET, SCHEMA, Schema, ruleset_shape, schema_shape};
use crate::content::Shape;

/// A function that a file of rules calls.
#[derive(Clone, Debug)]
pub struct Constructor {
    /// Its name.
    pub name: String,
    /// What its file declares.
    pub summary: String,
    /// The files that call it: `scripts/NAME/commands/*.luau`.
    pub files: String,
    /// The keys of its table, in order.
    pub keys: Vec<Key>,
}

/// A key of a table of rules.
#[derive(Clone, Debug)]
pub struct Key {
    /// Its name; `*` for all other keys.
    pub name: String,
    /// The required form of its value.
    pub shape: Shape,
    /// Whether it may be left out.
    pub is_optional: bool,
    /// Its meaning. Empty if the name says it.
    pub text: KeyText,
    /// The meanings of the keys inside of its value, by their paths: `stats.*.base`. Lists add nothing to a path.
    pub inner: BTreeMap<String, KeyText>,
}

/// The meaning of a key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeyText {
    /// Its meaning in words.
    pub text: String,
    /// What counts where the key is left out. Empty if nothing does.
    pub default: String,
}

/// The meanings of keys that mean the same in every schema, where the schema itself has no comment about them.
const COMMON_TEXTS: [(&str, &str); 4] = [
    (
        "source",
        "Where the rule comes from: a document and its section, or a ruling of your own. `help` shows the page.",
    ),
    ("summary", "One line for `help`."),
    ("name", "The name that people use."),
    (
        "syntax",
        "The template of the line, with a slot such as `{who: Word}` for each part that changes; or several templates.",
    ),
];

/// The meaning of the settings of one definition that is an event.
const EVENT_TEXT: &str = "The settings of the event that this definition is, in place of those that `events` of its schema has.";

/// The word before the default of a key.
const DEFAULT: &str = "Default: ";

impl KeyText {
    fn of_comment(comment: &str) -> KeyText {
        let (text, default) = comment.rsplit_once(DEFAULT).unwrap_or((comment, ""));
        KeyText {
            text: text.trim().to_owned(),
            default: default.trim_end_matches('.').to_owned(),
        }
    }

    /// Returns the meaning with the default.
    fn comment(&self) -> String {
        match self.default.as_str() {
            "" => self.text.clone(),
            default => format!("{} {DEFAULT}{default}.", self.text)
                .trim_start()
                .to_owned(),
        }
    }
}

impl Constructor {
    /// Returns the constructor of `ruleset.luau`.
    pub fn of_rulesets() -> Constructor {
        Constructor {
            name: "ruleset".to_owned(),
            summary: "A ruleset: what a game has and how it begins.".to_owned(),
            files: "scripts/NAME/ruleset.luau".to_owned(),
            keys: keys_of_shape(&ruleset_shape(), &key_comments(RULESET, "#")),
        }
    }

    /// Returns the constructor of schemas.
    pub fn of_schemas() -> Constructor {
        Constructor {
            name: "schema".to_owned(),
            summary: "A schema: a collection of definitions, and the form of each.".to_owned(),
            files: "scripts/NAME/schemas/*.luau".to_owned(),
            keys: keys_of_shape(&schema_shape(), &key_comments(SCHEMA, "#")),
        }
    }

    /// Returns the constructor for the definitions of a schema. `module_text` returns the text of a module that the file
    /// of the schema requires.
    pub(crate) fn of_schema(
        schema: &Schema,
        module_text: impl FnOnce(&str) -> Option<String>,
    ) -> Constructor {
        let folder = match schema.format {
            Format::Luau => format!("scripts/NAME/{}/*.luau", schema.collection),
            Format::Yaml => format!("content/NAME/{}/*.yaml", schema.collection),
            Format::Text => "content/NAME, texts".to_owned(),
        };
        let text = text_of_keys(schema.source.text(), module_text);
        let mut comments = key_comments(&text, "--");
        for (path, text) in texts_of_host() {
            let text = || KeyText::of_comment(text);
            comments.entry(path).or_insert_with(text);
        }
        Constructor {
            name: schema.name.clone(),
            summary: schema.summary.clone(),
            files: folder,
            keys: keys_of_shape(&schema.shape, &comments),
        }
    }

    /// Returns the declaration of the function, for editors.
    pub fn declaration(&self) -> String {
        let mut text = format!(
            "--- {}\ndeclare function {}(definition: {{\n",
            self.summary, self.name
        );
        for key in &self.keys {
            let comment = key.text.comment();
            if !comment.is_empty() {
                text.push_str(&format!("  --- {comment}\n"));
            }
            let optional = if key.is_optional { "?" } else { "" };
            let name = match key.name.as_str() {
                "*" => "[string]",
                name => name,
            };
            text.push_str(&format!("  {name}: {}{optional},\n", key.shape.luau_type()));
        }
        text + "}): any\n"
    }
}

fn keys_of_shape(shape: &Shape, texts: &BTreeMap<String, KeyText>) -> Vec<Key> {
    let Shape::Record(record) = shape else {
        return Vec::new();
    };
    let key = |name: &str, shape: &Shape, is_optional: bool| {
        let head = format!("{name}.");
        let inner = texts.iter().filter(|(path, _)| path.starts_with(&head));
        Key {
            name: name.to_owned(),
            shape: shape.clone(),
            is_optional,
            text: texts.get(name).cloned().unwrap_or_default(),
            inner: inner
                .map(|(path, text)| (path.clone(), text.clone()))
                .collect(),
        }
    };
    let named = record.fields.iter();
    let named = named.map(|field| key(&field.key, &field.shape, field.optional));
    let others = record.others.iter().map(|shape| key("*", shape, true));
    named.chain(others).collect()
}

/// Returns the meanings of the keys that the host adds to schemas, and of those that mean the same in every schema.
fn texts_of_host() -> impl Iterator<Item = (String, &'static str)> {
    let settings = SETTING_TEXTS.map(|(path, text)| (format!("{EVENT}.{path}"), text));
    let plain = COMMON_TEXTS.into_iter().chain(ON_TEXTS);
    let plain = plain.chain([(EVENT, EVENT_TEXT)]);
    plain
        .map(|(path, text)| (path.to_owned(), text))
        .chain(settings)
}

/// The beginning of the keys in the file of a schema, without their table.
const KEYS: &str = "\n  keys = ";

/// Returns the lines of the table of keys in the file of a schema. It is in the file, or in a module that it requires.
fn text_of_keys(file: &str, module_text: impl FnOnce(&str) -> Option<String>) -> String {
    let Some((above, keys)) = file.split_once(KEYS) else {
        return String::new();
    };
    if let Some(inside) = keys.strip_prefix('{') {
        return inside.to_owned();
    }
    let value = keys.split([',', '\n']).next().unwrap_or_default();
    let declaration = format!("local {value} = ");
    let declared = above
        .lines()
        .find_map(|line| line.strip_prefix(&declaration));
    let call = declared.unwrap_or(value).trim();
    let module = call
        .strip_prefix("require(\"")
        .and_then(|rest| rest.split('"').next());
    let text = module.and_then(module_text).unwrap_or_default();
    text.split_once("\nreturn {")
        .map_or_else(String::new, |(_, inside)| inside.to_owned())
}

/// Returns the comments above the keys of a table, by the paths of the keys. A line of a comment that begins with a full
/// stop and a path is about a key inside: `.*.base: The value.`
fn key_comments(text: &str, mark: &str) -> BTreeMap<String, KeyText> {
    let lines = || text.lines().filter(|line| !line.trim().is_empty());
    let indent = |line: &str| line.len() - line.trim_start().len();
    let outermost = lines().next().map_or(0, indent);
    let mut comments = BTreeMap::new();
    // The path inside of the key below, and the text about it.
    let mut comment: Vec<(String, String)> = Vec::new();
    // The keys around the present line, each with its indent and its path.
    let mut around: Vec<(usize, String)> = Vec::new();
    for line in lines().take_while(|line| indent(line) >= outermost) {
        if let Some(words) = line.trim_start().strip_prefix(mark) {
            add_comment_line(&mut comment, words.trim());
            continue;
        }
        let Some(key) = key_of_line(line) else {
            continue;
        };
        around.retain(|(outer, _)| *outer < indent(line));
        let key = match around.last() {
            Some((_, outer)) => format!("{outer}.{key}"),
            None => key.to_owned(),
        };
        for (path, text) in comment.drain(..) {
            comments.insert(format!("{key}{path}"), KeyText::of_comment(&text));
        }
        let settings = match line.contains("SETTINGS") {
            true if line.contains("'*'") => Some(".*."),
            true => Some("."),
            false => None,
        };
        let settings = settings.into_iter().flat_map(|inside| {
            SETTING_TEXTS.map(|(path, text)| (format!("{key}{inside}{path}"), text))
        });
        comments.extend(settings.map(|(path, text)| (path, KeyText::of_comment(text))));
        around.push((indent(line), key));
    }
    comments
}

/// Returns the key that a line begins with: `key = …`, `["key?"] = …`, `key: …`, `'key?': …`.
fn key_of_line(line: &str) -> Option<&str> {
    let is_inside = |c: char| c.is_alphanumeric() || matches!(c, '_' | '*' | '-');
    let line = line.trim_start();
    let bare = line.trim_start_matches(['[', '"', '\'']);
    let key = bare.split(|c| !is_inside(c)).next()?;
    let rest = &bare[key.len()..];
    let is_set = match line.starts_with(['[', '\'']) {
        true => rest.contains("\"] =") || rest.contains("':"),
        false => rest.starts_with(':') || rest.trim_start().starts_with('='),
    };
    (is_set && !key.is_empty()).then_some(key)
}

fn add_comment_line(comment: &mut Vec<(String, String)>, words: &str) {
    let inner = words
        .split_once(": ")
        .filter(|(path, _)| path.starts_with('.') && !path.contains(' '));
    match (inner, comment.last_mut()) {
        (Some((path, text)), _) => comment.push((path.to_owned(), text.to_owned())),
        (None, Some((_, text))) => {
            text.push(' ');
            text.push_str(words);
        }
        (None, None) => comment.push((String::new(), words.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_of_the_host_has_a_text() {
        for constructor in [Constructor::of_rulesets(), Constructor::of_schemas()] {
            for key in &constructor.keys {
                assert!(
                    !key.text.text.is_empty(),
                    "{}.{}",
                    constructor.name,
                    key.name
                );
            }
            assert!(constructor.keys.len() > 15, "{}", constructor.name);
        }
    }

    #[test]
    fn comments_belong_to_the_key_below() {
        let text = "\n    -- One line,\n    -- or two.\n    summary = \"string\",\n    [\"query?, formerly looks\"] = \"any\",\n    -- Nested.\n    when = {\n      -- inside\n      from = \"id\",\n    },\n  },\n  -- outside\n  last = 1";
        let comments = key_comments(text, "--");
        let found: Vec<(&str, &str)> = comments
            .iter()
            .map(|(key, text)| (key.as_str(), text.text.as_str()))
            .collect();
        assert_eq!(
            found,
            [
                ("summary", "One line, or two."),
                ("when", "Nested."),
                ("when.from", "inside")
            ]
        );
    }

    #[test]
    fn keys_are_at_the_beginning_of_their_lines() {
        for (line, key) in [
            ("  name = \"string\",", Some("name")),
            ("  [\"x-values?\"] = \"list of string\",", Some("x-values")),
            ("  [\"*\"] = \"any\",", Some("*")),
            ("'order?': [list of, text]", Some("order")),
            ("folder: id", Some("folder")),
            ("\"list of\",", None),
            ("{", None),
            ("},", None),
        ] {
            assert_eq!(key_of_line(line), key, "{line}");
        }
    }

    #[test]
    fn the_keys_of_a_schema_may_be_in_a_module() {
        let module = "--!strict\nreturn {\n  -- Its class.\n  class = \"name\",\n}\n";
        let text_of = |file: &str| {
            text_of_keys(file, |path| {
                (path == "pipeline/own").then(|| module.to_owned())
            })
        };
        for file in [
            "return schema {\n  keys = require(\"pipeline/own\"),\n}",
            "local own = require(\"pipeline/own\")\nreturn schema {\n  keys = own,\n}",
        ] {
            let comments = key_comments(&text_of(file), "--");
            assert_eq!(comments["class"].text, "Its class.", "{file}");
        }
        let inside =
            text_of("return schema {\n  keys = {\n    -- One.\n    one = \"id\",\n  },\n}");
        assert_eq!(key_comments(&inside, "--")["one"].text, "One.");
        assert_eq!(text_of("return schema {}"), "");
    }

    #[test]
    fn a_comment_is_about_keys_inside_too_and_has_defaults() {
        let text = "-- All.\n-- .*.base: The value. Default: 0.\n-- .*.formula: How it\n-- is computed.\nstats = {},\n-- Default: none.\nplain = 1";
        let comments = key_comments(text, "--");
        let found: Vec<(&str, String)> = comments
            .iter()
            .map(|(key, text)| (key.as_str(), text.comment()))
            .collect();
        assert_eq!(
            found,
            [
                ("plain", "Default: none.".to_owned()),
                ("stats", "All.".to_owned()),
                ("stats.*.base", "The value. Default: 0.".to_owned()),
                ("stats.*.formula", "How it is computed.".to_owned()),
            ]
        );
        assert_eq!(comments["stats.*.base"].default, "0");
    }

    #[test]
    fn events_have_the_texts_of_their_settings() {
        let ruleset = Constructor::of_rulesets();
        let events = ruleset
            .keys
            .iter()
            .find(|key| key.name == "events")
            .unwrap();
        assert!(
            events.inner.contains_key("events.*.order.kinds"),
            "{events:?}"
        );
        let schema = Constructor::of_schemas();
        let events = schema.keys.iter().find(|key| key.name == "events").unwrap();
        assert_eq!(events.inner["events.until_quiet"].default, "false");
    }

    #[test]
    fn a_constructor_is_declared_for_editors() {
        let text = Constructor::of_schemas().declaration();
        assert!(text.starts_with("--- A schema"), "{text}");
        assert!(text.contains("\n  folder: string,\n"), "{text}");
        assert!(
            text.contains("\n  check: ((...any) -> ...any)?,\n"),
            "{text}"
        );
        assert!(text.ends_with("}): any\n"), "{text}");
    }
}
