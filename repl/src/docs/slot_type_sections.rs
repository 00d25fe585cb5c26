//! The sections about slot types: those of the host, and those of each ruleset.

use std::collections::BTreeMap;

use host::content::Definition;
use host::game::Solo;
use host::script::{Constructor, LIBRARY, NameType, OWN_NAME, Rules, Schema, game_slot_types};
use host::text::{Class, SlotTypeText};

use super::generated_section::GeneratedSection;
use super::markdown_text::{code, escaped, sentence, table};
use super::played_examples::PlayedExamples;

const PAGE: &str = "reference/slot-types.md";

/// The key of `ruleset.luau` that declares slot types.
const TYPES: &str = "types";

/// Returns the sections about the slot types of the host, and about the keys of those that a ruleset declares.
pub(super) fn host_sections(examples: &mut PlayedExamples<'_>) -> Vec<GeneratedSection> {
    let types: Vec<SlotTypeText> = Class::descriptions().collect();
    let lines = types.iter().flat_map(|one| {
        let example =
            |text: &&str| format!("= phrase.read(\"{}\", {}).value", one.name, luau_text(text));
        one.examples.iter().map(example).collect::<Vec<String>>()
    });
    let case = examples.case(
        "the built-in types read these texts",
        &lines.collect::<Vec<String>>(),
    );
    vec![
        GeneratedSection::new(PAGE, "built-in types", &type_table(types)),
        GeneratedSection::new(PAGE, "examples of built-in types", &examples.block(&[case])),
        GeneratedSection::new(PAGE, "types of a game", &type_table(game_slot_types())),
        GeneratedSection::new(PAGE, "keys of types", &key_table()),
    ]
}

fn type_table(types: impl IntoIterator<Item = SlotTypeText>) -> String {
    let rows = types.into_iter().map(|one| {
        let examples: Vec<String> = one.examples.iter().map(|text| code(text)).collect();
        vec![
            code(&one.name),
            one.reads.to_owned(),
            one.value.to_owned(),
            examples.join(", "),
        ]
    });
    table(&["type", "what it reads", "value", "examples"], rows)
}

/// Returns a text as Luau writes it.
fn luau_text(text: &str) -> String {
    if text.contains('"') {
        format!("'{text}'")
    } else {
        format!("\"{text}\"")
    }
}

/// Returns the table of the keys of a type in `ruleset.luau`.
fn key_table() -> String {
    let ruleset = Constructor::of_rulesets();
    let of_types = ruleset.keys.iter().find(|key| key.name == TYPES);
    let rows = of_types.into_iter().flat_map(|key| {
        let own = key.inner.iter().filter_map(|(path, text)| {
            let name = path.strip_prefix("types.*.")?;
            Some(vec![code(name), escaped(&sentence(&text.text))])
        });
        own.collect::<Vec<_>>()
    });
    table(&["key", "meaning"], rows)
}

/// Returns the section with the tables of all rulesets.
pub(super) fn ruleset_section(tables: &str) -> GeneratedSection {
    GeneratedSection::new(PAGE, "types of rulesets", tables)
}

/// Returns the heading and the table of the types of a ruleset: those of `ruleset.luau`, collections that are types, and
/// definitions that are types.
pub(super) fn types_of_ruleset(solo: &Solo, ruleset: &str) -> String {
    let rules = solo.timeline().rules();
    let name = rules.ruleset.get("name");
    let name = name.as_str().unwrap_or(ruleset);
    let own = rules
        .schemas
        .values()
        .filter(|schema| schema.mod_name != LIBRARY);
    let collections: Vec<&Schema> = own.filter(|schema| schema.slot_type.is_some()).collect();
    let of_collections = collections
        .iter()
        .filter(|schema| schema.slot_type.as_deref() != Some(OWN_NAME))
        .map(|schema| {
            let reads = format!("A phrase of the collection {}.", code(&schema.collection));
            let slot_type = schema.slot_type.as_deref().unwrap_or_default();
            vec![code(slot_type), reads, escaped(&sentence(&schema.summary))]
        });
    let rows = declared_types(&rules)
        .into_iter()
        .chain(of_collections)
        .chain(defined_types(&rules));
    let table = table(&["type", "what it reads", "meaning"], rows);
    format!("### {name}\n\n{table}\n")
}

/// Returns rows about the types that `ruleset.luau` declares.
fn declared_types(rules: &Rules) -> Vec<Vec<String>> {
    let declared = rules.ruleset.get(TYPES).as_map();
    let rows = declared.into_iter().flatten().map(|(name, text)| {
        let words: Vec<String> = text
            .get("words")
            .items()
            .iter()
            .filter_map(|one| one.as_str())
            .map(code)
            .collect();
        let reads = match rules.name_types.get(&**name) {
            Some(NameType::Entities(kind)) => format!("An entity of kind {}.", code(kind)),
            Some(NameType::Definitions(collection)) => {
                format!("A definition of {}.", code(collection))
            }
            Some(NameType::Found | NameType::Records | NameType::Fields) => {
                "A name that the ruleset finds.".to_owned()
            }
            None if words.is_empty() => {
                let items = text.get("items");
                format!(
                    "The rest of the line, phrases of {}.",
                    code(items.as_str().unwrap_or_default())
                )
            }
            None => format!("One of the words {}.", words.join(", ")),
        };
        let summary = text.get("summary");
        vec![
            code(name),
            reads,
            escaped(&sentence(summary.as_str().unwrap_or_default())),
        ]
    });
    rows.collect()
}

/// Returns rows about the definitions of a ruleset that are types by their own names.
fn defined_types(rules: &Rules) -> Vec<Vec<String>> {
    let is_own = |collection: &str| {
        let schema = rules.schemas.get(collection);
        schema.is_some_and(|schema| schema.slot_type.as_deref() == Some(OWN_NAME))
    };
    let definitions = rules.registry.iter().map(AsRef::as_ref);
    let own = definitions
        .filter(|one: &&Definition| is_own(&one.collection) && *one.mod_name != *LIBRARY);
    let mut rows = BTreeMap::new();
    for definition in own {
        let text = |key: &str| {
            definition
                .value
                .get(key)
                .as_str()
                .unwrap_or_default()
                .to_owned()
        };
        let reads = format!(
            "Its own templates in {}.",
            code(&format!("{}/", definition.collection))
        );
        let name = text("name");
        let row = vec![code(&name), reads, escaped(&sentence(&text("summary")))];
        rows.insert(name, row);
    }
    rows.into_values().collect()
}
