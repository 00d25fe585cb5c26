//! Finds the records that a moment ends, and the records that end with them. It only reads.

use std::collections::{BTreeMap, BTreeSet};

use super::{EndCondition, Form, Moment, Question, end_reason};
use crate::store::State;
use crate::store::row::Numbered;
use crate::value::{Name, Text, Value};

/// Cause of the end of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// An end condition of this form.
    By(Form),
    /// A rule or a person removed the record.
    Detached,
}

impl How {
    /// Returns the word that rules receive.
    pub fn as_str(self) -> &'static str {
        match self {
            How::By(form) => form.as_str(),
            How::Detached => "detached",
        }
    }
}

/// A record that is to end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Due {
    /// The record.
    pub record: Name,
    /// The cause of its end.
    pub how: How,
    /// The reason in words.
    pub reason: String,
}

/// Result of a moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// The records that it ends.
    pub due: Vec<Due>,
    /// The questions that must be answered before further records end.
    pub questions: Vec<Question>,
}

/// Last data of an ended record, for events and messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// Its id, which no longer names a row.
    pub record: Text,
    /// Its place in the order of application.
    pub number: u64,
    /// Its kind.
    pub kind: Text,
    /// The row it belonged to.
    pub owner: Text,
    /// The row at the top of its owners, which is not a record.
    pub bearer: Text,
    /// The cause of its end.
    pub how: How,
    /// The cause in words.
    pub reason: String,
    /// Its fields, without the fields of the store.
    pub values: Value,
}

impl State {
    /// Returns the end conditions of a record; empty for a record without a limit.
    pub fn end_conditions_of_record(&self, record: Name) -> &[EndCondition] {
        let page = self.rows.get(record);
        page.and_then(|page| page.ends.as_deref())
            .unwrap_or_default()
    }

    /// Returns the records that a moment ends, in order of application, without those that depend on a question.
    pub fn records_ended_by(&self, moment: &Moment<'_>) -> Vec<Due> {
        self.records_and_questions_at(moment).due
    }

    /// Returns the records that a moment ends, and the questions about those that it may end, in order of
    /// application.
    pub fn records_and_questions_at(&self, moment: &Moment<'_>) -> Found {
        let mut found = Found::default();
        for record in self.records_to_check(moment) {
            let reason = |end: &EndCondition| {
                end_reason::end_reason_text(end, moment, (&self.names, self.times))
            };
            let brought: Vec<&EndCondition> = moment
                .conditions_met(self.end_conditions_of_record(record))
                .collect();
            match brought.iter().find(|end| !end.asks_question()) {
                Some(end) => found.due.push(Due {
                    record,
                    how: How::By(end.form()),
                    reason: reason(end),
                }),
                None => {
                    let asked = brought.into_iter();
                    let asked =
                        asked.filter_map(|end| Question::about_end(record, end, |_| reason(end)));
                    found.questions.extend(asked);
                }
            }
        }
        found
    }

    fn records_to_check(&self, moment: &Moment<'_>) -> Vec<Name> {
        let listed = |list: &Numbered| list.names().collect::<Vec<_>>();
        match moment {
            Moment::PhaseEnd { .. } => listed(&self.ends.phases),
            Moment::Turn { .. } => listed(&self.ends.turns),
            Moment::RoundEnd { .. } => listed(&self.ends.rounds),
            Moment::Event { kind, .. } => self.ends.events.get(*kind).map_or(Vec::new(), listed),
            Moment::Time { now } => {
                let passed = self.ends.times.iter();
                let passed = passed.take_while(|((second, ..), _)| second <= now);
                let numbered: BTreeMap<u64, Name> = passed
                    .map(|((_, number, _), record)| (*number, *record))
                    .collect();
                numbered.into_values().collect()
            }
        }
    }

    /// Returns whether there are records that may end after an event, by its kind or by an expression.
    pub fn may_end_after_any_event(&self) -> bool {
        let waiting = [&self.ends.hearing, &self.ends.expressions];
        waiting
            .into_iter()
            .any(|list| list.last_record_number().is_some())
    }

    /// Returns whether there are records that may end after an event of this kind, or by an expression.
    #[inline]
    pub fn may_end_after_event(&self, kind: Name) -> bool {
        self.may_end_by_event_kind(kind) || self.ends.expressions.last_record_number().is_some()
    }

    /// Returns whether an event of this kind may end records.
    pub fn may_end_by_event_kind(&self, kind: Name) -> bool {
        self.ends.events.get(kind).is_some()
    }

    /// Returns the next second after one at which a record ends or a row has its deadline.
    pub fn next_due_second(&self, after: u64) -> Option<u64> {
        let from = (after.saturating_add(1), 0, Text::from(""));
        let first = [&self.ends.times, &self.ends.deadlines].into_iter();
        first
            .filter_map(|calendar| calendar.range(from.clone()..).next())
            .map(|((second, ..), _)| *second)
            .min()
    }

    /// Returns the rows with a deadline at or before this second, earliest first.
    pub fn rows_past_deadline(&self, now: u64) -> Vec<Name> {
        let passed = self.ends.deadlines.iter();
        let passed = passed.take_while(|((second, ..), _)| *second <= now);
        passed.map(|(_, row)| *row).collect()
    }

    /// Returns the records that go with rows: the owned records, the records that end with the rows, and in turn
    /// the records that go with these.
    ///
    /// Each record comes with the row that causes its removal; the rows themselves are not listed.
    pub fn records_removed_with(&self, rows: &[Name]) -> Vec<(Name, Name)> {
        let mut seen: BTreeSet<usize> = rows.iter().map(|row| row.index()).collect();
        let mut going = Vec::new();
        let mut open: Vec<Name> = rows.to_vec();
        let mut at = 0;
        while let Some(row) = open.get(at).copied() {
            let dependants = self.ends.with.get(row).into_iter();
            let dependants = dependants.flat_map(Numbered::names);
            for record in self.records_of(row).chain(dependants) {
                if seen.insert(record.index()) {
                    going.push((record, row));
                    open.push(record);
                }
            }
            at += 1;
        }
        going
    }

    /// Returns the data to keep of a record after its end; `None` if the row is not a record.
    pub(in crate::store) fn ended_record_data(&self, due: Due) -> Option<Ended> {
        let Due {
            record,
            how,
            reason,
        } = due;
        let page = self.rows.get(record)?;
        let owner = page.owner?;
        let own = page.fields.iter();
        let own = own.map(|(field, value)| (self.names.text(field), value.clone()));
        Some(Ended {
            record: self.names.text(record),
            number: page.number,
            kind: self.names.text(page.kind?),
            owner: self.names.text(owner),
            bearer: self.names.text(self.bearer(record)),
            how,
            reason,
            values: Value::map(own.filter(|(field, _)| !field.starts_with('@'))),
        })
    }
}
