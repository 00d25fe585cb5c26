//! Tests end conditions: their notation, the ends of records, and the index over random games.

mod index;
mod refusals;
mod table;
mod together;

use std::rc::Rc;

use super::{Due, Ended, Moment, Question, Setting, due_by_answers, resolve_duration};
use crate::diag::Diagnostic;
use crate::store::clock::{Clock, Phases, step};
use crate::store::end_conditions::How;
use crate::store::tests::{put, put_with, state};
use crate::store::{State, Write};
use crate::value::{Name, Value};

/// A small game with three people, two phases, and methods for its actions.
struct World {
    state: State,
    phases: Phases,
    /// Whether there is a ruleset that answers questions.
    is_answered: bool,
    /// All records that ended so far, as `kind: reason`.
    ended: Vec<String>,
}

fn phases() -> Phases {
    Phases::new(vec!["night".into(), "day".into()], None).unwrap()
}

impl World {
    fn new() -> World {
        let mut state = state();
        for id in ["ann", "bo", "cy"] {
            put(&mut state, id, "person").unwrap();
        }
        World {
            state,
            phases: phases(),
            is_answered: true,
            ended: Vec::new(),
        }
    }

    fn attach(&mut self, owner: &str, kind: &str, ends: &Value) -> Result<Name, Box<Diagnostic>> {
        let names = Rc::clone(self.state.names());
        let (kind, owner) = (names.intern(kind), names.intern(owner));
        let row = self.state.take_record_id(kind).unwrap();
        let setting = Setting {
            state: &self.state,
            phases: &self.phases,
            record: row,
            owner,
            check_event: &|_, _| Ok(()),
            unreadable: &|_| None,
            is_answered: &|| self.is_answered,
        };
        let ends = resolve_duration(ends, &setting)?;
        let write = Write::Put {
            row,
            kind,
            owner: Some(owner),
            fields: vec![(self.state.reserved().ends, ends)],
        };
        self.state
            .apply(write)
            .map_err(|error| Box::new(error.to_diagnostic()))?;
        Ok(row)
    }

    fn clock(&self) -> Clock {
        Clock::from_state(&self.state, &self.phases)
    }

    fn note_ended_records(&mut self, ended: Vec<Ended>) {
        let told = ended.into_iter();
        self.ended
            .extend(told.map(|one| format!("{}: {}", one.kind, one.reason)));
    }

    fn next_phase(&mut self, name: Option<&str>) {
        let ended = step::end_phase(&mut self.state, &self.phases).unwrap();
        self.note_ended_records(ended);
        step::begin_phase(&mut self.state, &self.phases, name).unwrap();
    }

    fn begin_rounds(&mut self, order: &[&str]) {
        let order = order.iter().map(|row| (*row).into()).collect();
        step::begin_rounds(&mut self.state, &self.phases, order).unwrap();
    }

    fn next_turn(&mut self) {
        if let Some(turn) = step::remove_turn_from_clock(&mut self.state, &self.phases).unwrap() {
            let ended = step::end_turn(&mut self.state, &turn).unwrap();
            self.note_ended_records(ended);
        }
        let next = step::begin_turn(&mut self.state, &self.phases).unwrap();
        let next = next.or_else(|| {
            let ended = step::end_round(&mut self.state, &self.phases, false).unwrap();
            self.note_ended_records(ended);
            step::begin_turn(&mut self.state, &self.phases).unwrap()
        });
        let (_, ended) = next.expect("somebody is there");
        self.note_ended_records(ended);
    }

    fn end_rounds(&mut self) {
        let ended = step::end_round(&mut self.state, &self.phases, true).unwrap();
        self.note_ended_records(ended);
    }

    fn pass_seconds(&mut self, seconds: i64) {
        let goal = self.clock().second_after(&Value::from(seconds)).unwrap();
        while let Some(ended) = step::pass_time(&mut self.state, &self.phases, goal).unwrap() {
            let now = super::duration_text(self.clock().time);
            if !ended.is_empty() {
                self.ended.push(format!("at {now}"));
            }
            self.note_ended_records(ended);
        }
    }

    fn event(&mut self, kind: &str, fields: &Value) {
        let kind = self.state.names().intern(kind);
        let field = |name: &str| fields.get(name).clone();
        let moment = Moment::Event {
            kind,
            field: &field,
        };
        let found = self.state.records_and_questions_at(&moment);
        let mut due = found.due;
        due.extend(self.due_by_test_answers(found.questions));
        let ended = self.state.end_rows(due).unwrap();
        self.note_ended_records(ended);
    }

    fn use_record_once(&mut self, record: Name) -> Option<u64> {
        let used = self.state.use_record_once(record).unwrap();
        let ended = self.state.end_rows(used.due.into_iter().collect()).unwrap();
        self.note_ended_records(ended);
        used.left
    }

    /// Ends the records with an expression that holds.
    fn test(&mut self) {
        let due = self.due_by_test_answers(self.state.questions_of_expressions());
        let ended = self.state.end_rows(due).unwrap();
        self.note_ended_records(ended);
    }

    /// Answers questions: an expression holds if it is the text `true` or names a field that is set on the bearer; the
    /// ruleset answers a text with bound data.
    fn due_by_test_answers(&self, questions: Vec<Question>) -> Vec<Due> {
        let state = &self.state;
        let holds = |question: &Question| {
            let field = state.names().intern(&question.text);
            let is_set = || !state.get(state.bearer(question.record), field).is_nil();
            Ok::<bool, ()>(match &question.bound {
                Some(bound) => *bound == Value::Bool(true),
                None => &*question.text == "true" || is_set(),
            })
        };
        due_by_answers(questions, holds).unwrap()
    }

    fn remove(&mut self, id: &str) {
        let record = self.state.names().intern(id);
        let reason = "removed".to_owned();
        let ended = self
            .state
            .end_rows(vec![Due {
                record,
                how: How::Detached,
                reason,
            }])
            .unwrap();
        self.note_ended_records(ended);
    }

    fn set(&mut self, id: &str, field: &str) {
        crate::store::tests::set(&mut self.state, id, field, 1).unwrap();
    }

    fn create(&mut self, id: &str) {
        put_with(&mut self.state, id, "person", &[]).unwrap();
    }
}

/// Returns an end as rules write it.
fn end<const N: usize>(entries: [(&str, Value); N]) -> Value {
    Value::map(entries)
}

fn list<const N: usize>(ends: [Value; N]) -> Value {
    Value::list(ends)
}
