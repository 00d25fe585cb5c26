//! A text that findings point into. Turns byte offsets into lines and columns.

use std::fmt;
use std::sync::Arc;

/// A range of bytes in a source, end excluded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// Offset of the first byte.
    pub start: usize,
    /// Offset after the last byte.
    pub end: usize,
}

impl Span {
    /// Returns the range `start..end`.
    pub fn new(start: usize, end: usize) -> Span {
        Span { start, end }
    }

    /// Returns the smallest span that covers both.
    pub fn cover(self, other: Span) -> Span {
        Span::new(self.start.min(other.start), self.end.max(other.end))
    }

    /// Returns the span moved to the right by `offset` bytes.
    pub fn shifted(self, offset: usize) -> Span {
        Span::new(self.start + offset, self.end + offset)
    }
}

/// A place in the form for people: line and column, both from 1.
///
/// Unit: a column is one Unicode scalar value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1.
    pub column: usize,
}

/// A text with its name for people.
#[derive(PartialEq, Eq)]
pub struct Source {
    name: String,
    text: String,
    line_starts: Vec<usize>,
}

impl Source {
    /// Returns a shared source; `name` is the path or title shown in findings.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Arc<Source> {
        let text = text.into();
        let line_starts = std::iter::once(0)
            .chain(text.match_indices('\n').map(|(at, _)| at + 1))
            .collect();
        Arc::new(Source {
            name: name.into(),
            text,
            line_starts,
        })
    }

    /// Returns the name shown in findings.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the text of a span; a span partly outside the text gives the overlapping part.
    pub fn slice(&self, span: Span) -> &str {
        let end = self.floor_char_boundary(span.end);
        &self.text[self.floor_char_boundary(span.start).min(end)..end]
    }

    /// Returns line and column of a byte offset; an offset after the end means the end.
    pub fn position(&self, offset: usize) -> Position {
        let offset = self.floor_char_boundary(offset);
        let line = self.line_starts.partition_point(|start| *start <= offset);
        let start = self.line_starts[line - 1];
        Position {
            line,
            column: self.text[start..offset].chars().count() + 1,
        }
    }

    /// Returns the byte offset of line and column, both from 1; for a position outside the text, the nearest end.
    pub fn offset(&self, position: Position) -> usize {
        let Some(start) = self.line_starts.get(position.line.saturating_sub(1)) else {
            return self.text.len();
        };
        let line = self.text[*start..].split('\n').next().unwrap_or_default();
        let within = line.char_indices().nth(position.column.saturating_sub(1));
        start + within.map_or(line.len(), |(at, _)| at)
    }

    /// Returns the span of one whole line (from 1) without its line end and leading spaces.
    pub fn line_span(&self, line: usize) -> Span {
        let start = self.offset(Position { line, column: 1 });
        let text = self.text[start..].split('\n').next().unwrap_or_default();
        let blanks = text.len() - text.trim_start().len();
        Span::new(start + blanks, start + text.trim_end().len().max(blanks))
    }

    fn floor_char_boundary(&self, offset: usize) -> usize {
        (0..=offset.min(self.text.len()))
            .rev()
            .find(|at| self.text.is_char_boundary(*at))
            .unwrap_or(0)
    }
}

impl fmt::Debug for Source {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Source({}, {} bytes)", self.name, self.text.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_characters_and_round_trip() {
        let source = Source::new("a", "eins\nzwölf drei\n");
        let drei = source.text().find("drei").unwrap();
        let place = source.position(drei);
        assert_eq!((place.line, place.column), (2, 7));
        assert_eq!(source.offset(place), drei);
        assert_eq!(source.position(999).line, 3);
        assert_eq!(source.slice(source.line_span(2)), "zwölf drei");
    }
}
