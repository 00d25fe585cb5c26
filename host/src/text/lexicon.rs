//! This module numbers the words that templates are made of, so that matching compares numbers.

use std::collections::HashMap;

use super::table::fold;

/// The number of a word; 0 is every word that no template uses.
pub(super) type WordId = u32;

/// The words of one grammar.
#[derive(Clone, Debug)]
pub(super) struct Lexicon {
    ids: HashMap<String, WordId>,
    shown: Vec<String>,
}

impl Lexicon {
    pub(super) fn new() -> Lexicon {
        Lexicon {
            ids: HashMap::new(),
            shown: vec![String::new()],
        }
    }

    /// Returns the number of a word and remembers how it was written first.
    pub(super) fn intern(&mut self, word: &str) -> WordId {
        let next = WordId::try_from(self.shown.len()).expect("invariant: fewer than 2^32 words");
        let id = *self.ids.entry(fold(word)).or_insert(next);
        if id == next {
            self.shown.push(word.to_owned());
        }
        id
    }

    /// Returns the number of a word of a text.
    pub(super) fn find(&self, word: &str) -> WordId {
        self.ids.get(&fold(word)).copied().unwrap_or(0)
    }

    /// Returns a word as a template writes it.
    pub(super) fn shown(&self, id: WordId) -> &str {
        &self.shown[id as usize]
    }
}
