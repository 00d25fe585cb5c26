//! Reads a Markdown page: its links, anchors, headings, rows of tables and code blocks, with their lines.

use std::collections::BTreeSet;
use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

/// A page.
#[derive(Clone, Debug)]
pub struct Page {
    /// Its path.
    pub path: String,
    /// Its text.
    pub text: String,
    /// Its links and pictures.
    pub links: Vec<Link>,
    /// The ids that a link to this page may name.
    pub anchors: BTreeSet<String>,
    /// The fenced code blocks.
    pub blocks: Vec<Block>,
    /// The headings, with their lines.
    pub headings: Vec<(usize, String)>,
    /// The rows of all tables.
    pub rows: Vec<Row>,
}

/// A link, with its line from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// Its line.
    pub line: usize,
    /// The page or place that it leads to.
    pub target: String,
}

/// A code block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The line of its opening fence, from 1.
    pub line: usize,
    /// The words behind its opening fence: `transcript fortune`.
    pub words: Vec<String>,
    /// Its text.
    pub text: String,
}

/// A row of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its line, from 1.
    pub line: usize,
    /// Whether it is the head of its table.
    pub is_head: bool,
    /// Its cells as they are written.
    pub cells: Vec<String>,
}

impl Page {
    /// Reads a page.
    pub fn read(path: &str, text: &str) -> Page {
        let page = Page {
            path: path.to_owned(),
            text: text.to_owned(),
            links: Vec::new(),
            anchors: BTreeSet::new(),
            blocks: Vec::new(),
            headings: Vec::new(),
            rows: Vec::new(),
        };
        let line_ends = text.match_indices('\n').map(|(at, _)| at + 1);
        let mut reader = Reader {
            page,
            line_starts: std::iter::once(0).chain(line_ends).collect(),
            heading: None,
            is_block: false,
        };
        for (event, range) in Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter() {
            reader.take_event(event, range);
        }
        reader.page
    }

    /// Returns the lines outside of code blocks, with their numbers.
    pub fn prose_lines(&self) -> Vec<(usize, &str)> {
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

/// A page while it is read.
struct Reader {
    page: Page,
    /// Where each line begins.
    line_starts: Vec<usize>,
    /// The text of the heading that is open.
    heading: Option<String>,
    /// Whether a code block is open.
    is_block: bool,
}

impl Reader {
    fn take_event(&mut self, event: Event<'_>, range: Range<usize>) {
        let line = self
            .line_starts
            .partition_point(|start| *start <= range.start);
        let page = &mut self.page;
        match event {
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                let target = dest_url.to_string();
                page.links.push(Link { line, target });
            }
            Event::Start(Tag::Heading { .. }) => self.heading = Some(String::new()),
            Event::End(TagEnd::Heading(_)) => {
                let title = self.heading.take().unwrap_or_default();
                page.anchors.insert(heading_id(&title));
                page.headings.push((line, title));
            }
            Event::Start(Tag::TableHead | Tag::TableRow) => page.rows.push(Row {
                line,
                is_head: matches!(event, Event::Start(Tag::TableHead)),
                cells: Vec::new(),
            }),
            Event::Start(Tag::TableCell) => {
                let cell = page.text[range].trim().to_owned();
                if let Some(row) = page.rows.last_mut() {
                    row.cells.push(cell);
                }
            }
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => {
                self.is_block = true;
                page.blocks.push(Block {
                    line,
                    words: info.split_whitespace().map(str::to_owned).collect(),
                    text: String::new(),
                });
            }
            Event::End(TagEnd::CodeBlock) => self.is_block = false,
            Event::Text(said) | Event::Code(said) => {
                if let Some(heading) = &mut self.heading {
                    heading.push_str(&said);
                } else if let Some(block) = page.blocks.last_mut().filter(|_| self.is_block) {
                    block.text.push_str(&said);
                }
            }
            Event::Html(html) | Event::InlineHtml(html) => {
                page.anchors.extend(id_of_anchor(&html));
            }
            _ => {}
        }
    }
}

/// Returns the id that readers of Markdown give to a heading.
pub(crate) fn heading_id(title: &str) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_have_words_text_and_places() {
        let page = "# Page\n\n```transcript mini\n--- one\n\n> go\n```\ntext `code`\n\n    indented\n\n````text\n```\na\n````\n```sh\nls";
        let block = |words: &[&str], line, text: &str| Block {
            line,
            words: words.iter().map(|word| (*word).to_owned()).collect(),
            text: text.to_owned(),
        };
        assert_eq!(
            Page::read("a.md", page).blocks,
            [
                block(&["transcript", "mini"], 3, "--- one\n\n> go\n"),
                block(&["text"], 12, "```\na\n"),
                block(&["sh"], 16, "ls"),
            ]
        );
    }

    #[test]
    fn a_page_has_headings_anchors_links_and_rows() {
        let text = "# `a/b` c\n\n<a id=\"r1\"></a>\n\nSee [x](y.md#z).\n\n| term | not |\n|---|---|\n| row, `a\\|b` | |\n";
        let page = Page::read("a.md", text);
        assert_eq!(page.headings, [(1, "a/b c".to_owned())]);
        let anchors: Vec<&str> = page.anchors.iter().map(String::as_str).collect();
        assert_eq!(anchors, ["ab-c", "r1"]);
        assert_eq!(
            page.links,
            [Link {
                line: 5,
                target: "y.md#z".to_owned()
            }]
        );
        let cells = |row: &Row| (row.line, row.is_head, row.cells.clone());
        let rows: Vec<_> = page.rows.iter().map(cells).collect();
        let owned = |cells: [&str; 2]| cells.map(str::to_owned).to_vec();
        assert_eq!(
            rows,
            [
                (7, true, owned(["term", "not"])),
                (9, false, owned(["row, `a\\|b`", ""])),
            ]
        );
    }
}
