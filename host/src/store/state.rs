//! The state of a game: rows of cells, and functions to read them.
//!
//! Two states share all data that neither has changed since the fork. Only module `apply` changes a state.

use std::fmt;
use std::ops::Deref;
use std::rc::Rc;

use super::clock::Times;
use super::end_conditions::EndIndex;
use super::hash::Sum;
use super::kind_index::Kind;
use super::limits::Room;
use super::listener_index::Handlers;
use super::listener_rules::ListenerRules;
use super::memo::Memo;
use super::row::{Influences, Row};
use super::stat::Stats;
use super::table::Table;
use super::undo_log::{Log, Mark};
use super::watches::Watches;
use super::{Change, Reserved, StateHash, StoreError, is_host_name};
use crate::value::{Name, Names, Value};

/// All rows of a game.
///
/// A row with an owner is a *record*; a row without one is an *entity*. All orders here are orders of texts, or of
/// application for records. The numbers of names decide nothing.
pub struct State {
    pub(super) names: Rc<Names>,
    pub(super) reserved: Reserved,
    pub(super) stats: Rc<Stats>,
    /// The form of game time for people.
    pub(super) times: Times,
    pub(super) rows: Table<Row>,
    pub(super) kinds: Table<Kind>,
    /// Records by the kind of moment that may end them.
    pub(super) ends: Rc<EndIndex>,
    /// The effects of records on the stats of sets of rows.
    pub(super) auras: Option<Rc<Influences>>,
    pub(super) entities: usize,
    pub(super) records: usize,
    /// The rows that listen to events, as declared by the rules of the game.
    pub(super) base_rules: Rc<ListenerRules>,
    /// The same rules, with definitions that are rows.
    pub(super) listener_rules: Rc<ListenerRules>,
    /// Rows that are definitions with unread handlers.
    pub(super) unread: Vec<Name>,
    /// Listening rows by event.
    pub(super) handlers: Table<Handlers>,
    /// Grows with each added or removed row and with each change of a field that decides which rows listen.
    pub(super) shape: u64,
    /// Watched fields and kinds; a fork of this state has none.
    pub(super) watches: Watches,
    /// The sum of the cells, without pending writes of the log.
    pub(super) sum: Sum,
    /// The limits of bytes that may be written.
    pub(super) room: Room,
    pub(super) log: Log,
    /// Computed values; a view shares them.
    pub(super) memo: Rc<Memo>,
}

/// A state for reading after another borrow of it has ended. It costs a few counters. It must be dropped before the
/// next write, because otherwise that write copies the shared data.
pub struct View(State);

impl Deref for View {
    type Target = State;

    fn deref(&self) -> &State {
        &self.0
    }
}

impl State {
    /// Returns the names of rows and fields.
    pub fn names(&self) -> &Rc<Names> {
        &self.names
    }

    /// Returns the reserved field names of the store.
    pub fn reserved(&self) -> &Reserved {
        &self.reserved
    }

    /// Returns the declared stats.
    pub fn stats(&self) -> &Rc<Stats> {
        &self.stats
    }

    /// Returns the form of game time for people, as set by the live rules.
    pub fn times(&self) -> Times {
        self.times
    }

    /// Returns the value of a field, `Nil` if row or field is missing.
    #[inline]
    pub fn get(&self, row: Name, field: Name) -> &Value {
        self.cell(row, field)
    }

    /// Returns whether a row exists.
    pub fn exists(&self, row: Name) -> bool {
        self.kind(row).is_some()
    }

    /// Returns the kind of a row.
    pub fn kind(&self, row: Name) -> Option<Name> {
        self.rows.get(row)?.kind
    }

    /// Returns the owner of a record.
    pub fn owner(&self, row: Name) -> Option<Name> {
        self.rows.get(row)?.owner
    }

    /// Returns the place of a record in the order of application.
    pub fn record_number(&self, row: Name) -> Option<u64> {
        self.rows.get(row).map(|row| row.number).filter(|n| *n > 0)
    }

    /// Returns the fields of a row, also the reserved ones, in the order of their texts.
    pub fn field_names_of_row(&self, row: Name) -> Vec<Name> {
        let page = self.rows.get(row).filter(|page| page.kind.is_some());
        let fields = page.into_iter().flat_map(|page| page.fields.iter());
        self.sort_by_text(fields.map(|(field, _)| field).collect())
    }

    /// Returns the records that a row owns, in order of application.
    pub fn records_of(&self, row: Name) -> impl DoubleEndedIterator<Item = Name> {
        let records = self.rows.get(row).and_then(|page| page.records.as_ref());
        records.into_iter().flat_map(|records| records.names())
    }

    /// Returns the rows of a kind: entities in the order of their ids, then records in order of application.
    pub fn rows_of_kind(&self, kind: Name) -> impl Iterator<Item = Name> {
        self.kinds.get(kind).into_iter().flat_map(Kind::rows)
    }

    /// Returns a number that changes with each added or removed row and each change of a field that decides which
    /// rows listen. It cannot be used to compare two different states.
    pub fn listening_version(&self) -> u64 {
        self.shape
    }

    /// Returns the entity that a row belongs to: itself, or the owner of the record, and so on.
    pub fn bearer(&self, row: Name) -> Name {
        std::iter::successors(Some(row), |row| self.owner(*row))
            .last()
            .expect("invariant: a row is its own first")
    }

