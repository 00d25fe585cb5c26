//! The fields of one row: values by name.
//!
//! A row with few fields is searched field by field; a row with more fields has an index, an open table of positions.
//! Two copies share the index until one of them gains or loses a field.

use std::mem;
use std::rc::Rc;

use crate::value::{Name, Value};

/// Up to this number of fields, a linear search is as fast as an index.
const FEW: usize = 8;

/// Values by name; never holds `Nil`.
#[derive(Clone, Default)]
pub(super) struct Fields {
    entries: Vec<(Name, Value)>,
    index: Option<Index>,
}

impl Fields {
    /// Returns how many fields there are.
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns the value of a field.
    #[inline]
    pub(super) fn get(&self, field: Name) -> Option<&Value> {
        self.position_of_field(field).map(|at| &self.entries[at].1)
    }

    /// Returns the value of a field for changing; it must not become `Nil`.
    #[inline]
    pub(super) fn get_mut(&mut self, field: Name) -> Option<&mut Value> {
        self.position_of_field(field)
            .map(|at| &mut self.entries[at].1)
    }

    /// Returns all fields, in an order that must not reach output.
    pub(super) fn iter(&self) -> impl Iterator<Item = (Name, &Value)> {
        self.entries.iter().map(|(field, value)| (*field, value))
    }

    /// Sets a field and returns its old value; `Nil` means no field.
    pub(super) fn replace(&mut self, field: Name, value: Value) -> Value {
        match self.position_of_field(field) {
            Some(at) if value.is_nil() => self.remove_at(at),
            Some(at) => mem::replace(&mut self.entries[at].1, value),
            None if value.is_nil() => Value::Nil,
            None => {
                self.push(field, value);
                Value::Nil
            }
        }
    }

    #[inline]
    fn position_of_field(&self, field: Name) -> Option<usize> {
        match &self.index {
            None => self.entries.iter().position(|(name, _)| *name == field),
            Some(index) => index.find(field, &self.entries),
        }
    }

    fn push(&mut self, field: Name, value: Value) {
        self.entries.push((field, value));
        match &mut self.index {
            Some(index) if index.has_room(self.entries.len()) => {
                index.insert_position(field, self.entries.len() - 1);
            }
            _ if self.entries.len() > FEW => self.index = Some(Index::from_entries(&self.entries)),
            _ => {}
        }
    }

    fn remove_at(&mut self, at: usize) -> Value {
        if let Some(index) = &mut self.index {
            let last = self.entries.len() - 1;
            index.remove_position(at, &self.entries);
            if at != last {
                index.move_position(last, at, &self.entries);
            }
        }
        let (_, value) = self.entries.swap_remove(at);
        if self.entries.len() <= FEW {
            self.index = None;
        }
        value
    }
}

/// An open table of positions: 0 is a free slot, else the position plus 1.
///
/// Invariant: a power of two, at least twice as many slots as entries.
#[derive(Clone)]
struct Index {
    slots: Rc<[u16]>,
}

impl Index {
    fn from_entries(entries: &[(Name, Value)]) -> Index {
        let size = (entries.len() * 3).next_power_of_two();
        let mut index = Index {
            slots: std::iter::repeat_n(0, size).collect(),
        };
        for (at, (field, _)) in entries.iter().enumerate() {
            index.insert_position(*field, at);
        }
        index
    }

    fn has_room(&self, entries: usize) -> bool {
        entries * 2 <= self.slots.len()
    }

    /// Numbers of fields form runs; the golden ratio spreads a run over the table.
    #[inline]
    fn home_slot(&self, field: Name) -> usize {
        let spread = (field.index() as u32).wrapping_mul(0x9E37_79B9);
        (spread >> 16) as usize & (self.slots.len() - 1)
    }

    #[inline]
    fn find(&self, field: Name, entries: &[(Name, Value)]) -> Option<usize> {
        let mut slot = self.home_slot(field);
        loop {
            let at = usize::from(self.slots[slot]).checked_sub(1)?;
            if entries[at].0 == field {
                return Some(at);
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
    }

    fn insert_position(&mut self, field: Name, at: usize) {
        let mut slot = self.home_slot(field);
        while self.slots[slot] != 0 {
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        Rc::make_mut(&mut self.slots)[slot] = slot_entry(at);
    }

    /// Frees the slot of a position and moves later ones of the same run into the gap.
    fn remove_position(&mut self, at: usize, entries: &[(Name, Value)]) {
        let mask = self.slots.len() - 1;
        let mut gap = self.slot_of(at, entries);
        let mut slot = gap;
        loop {
            slot = (slot + 1) & mask;
            let Some(next) = usize::from(self.slots[slot]).checked_sub(1) else {
                break;
            };
            let home = self.home_slot(entries[next].0);
            if (slot.wrapping_sub(home) & mask) >= (slot.wrapping_sub(gap) & mask) {
                Rc::make_mut(&mut self.slots)[gap] = slot_entry(next);
                gap = slot;
            }
        }
        Rc::make_mut(&mut self.slots)[gap] = 0;
    }

    fn move_position(&mut self, from: usize, to: usize, entries: &[(Name, Value)]) {
        let slot = self.slot_of(from, entries);
        Rc::make_mut(&mut self.slots)[slot] = slot_entry(to);
    }

    fn slot_of(&self, at: usize, entries: &[(Name, Value)]) -> usize {
        let mut slot = self.home_slot(entries[at].0);
        while self.slots[slot] != slot_entry(at) {
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        slot
    }
}

fn slot_entry(at: usize) -> u16 {
    u16::try_from(at + 1).expect("invariant: a row has a few hundred fields at most")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn fields_are_a_map(steps in prop::collection::vec((0usize..300, 0i64..3), 0..400), spread in 1usize..5000) {
            let mut fields = Fields::default();
            let mut model = BTreeMap::new();
            for (key, number) in steps {
                let value = if number == 0 { Value::Nil } else { Value::from(number) };
                let old = model.insert(key, value.clone()).unwrap_or_default();
                prop_assert_eq!(fields.replace(Name::from_index(key * spread), value), old);
            }
            model.retain(|_, value| !value.is_nil());
            prop_assert_eq!(fields.len(), model.len());
            for key in 0..300 {
                prop_assert_eq!(fields.get(Name::from_index(key * spread)), model.get(&key));
            }
        }
    }
}
