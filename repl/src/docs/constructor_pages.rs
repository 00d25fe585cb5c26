//! The pages about constructors: the functions that files of rules call, with every key.

use std::collections::BTreeMap;

use host::content::Shape;
use host::game::Solo;
use host::script::{Constructor, KeyText, LIBRARY};

use super::generated_page::GeneratedPage;
use super::markdown_text::{code, escaped, sentence, table};

/// Returns the page about the constructors that every ruleset has.
pub(super) fn host_page(solo: &Solo) -> GeneratedPage {
    let own = [Constructor::of_rulesets(), Constructor::of_schemas()];
    let mut body = String::from(
        "A file of rules returns what such a function makes of a table. Keys that are not listed are an error with \
         near names. A key without a default and without *required* may be left out.\n\n",
    );
    let library = schemas_of(solo, |mod_name| mod_name == LIBRARY);
    for constructor in own.iter().chain(&library) {
        body.push_str(&section(constructor));
    }
    GeneratedPage::new(
        "reference/constructors.md",
        "Constructors",
        "The functions that files of rules call, and every key of their tables.",
        &body,
    )
}

/// Returns the page about the constructors of a ruleset, if it has some of its own.
pub(super) fn ruleset_page(solo: &Solo, ruleset: &str) -> Option<GeneratedPage> {
    let own = schemas_of(solo, |mod_name| mod_name != LIBRARY);
    if own.is_empty() {
        return None;
    }
    let body: String = own.iter().map(section).collect();
    Some(GeneratedPage::new(
        format!("rulesets/{ruleset}/definitions.md"),
        &format!("Definitions of {ruleset}"),
        &format!("The collections of {ruleset}, and every key of a definition."),
        &body,
    ))
}

fn schemas_of(solo: &Solo, is_meant: impl Fn(&str) -> bool) -> Vec<Constructor> {
    let rules = solo.timeline().rules();
    let schemas = rules.schemas.values();
    schemas
        .filter(|schema| is_meant(&schema.mod_name))
        .map(|schema| rules.constructor_of_schema(schema))
        .collect()
}

/// Returns a shape in words. Keys of maps are code, with a question mark if they may be left out.
fn shape_text(shape: &Shape) -> String {
    match shape {
        Shape::Record(record) => {
            let keys = record.fields.iter().map(|field| {
                let optional = if field.optional { "?" } else { "" };
                code(&format!("{}{optional}", field.key))
            });
            let others = record.others.as_ref();
            let others = others.map(|item| format!("for each other key {}", shape_text(item)));
            let parts: Vec<String> = keys.chain(others).collect();
            format!("a map: {}", parts.join(", "))
        }
        Shape::List(item) => format!("a list, each item {}", shape_text(item)),
        Shape::Map(item) => format!("a map, each entry {}", shape_text(item)),
        Shape::Union(shapes) => {
            let shapes: Vec<String> = shapes.iter().map(shape_text).collect();
            shapes.join(", or ")
        }
        plain => escaped(&plain.to_string()),
    }
}

/// Returns rows about the keys of the maps in a shape.
fn nested_rows(texts: &BTreeMap<String, KeyText>, path: &str, shape: &Shape) -> Vec<Vec<String>> {
    match shape {
        Shape::Record(record) => {
            let named = record.fields.iter().map(|field| {
                let path = format!("{path}.{}", field.key);
                (path, &field.shape, field.optional)
            });
            let others = record.others.as_ref();
            let others = others.map(|shape| (format!("{path}.*"), &**shape, true));
            let rows = named.chain(others).flat_map(|(path, shape, is_optional)| {
                // Lists add nothing to the path of a text.
                let text = texts.get(&path.replace("[]", ""));
                let row = key_row(&path, shape, is_optional, text);
                std::iter::once(row)
                    .chain(nested_rows(texts, &path, shape))
                    .collect::<Vec<_>>()
            });
            rows.collect()
        }
        Shape::List(item) => nested_rows(texts, &format!("{path}[]"), item),
        Shape::Map(item) => nested_rows(texts, &format!("{path}.*"), item),
        Shape::Union(shapes) => shapes
            .iter()
            .flat_map(|one| nested_rows(texts, path, one))
            .collect(),
        _ => Vec::new(),
    }
}

/// Returns a row about a key: its path, its shape, what counts without it, and its meaning.
fn key_row(path: &str, shape: &Shape, is_optional: bool, text: Option<&KeyText>) -> Vec<String> {
    let (text, default) = text.map_or(("", ""), |one| (one.text.as_str(), one.default.as_str()));
    let default = if is_optional {
        escaped(default)
    } else {
        "*required*".to_owned()
    };
    vec![
        code(path),
        shape_text(shape),
        default,
        escaped(&sentence(text)),
    ]
}

fn section(constructor: &Constructor) -> String {
    let rows = constructor.keys.iter().flat_map(|key| {
        let row = key_row(&key.name, &key.shape, key.is_optional, Some(&key.text));
        std::iter::once(row)
            .chain(nested_rows(&key.inner, &key.name, &key.shape))
            .collect::<Vec<_>>()
    });
    format!(
        "## `{}`\n\n{} Files: {}\n\n{}\n",
        constructor.name,
        escaped(&sentence(&constructor.summary)),
        code(&constructor.files),
        table(&["key", "value", "default", "meaning"], rows)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_inside_a_key_of_the_host_has_a_text() {
        for constructor in [Constructor::of_rulesets(), Constructor::of_schemas()] {
            for key in &constructor.keys {
                for row in nested_rows(&key.inner, &key.name, &key.shape) {
                    assert!(!row[3].is_empty(), "{row:?}");
                }
            }
        }
    }

    #[test]
    fn keys_inside_of_a_key_have_rows_of_their_own() {
        let ruleset = Constructor::of_rulesets();
        let text = section(&ruleset);
        for row in [
            "| `clock` | a map: `phases?`, `start?`, `first?`, `dates?` |",
            "| `clock.phases` | a list, each item an id",
            "| `stats.*.summary` | a text | *required* | One line for help. |",
            "| `stats.*.base` | a value | nothing, which counts as 0 | The value",
            "| `events.*.order[].kinds` | a list, each item a text | *required* | Listeners of",
        ] {
            assert!(text.contains(row), "{row} in {text}");
        }
    }
}
