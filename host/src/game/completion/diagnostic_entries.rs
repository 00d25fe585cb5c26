//! The entries about the codes of diagnostics, which `help` shows. Their text is the pages of the book.

use std::sync::LazyLock;

use crate::doc::Block;
use crate::doc::build::{code, heading, paragraph};

include!(concat!(env!("OUT_DIR"), "/diagnostics.rs"));

/// The beginning of the heading of an entry.
const HEADING: &str = "## `";

/// The fence of a block.
const FENCE: &str = "```";

/// An entry as its page has it.
struct Entry {
    /// The ruleset of its page. Empty for the host.
    ruleset: &'static str,
    page: &'static str,
    code: &'static str,
    /// The lines below its heading.
    lines: Vec<&'static str>,
}

/// An entry about a code of diagnostics, for a list of all codes.
#[derive(Clone, Debug)]
pub struct DiagnosticEntry {
    /// The ruleset that has the code; empty for the host.
    pub ruleset: &'static str,
    /// The page with the entry: its path in the book.
    pub page: &'static str,
    /// The code.
    pub code: &'static str,
    /// The first sentence of the entry.
    pub meaning: String,
}

/// Returns all entries about codes of diagnostics, in the order of the pages.
pub fn diagnostic_entries() -> Vec<DiagnosticEntry> {
    let entries = ENTRIES.iter().map(|entry| DiagnosticEntry {
        ruleset: entry.ruleset,
        page: entry.page,
        code: entry.code,
        meaning: first_sentence(entry),
    });
    entries.collect()
}

/// Returns the first sentence below the heading of an entry.
fn first_sentence(entry: &Entry) -> String {
    let lines = entry.lines.iter().skip_while(|line| line.is_empty());
    let lines: Vec<&str> = lines.copied().take_while(|line| !line.is_empty()).collect();
    let text = plain_text(&lines.join(" "));
    // A full stop inside of code ends no sentence.
    let is_outside = |at: &usize| text[..*at].matches('`').count().is_multiple_of(2);
    let mut ends = text.match_indices(". ").map(|(at, _)| at);
    match ends.find(is_outside) {
        Some(end) => text[..=end].to_owned(),
        None => text,
    }
}

static ENTRIES: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    let mut entries: Vec<Entry> = Vec::new();
    for (ruleset, page, text) in PAGES {
        let mut is_entry = false;
        for line in text.lines() {
            let code = line
                .strip_prefix(HEADING)
                .and_then(|rest| rest.split('`').next());
            if let Some(code) = code {
                is_entry = true;
                entries.push(Entry {
                    ruleset,
                    page,
                    code,
                    lines: Vec::new(),
                });
            } else if let Some(entry) = entries.last_mut().filter(|_| is_entry) {
                entry.lines.push(line);
            }
        }
    }
    entries
});

/// Returns the entries for games of a ruleset: its own, then those of the host.
fn entries_for(ruleset: &str) -> impl Iterator<Item = &'static Entry> {
    let own = move |entry: &&Entry| !entry.ruleset.is_empty() && entry.ruleset == ruleset;
    let of_host = ENTRIES.iter().filter(|entry| entry.ruleset.is_empty());
    ENTRIES.iter().filter(own).chain(of_host)
}

/// Returns the codes that have an entry for games of a ruleset.
pub(super) fn codes(ruleset: &str) -> impl Iterator<Item = &'static str> {
    entries_for(ruleset).map(|entry| entry.code)
}

/// Returns the entry about a code as blocks, for games of a ruleset; nothing if there is none.
pub(super) fn entry_of_code(ruleset: &str, sought: &str) -> Option<Vec<Block>> {
    let entry = entries_for(ruleset).find(|entry| entry.code == sought.trim())?;
    let mut blocks = vec![heading(2, entry.code)];
    let mut lines = entry.lines.iter().peekable();
    while let Some(line) = lines.next() {
        if let Some(words) = line.strip_prefix(FENCE) {
            let inside: Vec<&str> = lines
                .by_ref()
                .copied()
                .take_while(|one| *one != FENCE)
                .collect();
            let language = words.split_whitespace().next().unwrap_or_default();
            blocks.push(code(language, inside.join("\n")));
        } else if !line.is_empty() {
            let mut words = vec![*line];
            while let Some(next) =
                lines.next_if(|next| !next.is_empty() && !next.starts_with(FENCE))
            {
                words.push(next);
            }
            blocks.push(paragraph(plain_text(&words.join(" "))));
        }
    }
    Some(blocks)
}

/// Returns a line of the page without the marks of Markdown: bold words, and the targets of links.
fn plain_text(line: &str) -> String {
    let line = line.replace("**", "");
    let mut out = String::new();
    let mut rest = line.as_str();
    while let Some((before, link)) = rest.split_once('[') {
        out.push_str(before);
        match link
            .split_once("](")
            .map(|(text, after)| (text, after.split_once(')')))
        {
            Some((text, Some((_, after)))) if !text.contains(']') => {
                out.push_str(text);
                rest = after;
            }
            _ => {
                out.push('[');
                rest = link;
            }
        }
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_an_entry_with_a_fix() {
        assert!(codes("").count() > 200, "{}", codes("").count());
        for code in codes("") {
            let blocks = entry_of_code("", code).expect(code);
            let text = format!("{blocks:?}");
            assert!(
                text.contains("Fix:") && !text.contains("**"),
                "{code}: {text}"
            );
        }
        assert!(entry_of_code("", "no/such-code").is_none());
    }

    #[test]
    fn a_code_of_a_ruleset_has_its_entry_in_games_of_it() {
        let (ruleset, ..) = PAGES
            .iter()
            .find(|(ruleset, ..)| !ruleset.is_empty())
            .unwrap();
        let own = ENTRIES
            .iter()
            .find(|entry| entry.ruleset == *ruleset)
            .unwrap();
        assert!(entry_of_code(ruleset, own.code).is_some());
        assert!(codes(ruleset).count() > codes("").count());
    }

    #[test]
    fn the_meaning_of_a_code_is_the_first_sentence_of_its_entry() {
        let entry = |text: &'static str| Entry {
            ruleset: "",
            page: "",
            code: "a/b",
            lines: text.lines().collect(),
        };
        assert_eq!(
            first_sentence(&entry(
                "\nThe call `a. b` of\n[one](x.md) fails. Then more.\n\nEnd."
            )),
            "The call `a. b` of one fails."
        );
        assert_eq!(first_sentence(&entry("\nOnly one.\n")), "Only one.");
        for entry in diagnostic_entries() {
            assert!(entry.meaning.ends_with('.'), "{entry:?}");
            assert!(entry.page.ends_with(".md"), "{entry:?}");
        }
    }

    #[test]
    fn links_are_shown_by_their_text() {
        assert_eq!(
            plain_text("**Fix:** see [Dice](../dice.md), or `[a]`."),
            "Fix: see Dice, or `[a]`."
        );
    }
}
