//! Sets of tokens that a template or slot type can begin with, so that few templates are tried.

use std::collections::{BTreeSet, HashMap};

use foldhash::fast::RandomState;

use super::lexicon::WordId;
use super::token::Kind;

/// The number of kinds of token.
const KINDS: usize = 8;

/// The possible beginnings of a template or type.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct First {
    /// Anything; the rest is then only good for hints.
    pub(super) any: bool,
    pub(super) words: BTreeSet<WordId>,
    kinds: u8,
}

impl First {
    pub(super) fn any_token() -> First {
        First {
            any: true,
            ..First::default()
        }
    }

    pub(super) fn of_word(word: WordId) -> First {
        First {
            words: BTreeSet::from([word]),
            ..First::default()
        }
    }

    pub(super) fn of_kinds(kinds: &[Kind]) -> First {
        First {
            kinds: kinds.iter().fold(0, |all, kind| all | kind_bit(*kind)),
            ..First::default()
        }
    }

    pub(super) fn include(&mut self, other: &First) {
        self.any |= other.any;
        self.words.extend(&other.words);
        self.kinds |= other.kinds;
    }

    /// Returns whether something may begin with both.
    pub(super) fn overlaps(&self, other: &First) -> bool {
        let is_wide = |one: &First| one.any || one.kinds != 0;
        is_wide(self) || is_wide(other) || !self.words.is_disjoint(&other.words)
    }
}

fn kind_bit(kind: Kind) -> u8 {
    1 << kind as u8
}

/// The templates of a set to try at each token, by position in the set.
#[derive(Clone, Debug, Default)]
pub(super) struct Index {
    words: HashMap<WordId, Vec<usize>, RandomState>,
    kinds: [Vec<usize>; KINDS],
    any: Vec<usize>,
}

impl Index {
    /// Adds the next template of the set.
    pub(super) fn add_template(&mut self, form: usize, first: &First) {
        if first.any {
            return self.any.push(form);
        }
        for word in &first.words {
            self.words.entry(*word).or_default().push(form);
        }
        for (kind, forms) in self.kinds.iter_mut().enumerate() {
            if first.kinds & (1 << kind) != 0 {
                forms.push(form);
            }
        }
    }

    /// Returns the templates to try, in order of declaration.
    pub(super) fn candidates(&self, word: WordId, kind: Kind) -> Vec<usize> {
        let mut forms = self.any.clone();
        forms.extend(self.forms_of_word(word));
        forms.extend(&self.kinds[kind as usize]);
        forms.sort_unstable();
        forms.dedup();
        forms
    }

    /// Returns the candidates that are `likely`, in order of declaration.
    pub(super) fn likely_candidates(
        &self,
        word: WordId,
        kind: Kind,
        likely: impl Fn(usize) -> bool,
    ) -> Vec<usize> {
        let lists = [
            &self.any[..],
            self.forms_of_word(word),
            &self.kinds[kind as usize],
        ];
        let mut forms = Vec::with_capacity(8);
        for list in lists {
            forms.extend(list.iter().copied().filter(|form| likely(*form)));
        }
        forms.sort_unstable();
        forms.dedup();
        forms
    }

    fn forms_of_word(&self, word: WordId) -> &[usize] {
        self.words.get(&word).map_or(&[], Vec::as_slice)
    }
}
