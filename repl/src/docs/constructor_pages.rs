//! The pages about constructors: the functions that files of rules call, with every key.

use host::content::Shape;
use host::game::Solo;
use host::script::{Constructor, LIBRARY, shared_shapes};

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
    body.push_str("## Shapes inside of them\n\n");
    let rows = shared_shapes().map(|(name, shape)| vec![name.to_owned(), code(&shape)]);
    body.push_str(&table(&["name", "shape"], rows));
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

/// Returns a shape in words, with the keys of its maps as code.
fn shape_text(shape: &Shape) -> String {
    const KEYS: &str = " with the keys ";
    let text = shape.to_string();
    let mut parts = text.split(KEYS);
    let first = parts.next().map(escaped).unwrap_or_default();
    parts.fold(first, |text, part| {
        let (keys, rest) = part.split_once(" or ").unwrap_or((part, ""));
        let keys: Vec<String> = keys.split(", ").map(code).collect();
        let rest = match rest {
            "" => String::new(),
            rest => format!(" or {}", escaped(rest)),
        };
        format!("{text}{KEYS}{}{rest}", keys.join(", "))
    })
}

fn section(constructor: &Constructor) -> String {
    let rows = constructor.keys.iter().map(|key| {
        let need = if key.is_optional { "" } else { "required" };
        let text = escaped(&sentence(&key.text));
        vec![
            code(&key.name),
            shape_text(&key.shape),
            need.to_owned(),
            text,
        ]
    });
    format!(
        "## `{}`\n\n{} Files: {}\n\n{}\n",
        constructor.name,
        escaped(&sentence(&constructor.summary)),
        code(&constructor.files),
        table(&["key", "value", "", "meaning"], rows)
    )
}
