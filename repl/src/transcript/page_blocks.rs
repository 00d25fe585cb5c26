//! Code blocks of a Markdown page: their kind in words, their lines, and their place.

use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};

/// A code block of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PageBlock {
    /// The words behind the opening fence: `transcript fortune`.
    pub(crate) words: Vec<String>,
    /// The number of its first line below the fence, from 1.
    pub(crate) first_line: usize,
    /// Its text.
    pub(crate) text: String,
}

/// Returns the fenced code blocks of a page, in order.
pub(crate) fn page_blocks(page: &str) -> Vec<PageBlock> {
    let mut blocks: Vec<PageBlock> = Vec::new();
    let mut is_open = false;
    for (event, range) in Parser::new(page).into_offset_iter() {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => {
                is_open = true;
                blocks.push(PageBlock {
                    words: info.split_whitespace().map(str::to_owned).collect(),
                    first_line: page[..range.start].matches('\n').count() + 2,
                    text: String::new(),
                });
            }
            Event::End(TagEnd::CodeBlock) => is_open = false,
            Event::Text(text) if is_open => {
                if let Some(block) = blocks.last_mut() {
                    block.text.push_str(&text);
                }
            }
            _ => {}
        }
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_have_words_text_and_places() {
        let page = "# Page\n\n```transcript mini\n--- one\n\n> go\n```\ntext `code`\n\n    indented\n\n````text\n```\na\n````\n```sh\nls";
        let block = |words: &[&str], first_line, text: &str| PageBlock {
            words: words.iter().map(|word| (*word).to_owned()).collect(),
            first_line,
            text: text.to_owned(),
        };
        assert_eq!(
            page_blocks(page),
            [
                block(&["transcript", "mini"], 4, "--- one\n\n> go\n"),
                block(&["text"], 13, "```\na\n"),
                block(&["sh"], 17, "ls"),
            ]
        );
    }
}
