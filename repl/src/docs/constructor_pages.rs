//! The pages about constructors: the functions that files of rules call, with every key.

use host::content::Shape;
use host::game::Solo;
use host::script::{Constructor, LIBRARY};

use super::generated_page::GeneratedPage;
use super::markdown_text::{code, escaped, sentence, table};

/// Returns the page about the constructors that every ruleset has.
pub(super) fn host_page(solo: &Solo) -> GeneratedPage {
    let own = [Constructor::of_rulesets(), Constructor::of_schemas()];
    let mut body = String::from(
        "A file of rules returns what such a function makes of a table. Keys that are not listed are an error with \
         near names.\n\n",
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
        .map(Constructor::of_schema)
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

/// Returns rows about the keys of the maps in a shape: the path of each key, its shape, and whether it is required.
fn nested_rows(path: &str, shape: &Shape) -> Vec<Vec<String>> {
    match shape {
        Shape::Record(record) => {
            let named = record.fields.iter().map(|field| {
                let path = format!("{path}.{}", field.key);
                (path, &field.shape, field.optional)
            });
            let others = record.others.as_ref();
            let others = others.map(|shape| (format!("{path}.*"), &**shape, true));
            let rows = named.chain(others).flat_map(|(path, shape, is_optional)| {
                let need = if is_optional { "" } else { "required" };
                let row = vec![
                    code(&path),
                    shape_text(shape),
                    need.to_owned(),
                    String::new(),
                ];
                std::iter::once(row)
                    .chain(nested_rows(&path, shape))
                    .collect::<Vec<_>>()
            });
            rows.collect()
        }
        Shape::List(item) => nested_rows(&format!("{path}[]"), item),
        Shape::Map(item) => nested_rows(&format!("{path}.*"), item),
        Shape::Union(shapes) => shapes
            .iter()
            .flat_map(|one| nested_rows(path, one))
            .collect(),
        _ => Vec::new(),
    }
}

fn section(constructor: &Constructor) -> String {
    let rows = constructor.keys.iter().flat_map(|key| {
        let need = if key.is_optional { "" } else { "required" };
        let text = escaped(&sentence(&key.text));
        let row = vec![
            code(&key.name),
            shape_text(&key.shape),
            need.to_owned(),
            text,
        ];
        std::iter::once(row)
            .chain(nested_rows(&key.name, &key.shape))
            .collect::<Vec<_>>()
    });
    format!(
        "## `{}`\n\n{} Files: {}\n\n{}\n",
        constructor.name,
        escaped(&sentence(&constructor.summary)),
        code(&constructor.files),
        table(&["key", "value", "", "meaning"], rows)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_inside_of_a_key_have_rows_of_their_own() {
        let ruleset = Constructor::of_rulesets();
        let text = section(&ruleset);
        for row in [
            "| `clock` | a map: `phases?`, `start?`, `first?`, `dates?` |",
            "| `clock.phases` | a list, each item an id",
            "| `stats.*.summary` | a text | required |",
            "| `events.*.order[].kinds` | a list, each item a text | required |",
        ] {
            assert!(text.contains(row), "{row} in {text}");
        }
    }
}
