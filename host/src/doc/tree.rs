//! The tree of a document: blocks, lines and spans as open data.

use super::Audience;
use crate::value::{Number, Value};

/// A document: blocks for people, data for programs, and its audience.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Document {
    /// The audience of the whole document; parts may be limited further.
    pub audience: Audience,
    /// Its place in a story.
    pub kind: Kind,
    /// The choice that it reports, which a story counts.
    pub tally: Option<Tally>,
    /// The content for people.
    pub blocks: Vec<Block>,
    /// The data for programs; map entries with a key `@AUDIENCE` are for that audience alone.
    pub data: Option<Value>,
}

/// The kinds of documents: the place that a story gives them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// It appears as text.
    #[default]
    Story,
    /// One of many lines, such as a vote or a move: a story folds a run of them into one summary.
    Ledger,
    /// For the person who typed the line, such as a confirmation: it is in no story.
    Notice,
    /// How the game, or a part of it, ended: it appears as text, and above the story too.
    Result,
}

impl Kind {
    /// All kinds, in the order of the documentation.
    pub const ALL: [Kind; 4] = [Kind::Story, Kind::Ledger, Kind::Notice, Kind::Result];

    /// Returns the word in a table.
    pub fn table_key(self) -> &'static str {
        match self {
            Kind::Story => "story",
            Kind::Ledger => "ledger",
            Kind::Notice => "notice",
            Kind::Result => "result",
        }
    }
}

/// Who chose what, in a document that reports it. A story counts the last choice of each person.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// What the choice is about, such as the name of a poll.
    pub of: String,
    /// Who chose.
    pub by: String,
    /// The choice; nothing if an earlier choice is taken back.
    pub choice: Option<String>,
}

/// One block of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    /// A heading.
    Heading {
        /// 1 is the largest, 6 the smallest.
        level: u8,
        /// Its text.
        line: Line,
    },
    /// A paragraph; an empty one is an empty line.
    Paragraph(Line),
    /// A list with bullets or numbers from 1.
    List {
        /// Numbers instead of bullets.
        ordered: bool,
        /// The items.
        items: Vec<Item>,
    },
    /// A table.
    Table(Table),
    /// A bar chart.
    Bars(Bars),
    /// A map of cells.
    Grid(GridMap),
    /// Text that is shown unchanged.
    Code {
        /// Name of its language for readers that colour it; may be empty.
        language: String,
        /// The text.
        text: String,
    },
    /// A quotation.
    Quote(Vec<Block>),
    /// Labels with values.
    Fields(Vec<Field>),
    /// A line across.
    Rule,
    /// Blocks that only an audience may see.
    For {
        /// The audience.
        audience: Audience,
        /// The blocks for that audience.
        blocks: Vec<Block>,
    },
}

/// One item of a list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Item {
    /// Its text.
    pub line: Line,
    /// The blocks below it, a nested list for example.
    pub blocks: Vec<Block>,
}

/// A table; missing cells are empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// Shown above it; may be empty.
    pub caption: Line,
    /// Its columns; if all titles are empty there is no header.
    pub columns: Vec<Column>,
    /// Its rows, each a list of cells. If columns are given, no row is longer than the columns.
    pub rows: Vec<Vec<Line>>,
}

impl Table {
    /// Returns the number of drawn columns.
    pub fn column_count(&self) -> usize {
        let widest = self.rows.iter().map(Vec::len).max();
        widest.unwrap_or_default().max(self.columns.len())
    }

    /// Returns the alignment of a column; a column without a declaration is left-aligned.
    pub fn column_align(&self, column: usize) -> Align {
        self.columns
            .get(column)
            .map_or(Align::Left, |column| column.align)
    }
}

/// One column of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Column {
    /// Its header.
    pub title: Line,
    /// The alignment of its cells.
    pub align: Align,
    /// The audience of the column, if not everybody.
    pub audience: Option<Audience>,
}

/// The alignments of a cell in its column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Align {
    /// At the left.
    #[default]
    Left,
    /// At the right, as numbers do.
    Right,
    /// In the middle.
    Center,
}

