//! Builds documents in Rust: `heading(1, "Night")`, `line([text("a "), strong("b")])`.

use super::{
    Align, Audience, Bar, Bars, Block, Column, Document, Field, GridMap, Item, Kind, Line, Span,
    Style, Table,
};
use crate::value::{Number, Value};

impl Document {
    /// Returns a document for everybody.
    pub fn new(blocks: impl IntoIterator<Item = Block>) -> Document {
        Document {
            blocks: blocks.into_iter().collect(),
            ..Document::default()
        }
    }

    /// Limits the document to an audience.
    #[must_use]
    pub fn limit_to_audience(mut self, audience: Audience) -> Document {
        self.audience = audience;
        self
    }

    /// Sets its place in a story.
    #[must_use]
    pub fn of_kind(mut self, kind: Kind) -> Document {
        self.kind = kind;
        self
    }

    /// Sets the data for programs.
    #[must_use]
    pub fn data(mut self, data: Value) -> Document {
        self.data = Some(data);
        self
    }
}

/// Returns a heading; 1 is the largest, 6 the smallest.
pub fn heading(level: u8, line: impl Into<Line>) -> Block {
    Block::Heading {
        level: level.clamp(1, 6),
        line: line.into(),
    }
}

/// Returns a paragraph.
pub fn paragraph(line: impl Into<Line>) -> Block {
    Block::Paragraph(line.into())
}

/// Returns a list with bullets.
pub fn list<I: Into<Item>>(items: impl IntoIterator<Item = I>) -> Block {
    Block::List {
        ordered: false,
        items: items.into_iter().map(Into::into).collect(),
    }
}

/// Returns a list with numbers from 1.
pub fn numbered_list<I: Into<Item>>(items: impl IntoIterator<Item = I>) -> Block {
    Block::List {
        ordered: true,
        items: items.into_iter().map(Into::into).collect(),
    }
}

/// Returns an item of a list with blocks below its line.
pub fn item(line: impl Into<Line>, blocks: impl IntoIterator<Item = Block>) -> Item {
    Item {
        line: line.into(),
        blocks: blocks.into_iter().collect(),
    }
}

/// Returns a table without rows, with left-aligned columns. Add rows with [`Table::row`].
pub fn table<C: Into<Column>>(columns: impl IntoIterator<Item = C>) -> Table {
    Table {
        columns: columns.into_iter().map(Into::into).collect(),
        ..Table::default()
    }
}

/// Returns a column of numbers.
pub fn right_column(title: impl Into<Line>) -> Column {
    Column {
        title: title.into(),
        align: Align::Right,
        audience: None,
    }
}

impl Column {
    /// Limits the column to an audience.
    #[must_use]
    pub fn for_audience(mut self, audience: Audience) -> Column {
        self.audience = Some(audience);
        self
    }
}

impl Table {
    /// Adds a row.
    #[must_use]
    pub fn row<L: Into<Line>>(mut self, cells: impl IntoIterator<Item = L>) -> Table {
        self.rows.push(cells.into_iter().map(Into::into).collect());
        self
    }

    /// Sets the text above the table.
    #[must_use]
    pub fn caption(mut self, caption: impl Into<Line>) -> Table {
        self.caption = caption.into();
        self
    }
}

/// Returns a bar chart.
pub fn bar_chart(bars: impl IntoIterator<Item = Bar>) -> Block {
    Block::Bars(Bars {
        caption: Line::default(),
        bars: bars.into_iter().collect(),
    })
}

/// Returns one bar; `text` is its value in the form for people.
pub fn bar(label: impl Into<Line>, value: Number, text: impl Into<Line>) -> Bar {
    Bar {
        label: label.into(),
        value,
        text: text.into(),
    }
}

/// Returns a map of cells.
pub fn grid_map(map: GridMap) -> Block {
    Block::Grid(map)
}

/// Returns text that is shown unchanged.
pub fn code(language: impl Into<String>, text: impl Into<String>) -> Block {
    Block::Code {
        language: language.into(),
        text: text.into(),
    }
}

/// Returns a quotation.
pub fn quote(blocks: impl IntoIterator<Item = Block>) -> Block {
    Block::Quote(blocks.into_iter().collect())
}

/// Returns labels with values.
pub fn fields<L: Into<Line>, V: Into<Line>>(pairs: impl IntoIterator<Item = (L, V)>) -> Block {
    let field = |(label, value): (L, V)| Field {
        label: label.into(),
        value: value.into(),
    };
    Block::Fields(pairs.into_iter().map(field).collect())
}

/// Returns a line across.
pub fn rule_line() -> Block {
    Block::Rule
}

/// Returns blocks that only an audience may see.
pub fn blocks_for(audience: Audience, blocks: impl IntoIterator<Item = Block>) -> Block {
    Block::For {
        audience,
        blocks: blocks.into_iter().collect(),
    }
}

/// Returns a line of spans.
pub fn line(spans: impl IntoIterator<Item = Span>) -> Line {
    Line(spans.into_iter().collect())
}

/// Returns a span in a style.
pub fn span(style: Style, text: impl Into<String>) -> Span {
    Span {
        text: text.into(),
        style,
        audience: None,
    }
}

/// Returns a span in the style of the text around it.
pub fn text(text: impl Into<String>) -> Span {
    span(Style::Plain, text)
}

/// Returns an important span.
pub fn strong(text: impl Into<String>) -> Span {
    span(Style::Strong, text)
}

/// Returns a stressed span.
pub fn emphasis(text: impl Into<String>) -> Span {
    span(Style::Emphasis, text)
}

/// Returns a span that is struck through.
pub fn strike(text: impl Into<String>) -> Span {
    span(Style::Strike, text)
}

/// Returns a less important span.
pub fn muted(text: impl Into<String>) -> Span {
    span(Style::Muted, text)
}

impl Span {
    /// Limits the span to an audience.
    #[must_use]
    pub fn for_audience(mut self, audience: Audience) -> Span {
        self.audience = Some(audience);
        self
    }
}

impl From<Span> for Line {
    fn from(span: Span) -> Line {
        Line(vec![span])
    }
}

impl<const N: usize> From<[Span; N]> for Line {
    fn from(spans: [Span; N]) -> Line {
        Line(spans.into())
    }
}

impl From<&str> for Line {
    fn from(text: &str) -> Line {
        Line::from(text.to_owned())
    }
}

/// An empty text is an empty line.
impl From<String> for Line {
    fn from(text: String) -> Line {
        let span = (!text.is_empty()).then(|| self::text(text));
        Line(span.into_iter().collect())
    }
}

impl From<Number> for Line {
    fn from(number: Number) -> Line {
        Line::from(number.to_string())
    }
}

impl From<i64> for Line {
    fn from(number: i64) -> Line {
        Line::from(number.to_string())
    }
}

impl<L: Into<Line>> From<L> for Item {
    fn from(line: L) -> Item {
        item(line, [])
    }
}

impl<L: Into<Line>> From<L> for Column {
    fn from(title: L) -> Column {
        Column {
            title: title.into(),
            ..Column::default()
        }
    }
}

impl From<Table> for Block {
    fn from(table: Table) -> Block {
        Block::Table(table)
    }
}
