//! Numbers the words of templates, so that matching compares numbers.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use super::token_table::fold_case;

/// The number of a word; 0 means every word that no template uses.
pub(super) type WordId = u32;

/// A set of words that can prove that some words are not among others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct WordSet(u128);

impl WordSet {
    /// Adds a word. Words that no template uses are ignored.
    pub(super) fn add(&mut self, word: WordId) {
        if word > 0 {
            self.0 |= 1 << (word % u128::BITS);
        }
    }

    /// Returns whether all of its words may be among others.
    pub(super) fn may_be_in(self, others: WordSet) -> bool {
        self.0 & !others.0 == 0
    }
}

/// Longest word, in bytes, that is folded in place. Most words are shorter.
const SHORT: usize = 32;

/// The words of one grammar.
#[derive(Clone, Debug)]
pub(super) struct Lexicon {
    /// By the bytes of the folded word.
    ids: HashMap<Vec<u8>, WordId, RandomState>,
    shown: Vec<String>,
}

impl Lexicon {
    pub(super) fn new() -> Lexicon {
        Lexicon {
            ids: HashMap::default(),
            shown: vec![String::new()],
        }
    }

    /// Returns the number of a word and remembers its first spelling.
    pub(super) fn intern(&mut self, word: &str) -> WordId {
        let next = WordId::try_from(self.shown.len()).expect("invariant: fewer than 2^32 words");
        let id = *self.ids.entry(fold_case(word).into_bytes()).or_insert(next);
        if id == next {
            self.shown.push(word.to_owned());
        }
        id
    }

    /// Returns the number of a word of a text.
    pub(super) fn find_word(&self, word: &str) -> WordId {
        if word.len() <= SHORT && word.is_ascii() {
            let mut folded = [0; SHORT];
            let folded = &mut folded[..word.len()];
            folded.copy_from_slice(word.as_bytes());
            folded.make_ascii_lowercase();
            return self.ids.get(&*folded).copied().unwrap_or(0);
        }
        self.ids
            .get(fold_case(word).as_bytes())
            .copied()
            .unwrap_or(0)
    }

    /// Returns all words as templates write them.
    pub(super) fn words(&self) -> impl Iterator<Item = &str> {
        self.shown.iter().skip(1).map(String::as_str)
    }

    /// Returns a word as a template writes it.
    pub(super) fn shown_word(&self, id: WordId) -> &str {
        &self.shown[id as usize]
    }
}