    /// Returns the rows of the game in the order of their ids, without the host's own rows.
    pub fn rows(&self) -> Vec<Name> {
        let rows = self.rows.iter().filter(|(_, page)| page.kind.is_some());
        let rows = rows.map(|(row, _)| row);
        self.sort_by_text(rows.filter(|row| !self.is_host_row(*row)).collect())
    }

    /// Returns whether a row is the host's own, by its id.
    pub fn is_host_row(&self, row: Name) -> bool {
        is_host_name(&self.names.text(row))
    }

    /// Returns the number of rows without an owner, not counting the host's rows.
    pub fn entity_count(&self) -> usize {
        self.entities
    }

    /// Returns the number of rows with an owner.
    pub fn record_count(&self) -> usize {
        self.records
    }

    /// Returns a separate state that begins as a copy of this one; pending writes are settled in the copy.
    ///
    /// The time does not depend on the size; only the hash of each pending cell takes time.
    pub fn fork(&self) -> State {
        State {
            names: Rc::clone(&self.names),
            stats: Rc::clone(&self.stats),
            rows: self.rows.clone(),
            kinds: self.kinds.clone(),
            ends: Rc::clone(&self.ends),
            auras: self.auras.clone(),
            base_rules: Rc::clone(&self.base_rules),
            listener_rules: Rc::clone(&self.listener_rules),
            unread: self.unread.clone(),
            handlers: self.handlers.clone(),
            watches: Watches::default(),
            sum: self.sum(),
            log: Log::default(),
            memo: Rc::default(),
            ..*self
        }
    }

    /// Returns a view of the present state; values computed in the view are also available here.
    pub fn view(&self) -> View {
        View(State {
            names: Rc::clone(&self.names),
            stats: Rc::clone(&self.stats),
            rows: self.rows.clone(),
            ends: Rc::clone(&self.ends),
            kinds: self.kinds.clone(),
            auras: self.auras.clone(),
            base_rules: Rc::clone(&self.base_rules),
            listener_rules: Rc::clone(&self.listener_rules),
            unread: self.unread.clone(),
            handlers: self.handlers.clone(),
            watches: Watches::default(),
            log: self.log.for_view(),
            memo: Rc::clone(&self.memo),
            ..*self
        })
    }

    /// Clears computed values, for example when another reader asks.
    pub fn clear_computed_values(&self) {
        self.memo.clear_values();
    }

    /// Returns the error for a path of stats that is a cycle or too long.
    pub(super) fn stat_path_error(&self, way: Vec<(Name, Name)>) -> StoreError {
        let is_cycle = way.first() == way.last();
        let texts = way
            .into_iter()
            .map(|(row, stat)| (self.names.text(row), self.names.text(stat)))
            .collect();
        if is_cycle {
            StoreError::Cycle(texts)
        } else {
            StoreError::LongWay(texts)
        }
    }

    /// Returns the version of the state, which grows with every write and every undone write.
    pub(crate) fn version(&self) -> u64 {
        self.log.version()
    }

    /// Returns a savepoint; savepoints nest.
    pub fn mark(&self) -> Mark {
        self.log.mark()
    }

    /// Returns the savepoint before all pending writes.
    pub fn mark_before_all(&self) -> Mark {
        self.log.mark_before_all()
    }

    /// Returns whether there are writes that no commit has settled.
    pub fn has_pending_writes(&self) -> bool {
        !self.log.is_empty()
    }

    /// Returns the hash of all cells, including pending ones; only the pending ones take time.
    pub fn hash(&self) -> StateHash {
        self.sum().hash
    }

    /// Returns the size of all cells in bytes, in the form used for the hash, including pending ones, which take
    /// time.
    pub fn size_in_bytes(&self) -> u64 {
        self.sum().bytes
    }

    fn sum(&self) -> Sum {
        if self.has_pending_writes() {
            self.sum_after(&self.changes_since(self.log.mark_before_all()))
        } else {
            self.sum
        }
    }

    /// Returns the hash computed again from every cell, which must be equal to [`State::hash`].
    pub fn recomputed_hash(&self) -> StateHash {
        self.recomputed_sum().hash
    }

    /// Returns the sum of all cells, computed again.
    pub(super) fn recomputed_sum(&self) -> Sum {
        let (mut sum, mut scratch) = (Sum::default(), Vec::new());
        for (row, page) in self.rows.iter() {
            let id = self.names.text(row);
            for (field, value) in page.fields.iter() {
                sum += Sum::of_cell(&mut scratch, &id, &self.names.text(field), value);
            }
        }
        sum
    }

    /// Returns the sum of the settled cells after these changes are settled too.
    pub(super) fn sum_after(&self, changes: &[Change]) -> Sum {
        let (mut sum, mut scratch) = (self.sum, Vec::new());
        for change in changes {
            let (row, field) = change.row_and_field_texts(&self.names);
            sum -= Sum::of_cell(&mut scratch, &row, &field, &change.old);
            sum += Sum::of_cell(&mut scratch, &row, &field, &change.new);
        }
        sum
    }

    /// Returns the value of a cell, also of the row of the state itself.
    #[inline]
    pub(super) fn cell(&self, row: Name, field: Name) -> &Value {
        let page = self.rows.get(row);
        page.and_then(|page| page.fields.get(field))
            .unwrap_or(&Value::Nil)
    }

    pub(super) fn sort_by_text(&self, mut names: Vec<Name>) -> Vec<Name> {
        names.sort_by_cached_key(|name| self.names.text(*name));
        names
    }
}

impl fmt::Debug for State {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (entities, records) = (self.entities, self.records);
        write!(
            out,
            "State({entities} entities, {records} records, {})",
            self.hash()
        )
    }
}
