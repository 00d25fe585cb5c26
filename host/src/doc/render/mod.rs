//! Turns documents into bytes for people and programs: one renderer per file, all over the same tree.

mod aligned_table;
mod bbcode;
mod csv;
mod discord;
mod html;
mod json;
mod markdown;
pub mod node;
mod plain;
mod rst;
mod split;
mod terminal;

pub use bbcode::bbcode;
pub use csv::csv;
pub use discord::discord;
pub use html::{Link, Page, Section, html, page};
pub use json::{json, provisional_json};
pub use markdown::markdown;
pub use plain::plain;
pub use rst::rst;
pub use split::{Forum, Limits, split_into_posts};
pub use terminal::{Screen, terminal};

use super::Document;

/// An output format of documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// For a screen.
    Terminal,
    /// For forums and files.
    Markdown,
    /// For forums.
    Bbcode,
    /// For messages of Discord.
    Discord,
    /// For browsers, one fragment per document.
    Html,
    /// For files: reStructuredText.
    Rst,
    /// For spreadsheets.
    Csv,
    /// For programs, one object per document.
    Json,
}

impl Format {
    /// All formats, in the order of the command line.
    pub const ALL: [Format; 8] = [
        Format::Terminal,
        Format::Markdown,
        Format::Bbcode,
        Format::Discord,
        Format::Html,
        Format::Rst,
        Format::Csv,
        Format::Json,
    ];

    /// Returns the word on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Format::Terminal => "terminal",
            Format::Markdown => "markdown",
            Format::Bbcode => "bbcode",
            Format::Discord => "discord",
            Format::Html => "html",
            Format::Rst => "rst",
            Format::Csv => "csv",
            Format::Json => "json",
        }
    }

    /// Reads the word of the command line.
    pub fn parse(word: &str) -> Option<Format> {
        let mut formats = Format::ALL.into_iter();
        formats.find(|format| format.as_str() == word)
    }

    /// Returns the text between two consecutive documents, so that neither continues in the other.
    pub fn separator_between(self) -> &'static str {
        match self {
            Format::Terminal | Format::Html | Format::Json => "",
            Format::Markdown | Format::Bbcode | Format::Discord | Format::Rst => "\n",
            Format::Csv => "\r\n",
        }
    }

    /// Writes a document without a final line end, but CSV with one; `op` is the number of its operation.
    ///
    /// The document must already be reduced to the parts that its reader may see: [`super::for_viewer`].
    pub fn render(self, document: &Document, op: Option<u64>, screen: &Screen) -> String {
        match self {
            Format::Terminal => terminal(document, screen),
            Format::Markdown => markdown(document),
            Format::Bbcode => bbcode(document),
            Format::Discord => discord(document),
            Format::Html => html(document),
            Format::Rst => rst(document),
            Format::Csv => csv(document),
            Format::Json => json(document, op),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_read_by_name() {
        for format in Format::ALL {
            assert_eq!(Format::parse(format.as_str()), Some(format));
        }
        assert_eq!(Format::parse("markdwon"), None);
    }
}