/// A bar chart; the largest value has the longest bar.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bars {
    /// Shown above it; may be empty.
    pub caption: Line,
    /// Its bars, from the top.
    pub bars: Vec<Bar>,
}

/// One bar of a chart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bar {
    /// Its label.
    pub label: Line,
    /// Its length; nothing is drawn for zero and less.
    pub value: Number,
    /// The value in the form for people, `1/6` or `16.7%`; if empty, the number itself is shown.
    pub text: Line,
}

/// A map of cells, seen from above. Texts show its marks; pages draw it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GridMap {
    /// Its name for readers who do not see the picture; may be empty.
    pub title: String,
    /// Its rows, from the top.
    pub rows: Vec<GridRow>,
    /// The labels of its columns, from the left; a picture has them below.
    pub columns: Vec<String>,
    /// The lines below the marks in texts, such as a scale and the meaning of the marks.
    pub below: String,
}

/// One row of a map.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GridRow {
    /// Its label, at the left; may be empty.
    pub label: String,
    /// Its cells, from the left.
    pub cells: Vec<GridCell>,
}

/// One cell of a map.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GridCell {
    /// Its mark in texts, one character; pictures draw it too, unless the cell has no kind.
    pub mark: String,
    /// The kind of what is there, such as `water`: pictures give each kind a pattern. Empty for plain ground.
    pub kind: String,
    /// What is there, in words; may be empty.
    pub label: String,
}

/// A label with its value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Field {
    /// The label, without a colon.
    pub label: Line,
    /// The value.
    pub value: Line,
}

/// A text in several spans; a line end inside a span is a line break.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line(pub Vec<Span>);

impl Line {
    /// Returns whether the line contains no text.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|span| span.text.is_empty())
    }
}

/// A text in one style.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// The text as its author wrote it: renderers gate and escape it.
    pub text: String,
    /// Its style.
    pub style: Style,
    /// Its audience, if not everybody who may see the line.
    pub audience: Option<Audience>,
}

/// The styles of a span.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// In the style of the text around it.
    #[default]
    Plain,
    /// Important.
    Strong,
    /// Stressed.
    Emphasis,
    /// Struck through: it no longer counts.
    Strike,
    /// To be typed, or typed by a user.
    Code,
    /// Less important.
    Muted,
    /// Good news.
    Good,
    /// A warning.
    Warn,
    /// Bad news.
    Bad,
    /// The number of its line in the log of the reader; the text is shown if there is no number.
    LogLine,
}

impl Style {
    /// All styles, in the order of the documentation.
    pub const ALL: [Style; 10] = [
        Style::Plain,
        Style::Strong,
        Style::Emphasis,
        Style::Strike,
        Style::Code,
        Style::Muted,
        Style::Good,
        Style::Warn,
        Style::Bad,
        Style::LogLine,
    ];

    /// Returns the key of a span of this style in a table.
    pub fn table_key(self) -> &'static str {
        match self {
            Style::Plain => "text",
            Style::Strong => "strong",
            Style::Emphasis => "emphasis",
            Style::Strike => "strike",
            Style::Code => "code",
            Style::Muted => "muted",
            Style::Good => "good",
            Style::Warn => "warn",
            Style::Bad => "bad",
            Style::LogLine => "log_line",
        }
    }
}

impl Style {
    /// Returns the meaning of the style, for pages.
    pub fn meaning(self) -> &'static str {
        match self {
            Style::Plain => "no style",
            Style::Strong => "bold",
            Style::Emphasis => "slanted",
            Style::Strike => "crossed out",
            Style::Code => "an exact text, such as something to type",
            Style::Muted => "less important",
            Style::Good => "a good result",
            Style::Warn => "a doubtful result",
            Style::Bad => "a bad result",
            Style::LogLine => {
                "the number of this ruling in the log of the reader. Its text is used where there is none, as in a query"
            }
        }
    }
}

impl Align {
    /// All alignments.
    pub const ALL: [Align; 3] = [Align::Left, Align::Right, Align::Center];

    /// Returns the word in a table.
    pub fn table_key(self) -> &'static str {
        match self {
            Align::Left => "left",
            Align::Right => "right",
            Align::Center => "center",
        }
    }
}
