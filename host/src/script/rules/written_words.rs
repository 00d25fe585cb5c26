//! The words that rules write: a name for something that does not exist yet can only be one of them.
//!
//! A script writes a word as a text of its own, content anywhere. A word that a script computes is not found.

use std::collections::{BTreeMap, BTreeSet};

use super::Rules;
use super::field_words::{content_uses_field, script_uses_field};
use crate::content::Origin;

/// The minimum length of a suggested word, in bytes.
const SHORTEST: usize = 4;

/// The quotes around a text in a script.
const QUOTES: [char; 3] = ['"', '\'', '`'];

impl Rules {
    /// Returns whether a script or the content writes a word.
    pub fn mentions_word(&self, word: &str) -> bool {
        self.script_texts().any(|text| has_quoted_word(text, word))
            || self
                .content_texts()
                .values()
                .any(|text| has_word(text, word))
    }

    /// Returns whether the rules read or write a field of rows of a kind. This includes scripts, expressions in
    /// content, and the schema of definitions for such rows.
    pub fn uses_field(&self, kind: Option<&str>, field: &str) -> bool {
        let schema = self.schemas.values().find(|one| kind == Some(&*one.name));
        schema.is_some_and(|schema| schema.has_key(field))
            || self
                .script_texts()
                .any(|text| script_uses_field(text, field))
            || self
                .content_texts()
                .values()
                .any(|text| content_uses_field(text, field))
    }

    /// Returns the bytes of all scripts and content.
    pub fn source_bytes(&self) -> usize {
        let scripts = self.script_texts().map(str::len);
        let content = self.content_texts().into_values().map(str::len);
        scripts.chain(content).sum()
    }

    /// Returns the texts of content by the names of files: many definitions may stand in one.
    fn content_texts(&self) -> BTreeMap<&str, &str> {
        let all = self.registry.iter();
        let content = all.filter(|one| one.origin == Origin::Content || one.is_text);
        let files = content.map(|one| (one.source.name(), one.source.text()));
        files.collect()
    }

    /// Returns the words to suggest for a mistyped word: whole texts of one word in scripts, and ids of definitions.
    /// Short words are left out, because they are near to everything.
    pub fn known_words(&self) -> BTreeSet<&str> {
        let quoted = |text| str::split(text, QUOTES);
        let quoted = self.script_texts().flat_map(quoted).filter(is_word);
        let ids = self.registry.iter().map(|one| &*one.id);
        let words = quoted.chain(ids);
        words.filter(|word| word.len() >= SHORTEST).collect()
    }

    fn script_texts(&self) -> impl Iterator<Item = &str> {
        self.sources.values().map(|source| source.text())
    }
}

fn has_quoted_word(text: &str, word: &str) -> bool {
    let (before, behind) = (|c| QUOTES.contains(&c), |c| QUOTES.contains(&c));
    has_word_between(text, word, before, behind)
}

fn has_word(text: &str, word: &str) -> bool {
    let is_apart = |c: char| !c.is_alphanumeric() && c != '_';
    let text = text.to_lowercase();
    has_word_between(
        &format!(" {text} "),
        &word.to_lowercase(),
        is_apart,
        is_apart,
    )
}

/// Returns whether a word occurs with fitting letters before and after it.
fn has_word_between(
    text: &str,
    word: &str,
    before: impl Fn(char) -> bool,
    behind: impl Fn(char) -> bool,
) -> bool {
    !word.is_empty()
        && text.match_indices(word).any(|(at, found)| {
            text[..at].chars().next_back().is_some_and(&before)
                && text[at + found.len()..].chars().next().is_some_and(&behind)
        })
}

fn is_word(text: &&str) -> bool {
    let mut letters = text.chars();
    let is_in_word = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    letters.next().is_some_and(char::is_alphabetic) && letters.all(is_in_word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_writes_a_word_as_a_text_and_content_anywhere() {
        let script = "-- how to ask\nlocal key = \"step-in\"\nask(act, who, 'how')\n";
        for (word, is_there) in [
            ("step-in", true),
            ("how", true),
            ("ask", false),
            ("", false),
        ] {
            assert_eq!(has_quoted_word(script, word), is_there, "{word}");
        }
        let content = "surgeon.quarantine: Whom?";
        for (word, is_there) in [
            ("quarantine", true),
            ("surgeon", true),
            ("Whom", true),
            ("quarantin", false),
            ("geon", false),
        ] {
            assert_eq!(has_word(content, word), is_there, "{word}");
        }
        assert!(has_word("ä", "Ä") && !has_word("aß", "a"));
    }
}
