//! A story as one document, for formats that have no pages of their own.

use host::doc::build::{fields, heading, item, line, list, muted, paragraph, quote, strong, text};
use host::doc::{Audience, Block, Document, Line};
use host::game::{CastMember, Passage, Story, StoryEntry};
use host::words::Words;

use crate::pages;

/// Returns a story as a document: title, result, cast, chapters. A run of ledger lines is its summary.
pub(super) fn story_as_document(story: &Story) -> Document {
    let words = &story.words;
    let mut blocks = vec![
        heading(1, story.title.as_str()),
        paragraph(pages::lead(story)),
    ];
    if !story.result.is_empty() {
        blocks.push(heading(2, words.text("story.result")));
        blocks.extend(
            story
                .result
                .iter()
                .flat_map(|one| below_heading(&one.blocks, 2)),
        );
    }
    if !story.cast.is_empty() {
        blocks.push(heading(2, words.text("story.cast")));
        blocks.push(list(
            story.cast.iter().map(|one| item(cast_line(one, words), [])),
        ));
    }
    for chapter in &story.chapters {
        blocks.push(heading(2, chapter.title.as_str()));
        blocks.extend(chapter.passages.iter().flat_map(passage_blocks));
        let corrections = chapter.corrections.iter();
        blocks.extend(corrections.map(|text| paragraph(muted(text.as_str()))));
    }
    for ledger in &story.tables {
        blocks.push(heading(2, ledger.title.as_str()));
        blocks.extend(ledger.table.blocks.iter().cloned());
    }
    blocks.push(heading(2, words.text("story.about")));
    let facts = story.facts.iter();
    let facts = facts.map(|fact| (fact.label.as_str(), fact.value.as_str()));
    blocks.push(fields(facts));
    Document::new(blocks)
}

fn cast_line(member: &CastMember, words: &Words) -> Line {
    let mut spans = vec![strong(member.name.as_str())];
    if !member.says.is_empty() {
        spans.push(text(": "));
        spans.extend(member.says.0.iter().cloned());
    } else if member.is_out {
        spans.push(text(format!(": {}", words.text("story.out"))));
    }
    line(spans)
}

fn passage_blocks(passage: &Passage) -> Vec<Block> {
    match passage {
        Passage::Text(entry) => entry_blocks(entry),
        Passage::Ledger { summary, .. } => vec![paragraph(muted(summary.as_str()))],
    }
}

fn entry_blocks(entry: &StoryEntry) -> Vec<Block> {
    let blocks = below_heading(&entry.document.blocks, 2);
    let blocks = match &entry.document.audience {
        Audience::Public => blocks,
        some => vec![host::doc::build::blocks_for(some.clone(), blocks)],
    };
    match entry.holds {
        true => blocks,
        false => std::iter::once(paragraph(muted(entry.fate.as_str())))
            .chain([quote(blocks)])
            .collect(),
    }
}

/// Returns blocks whose headings stand below a heading of a level.
fn below_heading(blocks: &[Block], above: u8) -> Vec<Block> {
    let lowered = blocks.iter().map(|block| match block {
        Block::Heading { level, line } => heading((level + above).min(6), line.clone()),
        other => other.clone(),
    });
    lowered.collect()
}
