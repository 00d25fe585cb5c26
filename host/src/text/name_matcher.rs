//! Finds the one name of a list that a text means, exactly or nearly. The list is prepared once.
//!
//! In: names in folded form, a cut-off, and texts as people wrote them. Out: the closest name with its ratio. The
//! answer equals the answer of [`close_matches`](super::close_matches) for one name, but most names are not compared.

use std::collections::{BTreeSet, HashSet};

use foldhash::fast::RandomState;

use super::key_fold::fold_to_key;
use super::letter_counts::{Comparison, Letters};
use super::similarity::{Ratio, ratio_if_reached};

/// Bytes that a name takes beside its text, and bytes of a character.
const NAME: usize = 192;
const LETTER: usize = 6;

/// Names that texts are matched with.
#[derive(Clone, Debug)]
pub struct Matcher {
    exact: HashSet<Box<str>, RandomState>,
    /// Names that a text which is not equal may mean: the alphabetically last comes first.
    near: Vec<(Box<str>, Letters)>,
    cutoff: Ratio,
    bytes: usize,
}

impl Matcher {
    /// Returns a matcher for names in folded form; `cutoff` is the least ratio that counts.
    pub fn new<'a>(names: impl IntoIterator<Item = &'a str>, cutoff: Ratio) -> Matcher {
        let sorted: BTreeSet<&str> = names.into_iter().collect();
        let made_ready = |name: &&str| Some((Box::from(*name), Letters::prepare(name)?));
        let near = sorted.iter().rev().filter_map(made_ready).collect();
        let bytes = sorted.iter().map(|name| NAME + LETTER * name.len()).sum();
        let exact = sorted.into_iter().map(Box::from).collect();
        Matcher {
            exact,
            near,
            cutoff,
            bytes,
        }
    }

    /// Returns about how much memory it takes, in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.bytes
    }

    /// Returns the names, each once, in no order.
    pub fn names(&self) -> impl Iterator<Item = &str> + Clone {
        self.exact.iter().map(AsRef::as_ref)
    }

    /// Returns the name that a text means, and the ratio of the two; nothing for a text without any letter or sign.
    ///
    /// The text is folded. A name equal to the folded text wins, else the closest that reaches the cut-off; of several,
    /// the alphabetically last (by code point). A folded text of more than 200 characters matches only an equal name.
    /// `spend` is called with the work before and between comparisons, and may end the search. Unit of work: a look at
    /// a name, or 64 pairs of characters.
    pub fn best_name<E>(
        &self,
        subject: &str,
        spend: impl FnMut(u64) -> Result<(), E>,
    ) -> Result<Option<(&str, Ratio)>, E> {
        let subject = fold_to_key(subject);
        if subject.is_empty() {
            return Ok(None);
        }
        if let Some(name) = self.exact.get(subject.as_str()) {
            return Ok(Some((name, Ratio::new(1, 1))));
        }
        match Letters::prepare(&subject) {
            Some(letters) => self.nearest_name(&letters, spend),
            None => Ok(None),
        }
    }

    fn nearest_name<E>(
        &self,
        subject: &Letters,
        mut spend: impl FnMut(u64) -> Result<(), E>,
    ) -> Result<Option<(&str, Ratio)>, E> {
        let (mut room, mut spent) = (Comparison::new(), 0);
        let mut best: Option<(&str, Ratio)> = None;
        spend(self.near.len() as u64 / 16)?;
        for (name, letters) in &self.near {
            let least = best.map_or(self.cutoff, |(_, ratio)| ratio);
            let found = ratio_if_reached(&mut room, letters, subject, least);
            if let Some(ratio) = found
                && best.is_none_or(|(_, best)| ratio > best)
            {
                best = Some((name, ratio));
            }
            let work = room.pairs / 64;
            if work > spent {
                spend(work - spent)?;
                spent = work;
            }
        }
        Ok(best)
    }
}

#[cfg(test)]
mod tests;
