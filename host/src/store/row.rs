//! One row of a state: its cells and the data derived from them.
//!
//! All data except the cells can be computed again; module `apply` keeps it up to date.

use std::rc::Rc;

use super::end_conditions::EndCondition;
use super::fields::Fields;
use super::modifier::{ByStat, Modifier, Modifiers};
use crate::value::Name;

/// One row. Copying it copies the cells and shares the rest.
#[derive(Clone, Default)]
pub(super) struct Row {
    /// All cells, also the reserved ones.
    pub(super) fields: Fields,
    /// From `@kind`; only the row of the state itself has none.
    pub(super) kind: Option<Name>,
    /// From `@owner`; a row with an owner is a record.
    pub(super) owner: Option<Name>,
    /// From `@number`; 0 for an entity.
    pub(super) number: u64,
    /// From `@modifiers` and `@while`.
    pub(super) modifiers: Option<Rc<Modifiers>>,
    /// From `@ends`.
    pub(super) ends: Option<Rc<[EndCondition]>>,
    /// The records that this row owns.
    pub(super) records: Option<Rc<Numbered>>,
    /// The effects of those records on the stats of this row.
    pub(super) influences: Option<Rc<Influences>>,
    /// The records among them that listen to events or have a listener below them.
    pub(super) listening: Option<Rc<Numbered>>,
}

impl Row {
    /// Returns the number of records that this row owns.
    pub(super) fn record_count(&self) -> usize {
        self.records.as_ref().map_or(0, |records| records.0.len())
    }

    /// Returns the effects of this record on the stats of its owner.
    pub(super) fn modifiers_on_owner(&self) -> &ByStat {
        self.modifiers
            .as_ref()
            .map_or(&[], |modifiers| &modifiers.own)
    }

    /// Returns the effects of this record on the stats of a set of rows.
    pub(super) fn auras(&self) -> &ByStat {
        self.modifiers
            .as_ref()
            .map_or(&[], |modifiers| &modifiers.auras)
    }

    /// Notes a record that this row owns from now on.
    pub(super) fn add_record(&mut self, number: u64, record: Name) {
        Rc::make_mut(self.records.get_or_insert_default()).insert(number, record);
    }

    /// Forgets a record.
    pub(super) fn remove_record(&mut self, number: u64) {
        if let Some(records) = &mut self.records {
            let records = Rc::make_mut(records);
            records.remove(number);
            if records.0.is_empty() {
                self.records = None;
            }
        }
    }

    /// Returns whether a record listens to events or has a listener below it.
    pub(super) fn has_listening_record(&self, number: u64) -> bool {
        let listening = self.listening.as_ref();
        listening.is_some_and(|records| records.has_number(number))
    }

    /// Notes that a record listens to events or has a listener below it.
    pub(super) fn add_listening_record(&mut self, number: u64, record: Name) {
        Rc::make_mut(self.listening.get_or_insert_default()).insert_unless_present(number, record);
    }

    /// Forgets a record that listened to events.
    pub(super) fn remove_listening_record(&mut self, number: u64) {
        if let Some(records) = &mut self.listening {
            let records = Rc::make_mut(records);
            records.remove(number);
            if records.0.is_empty() {
                self.listening = None;
            }
        }
    }

    /// Notes the effects of a record on the stats of this row.
    pub(super) fn add_influence(&mut self, number: u64, record: Name, modifiers: &ByStat) {
        if !modifiers.is_empty() {
            let influences = Rc::make_mut(self.influences.get_or_insert_default());
            influences.insert(number, record, modifiers);
        }
    }

    /// Forgets the effects of a record.
    pub(super) fn remove_influence(&mut self, number: u64, modifiers: &ByStat) {
        if let Some(influences) = &mut self.influences
            && !modifiers.is_empty()
        {
            let influences = Rc::make_mut(influences);
            influences.remove(number, modifiers);
            if influences.stats.is_empty() {
                self.influences = None;
            }
        }
    }
}

/// Records in order of application.
#[derive(Clone, Default)]
pub(super) struct Numbered(Vec<(u64, Name)>);

impl Numbered {
    pub(super) fn insert(&mut self, number: u64, record: Name) {
        let at = self.0.partition_point(|(other, _)| *other < number);
        self.0.insert(at, (number, record));
    }

    /// Inserts a record that may already be present.
    pub(super) fn insert_unless_present(&mut self, number: u64, record: Name) {
        if self
            .0
            .binary_search_by_key(&number, |(other, _)| *other)
            .is_err()
        {
            self.insert(number, record);
        }
    }

    pub(super) fn remove(&mut self, number: u64) {
        if let Ok(at) = self.0.binary_search_by_key(&number, |(other, _)| *other) {
            self.0.remove(at);
        }
    }

    pub(super) fn has_number(&self, number: u64) -> bool {
        self.0
            .binary_search_by_key(&number, |(other, _)| *other)
            .is_ok()
    }

    pub(super) fn last_record_number(&self) -> Option<u64> {
        self.0.last().map(|(number, _)| *number)
    }

    pub(super) fn names(&self) -> impl DoubleEndedIterator<Item = Name> {
        self.0.iter().map(|(_, record)| *record)
    }
}

/// The effect of one record on one stat.
#[derive(Clone)]
pub(super) struct Influence {
    pub(super) number: u64,
    pub(super) record: Name,
    pub(super) modifiers: Rc<[Modifier]>,
}

/// Effects of records on the stats of their owner, or of rows of the whole game.
///
/// Invariant: stats are in the order of their numbers, and each has an influence; influences are in order of
/// application. The list of each stat is shared separately, so a change after a fork copies only that list.
#[derive(Clone, Default)]
pub(super) struct Influences {
    stats: Vec<(Name, Rc<Vec<Influence>>)>,
}

impl Influences {
    /// Returns the influences on a stat, in order of application.
    pub(super) fn influences_on(&self, stat: Name) -> &[Influence] {
        self.find(stat).map_or(&[], |at| &self.stats[at].1)
    }

    /// Returns the number of targeted stats if these modifiers are added.
    pub(super) fn stat_count_with(&self, modifiers: &ByStat) -> usize {
        let added = modifiers
            .iter()
            .filter(|(stat, _)| self.find(*stat).is_err());
        self.stats.len() + added.count()
    }

    /// Returns whether there are no influences.
    pub(super) fn is_empty(&self) -> bool {
        self.stats.is_empty()
    }

    pub(super) fn insert(&mut self, number: u64, record: Name, modifiers: &ByStat) {
        for (stat, of_stat) in modifiers {
            let at = self.find(*stat).unwrap_or_else(|at| {
                self.stats.insert(at, (*stat, Rc::default()));
                at
            });
            let list = Rc::make_mut(&mut self.stats[at].1);
            let place = list.partition_point(|other| other.number < number);
            let modifiers = Rc::clone(of_stat);
            list.insert(
                place,
                Influence {
                    number,
                    record,
                    modifiers,
                },
            );
        }
    }

    pub(super) fn remove(&mut self, number: u64, modifiers: &ByStat) {
        for (stat, _) in modifiers {
            let Ok(at) = self.find(*stat) else { continue };
            let list = Rc::make_mut(&mut self.stats[at].1);
            if let Ok(place) = list.binary_search_by_key(&number, |other| other.number) {
                list.remove(place);
            }
            if list.is_empty() {
                self.stats.remove(at);
            }
        }
    }

    fn find(&self, stat: Name) -> Result<usize, usize> {
        self.stats
            .binary_search_by_key(&stat.index(), |(other, _)| other.index())
    }
}
