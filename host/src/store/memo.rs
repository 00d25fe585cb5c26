//! Values computed for one version of a state, and the computations in progress.
//!
//! A state and its views share one memo. A write makes another version and clears the memo. The exception is a write
//! that only replaces the value of a cell, if no computed value has read this cell.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::rc::Rc;

use super::live_aura::LiveAura;
use crate::value::{Name, Value};

/// Maximum number of stored values; after that all are cleared.
const VALUES: usize = 200_000;

/// Maps of names. Names are numbers that no outside source chooses, so mixing them is enough.
type Map<K, V> = HashMap<K, V, BuildHasherDefault<Mixed>>;

/// Mixes numbers.
#[derive(Default)]
struct Mixed(u64);

impl Hasher for Mixed {
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 29)
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes
            .iter()
            .for_each(|byte| self.write_u32(u32::from(*byte)));
    }

    fn write_u16(&mut self, number: u16) {
        self.write_u32(u32::from(number));
    }

    #[inline]
    fn write_u32(&mut self, number: u32) {
        let mixed = self.0.rotate_left(26) ^ u64::from(number);
        self.0 = mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

/// Values computed for one version of a state.
#[derive(Default)]
pub(super) struct Memo {
    version: Cell<u64>,
    values: RefCell<Map<(Name, Name), Value>>,
    /// Whether a guard holds that does not depend on the reader: by record, and place in its list of modifiers.
    guards: RefCell<Map<(Name, u16), bool>>,
    /// The auras of each stat that was read.
    auras: RefCell<Map<Name, Rc<Vec<LiveAura>>>>,
    /// The fields that expressions read, by the number of the name.
    asked: RefCell<Vec<bool>>,
    /// Whether an expression asked the rules, which may read anything.
    asked_rules: Cell<bool>,
    /// The stats that are being computed, each for the one before it.
    path: RefCell<Vec<(Name, Name)>>,
}

/// A stat that is being computed, until this is dropped.
pub(super) struct Step<'a>(&'a Memo);

impl Drop for Step<'_> {
    fn drop(&mut self) {
        self.0.path.borrow_mut().pop();
    }
}

impl Memo {
    /// Changes to a version; values of another version are cleared.
    pub(super) fn switch_to_version(&self, version: u64) {
        if self.version.replace(version) != version {
            self.clear_values();
        }
    }

    /// Clears all computed values.
    pub(super) fn clear_values(&self) {
        self.values.borrow_mut().clear();
        self.guards.borrow_mut().clear();
        self.auras.borrow_mut().clear();
        self.asked.borrow_mut().clear();
        self.asked_rules.set(false);
    }

    /// Notes that the present computation reads a field.
    #[inline]
    pub(super) fn note_field_read(&self, field: Name) {
        let mut asked = self.asked.borrow_mut();
        if field.index() >= asked.len() {
            asked.resize(field.index() + 1, false);
        }
        asked[field.index()] = true;
    }

    /// Notes that the present computation asks the rules.
    pub(super) fn note_rules_asked(&self) {
        self.asked_rules.set(true);
    }

    /// Changes to a version in which only one cell has another value, if no computed value has read its field.
    #[inline]
    pub(super) fn keep_across_cell_write(&self, version: u64, row: Name, field: Name) {
        if self.version.get() + 1 == version && !self.asked_rules.get() {
            self.keep_if_field_unread(version, row, field);
        }
    }

    fn keep_if_field_unread(&self, version: u64, row: Name, field: Name) {
        let asked = self.asked.borrow();
        if asked.get(field.index()).copied() != Some(true) {
            self.version.set(version);
            self.values.borrow_mut().remove(&(row, field));
        }
    }

    /// Returns the auras of a stat in a version, from the memo or newly made.
    pub(super) fn auras_or_insert(
        &self,
        version: u64,
        stat: Name,
        make: impl FnOnce() -> Vec<LiveAura>,
    ) -> Rc<Vec<LiveAura>> {
        self.switch_to_version(version);
        let mut auras = self.auras.borrow_mut();
        Rc::clone(auras.entry(stat).or_insert_with(|| Rc::new(make())))
    }

    /// Returns the shown value of a stat in a version, if it is in the memo.
    pub(super) fn remembered_value(&self, version: u64, row: Name, stat: Name) -> Option<Value> {
        let known = self.version.get() == version;
        let values = self.values.borrow();
        values.get(&(row, stat)).filter(|_| known).cloned()
    }

    pub(super) fn remember_value(&self, version: u64, row: Name, stat: Name, value: &Value) {
        self.switch_to_version(version);
        let mut values = self.values.borrow_mut();
        if values.len() >= VALUES {
            values.clear();
        }
        values.insert((row, stat), value.clone());
    }

    /// Returns whether a guard holds in a version, if the result is in the memo.
    pub(super) fn remembered_guard(&self, version: u64, record: Name, place: u16) -> Option<bool> {
        let known = self.version.get() == version;
        let guards = self.guards.borrow();
        guards.get(&(record, place)).copied().filter(|_| known)
    }

    pub(super) fn remember_guard(&self, version: u64, record: Name, place: u16, holds: bool) {
        self.switch_to_version(version);
        self.guards.borrow_mut().insert((record, place), holds);
    }

    /// Begins to compute a stat. Errors: the path of stats, if the stat is already being computed or the path is too
    /// long.
    pub(super) fn begin_stat_computation(
        &self,
        row: Name,
        stat: Name,
        deepest: usize,
    ) -> Result<Step<'_>, Vec<(Name, Name)>> {
        let mut path = self.path.borrow_mut();
        let again = path.iter().position(|step| *step == (row, stat));
        if again.is_none() && path.len() < deepest {
            path.push((row, stat));
            return Ok(Step(self));
        }
        let mut way = path[again.unwrap_or_default()..].to_vec();
        way.push((row, stat));
        Err(way)
    }
}
