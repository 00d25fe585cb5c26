//! Constructors: the functions that files of rules call, with the keys of their tables and the text about each key.
//!
//! The shape of a table is written once, in its schema or in `ruleset_shape.yaml` and `schema_shape.yaml`. The comment
//! above a key is its text. References for people and declarations for editors are made from both.

use std::collections::BTreeMap;

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
    pub text: String,
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

    /// Returns the constructor for the definitions of a schema.
    pub fn of_schema(schema: &Schema) -> Constructor {
        let text = schema.source.text();
        let keys = text.split_once("\n  keys = {").map_or("", |(_, rest)| rest);
        let folder = match schema.format {
            Format::Luau => format!("scripts/NAME/{}/*.luau", schema.collection),
            Format::Yaml => format!("content/NAME/{}/*.yaml", schema.collection),
            Format::Text => "content/NAME, texts".to_owned(),
        };
        Constructor {
            name: schema.name.clone(),
            summary: schema.summary.clone(),
            files: folder,
            keys: keys_of_shape(&schema.shape, &key_comments(keys, "--")),
        }
    }

    /// Returns the declaration of the function, for editors.
    pub fn declaration(&self) -> String {
        let mut text = format!(
            "--- {}\ndeclare function {}(definition: {{\n",
            self.summary, self.name
        );
        for key in &self.keys {
            if !key.text.is_empty() {
                text.push_str(&format!("  --- {}\n", key.text));
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

fn keys_of_shape(shape: &Shape, texts: &BTreeMap<String, String>) -> Vec<Key> {
    let Shape::Record(record) = shape else {
        return Vec::new();
    };
    let text = |key: &str| texts.get(key).cloned().unwrap_or_default();
    let named = record.fields.iter().map(|field| Key {
        name: field.key.to_string(),
        shape: field.shape.clone(),
        is_optional: field.optional,
        text: text(&field.key),
    });
    let others = record.others.iter().map(|shape| Key {
        name: "*".to_owned(),
        shape: (**shape).clone(),
        is_optional: true,
        text: text("*"),
    });
    named.chain(others).collect()
}

/// Returns the comments above the outermost keys of a table.
fn key_comments(text: &str, mark: &str) -> BTreeMap<String, String> {
    let lines = || text.lines().filter(|line| !line.trim().is_empty());
    let indent = |line: &str| line.len() - line.trim_start().len();
    let outermost = lines().next().map_or(0, indent);
    let mut comments = BTreeMap::new();
    let mut comment: Vec<&str> = Vec::new();
    for line in lines().take_while(|line| indent(line) >= outermost) {
        if indent(line) > outermost {
            continue;
        }
        match line.trim_start().strip_prefix(mark) {
            Some(words) => comment.push(words.trim()),
            None => {
                let is_inside = |c: char| c.is_alphanumeric() || matches!(c, '_' | '*');
                let line = line.trim_start_matches(|c| !is_inside(c));
                let key = line.split(|c| !is_inside(c)).next().unwrap_or_default();
                if !comment.is_empty() {
                    comments.insert(key.to_owned(), comment.join(" "));
                }
                comment.clear();
            }
        }
    }
    comments
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_of_the_host_has_a_text() {
        for constructor in [Constructor::of_rulesets(), Constructor::of_schemas()] {
            for key in &constructor.keys {
                assert!(!key.text.is_empty(), "{}.{}", constructor.name, key.name);
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
            .map(|(key, text)| (key.as_str(), text.as_str()))
            .collect();
        assert_eq!(
            found,
            [("summary", "One line, or two."), ("when", "Nested.")]
        );
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
