//! The sections about blocks of documents.

use host::doc::{Style, block_texts};

use super::generated_section::GeneratedSection;
use super::markdown_text::{code, table};
use super::played_examples::PlayedExamples;

const PAGE: &str = "reference/blocks.md";

/// Returns the tables of all blocks and styles, and an example of each block with what a terminal shows.
pub(super) fn block_sections(examples: &mut PlayedExamples<'_>) -> Vec<GeneratedSection> {
    let rows = block_texts().flat_map(|block| {
        let keys = block
            .further
            .iter()
            .map(|(key, values)| format!("{}: {values}", code(key)));
        let keys = keys.collect::<Vec<String>>().join("; ");
        let ways = block.written.iter().enumerate();
        ways.map(|(number, (written, meaning))| {
            let keys = if number == 0 {
                keys.clone()
            } else {
                String::new()
            };
            vec![code(written), (*meaning).to_owned(), keys]
        })
        .collect::<Vec<_>>()
    });
    let plain = vec![
        "a text or number, or a list of spans".to_owned(),
        "a paragraph".to_owned(),
        String::new(),
    ];
    let styled = vec![
        "`{ strong = \"…\" }`, and each other style but `code`".to_owned(),
        "a paragraph in this style".to_owned(),
        String::new(),
    ];
    let blocks = table(
        &["block", "meaning", "further keys"],
        [plain, styled].into_iter().chain(rows),
    );
    let styles = Style::ALL.map(|style| vec![code(style.table_key()), style.meaning().to_owned()]);
    let mut cases = Vec::new();
    for block in block_texts() {
        let line = format!("= act:say(\"public\", {{ {} }})", block.example);
        cases.push(examples.case(&format!("a block with the key {}", block.key), &[line]));
    }
    vec![
        GeneratedSection::new(PAGE, "blocks", &blocks),
        GeneratedSection::new(PAGE, "styles", &table(&["style", "meaning"], styles)),
        GeneratedSection::new(PAGE, "examples", &examples.block(&cases)),
    ]
}
