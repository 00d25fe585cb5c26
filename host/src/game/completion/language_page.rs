//! The page of a ruleset's language: its marks, and every template with its meaning and an example.

use crate::content::Definition;
use crate::doc::build::{code, fields, heading, line, list, paragraph, span, text};
use crate::doc::{Block, Document, Line, Style};
use crate::script::{COMMANDS, OWN_NAME, Rules, Schema, names_of_definition, syntax_lines};
use crate::text::TokenTable;

/// Notation of templates, and the meaning of each mark.
const LEGEND: [(&str, &str); 4] = [
    ("{slot: Type}", "is a value of the type"),
    ("{slot: one|other}", "is one of these words"),
    ("[ ]", "the part between the brackets is optional"),
    (
        "Words",
        "are typed as they are; upper or lower case does not matter",
    ),
];

/// Returns the page; `example` finds a line that uses a definition.
pub fn language_page(rules: &Rules, example: impl Fn(&Definition) -> Option<String>) -> Document {
    let name = rules.ruleset.get("name").as_str();
    let name = name.unwrap_or(&rules.ruleset_id);
    let mut blocks = vec![heading(1, format!("The language of {name}"))];
    let summary = rules.ruleset.get("summary").as_str();
    blocks.extend(summary.map(paragraph));
    blocks.push(heading(2, "Marks"));
    blocks.push(fields(mark_fields(rules.grammar.table())));
    blocks.push(heading(2, "Templates"));
    let legend =
        LEGEND.map(|(written, says)| line([span(Style::Code, written), text(format!(" {says}"))]));
    blocks.push(list(legend));
    let schemas = rules.schemas.values();
    let mut sets: Vec<(&str, &Schema)> = schemas
        .filter(|one| one.collection != COMMANDS)
        .filter_map(|one| Some((one.slot_type.as_deref()?, one)))
        .collect();
    // Definitions that fill slots come after definitions whose templates have slots.
    sets.sort_by_key(|(set, one)| (*set == OWN_NAME, *set, &one.collection));
    for (set, schema) in sets {
        let title = match set {
            OWN_NAME => schema.collection.replace('_', " "),
            set => set.to_owned(),
        };
        blocks.push(heading(2, title));
        blocks.push(paragraph(schema.summary.clone()));
        for definition in rules.registry.of_collection(&schema.collection) {
            let title = names_of_definition(rules, definition).swap_remove(0);
            blocks.push(heading(3, title));
            blocks.extend(template_blocks(
                rules,
                definition,
                set == OWN_NAME,
                example(definition),
            ));
        }
    }
    Document::new(blocks)
}

fn template_blocks(
    rules: &Rules,
    definition: &Definition,
    is_type: bool,
    example: Option<String>,
) -> Vec<Block> {
    let values = rules.grammar.values(definition.name()).filter(|_| is_type);
    let of = |key: &str| definition.value.get(key).as_str();
    let mut blocks: Vec<Block> = of("summary").map(paragraph).into_iter().collect();
    let lines = syntax_lines(definition).into_iter().map(str::to_owned);
    let mut lines: Vec<String> = lines.collect();
    if values.is_some() {
        let forms = rules.grammar.forms(definition.name()).into_iter();
        lines.extend(forms.map(|form| form.syntax));
    }
    if !lines.is_empty() {
        blocks.push(code("", lines.join("\n")));
    }
    let noun = of("noun").filter(|_| is_type);
    let names = values.map(|values| values.names().collect::<Vec<_>>().join(", "));
    let facts = [
        ("called", noun.map(Line::from)),
        ("names", names.map(Line::from)),
        (
            "for example",
            example.map(|typed| line([span(Style::Code, typed)])),
        ),
        ("source", of("source").map(Line::from)),
    ];
    let facts = facts
        .into_iter()
        .filter_map(|(key, fact)| Some((key, fact?)));
    blocks.push(fields(facts));
    blocks
}

fn mark_fields(table: &TokenTable) -> Vec<(&'static str, String)> {
    let pairs = |pairs: &[(char, char)]| {
        let pairs: Vec<String> = pairs
            .iter()
            .map(|(open, close)| format!("{open} {close}"))
            .collect();
        pairs.join(", ")
    };
    let marks: Vec<&str> = table.marks.iter().map(String::as_str).collect();
    let inner: Vec<String> = table.inner_chars.iter().map(char::to_string).collect();
    vec![
        ("quotes", pairs(&table.quotes)),
        ("brackets", pairs(&table.brackets)),
        ("marks", marks.join(" ")),
        ("inside of words", inner.join(" ")),
    ]
}
