//! Reads one line of an outline.

use crate::diag::Span;

use super::{Entry, Heading, Levels, Line, OutlineTable, Section, tail};

/// A line as it is in the text.
#[derive(Clone, Copy)]
pub(super) struct RawLine<'t> {
    /// All of it.
    raw: &'t str,
    /// The part without outer spaces, and its place.
    pub(super) text: &'t str,
    pub(super) start: usize,
}

impl<'t> RawLine<'t> {
    pub(super) fn new(start: usize, raw: &'t str) -> RawLine<'t> {
        let (start, text) = trim_raw(start, raw);
        RawLine { raw, text, start }
    }
}

/// Reads a line without looking for a bullet.
pub(super) fn read_plain_line<'t>(table: &OutlineTable, row: RawLine<'t>) -> Line<'t> {
    read_entry_line(table, 0, (row.start, row.text))
}

/// Reads a line with its level; `indents` are the indents of the bullets above that it may belong to.
pub(super) fn read_line<'t>(
    table: &OutlineTable,
    row: RawLine<'t>,
    indents: &mut Vec<usize>,
) -> Line<'t> {
    let (whole, text) = ((row.start, row.text), row.text);
    let first = text.chars().next().unwrap_or(' ');
    match &table.levels {
        Levels::Characters(bullets) => match bullets.iter().position(|bullet| *bullet == first) {
            Some(at) => read_line_of_level(table, at + 1, skip_prefix(whole, first.len_utf8())),
            None => read_line_of_level(table, 0, whole),
        },
        Levels::Repeated(bullets) => {
            let count = text.chars().take_while(|c| *c == first).count();
            let length = count * first.len_utf8();
            if bullets.contains(&first) && text[length..].starts_with(char::is_whitespace) {
                read_line_of_level(table, count, skip_prefix(whole, length))
            } else {
                read_line_of_level(table, 0, whole)
            }
        }
        Levels::Indented(bullets) => {
            let length = first.len_utf8();
            let is_bullet =
                bullets.contains(&first) && text[length..].starts_with(char::is_whitespace);
            if !is_bullet {
                indents.clear();
                return read_line_of_level(table, 0, whole);
            }
            let indent = indent_of(row.raw);
            while indents.pop_if(|above| *above >= indent).is_some() {}
            indents.push(indent);
            read_line_of_level(table, indents.len(), skip_prefix(whole, length))
        }
    }
}

/// Reads a heading, if the line is one.
pub(super) fn read_heading<'t>(table: &OutlineTable, row: RawLine<'t>) -> Option<Section<'t>> {
    let text = row.text;
    table.headings.iter().find_map(|heading| {
        let (level, skipped, title) = match heading {
            Heading::Between(open, close) => {
                let title = text
                    .strip_prefix(open.as_str())?
                    .strip_suffix(close.as_str())?;
                (1, open.len(), title)
            }
            Heading::Prefix(mark) => {
                let level = text.chars().take_while(|c| c == mark).count();
                let title = &text[level * mark.len_utf8()..];
                let fits = level > 0 && title.starts_with(char::is_whitespace);
                (
                    level,
                    text.len() - title.len(),
                    Some(title).filter(|_| fits)?,
                )
            }
            Heading::Suffix(mark) => {
                let title = text.strip_suffix(*mark);
                let title = title.filter(|_| indent_of(row.raw) == 0)?;
                let bullet = read_line(table, row, &mut Vec::new()).level > 0;
                (1, 0, Some(title).filter(|_| !bullet)?)
            }
        };
        let (title_start, title) = trim_raw(row.start + skipped, title);
        (!title.is_empty()).then(|| Section {
            title,
            title_span: Span::new(title_start, title_start + title.len()),
            level,
            ..Section::default()
        })
    })
}

fn read_line_of_level<'t>(
    table: &OutlineTable,
    level: usize,
    (start, text): (usize, &'t str),
) -> Line<'t> {
    let Some(at) = tail::tail_start(table, text) else {
        return read_entry_line(table, level, (start, text));
    };
    let tail = &text[at..];
    Line {
        tail: Some((tail, Span::new(start + at, start + text.len()))),
        ..read_entry_line(table, level, (start, text[..at].trim_end()))
    }
}

/// Returns a line without tail.
pub(super) fn read_entry_line<'t>(
    table: &OutlineTable,
    level: usize,
    (start, text): (usize, &'t str),
) -> Line<'t> {
    let (start, text) = trim_raw(start, text);
    Line {
        level,
        text,
        span: Span::new(start, start + text.len()),
        entry: split_entry(&table.quotes, start, text),
        tail: None,
        number: 0,
        end: 0,
    }
}

/// Returns the columns of spaces in front. A tab goes to the next multiple of four.
fn indent_of(raw: &str) -> usize {
    let blanks = raw.chars().take_while(|c| c.is_whitespace());
    blanks.fold(0, |column, c| {
        if c == '\t' {
            column / 4 * 4 + 4
        } else {
            column + 1
        }
    })
}

fn trim_raw(start: usize, raw: &str) -> (usize, &str) {
    let text = raw.trim_start();
    (start + raw.len() - text.len(), text.trim_end())
}

fn skip_prefix((start, text): (usize, &str), length: usize) -> (usize, &str) {
    trim_raw(start + length, &text[length..])
}

/// Splits a line at the first `: `, or a last `:`, outside of quotes.
fn split_entry<'t>(quotes: &[(char, char)], start: usize, text: &'t str) -> Option<Entry<'t>> {
    let colon = find_colon(quotes, text).filter(|colon| *colon > 0)?;
    let (key_start, key) = trim_raw(start, &text[..colon]);
    let (value_start, value) = trim_raw(start + colon + 1, &text[colon + 1..]);
    Some(Entry {
        key,
        key_span: Span::new(key_start, key_start + key.len()),
        value,
        value_span: Span::new(value_start, value_start + value.len()),
    })
}

fn find_colon(quotes: &[(char, char)], text: &str) -> Option<usize> {
    let mut dead = vec![false; quotes.len()];
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        let rest = &text[at + c.len_utf8()..];
        if c == ':' && (rest.is_empty() || rest.starts_with(char::is_whitespace)) {
            return Some(at);
        }
        if let Some(length) = quoted_length(quotes, c, rest, &mut dead) {
            let behind = at + c.len_utf8() + length;
            chars.by_ref().find(|(at, _)| *at >= behind);
        }
    }
    None
}

/// Returns the number of bytes between a quote that a character opens and the quote that closes it.
///
/// `dead` remembers the kinds of quote that have no closing quote left.
pub(super) fn quoted_length(
    quotes: &[(char, char)],
    c: char,
    rest: &str,
    dead: &mut [bool],
) -> Option<usize> {
    let at = quotes.iter().position(|(open, _)| *open == c)?;
    if dead[at] {
        return None;
    }
    let found = rest.find(quotes[at].1);
    dead[at] = found.is_none();
    found
}
