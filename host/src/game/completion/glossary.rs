//! The terms of the glossary, which `help` explains. Their text is the page of the book.

use std::sync::LazyLock;

use crate::doc::Block;
use crate::doc::build::{heading, paragraph};

/// The page of the book, with a table of terms in each section.
const PAGE: &str = include_str!("../../../../docs/src/reference/glossary.md");

/// A row of the glossary.
#[derive(Debug)]
pub(super) struct Term {
    /// The terms that the row explains together, as "row" and "field".
    pub(super) names: Vec<String>,
    pub(super) meaning: String,
    /// The main functions of the script API for it, as the page writes them. May be empty.
    calls: String,
    /// Words that stand for the term elsewhere, and for nothing here.
    replaced: Vec<String>,
}

static TERMS: LazyLock<Vec<Term>> = LazyLock::new(|| {
    let mut has_calls = false;
    let rows = PAGE.lines().filter(|line| line.starts_with("| "));
    let terms = rows.filter_map(|row| {
        let mut cells = row.trim_matches('|').split(" | ").map(str::trim);
        let (term, meaning) = (cells.next()?, cells.next()?);
        let third = cells.next().unwrap_or_default();
        if term == "term" {
            has_calls = third == "main calls";
            return None;
        }
        let replaced = third.split('`').skip(1).step_by(2).map(str::to_owned);
        Some(Term {
            names: term.split(", ").map(str::to_owned).collect(),
            meaning: meaning.to_owned(),
            calls: if has_calls { third } else { "" }.to_owned(),
            replaced: replaced.filter(|_| !has_calls).collect(),
        })
    });
    terms.collect()
});

/// Returns the terms of the glossary.
pub(super) fn terms() -> &'static [Term] {
    &TERMS
}

/// Returns the term for words: in any case, in the singular or plural, or by a word that it replaces.
pub(super) fn term_of_words(words: &str) -> Option<&'static Term> {
    let sought = singular_words(words);
    let is_sought = |name: &String| singular_words(name) == sought;
    let of_name = terms().iter().find(|term| term.names.iter().any(is_sought));
    of_name.or_else(|| {
        terms()
            .iter()
            .find(|term| term.replaced.iter().any(is_sought))
    })
}

/// Returns whether two texts are the same words, in any case and number, with any spaces.
pub(super) fn is_same_words(one: &str, other: &str) -> bool {
    singular_words(one) == singular_words(other)
}

/// Returns words in lower case, with one space between them, each without the ending of a plural.
fn singular_words(words: &str) -> String {
    let words = words.split_whitespace().map(|word| {
        let word = word.to_lowercase();
        match (word.strip_suffix("ies"), word.strip_suffix('s')) {
            (Some(stem), _) => format!("{stem}y"),
            (None, Some(stem)) if !stem.ends_with('s') => stem.to_owned(),
            _ => word,
        }
    });
    words.collect::<Vec<String>>().join(" ")
}

/// Returns the page of a term.
pub(super) fn term_page(term: &Term) -> Vec<Block> {
    let mut blocks = vec![
        heading(2, term.names.join(", ")),
        paragraph(term.meaning.clone()),
    ];
    blocks.extend(calls_of_term(term).map(paragraph));
    let replaced = term
        .replaced
        .iter()
        .map(|word| format!("\"{word}\""))
        .collect::<Vec<_>>();
    let replaced = (!replaced.is_empty())
        .then(|| format!("Other words, not used here: {}.", replaced.join(", ")));
    blocks.extend(replaced.map(paragraph));
    blocks
}

/// Returns the sentence that names the main functions of the script API for a term, if it has some.
pub(super) fn calls_of_term(term: &Term) -> Option<String> {
    (!term.calls.is_empty()).then(|| format!("Scripts use {}.", term.calls))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_the_page_is_a_term() {
        let rows = PAGE
            .lines()
            .filter(|line| line.starts_with("| ") && !line.starts_with("| term "));
        assert_eq!(terms().len(), rows.count());
        assert!(terms().len() > 40, "{}", terms().len());
        for term in terms() {
            assert!(term.meaning.ends_with('.'), "{term:?}");
        }
    }

    #[test]
    fn words_find_a_term_in_any_case_number_and_spacing() {
        for words in ["stat store", "Stat  Stores", "STAT STORE"] {
            assert_eq!(term_of_words(words).expect(words).names, ["stat store"]);
        }
        assert_eq!(term_of_words("queries").expect("a plural").names, ["query"]);
        assert_eq!(
            term_of_words("contract").expect("a former word").names,
            ["schema"]
        );
        assert!(term_of_words("as").is_none() && term_of_words("").is_none());
    }

    #[test]
    fn the_calls_of_a_term_are_no_words_that_it_replaces() {
        let dice = term_of_words("dice").expect("a term");
        assert!(
            dice.calls.contains("act:roll") && dice.replaced.is_empty(),
            "{dice:?}"
        );
    }
}
