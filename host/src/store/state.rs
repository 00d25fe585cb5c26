//! The state of a game: rows of cells, and how to read them.
//!
//! Two states share what neither has changed since they parted. Only `apply` changes one.

use std::fmt;
use std::ops::Deref;
use std::rc::Rc;

use super::clock::Times;
use super::ends::EndIndex;
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
/// A row with an owner is a *record*, another one an *entity*. Whatever is in order here is in the
/// order of texts, or of application for records; the numbers of names decide nothing.
pub struct State {
    pub(super) names: Rc<Names>,
    pub(super) reserved: Reserved,
    pub(super) stats: Rc<Stats>,
    /// What game time is for people.
    pub(super) times: Times,
    pub(super) rows: Table<Row>,
    pub(super) kinds: Table<Kind>,
    /// Records by what may end them.
    pub(super) ends: Rc<EndIndex>,
    /// What records do to the stats of sets of rows.
    pub(super) auras: Option<Rc<Influences>>,
    pub(super) entities: usize,
    pub(super) records: usize,
    /// Which rows listen to events, as the rules of the game say.
    pub(super) base_rules: Rc<ListenerRules>,
    /// The same, with definitions that are rows.
    pub(super) listener_rules: Rc<ListenerRules>,
    /// Rows that are definitions, and whose handlers nobody read yet.
    pub(super) unread: Vec<Name>,
    /// Those rows by event.
    pub(super) handlers: Table<Handlers>,
    /// Grows with each row that comes or goes and each field that changes and decides who listens.
    pub(super) shape: u64,
    /// Fields and kinds that somebody watches; a state that parts from this one has none.
    pub(super) watches: Watches,
    /// What the cells come to, without what is pending in the log.
    pub(super) sum: Sum,
    /// How much may be written.
    pub(super) room: Room,
    pub(super) log: Log,
    /// What was computed; a view has the same.
    pub(super) memo: Rc<Memo>,
}

/// A state to look at while another borrow of it has ended; it costs a few counters and must be gone before the
/// next write, which else copies what both share.
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

    /// Returns the field names of the store itself.
    pub fn reserved(&self) -> &Reserved {
        &self.reserved
    }

    /// Returns the declared stats.
    pub fn stats(&self) -> &Rc<Stats> {
        &self.stats
    }

    /// Returns what game time is for people: as the rules that are live say.
    pub fn times(&self) -> Times {
        self.times
    }

    /// Returns the value of a field, `Nil` where row or field is missing.
    #[inline]
    pub fn get(&self, row: Name, field: Name) -> &Value {
        self.cell(row, field)
    }

    /// Returns whether there is such a row.
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
    pub fn number(&self, row: Name) -> Option<u64> {
        self.rows.get(row).map(|row| row.number).filter(|n| *n > 0)
    }

    /// Returns the fields of a row, also the reserved ones, in the order of their texts.
    pub fn fields(&self, row: Name) -> Vec<Name> {
        let page = self.rows.get(row).filter(|page| page.kind.is_some());
        let fields = page.into_iter().flat_map(|page| page.fields.iter());
        self.sort_by_text(fields.map(|(field, _)| field).collect())
    }

    /// Returns the records that a row owns, in order of application.
    pub fn records(&self, row: Name) -> impl DoubleEndedIterator<Item = Name> {
        let records = self.rows.get(row).and_then(|page| page.records.as_ref());
        records.into_iter().flat_map(|records| records.names())
    }

    /// Returns the rows of a kind: entities in the order of their ids, then records in order of application.
    pub fn rows_of_kind(&self, kind: Name) -> impl Iterator<Item = Name> {
        self.kinds.get(kind).into_iter().flat_map(Kind::rows)
    }

    /// Returns a number that is another one after every row that came or went and every change of a field that
    /// decides who listens; it says nothing about two different states.
    pub fn listening_version(&self) -> u64 {
        self.shape
    }

    /// Returns the entity that a row belongs to: itself, or the owner of the record, and so on.
    pub fn bearer(&self, row: Name) -> Name {
        std::iter::successors(Some(row), |row| self.owner(*row))
            .last()
            .expect("invariant: a row is its own first")
    }

    /// Returns the rows of the game in the order of their ids; the host's own are left out.
    pub fn rows(&self) -> Vec<Name> {
        let rows = self.rows.iter().filter(|(_, page)| page.kind.is_some());
        let rows = rows.map(|(row, _)| row);
        self.sort_by_text(rows.filter(|row| !self.is_host_row(*row)).collect())
    }

    /// Returns whether a row is the host's own, by its id.
    pub fn is_host_row(&self, row: Name) -> bool {
        is_host_name(&self.names.text(row))
    }

    /// Returns how many rows have no owner, without those of the host.
    pub fn entity_count(&self) -> usize {
        self.entities
    }

    /// Returns how many rows have an owner.
    pub fn record_count(&self) -> usize {
        self.records
    }

    /// Returns a state of its own that begins as this one; what is pending here is settled there.
    ///
    /// Takes the same time for every size, and the hash of each pending cell.
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

    /// Returns a view of the state as it is now; what is computed there is known here.
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
            log: self.log.of_view(),
            memo: Rc::clone(&self.memo),
            ..*self
        })
    }

    /// Forgets what was computed, as when somebody else asks.
    pub fn forget_computed(&self) {
        self.memo.forget_all();
    }

    /// Returns the refusal for a way from stat to stat that ends where it was, or nowhere.
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

    /// Returns which version of the state this is: it grows with every step forth or back.
    pub(crate) fn version(&self) -> u64 {
        self.log.version()
    }

    /// Returns a savepoint; savepoints nest.
    pub fn mark(&self) -> Mark {
        self.log.mark()
    }

    /// Returns the savepoint before everything that is pending.
    pub fn mark_before_all(&self) -> Mark {
        self.log.mark_before_all()
    }

    /// Returns whether there are writes that no commit has settled.
    pub fn is_pending(&self) -> bool {
        !self.log.is_empty()
    }

    /// Returns the hash of all cells, pending ones too; only those cost time.
    pub fn hash(&self) -> StateHash {
        self.sum().hash
    }

    /// Returns how many bytes all cells are, written as they are for the hash; pending ones too, which cost time.
    pub fn bytes(&self) -> u64 {
        self.sum().bytes
    }

    fn sum(&self) -> Sum {
        if self.is_pending() {
            self.sum_after(&self.changes_since(self.log.mark_before_all()))
        } else {
            self.sum
        }
    }

    /// Returns the hash computed again from every cell, which must be equal to [`State::hash`].
    pub fn whole_hash(&self) -> StateHash {
        self.whole_sum().hash
    }

    /// Returns what all cells come to, computed again.
    pub(super) fn whole_sum(&self) -> Sum {
        let (mut sum, mut scratch) = (Sum::default(), Vec::new());
        for (row, page) in self.rows.iter() {
            let id = self.names.text(row);
            for (field, value) in page.fields.iter() {
                sum += Sum::of_cell(&mut scratch, &id, &self.names.text(field), value);
            }
        }
        sum
    }

    /// Returns what the settled cells come to once these changes are settled too.
    pub(super) fn sum_after(&self, changes: &[Change]) -> Sum {
        let (mut sum, mut scratch) = (self.sum, Vec::new());
        for change in changes {
            let (row, field) = change.cell(&self.names);
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
