//! Reports earlier changes to scripts, as a reader may see them.
//!
//! In: the valid operations, the present state, a reader. Out: changed values, newest first. A row that a seat may see
//! now may have been hidden from the seat earlier. If the set of seats that may see a row changed, the seat gets no
//! earlier values of the row.

use std::collections::{BTreeMap, HashSet};
use std::rc::Rc;

use crate::diag::Diagnostic;
use crate::doc::Viewer;
use crate::game::timeline::Timeline;
use crate::game::timeline::fiat::Fiat;
use crate::game::timeline::log_entries::{Entry, log_entries_of_operations};
use crate::script::{Found, Past, Sight, Wanted};
use crate::store::{Change, Changed, Operation, State};
use crate::value::{Name, Value};

/// Fields of a row that limit its viewers, besides the fields of the store.
const WHOSE: [&str; 2] = ["seat", "name"];
/// The field of the clock's row with the game time.
const TIME: &str = "time";

/// Returns the past for queries.
pub(in crate::game) fn past_for_queries(timeline: &Timeline) -> Box<dyn Past> {
    Box::new(GamePast(timeline.history.operations_snapshot()))
}

/// The past of a game, for its scripts.
struct GamePast(Changed);

impl Past for GamePast {
    fn changes(&self, state: &State, viewer: &Viewer, wanted: &Wanted) -> Found {
        let mut reader = Reader::new(self.0.operations(), state, viewer);
        let mut found = Found::default();
        for operation in self.0.live_newest_first() {
            for change in &operation.changes {
                found.looked_at += 1;
                if wanted.wants_change(change.row, change.field) && reader.may_know_change(change) {
                    found
                        .changes
                        .push(reader.value_of_change(operation, change));
                }
                if found.changes.len() == wanted.most {
                    return found;
                }
            }
            reader.step_back_over_operation(operation);
        }
        found
    }
}

/// A reader of the past, at the point that the backward walk has reached.
struct Reader<'a> {
    state: &'a State,
    viewer: &'a Viewer,
    /// The log lines that a seat may see, by operation number.
    entries: BTreeMap<u64, Entry<'a>>,
    /// Rows that other readers might have seen before, or that were other rows.
    closed: HashSet<Name>,
    /// Rows that another seat might have played before.
    others: HashSet<Name>,
    /// The game time after the present operation of the walk.
    time: Value,
}

