//! The section about the kinds of lines of test files.

use super::generated_section::GeneratedSection;
use super::markdown_text::{code, table};
use crate::transcript::LINE_KINDS;

/// Returns the table of all kinds of lines.
pub(super) fn test_line_section() -> GeneratedSection {
    let rows = LINE_KINDS.iter().map(|kind| {
        let is_words = kind.written.starts_with("an ");
        let written = if is_words {
            kind.written.to_owned()
        } else {
            code(kind.written)
        };
        let example = match kind.example.1 {
            "" => String::new(),
            line => code(line),
        };
        vec![written, kind.meaning.to_owned(), example]
    });
    GeneratedSection::new(
        "reference/test-files.md",
        "kinds of lines",
        &table(&["line", "meaning", "example"], rows),
    )
}
