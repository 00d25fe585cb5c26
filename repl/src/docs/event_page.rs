//! The page about the events of the host.

use host::script::host_events;

use super::generated_page::GeneratedPage;
use super::markdown_text::{code, escaped, sentence, table};

/// Returns the page about the events of the host.
pub(super) fn event_page() -> GeneratedPage {
    let rows = host_events().map(|(name, summary, fields)| {
        let fields: Vec<String> = fields.iter().map(|field| code(field)).collect();
        vec![code(name), escaped(&sentence(summary)), fields.join(", ")]
    });
    let body = format!(
        "Definitions handle these events like those of their ruleset: [Events](../write-rules/events.md). Every event \
         also has `to` or `at` if it was emitted so.\n\n{}",
        table(&["event", "when", "fields"], rows)
    );
    GeneratedPage::new(
        "reference/events.md",
        "Events of the host",
        "The events that the host itself emits, with their fields.",
        &body,
    )
}
