//! Remembers the results for a type at a place. They start as a short list, which is enough for most readings.

use std::collections::HashMap;
use std::rc::Rc;

use foldhash::fast::RandomState;

use super::super::compile::TypeId;
use super::Outcome;

/// Entries that are searched one by one.
const FEW: usize = 24;

/// A type and a place.
type Key = (TypeId, usize);

pub(in super::super) enum Memo {
    Done(Rc<Outcome>),
    /// In progress: the ends found in the previous round, and whether this round asked for them.
    Active {
        index: usize,
        seed: Option<Rc<Outcome>>,
        asked: bool,
    },
}

/// The results so far.
#[derive(Default)]
pub(in super::super) struct Memos {
    few: Vec<(Key, Memo)>,
    many: HashMap<Key, Memo, RandomState>,
}

impl Memos {
    pub(in super::super) fn get(&self, key: Key) -> Option<&Memo> {
        let few = self.few.iter().find(|(known, _)| *known == key);
        few.map(|(_, memo)| memo).or_else(|| self.many.get(&key))
    }

    pub(super) fn get_mut(&mut self, key: Key) -> Option<&mut Memo> {
        let few = self.few.iter_mut().find(|(known, _)| *known == key);
        few.map(|(_, memo)| memo)
            .or_else(|| self.many.get_mut(&key))
    }

    pub(super) fn insert(&mut self, key: Key, memo: Memo) {
        if let Some(known) = self.get_mut(key) {
            *known = memo;
        } else if self.few.len() < FEW {
            self.few.push((key, memo));
        } else {
            self.many.insert(key, memo);
        }
    }

    pub(super) fn remove(&mut self, key: Key) {
        match self.few.iter().position(|(known, _)| *known == key) {
            Some(at) => drop(self.few.swap_remove(at)),
            None => drop(self.many.remove(&key)),
        }
    }

    /// Returns the types that were tried at a place, in no order.
    pub(super) fn types_tried_at(&self, pos: usize) -> impl Iterator<Item = TypeId> {
        let few = self.few.iter().map(|(key, _)| key);
        let here = few
            .chain(self.many.keys())
            .filter(move |(_, at)| *at == pos);
        here.map(|(ty, _)| *ty)
    }
}
