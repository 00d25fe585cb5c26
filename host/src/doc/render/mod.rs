//! This module turns documents into bytes for people and programs: one renderer a file, all over the same tree.

mod json;
mod markdown;
mod plain;
mod terminal;

pub use json::{json, provisional_json};
pub use markdown::markdown;
pub use plain::plain;
pub use terminal::{Screen, terminal};

use super::Document;
use crate::diag::{Diagnostic, near_hint};

/// A form that documents are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// For a screen.
    Terminal,
    /// For forums and files.
    Markdown,
    /// For programs, one object a document.
    Json,
}

impl Format {
    /// All forms, in the order of the command line.
    pub const ALL: [Format; 3] = [Format::Terminal, Format::Markdown, Format::Json];

    /// Returns the word on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Format::Terminal => "terminal",
            Format::Markdown => "markdown",
            Format::Json => "json",
        }
    }

    /// Reads the word of the command line. Errors: `host/format`.
    pub fn parse(word: &str) -> Result<Format, Box<Diagnostic>> {
        let found = Format::ALL
            .into_iter()
            .find(|format| format.as_str() == word);
        found.ok_or_else(|| {
            let names = Format::ALL.map(Format::as_str);
            let message = format!("\"{word}\" is no output format");
            let finding = Diagnostic::error("host/format", message).hint(near_hint(word, names));
            Box::new(finding.hint(format!("the formats are {}", names.join(", "))))
        })
    }

    /// Writes a document without a final line end; `op` is the number of its operation.
    ///
    /// The document must already be what its reader may see: [`super::for_viewer`].
    pub fn render(self, document: &Document, op: Option<u64>, screen: &Screen) -> String {
        match self {
            Format::Terminal => terminal(document, screen),
            Format::Markdown => markdown(document),
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
            assert_eq!(Format::parse(format.as_str()), Ok(format));
        }
        let finding = Format::parse("markdwon").unwrap_err();
        assert_eq!(finding.message, "\"markdwon\" is no output format");
        assert_eq!(finding.hints[0], "did you mean \"markdown\"?");
    }
}
