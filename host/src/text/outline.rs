//! Reads the shape of a text file: headline, sections, lines with levels, keys and values.
//!
//! In: a text and the `OutlineTable` of a ruleset. Out: lines with their spans, and findings. Scripts decide the
//! meaning of the lines. The shape is returned even if findings report that it is odd. A line may end with a *tail*:
//! groups in brackets with spaces between them.

use crate::diag::Span;

use super::finding::Finding;

mod line;
mod tail;

use line::RawLine;

pub use tail::Group;

/// The forms of a heading line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heading {
    /// Marks at both ends, as in `__Title__`; the level is 1.
    Between(String, String),
    /// A mark in front, repeated once more for each level, then a space, as in `## Title`.
    Prefix(char),
    /// A mark at the end of a line without bullet and indentation, as in `Title:`; the level is 1.
    Suffix(char),
}

/// The rules for the level of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Levels {
    /// Its first character, the first of these for level 1. Indentation is decoration.
    Characters(Vec<char>),
    /// The number of repetitions of its first character, as in `** text`. A space follows.
    Repeated(Vec<char>),
    /// Its indentation with one of these characters. A line deeper than the bullet above is one level more.
    Indented(Vec<char>),
}

/// The form of the files of a ruleset, with the limits for one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutlineTable {
    /// Whether the first line that is not empty is a headline.
    pub headline: bool,
    /// The forms of headings; the first that fits counts.
    pub headings: Vec<Heading>,
    /// The rule for the levels of lines.
    pub levels: Levels,
    /// Quotes within which `: ` does not end a key.
    pub quotes: Vec<(char, char)>,
    /// The brackets of tails; the two ends of a pair may be the same character.
    pub tails: Vec<(char, char)>,
    /// Most bytes; a longer text is cut.
    pub max_bytes: usize,
    /// Most lines; the lines after them are cut.
    pub max_lines: usize,
    /// Most bytes of a line. A longer line is not read, because half of it would mean something else.
    pub max_line_bytes: usize,
    /// Deepest level; a deeper line gets this one.
    pub max_level: usize,
}

impl Default for OutlineTable {
    /// A headline, `# Title` headings, indented `-` and `*` bullets, the limits of a short text file.
    fn default() -> OutlineTable {
        OutlineTable {
            headline: true,
            headings: vec![Heading::Prefix('#')],
            levels: Levels::Indented(vec!['-', '*']),
            quotes: vec![('`', '`'), ('"', '"')],
            tails: Vec::new(),
            max_bytes: 64 * 1024,
            max_lines: 512,
            max_line_bytes: 2 * 1024,
            max_level: 16,
        }
    }
}

/// One line that is not empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line<'t> {
    /// 0 without bullet.
    pub level: usize,
    /// The text without bullet, outer spaces and tail.
    pub text: &'t str,
    /// The place of the text.
    pub span: Span,
    /// The text before the first `: ` (or a last `:`) outside of quotes, and the text after it, with spans.
    pub entry: Option<Entry<'t>>,
    /// The groups in brackets at its end, as written, and their place.
    pub tail: Option<(&'t str, Span)>,
    /// Its number in the text, from 1; empty lines count.
    pub number: usize,
    /// The byte after it and its line break.
    pub end: usize,
}

/// A line of the form `key: value`; the value may be empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry<'t> {
    /// The key without outer spaces.
    pub key: &'t str,
    /// The place of the key.
    pub key_span: Span,
    /// The value without outer spaces.
    pub value: &'t str,
    /// The place of the value.
    pub value_span: Span,
}

/// A heading and the lines up to the next one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Section<'t> {
    /// The title; empty for the lines before the first heading.
    pub title: &'t str,
    /// The place of the title.
    pub title_span: Span,
    /// Level of the heading, from 1; 0 before the first.
    pub level: usize,
    /// The lines.
    pub lines: Vec<Line<'t>>,
    /// The bytes after its heading, or after the headline, up to the next heading.
    pub inside: Span,
}

/// The shape of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline<'t> {
    /// The headline, if the table requires one.
    pub headline: Option<Line<'t>>,
    /// The sections; the first has no title and holds the lines before the first heading.
    pub sections: Vec<Section<'t>>,
    /// Problems of the shape.
    pub findings: Vec<Finding>,
}

