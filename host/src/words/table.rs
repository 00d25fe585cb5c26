//! The table of words of one language.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::sync::{Arc, LazyLock};

use super::language_file::{LanguageFile, read_language_by_itself};
use super::template::{COUNT, Template};
use super::{ENGLISH, Language};
use crate::diag::Source;

/// The tables that belong to the program.
const EMBEDDED: [(&str, &str); 2] = [
    (ENGLISH, include_str!("en.yaml")),
    ("de", include_str!("de.yaml")),
];

/// A hole of a text, with its value.
pub type Hole<'a> = (&'a str, &'a dyn Display);

/// The words of the host in one language. What the language lacks is in English.
#[derive(Clone, Debug)]
pub struct Words {
    /// The language of the texts of the game, as `de` or `de-CH`.
    tag: String,
    texts: BTreeMap<String, Pattern>,
}

/// A text, or two forms of it: for the number 1, and for every other number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Pattern {
    Plain(Template),
    Counted { one: Template, other: Template },
}

static LANGUAGES: LazyLock<Vec<Language>> = LazyLock::new(|| {
    let read = EMBEDDED.iter().map(|(id, text)| {
        let name = format!("words/{id}.yaml");
        let file = LanguageFile {
            id: (*id).to_owned(),
            source: Source::new(name, *text),
        };
        let (language, findings) = read_language_by_itself(&file);
        assert!(
            findings.is_empty(),
            "invariant: the host's own tables can be read: {findings:?}"
        );
        let (language, _) = language.expect("invariant: the host's own tables can be read");
        language
    });
    read.collect()
});

static IN_ENGLISH: LazyLock<Arc<Words>> =
    LazyLock::new(|| Arc::new(Words::of_layers(ENGLISH, &[])));

/// Returns the tables that belong to the program.
pub(super) fn embedded_languages() -> &'static [Language] {
    &LANGUAGES
}

/// Returns the English texts by key, as a language file has them: the form for 1, if there is one, and the other.
pub fn english_texts() -> Vec<(&'static str, Option<String>, String)> {
    let texts = english_patterns().iter().map(|(key, pattern)| {
        let (one, other) = match pattern {
            Pattern::Plain(text) => (None, text.to_string()),
            Pattern::Counted { one, other } => (Some(one.to_string()), other.to_string()),
        };
        (key.as_str(), one, other)
    });
    texts.collect()
}

/// Returns the English text of each key.
pub(super) fn english_patterns() -> &'static BTreeMap<String, Pattern> {
    &LANGUAGES[0].texts
}

impl Pattern {
    /// Returns the names of the holes of all forms.
    pub(super) fn holes(&self) -> BTreeSet<&str> {
        let forms = self.forms().into_iter();
        forms.flat_map(|(_, form)| form.holes()).collect()
    }

    /// Returns its forms with the keys of their numbers; a plain text has one without a key.
    pub(super) fn forms(&self) -> Vec<(&'static str, &Template)> {
        match self {
            Pattern::Plain(text) => vec![("", text)],
            Pattern::Counted { one, other } => vec![("one", one), ("other", other)],
        }
    }
}

impl Words {
    /// Returns the words in English.
    pub fn english() -> Arc<Words> {
        Arc::clone(&IN_ENGLISH)
    }

    /// Returns English with the texts of languages over it; a later one counts.
    pub(super) fn of_layers(tag: &str, layers: &[&Language]) -> Words {
        let mut texts = english_patterns().clone();
        for layer in layers {
            texts.extend(layer.texts.clone());
        }
        Words {
            tag: tag.to_owned(),
            texts,
        }
    }

    /// Returns the language of the texts of the game, as `en` or `de-CH`.
    pub fn tag(&self) -> &str {
        &self.tag
    }

    /// Returns the keys of all texts, in order.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.texts.keys().map(String::as_str)
    }

    /// Returns the names of the holes of a text, with the number that chooses a form; nothing if no text has the key.
    pub fn holes(&self, key: &str) -> Option<BTreeSet<&str>> {
        let pattern = self.texts.get(key)?;
        let number = match pattern {
            Pattern::Plain(_) => None,
            Pattern::Counted { .. } => Some(COUNT),
        };
        Some(pattern.holes().into_iter().chain(number).collect())
    }

    /// Returns the text of a key without holes.
    pub fn text(&self, key: &str) -> String {
        self.fill(key, &[])
    }

    /// Returns the text of a key with its holes filled. If it has forms, the hole `count` chooses one.
    pub fn fill(&self, key: &str, holes: &[Hole<'_>]) -> String {
        self.template(key, holes)
            .map_or_else(|| key.to_owned(), |template| template.fill(holes))
    }

    /// Returns the text of a key for a number, which fills the hole `count`.
    pub fn count(&self, key: &str, count: usize, holes: &[Hole<'_>]) -> String {
        let count: Hole<'_> = (COUNT, &count);
        let holes: Vec<Hole<'_>> = std::iter::once(count)
            .chain(holes.iter().copied())
            .collect();
        self.fill(key, &holes)
    }

    /// Returns the texts before and after a hole, with the other holes filled.
    pub fn around(&self, key: &str, hole: &str, holes: &[Hole<'_>]) -> (String, String) {
        match self.template(key, holes) {
            Some(template) => template.fill_around(hole, holes),
            None => (key.to_owned(), String::new()),
        }
    }

    /// Returns names in words: `a`, `a and b`, `a, b and c`.
    pub fn listed(&self, names: &[String]) -> String {
        match names {
            [] => String::new(),
            [one] => one.clone(),
            [first @ .., last] => {
                self.fill("list.and", &[("names", &first.join(", ")), ("last", last)])
            }
        }
    }

    /// Returns what can be chosen, in words: `a or b or c`.
    pub fn alternatives(&self, names: &[String]) -> String {
        let names = names.iter().cloned();
        let joined =
            names.reduce(|names, last| self.fill("list.or", &[("names", &names), ("last", &last)]));
        joined.unwrap_or_default()
    }

    fn template(&self, key: &str, holes: &[Hole<'_>]) -> Option<&Template> {
        let pattern = self.texts.get(key);
        debug_assert!(pattern.is_some(), "no text has the key {key}");
        let (one, other) = match pattern? {
            Pattern::Plain(text) => return Some(text),
            Pattern::Counted { one, other } => (one, other),
        };
        let count = holes.iter().find(|(name, _)| *name == COUNT);
        let is_one = count.is_some_and(|(_, count)| count.to_string() == "1");
        Some(if is_one { one } else { other })
    }
}
