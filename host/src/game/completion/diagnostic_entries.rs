//! The entries about the codes of diagnostics, which `help` shows. Their text is the pages of the book.

use std::sync::LazyLock;

use crate::doc::Block;
use crate::doc::build::{code, heading, paragraph};

include!(concat!(env!("OUT_DIR"), "/diagnostics.rs"));

/// The beginning of the heading of an entry.
const HEADING: &str = "## `";

/// The fence of a block.
const FENCE: &str = "```";

/// An entry: the ruleset of its page, its code, and the lines below its heading.
struct Entry {
    /// Empty for the host.
    ruleset: &'static str,
    code: &'static str,
    lines: Vec<&'static str>,
}

static ENTRIES: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    let mut entries: Vec<Entry> = Vec::new();
    for (ruleset, page) in PAGES {
        let mut is_entry = false;
        for line in page.lines() {
            let code = line
                .strip_prefix(HEADING)
                .and_then(|rest| rest.split('`').next());
            if let Some(code) = code {
                is_entry = true;
                entries.push(Entry {
                    ruleset,
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
        let (ruleset, _) = PAGES
            .iter()
            .find(|(ruleset, _)| !ruleset.is_empty())
            .unwrap();
        let own = ENTRIES
            .iter()
            .find(|entry| entry.ruleset == *ruleset)
            .unwrap();
        assert!(entry_of_code(ruleset, own.code).is_some());
        assert!(codes(ruleset).count() > codes("").count());
    }

    #[test]
    fn links_are_shown_by_their_text() {
        assert_eq!(
            plain_text("**Fix:** see [Dice](../dice.md), or `[a]`."),
            "Fix: see Dice, or `[a]`."
        );
    }
}
