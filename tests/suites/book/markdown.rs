//! Reads a Markdown page: its links, anchors and code blocks, with their lines.

use std::collections::BTreeSet;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

/// A page.
pub(super) struct Page {
    pub(super) path: String,
    pub(super) text: String,
    pub(super) links: Vec<Link>,
    /// The ids that a link to this page may name.
    pub(super) anchors: BTreeSet<String>,
    pub(super) blocks: Vec<Block>,
    /// The headings, with their lines.
    pub(super) headings: Vec<(usize, String)>,
}

/// A link, with its line.
pub(super) struct Link {
    pub(super) line: usize,
    pub(super) target: String,
}

/// A code block.
#[derive(Clone)]
pub(super) struct Block {
    /// The line of its opening fence.
    pub(super) line: usize,
    /// The words behind its opening fence.
    pub(super) words: Vec<String>,
    pub(super) text: String,
}

impl Page {
    pub(super) fn read(path: &str, text: &str) -> Page {
        let mut page = Page {
            path: path.to_owned(),
            text: text.to_owned(),
            links: Vec::new(),
            anchors: BTreeSet::new(),
            blocks: Vec::new(),
            headings: Vec::new(),
        };
        let (mut heading, mut is_block) = (None, false);
        let line_starts: Vec<usize> = std::iter::once(0)
            .chain(text.match_indices('\n').map(|(at, _)| at + 1))
            .collect();
        for (event, range) in Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter() {
            let line = line_starts.partition_point(|start| *start <= range.start);
            match event {
                Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                    let target = dest_url.to_string();
                    page.links.push(Link { line, target });
                }
                Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
                Event::End(TagEnd::Heading(_)) => {
                    let title = heading.take().unwrap_or_default();
                    page.anchors.insert(heading_id(&title));
                    page.headings.push((line, title));
                }
                Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => {
                    is_block = true;
                    page.blocks.push(Block {
                        line,
                        words: info.split_whitespace().map(str::to_owned).collect(),
                        text: String::new(),
                    });
                }
                Event::End(TagEnd::CodeBlock) => is_block = false,
                Event::Text(said) | Event::Code(said) => {
                    if let Some(heading) = &mut heading {
                        heading.push_str(&said);
                    } else if let Some(block) = page.blocks.last_mut().filter(|_| is_block) {
                        block.text.push_str(&said);
                    }
                }
                Event::Html(html) | Event::InlineHtml(html) => {
                    page.anchors.extend(id_of_anchor(&html));
                }
                _ => {}
            }
        }
        page
    }

    /// Returns the lines outside of code blocks, with their numbers.
    pub(super) fn prose_lines(&self) -> Vec<(usize, &str)> {
        let lines_of_block = |block: &Block| {
            let lines = block.text.lines().count();
            block.line..=block.line + lines + 1
        };
        let in_blocks: BTreeSet<usize> = self.blocks.iter().flat_map(lines_of_block).collect();
        let lines = self.text.lines().enumerate();
        lines
            .map(|(index, line)| (index + 1, line))
            .filter(|(number, _)| !in_blocks.contains(number))
            .collect()
    }
}

/// Returns the id that readers of Markdown give to a heading.
fn heading_id(title: &str) -> String {
    let lower = title.trim().to_lowercase();
    let kept = lower.chars().filter_map(|c| match c {
        ' ' => Some('-'),
        c if c.is_alphanumeric() || matches!(c, '-' | '_') => Some(c),
        _ => None,
    });
    kept.collect()
}

/// Returns the id of `<a id="…">`.
fn id_of_anchor(html: &str) -> Option<String> {
    let (_, rest) = html.split_once("<a id=\"")?;
    let (id, _) = rest.split_once('"')?;
    Some(id.to_owned())
}
