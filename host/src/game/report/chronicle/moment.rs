//! The moment of the game at an operation: its phase, its round and its time, read from the changes of the clock.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::game::timeline::Timeline;
use crate::store::Change;
use crate::store::clock::Times;
use crate::value::{Name, Value};
use crate::words::Words;

/// Returns the live operations, oldest first, each with the part of the game after it.
///
/// An operation that was undone is not live. The state after a live one holds nothing of those that were undone.
pub(in crate::game) fn parts_after_live_operations(
    timeline: &Timeline,
) -> Vec<(u64, Option<String>)> {
    let mut live = timeline.history.live_operations().peekable();
    let mut moment = Moment::before_game(timeline);
    let mut parts = Vec::new();
    for operation in timeline.history.operations() {
        moment.apply_changes(&operation.changes);
        if live.next_if(|one| one.seq == operation.seq).is_some() {
            parts.push((operation.seq, moment.part_of_game()));
        }
    }
    parts
}

/// The moment of the game at an operation.
pub(super) struct Moment {
    row: Name,
    fields: [(Option<Name>, Cell); 4],
    times: Times,
    words: Arc<Words>,
    /// The kind of the phase.
    pub(super) kind: Value,
    /// The number of the phase.
    pub(super) number: Value,
    round: Value,
    time: Value,
}

/// A cell of the clock that a moment follows.
#[derive(Clone, Copy)]
enum Cell {
    Phase,
    Number,
    Round,
    Time,
}

impl Moment {
    /// Returns the moment before the first operation: no phase.
    pub(super) fn before_game(timeline: &Timeline) -> Moment {
        let names = timeline.state.names();
        let cells = [
            ("phase", Cell::Phase),
            ("number", Cell::Number),
            ("round", Cell::Round),
            ("time", Cell::Time),
        ];
        Moment {
            row: timeline.state.reserved().clock,
            fields: cells.map(|(field, cell)| (names.find(field), cell)),
            times: timeline.state.times(),
            words: timeline.words(),
            kind: Value::Nil,
            number: Value::Nil,
            round: Value::Nil,
            time: Value::Nil,
        }
    }

    /// Follows the changes of an operation.
    pub(super) fn apply_changes(&mut self, changes: &[Change]) {
        for change in changes.iter().filter(|change| change.row == self.row) {
            let is_field = |(field, _): &&(Option<Name>, Cell)| *field == Some(change.field);
            let place = match self.fields.iter().find(is_field) {
                Some((_, Cell::Phase)) => &mut self.kind,
                Some((_, Cell::Number)) => &mut self.number,
                Some((_, Cell::Round)) => &mut self.round,
                Some((_, Cell::Time)) => &mut self.time,
                None => continue,
            };
            *place = change.new.clone();
        }
    }

    /// Returns the part of the game for the chapters of a story: the phase, else the round, else the day of the date.
    pub(super) fn part_of_game(&self) -> Option<String> {
        phase_in_words(&self.kind, &self.number)
            .or_else(|| round_in_words(&self.round, &self.words))
            .or_else(|| self.date())
    }

    /// Returns the day of a clock with dates, once a date is set.
    fn date(&self) -> Option<String> {
        let time = u64::try_from(self.time.as_i64()?).ok()?;
        let text = self.times.view_time_text(time);
        let day = text.split(' ').next()?;
        (self.times == Times::Dates && day.contains('-')).then(|| day.to_owned())
    }
}

/// Returns the parts of the game before and after operations, by operation.
pub(in crate::game) fn parts_of_operations(
    timeline: &Timeline,
    seqs: &BTreeSet<u64>,
) -> BTreeMap<u64, (Option<String>, Option<String>)> {
    let mut moment = Moment::before_game(timeline);
    let mut parts = BTreeMap::new();
    for operation in timeline.history.operations() {
        let is_asked = seqs.contains(&operation.seq);
        let begins_in = is_asked.then(|| moment.part_of_game());
        moment.apply_changes(&operation.changes);
        if let Some(begins_in) = begins_in {
            parts.insert(operation.seq, (begins_in, moment.part_of_game()));
        }
    }
    parts
}

/// Returns a phase as `Night 2`.
pub(super) fn phase_in_words(kind: &Value, number: &Value) -> Option<String> {
    let kind = kind.as_str()?;
    let mut letters = kind.chars();
    let first = letters.next()?;
    let kind: String = first.to_uppercase().chain(letters).collect();
    Some(match number {
        Value::Nil => kind,
        number => format!("{kind} {number}"),
    })
}

fn round_in_words(round: &Value, words: &Words) -> Option<String> {
    let round = round.as_i64().filter(|round| *round > 0)?;
    Some(words.fill("chapter.round", &[("round", &round)]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phase_is_a_title() {
        let words = |kind: &str, number: Value| phase_in_words(&Value::from(kind), &number);
        assert_eq!(words("night", Value::from(2)).as_deref(), Some("Night 2"));
        assert_eq!(words("dusk", Value::Nil).as_deref(), Some("Dusk"));
        assert_eq!(phase_in_words(&Value::Nil, &Value::from(2)), None);
        let round = |round: Value| round_in_words(&round, &Words::english());
        assert_eq!(round(Value::from(3)).as_deref(), Some("Round 3"));
        assert_eq!(round(Value::Nil), None);
    }
}
