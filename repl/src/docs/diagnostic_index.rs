//! The page with all codes of diagnostics.

use host::game::{DiagnosticEntry, diagnostic_entries};

use super::generated_page::GeneratedPage;
use super::markdown_text::{escaped, table};
use crate::markdown_page::heading_id;

/// The folder of the page.
const FOLDER: &str = "reference/";

/// Returns the page: the codes of the host by area, each with its meaning, and links to the pages of the rulesets.
pub(super) fn diagnostic_index() -> GeneratedPage {
    let entries = diagnostic_entries();
    let of_host: Vec<&DiagnosticEntry> = entries
        .iter()
        .filter(|one| one.ruleset.is_empty())
        .collect();
    let mut body = String::from(
        "A code is its area, a stroke and a word. `help CODE` in a game shows the entry, and a link leads to its \
         example and its fix.\n\n",
    );
    let mut rest = &of_host[..];
    while let Some(first) = rest.first() {
        let count = rest.iter().take_while(|one| one.page == first.page).count();
        let (area, others) = rest.split_at(count);
        rest = others;
        let name = first.code.split('/').next().unwrap_or_default();
        let rows = area
            .iter()
            .map(|entry| vec![linked_code(entry), escaped(&entry.meaning)]);
        body.push_str(&format!(
            "## {name}\n\n{}\n",
            table(&["code", "meaning"], rows)
        ));
    }
    body.push_str("## Codes of rulesets\n\nEach ruleset has codes of its own:\n\n");
    let mut rulesets: Vec<&str> = entries.iter().map(|entry| entry.ruleset).collect();
    rulesets.retain(|ruleset| !ruleset.is_empty());
    rulesets.dedup();
    for ruleset in rulesets {
        let count = entries
            .iter()
            .filter(|entry| entry.ruleset == ruleset)
            .count();
        body.push_str(&format!(
            "- [{ruleset}](../rulesets/{ruleset}/diagnostics.md): {count} codes\n"
        ));
    }
    GeneratedPage::new(
        format!("{FOLDER}diagnostics.md"),
        "Diagnostics",
        "Every code of an error, a refusal or a warning of the program, with its meaning.",
        &body,
    )
}

/// Returns the code of an entry with a link to it, from the folder of the page.
fn linked_code(entry: &DiagnosticEntry) -> String {
    let page = entry.page.strip_prefix(FOLDER).unwrap_or(entry.page);
    format!("[`{}`]({page}#{})", entry.code, heading_id(entry.code))
}

/// Returns a text in which each word that is a code of the host is a link to its entry, from the folder of the page.
pub(super) fn with_linked_codes(text: &str) -> String {
    let entries = diagnostic_entries();
    let words = text.split(' ').map(|word| {
        let code = word.trim_end_matches([',', ';', '.']);
        match entries
            .iter()
            .find(|one| one.ruleset.is_empty() && one.code == code)
        {
            Some(entry) => linked_code(entry) + &word[code.len()..],
            None => word.to_owned(),
        }
    });
    words.collect::<Vec<String>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_a_row_with_its_meaning_and_a_link() {
        let page = diagnostic_index();
        for entry in diagnostic_entries()
            .iter()
            .filter(|one| one.ruleset.is_empty())
        {
            assert!(!entry.meaning.is_empty(), "{}", entry.code);
            let row = format!("| {} | ", linked_code(entry));
            assert_eq!(page.text.matches(&row).count(), 1, "{row}");
        }
        assert!(
            page.text
                .contains("[`limit/size`](diagnostics/limit.md#limitsize)")
        );
        assert!(page.text.contains("(../rulesets/"), "{}", page.text);
    }

    #[test]
    fn codes_in_a_text_are_links() {
        assert_eq!(
            with_linked_codes("limit/size; no/code is not"),
            "[`limit/size`](diagnostics/limit.md#limitsize); no/code is not"
        );
    }
}
