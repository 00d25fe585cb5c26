//! The page about the texts of the host, which languages translate.

use host::words::english_texts;

use super::generated_page::GeneratedPage;
use super::markdown_text::{code, table};

/// Returns the page about the texts of the host.
pub(super) fn host_text_page() -> GeneratedPage {
    let rows = english_texts().into_iter().map(|(key, one, other)| {
        let one = one.map_or_else(String::new, |one| code(&one));
        vec![code(key), one, code(&other)]
    });
    let body = format!(
        "A language file gives these texts in another language: [Languages](../write-rules/languages.md). A name in braces \
         is a hole, which the host fills. A text with a form for 1 has two forms.\n\n{}",
        table(&["key", "for 1", "English"], rows)
    );
    GeneratedPage::new(
        "reference/host-texts.md",
        "Texts of the host",
        "The texts of the host for readers and players, by their keys.",
        &body,
    )
}
