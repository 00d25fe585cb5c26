//! The sections about blocks of documents.

use host::doc::{Block, Document, Format, Line, Screen, Span, Style, block_texts, part_texts};

use super::generated_section::GeneratedSection;
use super::markdown_text::{code, table};
use super::played_examples::PlayedExamples;

const PAGE: &str = "reference/blocks.md";

/// The kind of block that a post for everybody does not show, because it has an audience.
const FOR_SOME: &str = "blocks";

/// Returns the tables of all blocks, their parts and styles, an example of each block with what a terminal shows, and what
/// each format of posts and files makes of these examples.
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
    let mut document = Document::new(vec![line_of_styles()]);
    for block in block_texts() {
        let line = format!("= act:say(\"public\", {{ {} }})", block.example);
        if block.key != FOR_SOME {
            document.blocks.extend(examples.blocks_of_line(&line));
        }
        cases.push(examples.case(&format!("a block with the key {}", block.key), &[line]));
    }
    vec![
        GeneratedSection::new(PAGE, "blocks", &blocks),
        GeneratedSection::new(PAGE, "parts", &part_table()),
        GeneratedSection::new(PAGE, "styles", &table(&["style", "meaning"], styles)),
        GeneratedSection::new(PAGE, "examples", &examples.block(&cases)),
        GeneratedSection::new(PAGE, "formats", &written_in_all_formats(&document)),
    ]
}

/// Returns the table of the parts of blocks.
fn part_table() -> String {
    let rows = part_texts().flat_map(|part| {
        let ways = part.written.iter().enumerate();
        let row = |(number, (written, meaning)): (usize, &(&str, &str))| {
            let name = (number == 0).then(|| code(part.name));
            vec![
                name.unwrap_or_default(),
                code(written),
                (*meaning).to_owned(),
            ]
        };
        ways.map(row).collect::<Vec<_>>()
    });
    table(&["part", "form", "meaning"], rows)
}

/// Returns a paragraph with a word in each style. The number of a log line depends on the game, so it is left out.
fn line_of_styles() -> Block {
    let styles = Style::ALL
        .into_iter()
        .filter(|style| *style != Style::LogLine);
    let span = |text: &str, style: Style| Span {
        text: text.to_owned(),
        style,
        ..Span::default()
    };
    let words = styles.flat_map(|style| [span(style.table_key(), style), span(" ", Style::Plain)]);
    let mut spans: Vec<Span> = words.collect();
    spans.pop();
    Block::Paragraph(Line(spans))
}

/// Returns what each format of posts and files makes of a document, below a heading for each.
fn written_in_all_formats(document: &Document) -> String {
    let formats = Format::ALL
        .into_iter()
        .filter(|format| !matches!(format, Format::Terminal | Format::Json));
    let parts = formats.map(|format| {
        let written = format.render(document, None, &Screen::default());
        let written = written.replace("\r\n", "\n");
        format!(
            "### The format {}\n\n````text notation\n{}\n````\n",
            code(format.as_str()),
            written.trim_end()
        )
    });
    parts.collect::<Vec<String>>().join("\n")
}
