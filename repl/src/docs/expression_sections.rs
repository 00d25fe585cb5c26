//! The sections about operators and errors of expressions.

use host::expr::Operator;
use host::game::diagnostic_entries;
use host::script::declarations;

use super::api_pages::key_table;
use super::diagnostic_index::with_linked_codes;
use super::generated_section::GeneratedSection;
use super::markdown_text::{code, escaped, table};
use super::played_examples::PlayedExamples;

const PAGE: &str = "reference/expressions.md";

/// The beginning of the codes of expressions.
const AREA: &str = "expr/";

/// The names of operands, in their order.
const OPERANDS: [&str; 3] = ["X", "Y", "Z"];

/// The function that makes a language of expressions: its table, and its name there.
const LANGUAGE: (&str, &str) = ("expr", "language");

/// Returns the tables of all operators, each with an example that is computed, of the keys of a language, and of all
/// codes of expressions.
pub(super) fn expression_sections(examples: &mut PlayedExamples<'_>) -> Vec<GeneratedSection> {
    let rows = Operator::descriptions().into_iter().map(|operator| {
        let mut words = operator.words.iter().map(|word| code(word));
        let gives = examples.value(&format!("expr.text(\"{}\")", operator.example));
        vec![
            words.next().unwrap_or_default(),
            words.collect::<Vec<String>>().join(", "),
            OPERANDS[..operator.operands].join(", "),
            operator.result.to_owned(),
            code(operator.example),
            gives,
        ]
    });
    let operators = table(
        &["operator", "also", "operands", "result", "example", "gives"],
        rows,
    );
    let entries = diagnostic_entries();
    let errors = entries.iter().filter(|entry| entry.code.starts_with(AREA));
    let errors = errors.map(|entry| vec![with_linked_codes(entry.code), escaped(&entry.meaning)]);
    let groups = declarations().into_iter();
    let of_expressions = groups.filter(|group| group.name == LANGUAGE.0);
    let functions = of_expressions.flat_map(|group| group.functions);
    let languages = functions.filter(|one| one.name == LANGUAGE.1);
    let keys: String = languages.map(|one| key_table(&one)).collect();
    vec![
        GeneratedSection::new(PAGE, "operators", &operators),
        GeneratedSection::new(PAGE, "keys of languages", &keys),
        GeneratedSection::new(PAGE, "errors", &table(&["code", "meaning"], errors)),
    ]
}
