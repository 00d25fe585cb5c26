//! The entries about the codes of diagnostics, which `help` shows. Their text is the pages of the book.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use crate::doc::Block;
use crate::doc::build::{code, fields, heading, paragraph};

include!(concat!(env!("OUT_DIR"), "/diagnostics.rs"));

/// The beginning of the heading of an entry.
const HEADING: &str = "## `";

/// The folder of the book, from which the path of a page counts.
const BOOK: &str = "docs/src/";

/// The fence of a block.
const FENCE: &str = "```";

/// An entry as its page has it.
struct Entry {
    /// The ruleset of its page. Empty for the host.
    ruleset: &'static str,
    /// The path of its page in the book.
    page: &'static str,
    code: &'static str,
    /// The page with the anchor that readers of Markdown give to the heading.
    place: String,
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
    for (ruleset, path, text) in PAGES {
        let mut is_entry = false;
        for line in text.lines() {
            let code = line
                .strip_prefix(HEADING)
                .and_then(|rest| rest.split('`').next());
            if let Some(code) = code {
                is_entry = true;
                entries.push(Entry {
                    ruleset,
                    page: path.strip_prefix(BOOK).unwrap_or(path),
                    code,
                    place: format!("{path}#{}", anchor_of_code(code)),
                    lines: Vec::new(),
                });
            } else if let Some(entry) = entries.last_mut().filter(|_| is_entry) {
                entry.lines.push(line);
            }
        }
    }
    entries
});

/// Returns the anchor of the heading of an entry: lower case, without `/`.
fn anchor_of_code(code: &str) -> String {
    code.chars()
        .filter(|c| c.is_alphanumeric() || matches!(c, '-' | '_'))
        .flat_map(char::to_lowercase)
        .collect()
}

/// The entries that help shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope<'a> {
    /// Those of one ruleset, then those of the host.
    Ruleset(&'a str),
    /// Those of the host, then those of all rulesets.
    All,
}

/// Returns the entries of a scope, in the order in which help shows them.
fn entries_in_scope(scope: Scope<'_>) -> Vec<&'static Entry> {
    let (of_host, of_rulesets): (Vec<_>, Vec<_>) =
        ENTRIES.iter().partition(|entry| entry.ruleset.is_empty());
    match scope {
        Scope::Ruleset(ruleset) => {
            let own = of_rulesets.into_iter();
            let own = own.filter(|entry| entry.ruleset == ruleset);
            own.chain(of_host).collect()
        }
        Scope::All => of_host.into_iter().chain(of_rulesets).collect(),
    }
}

/// Returns the codes that have an entry in a scope, each once.
pub(super) fn codes(scope: Scope<'_>) -> impl Iterator<Item = &'static str> {
    let mut seen = BTreeSet::new();
    let codes = entries_in_scope(scope).into_iter().map(|entry| entry.code);
    codes.filter(move |code| seen.insert(*code))
}

/// Returns the codes that a word is without their areas: `store/bad-name` for `bad-name`.
pub(super) fn codes_without_area(scope: Scope<'_>, word: &str) -> Vec<&'static str> {
    let is_meant = |code: &&str| {
        let last = code.split_once('/').map(|(_, last)| last);
        last.is_some_and(|last| last.eq_ignore_ascii_case(word))
    };
    codes(scope).filter(is_meant).collect()
}

/// Returns whether an entry explains a code, in any ruleset.
pub fn is_explained_code(code: &str) -> bool {
    ENTRIES.iter().any(|entry| entry.code == code)
}

/// Returns the entries about a code as blocks, each with its page in the book; nothing if there is none. A code of the
/// host and of a ruleset, or of several rulesets, has several entries.
pub(super) fn entries_of_code(scope: Scope<'_>, sought: &str) -> Option<Vec<Block>> {
    let sought = sought.trim();
    let all = entries_in_scope(scope).into_iter();
    let found: Vec<&Entry> = all
        .filter(|entry| entry.code.eq_ignore_ascii_case(sought))
        .collect();
    let is_only = found.len() == 1;
    let blocks: Vec<Block> = found
        .into_iter()
        .flat_map(|entry| entry_blocks(entry, is_only))
        .collect();
    (!blocks.is_empty()).then_some(blocks)
}

fn entry_blocks(entry: &Entry, is_only: bool) -> Vec<Block> {
    let title = match (is_only, entry.ruleset) {
        (true, _) => entry.code.to_owned(),
        (false, "") => format!("{} in every game", entry.code),
        (false, ruleset) => format!("{} in games of {ruleset}", entry.code),
    };
    let mut blocks = vec![heading(2, title)];
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
    blocks.push(fields([("page", entry.place.clone())]));
    blocks
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

    fn text_of_code(scope: Scope<'_>, code: &str) -> String {
        format!("{:?}", entries_of_code(scope, code).expect(code))
    }

    #[test]
    fn every_code_has_an_entry_with_a_fix_and_its_page() {
        let host = Scope::Ruleset("");
        assert!(codes(host).count() > 200, "{}", codes(host).count());
        for code in codes(host) {
            let text = text_of_code(host, code);
            assert!(
                text.contains("Fix:") && !text.contains("**"),
                "{code}: {text}"
            );
            assert!(is_explained_code(code), "{code}");
        }
        let text = text_of_code(host, "store/bad-name");
        let page = "docs/src/reference/diagnostics/store.md#storebad-name";
        assert!(text.contains(page), "{text}");
        assert_eq!(text_of_code(host, " STORE/bad-name "), text);
        assert!(entries_of_code(host, "no/such-code").is_none());
        assert!(!is_explained_code("no/such-code"));
    }

    #[test]
    fn a_code_is_found_without_its_area() {
        let found = codes_without_area(Scope::Ruleset(""), "BAD-NAME");
        assert!(found.contains(&"store/bad-name"), "{found:?}");
        assert!(codes_without_area(Scope::All, "store/bad-name").is_empty());
    }

    #[test]
    fn a_code_of_a_ruleset_has_its_entry_in_games_of_it() {
        let own = ENTRIES.iter().find(|entry| !entry.ruleset.is_empty());
        let own = own.expect("an entry of a ruleset");
        let scope = Scope::Ruleset(own.ruleset);
        assert!(entries_of_code(scope, own.code).is_some());
        assert!(codes(scope).count() > codes(Scope::Ruleset("")).count());
        assert!(entries_of_code(Scope::All, own.code).is_some());
    }

    #[test]
    fn a_code_with_several_entries_shows_each_with_its_ruleset() {
        let host = entries_in_scope(Scope::Ruleset("")).into_iter();
        let mut twice = host.filter_map(|of_host| {
            let mut all = ENTRIES.iter();
            let own = all.find(|own| own.code == of_host.code && own.ruleset != of_host.ruleset);
            Some((of_host, own?))
        });
        let (of_host, own) = twice.next().expect("a code with two entries");
        let text = text_of_code(Scope::Ruleset(own.ruleset), own.code);
        for said in [
            format!("{} in games of {}", own.code, own.ruleset),
            format!("{} in every game", own.code),
        ] {
            assert!(text.contains(&said), "{said}: {text}");
        }
        assert!(text.contains(&own.place) && text.contains(&of_host.place));
    }

    #[test]
    fn the_meaning_of_a_code_is_the_first_sentence_of_its_entry() {
        let entry = |text: &'static str| Entry {
            ruleset: "",
            page: "",
            code: "a/b",
            place: String::new(),
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