impl<'t> Outline<'t> {
    /// Reads a text. Findings: `limit/size`, `limit/depth`.
    pub fn read(table: &OutlineTable, text: &'t str) -> Outline<'t> {
        Outline::read_sections(table, text, None)
    }

    /// Reads a text. If a title is given, only the lines of sections with this title are read, without regard to case.
    ///
    /// The other sections stay, without lines; their lines are not findings. Findings: as for [`Outline::read`].
    pub fn read_sections(table: &OutlineTable, text: &'t str, only: Option<&str>) -> Outline<'t> {
        let only = only.map(str::to_lowercase);
        let is_wanted = |title: &str| {
            only.as_ref()
                .is_none_or(|only| title.to_lowercase() == *only)
        };
        let mut is_read = is_wanted("");
        let mut outline = Outline {
            sections: vec![Section::default()],
            ..Outline::default()
        };
        let text = outline.cut_to_limits(table, text);
        let mut indents = Vec::new();
        for (number, (start, raw)) in (1..).zip(numbered_lines(text)) {
            let row = RawLine::new(start, raw);
            if row.text.is_empty() {
                continue;
            }
            let end = start + raw.len();
            let in_text = |line: Line<'t>| Line {
                number,
                end,
                ..line
            };
            if table.headline && outline.headline.is_none() {
                outline.headline = Some(in_text(line::read_plain_line(table, row)));
                outline.sections[0].inside.start = end;
            } else if let Some(mut section) = line::read_heading(table, row) {
                is_read = is_wanted(section.title);
                section.inside.start = end;
                outline.end_section(start);
                outline.sections.push(section);
                indents.clear();
            } else if is_read && outline.check_line_length(table, (start, row)) {
                let line = line::read_line(table, row, &mut indents);
                outline.push_line(table, in_text(line));
            }
        }
        outline.end_section(text.len());
        outline
    }

    /// Returns the first section of a title, without regard to case.
    pub fn section_titled(&self, title: &str) -> Option<&Section<'t>> {
        let title = title.to_lowercase();
        let mut sections = self.sections.iter();
        sections.find(|section| section.title.to_lowercase() == title)
    }

    fn end_section(&mut self, end: usize) {
        if let Some(section) = self.sections.last_mut() {
            section.inside.end = end.max(section.inside.start);
        }
    }

    fn push_line(&mut self, table: &OutlineTable, mut line: Line<'t>) {
        if line.level > table.max_level {
            let message = format!(
                "lines are nested more than {} levels deep here",
                table.max_level
            );
            let once = self
                .findings
                .iter()
                .all(|finding| finding.code != "limit/depth");
            if once {
                self.findings
                    .push(Finding::new("limit/depth", line.span, message));
            }
            line.level = table.max_level;
        }
        let section = self.sections.last_mut();
        let section = section.expect("invariant: an outline has a first section");
        section.lines.push(line);
    }

    /// Returns whether a line is within its limit, and reports a line that is not.
    fn check_line_length(&mut self, table: &OutlineTable, line: (usize, RawLine)) -> bool {
        let (start, end) = (line.0, line.1.start + line.1.text.len());
        let has_room = end - start <= table.max_line_bytes;
        if !has_room {
            let most = table.max_line_bytes;
            let message = format!("the line is longer than {most} bytes and is not read");
            let span = Span::new(start, end);
            self.findings
                .push(Finding::new("limit/size", span, message));
        }
        has_room
    }

    /// Returns the part of the text within the limits, and reports the cut.
    fn cut_to_limits(&mut self, table: &OutlineTable, text: &'t str) -> &'t str {
        let mut end = text.len();
        if end > table.max_bytes {
            end = text.floor_char_boundary(table.max_bytes);
            let message = format!("the text is longer than {} bytes", table.max_bytes);
            self.findings.push(Finding::new(
                "limit/size",
                Span::new(end, text.len()),
                message,
            ));
        }
        let breaks = text[..end].bytes().filter(|byte| *byte == b'\n').count();
        let is_long = breaks >= table.max_lines;
        let behind = is_long.then(|| numbered_lines(&text[..end]).nth(table.max_lines));
        if let Some((start, _)) = behind.flatten() {
            end = start;
            let message = format!("the text has more than {} lines", table.max_lines);
            self.findings.push(Finding::new(
                "limit/size",
                Span::new(end, text.len()),
                message,
            ));
        }
        &text[..end]
    }
}

impl OutlineTable {
    /// Returns the groups of a text that is a tail. The text between the groups is ignored.
    pub fn tail_groups<'t>(&self, text: &'t str) -> Vec<Group<'t>> {
        tail::tail_groups(self, text)
    }

    /// Returns the content of a line without bullet and tail: its entry, or all of it without outer spaces.
    pub fn split_key_and_value<'t>(&self, text: &'t str) -> Line<'t> {
        line::read_entry_line(self, 0, (0, text))
    }
}

impl Section<'_> {
    /// Returns the text of the section in the text from which it was read.
    pub fn section_text<'s>(&self, text: &'s str) -> &'s str {
        &text[self.inside.start..self.inside.end]
    }
}

/// Returns the lines with the offsets of their first bytes.
fn numbered_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut start = 0;
    text.split_inclusive('\n').map(move |line| {
        let at = start;
        start += line.len();
        (at, line)
    })
}

#[cfg(test)]
mod tests;