impl<'a> Reader<'a> {
    fn new(operations: &'a [Rc<Operation>], state: &'a State, viewer: &'a Viewer) -> Reader<'a> {
        let entries = match viewer {
            Viewer::Gm => Vec::new(),
            Viewer::Public | Viewer::Seat { .. } => log_entries_of_operations(operations, viewer),
        };
        let entries = entries.into_iter();
        Reader {
            state,
            viewer,
            entries: entries.map(|one| (one.operation.seq, one)).collect(),
            closed: HashSet::new(),
            others: HashSet::new(),
            time: game_time_of_state(state),
        }
    }

    /// Returns whether a change may be shown: it belongs to the game, and a seat may see it now and always could.
    fn may_know_change(&self, change: &Change) -> bool {
        let (row, field) = change.row_and_field_texts(self.state.names());
        if row.starts_with('@') || field.starts_with('@') {
            return false;
        }
        if *self.viewer == Viewer::Gm {
            return true;
        }
        let state = self.state;
        let mut chain = std::iter::successors(Some(change.row), |row| state.owner(*row));
        if !Sight::new(state, self.viewer).can_see_field(change.row, change.field)
            || chain.any(|row| self.closed.contains(&row))
        {
            return false;
        }
        let is_public =
            || Sight::new(state, &Viewer::Public).can_see_field(change.row, change.field);
        !self.others.contains(&state.bearer(change.row)) || is_public()
    }

    /// Returns a change of an operation as plain data.
    fn value_of_change(&self, operation: &Operation, change: &Change) -> Value {
        let (row, field) = change.row_and_field_texts(self.state.names());
        let of_change = [
            ("row", Value::Text(row)),
            ("field", Value::Text(field)),
            ("old", change.old.clone()),
            ("new", change.new.clone()),
            ("time", self.time.clone()),
        ];
        let entry = self.entries.get(&operation.seq);
        let is_gm = *self.viewer == Viewer::Gm;
        let ruling_number = operation.slot.map_or(Value::Nil, number_value);
        let told_of_it = [
            ("operation", self.log_line_value(operation, entry)),
            ("ruling_number", ruling_number.clone()),
            // The key that scripts of former versions read.
            ("slot", ruling_number),
        ];
        let own = [
            ("by", Value::Text(operation.by.clone())),
            ("command", Value::Text(operation.command.clone())),
        ];
        let fiat = Fiat::of(operation);
        let is_fiat = fiat.as_ref().map(|_| ("fiat", Value::Bool(true)));
        let reason = fiat.and_then(|fiat| fiat.reason);
        let reason = reason.map(|reason| ("reason", Value::from(reason.as_str())));
        let is_told = is_gm || entry.is_some();
        let is_own = is_gm || entry.is_some_and(|entry| entry.is_own);
        let told = told_of_it.into_iter().chain(is_fiat).chain(reason);
        let parts = of_change.into_iter().chain(told.filter(|_| is_told));
        let parts = parts.chain(own.into_iter().filter(|_| is_own));
        Value::map(parts.filter(|(_, value)| !value.is_nil()))
    }

    fn log_line_value(&self, operation: &Operation, entry: Option<&Entry<'_>>) -> Value {
        number_value(entry.map_or(operation.seq, |entry| entry.number))
    }

    /// Steps back over an operation.
    fn step_back_over_operation(&mut self, operation: &Operation) {
        let reserved = self.state.reserved();
        for change in &operation.changes {
            let (row, field) = change.row_and_field_texts(self.state.names());
            if change.row == reserved.clock && &*field == TIME {
                self.time = stored_time_or_zero(&change.old);
            } else if row.starts_with('@') {
                continue;
            } else if [reserved.kind, reserved.owner, reserved.seen].contains(&change.field) {
                self.closed.insert(change.row);
            } else if WHOSE.contains(&&*field) {
                self.others.insert(change.row);
            }
        }
    }
}

/// Returns the game time of a state.
fn game_time_of_state(state: &State) -> Value {
    let field = state.names().find(TIME);
    stored_time_or_zero(field.map_or(&Value::Nil, |field| {
        state.get(state.reserved().clock, field)
    }))
}

/// Returns a stored game time, or zero: before any time has passed, none may be stored.
fn stored_time_or_zero(kept: &Value) -> Value {
    match kept {
        Value::Nil => Value::from(0),
        some => some.clone(),
    }
}

fn number_value(number: u64) -> Value {
    Value::from(i64::try_from(number).unwrap_or(i64::MAX))
}

/// Returns the last valid operation that contains a change selected by `wanted`.
pub(in crate::game) fn last_changing_operation(
    timeline: &Timeline,
    wanted: impl Fn(&Change) -> bool,
) -> Option<&Operation> {
    let mut changes = timeline.history().changes_newest_first();
    let found = changes.find(|(_, change)| wanted(change));
    found.map(|(operation, _)| operation)
}

/// Adds to a finding about a record the operation that attached the record. The game master asks `why` with its number.
pub(in crate::game) fn add_attaching_operation_hint(
    timeline: &Timeline,
    finding: Diagnostic,
) -> Diagnostic {
    let record = finding.record.as_deref();
    let row = record.and_then(|record| timeline.state.names().find(record));
    let kind = timeline.state.reserved().kind;
    let made =
        |change: &Change| Some(change.row) == row && change.field == kind && !change.new.is_nil();
    // A record that the refused command attached itself is removed with the command's changes.
    let maker = row.filter(|row| timeline.state.exists(*row));
    let maker = maker.and_then(|_| last_changing_operation(timeline, made));
    match maker.map(|operation| operation.seq) {
        Some(seq) => finding.hint(format!("log line {seq} attached it: `why {seq}` shows how")),
        None => finding,
    }
}
