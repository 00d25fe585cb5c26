//! Records the furthest place that matching reached and the tokens it expected there.

use super::compile::TypeId;
use super::lexicon::WordId;

/// More alternatives than this are not listed.
const MOST: usize = 64;

/// The alternatives at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    Word(WordId),
    Type(TypeId),
    End,
}

/// The furthest place where something did not fit.
#[derive(Clone, Debug, Default)]
pub(super) struct Failure {
    pub(super) pos: usize,
    pub(super) wanted: Vec<Wanted>,
    /// The name sets that were tried there.
    pub(super) names: Vec<TypeId>,
    /// Messages of the readers of scripts.
    pub(super) notes: Vec<String>,
}

/// A place that no text has: nothing is remembered there.
const NOWHERE: usize = usize::MAX;

impl Failure {
    /// Returns a failure that remembers nothing, for a reading that only checks whether a text fits.
    pub(super) fn ignored() -> Failure {
        Failure {
            pos: NOWHERE,
            ..Failure::default()
        }
    }

    pub(super) fn wanted_at(pos: usize, wanted: Wanted) -> Failure {
        Failure {
            pos,
            wanted: vec![wanted],
            ..Failure::default()
        }
    }

    /// Adds an expected alternative at a place. Only the furthest place is stored.
    pub(super) fn add_wanted(&mut self, pos: usize, wanted: Wanted) {
        if pos > self.pos {
            *self = Failure::wanted_at(pos, wanted);
        } else if pos == self.pos {
            add_once(&mut self.wanted, &[wanted]);
        }
    }

    pub(super) fn merge_failure(&mut self, other: &Failure) {
        if other.pos > self.pos {
            self.clone_from(other);
        } else if other.pos == self.pos && self.pos != NOWHERE {
            add_once(&mut self.wanted, &other.wanted);
            add_once(&mut self.names, &other.names);
            add_once(&mut self.notes, &other.notes);
        }
    }
}

fn add_once<T: Clone + PartialEq>(list: &mut Vec<T>, more: &[T]) {
    for item in more {
        if list.len() < MOST && !list.contains(item) {
            list.push(item.clone());
        }
    }
}
