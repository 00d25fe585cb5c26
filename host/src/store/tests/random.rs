//! Compares the store with the naive model over random writes, savepoints and forks.

use std::rc::Rc;

use proptest::prelude::*;

use super::model::Model;
use super::{attach, modifier, put_with, remove, set, texts};
use crate::store::{Change, Look, Mark, State, StoreError, WithoutRules};
use crate::value::{Names, Value};

pub(super) const ENTITIES: [&str; 5] = ["ann", "bo", "Cy", "dé", "the hall"];
const KINDS: [&str; 4] = ["player", "place", "mark", "charm"];
const OPERATORS: [&str; 5] = ["add", "multiply", "set", "at_least", "at_most"];

#[derive(Clone, Debug)]
pub(super) enum Act {
    Put {
        entity: usize,
        kind: usize,
        fields: Vec<(usize, i64)>,
    },
    Attach {
        owner: usize,
        kind: usize,
        modifiers: Vec<(usize, usize, i64)>,
    },
    Modify {
        row: usize,
        modifiers: Vec<(usize, usize, i64)>,
    },
    Set {
        row: usize,
        field: usize,
        value: i64,
    },
    Remove {
        row: usize,
    },
    /// Removes an entity and adds it again at once.
    Renew {
        entity: usize,
        kind: usize,
    },
}

#[derive(Clone, Debug)]
enum Move {
    Act(Act),
    Mark,
    Rollback,
    Commit,
    Fork,
    Swap,
}

pub(super) fn any_act() -> impl Strategy<Value = Act> {
    let modifiers = || prop::collection::vec((0usize..4, 0usize..5, -3i64..4), 0..4);
    let fields = prop::collection::vec((0usize..30, 0i64..4), 0..20);
    prop_oneof![
        2 => (0usize..5, 0usize..4, fields).prop_map(|(entity, kind, fields)| Act::Put { entity, kind, fields }),
        3 => (0usize..20, 0usize..4, modifiers()).prop_map(|(owner, kind, modifiers)| Act::Attach { owner, kind, modifiers }),
        1 => (0usize..20, modifiers()).prop_map(|(row, modifiers)| Act::Modify { row, modifiers }),
        6 => (0usize..20, 0usize..30, 0i64..4).prop_map(|(row, field, value)| Act::Set { row, field, value }),
        1 => (0usize..20).prop_map(|row| Act::Remove { row }),
        1 => (0usize..5, 0usize..4).prop_map(|(entity, kind)| Act::Renew { entity, kind }),
    ]
}

fn any_move() -> impl Strategy<Value = Move> {
    prop_oneof![
        12 => any_act().prop_map(Move::Act),
        2 => Just(Move::Mark),
        2 => Just(Move::Rollback),
        1 => Just(Move::Commit),
        1 => Just(Move::Fork),
        1 => Just(Move::Swap),
    ]
}

fn number_field_value(number: i64) -> Value {
    match number {
        0 => Value::Nil,
        other => Value::from(other),
    }
}

fn list(modifiers: &[(usize, usize, i64)]) -> Value {
    let one = |(stat, op, value): &(usize, usize, i64)| {
        modifier(&format!("f{stat}"), OPERATORS[*op], *value)
    };
    Value::list(modifiers.iter().map(one))
}

/// Performs an act on the state and on the model, and returns the result of the state.
pub(super) fn perform(state: &mut State, model: &mut Model, act: &Act) -> Result<(), StoreError> {
    let rows = model.rows();
    let row_at = |at: usize| {
        rows.get(at % rows.len().max(1))
            .cloned()
            .unwrap_or_else(|| "nobody".to_owned())
    };
    match act {
        Act::Put {
            entity,
            kind,
            fields,
        } => {
            let id = ENTITIES[*entity];
            let mut named: Vec<(String, Value)> = Vec::new();
            for (field, value) in fields {
                if named.iter().all(|(name, _)| *name != format!("f{field}")) {
                    named.push((format!("f{field}"), number_field_value(*value)));
                }
            }
            let given: Vec<_> = named
                .iter()
                .map(|(name, value)| (name.as_str(), value.clone()))
                .collect();
            let done = put_with(state, id, KINDS[*kind], &given);
            assert_eq!(done.is_ok(), !model.exists(id));
            if done.is_ok() {
                model.write(id, "@kind", KINDS[*kind].into());
                named
                    .into_iter()
                    .for_each(|(name, value)| model.write(id, &name, value));
            }
            done
        }
        Act::Attach {
            owner,
            kind,
            modifiers,
        } => {
            let (owner, kind) = (row_at(*owner), KINDS[*kind]);
            let done = attach(state, &owner, kind, &[("@modifiers", list(modifiers))]);
            assert_eq!(done.is_ok(), model.exists(&owner));
            let number = model.next();
            if done.is_ok() {
                let id = format!("{kind}#{number}");
                model.write(&id, "@kind", kind.into());
                model.write(&id, "@owner", owner.into());
                model.write(&id, "@number", number.into());
                model.write(&id, "@modifiers", list(modifiers));
            }
            done.map(|_| ())
        }
        Act::Modify { row, modifiers } => {
            let id = row_at(*row);
            let done = set(state, &id, "@modifiers", list(modifiers));
            assert_eq!(done.is_ok(), !model.get(&id, "@owner").is_nil());
            if done.is_ok() {
                model.write(&id, "@modifiers", list(modifiers));
            }
            done
        }
        Act::Set { row, field, value } => {
            let (id, field) = (row_at(*row), format!("f{field}"));
            let done = set(state, &id, &field, number_field_value(*value));
            assert_eq!(done.is_ok(), model.exists(&id));
            if done.is_ok() {
                model.write(&id, &field, number_field_value(*value));
            }
            done
        }
        Act::Remove { row } => {
            let id = row_at(*row);
            let done = remove(state, &id);
            assert_eq!(done.is_ok(), model.exists(&id));
            model.remove(&id);
            done
        }
        Act::Renew { entity, kind } => {
            let id = ENTITIES[*entity];
            remove(state, id)?;
            model.remove(id);
            let act = Act::Put {
                entity: *entity,
                kind: *kind,
                fields: vec![(1, 1)],
            };
            perform(state, model, &act)
        }
    }
}

pub(super) fn changes_as_texts(
    state: &State,
    changes: &[Change],
) -> Vec<(String, String, Value, Value)> {
    let one = |change: &Change| {
        let (row, field) = change.row_and_field_texts(state.names());
        (
            row.to_string(),
            field.to_string(),
            change.old.clone(),
            change.new.clone(),
        )
    };
    changes.iter().map(one).collect()
}

/// Compares all data that can be read.
pub(super) fn assert_equal(state: &State, model: &Model) {
    assert_eq!(state.hash(), model.hash());
    assert_eq!(state.recomputed_hash(), model.hash());
    assert_eq!(state.size_in_bytes(), model.bytes_of_cells());
    assert_eq!(state.to_bytes(), model.bytes());
    let rows = model.rows();
    assert_eq!(texts(state, state.rows()), rows);
    assert_eq!(state.entity_count() + state.record_count(), rows.len());
    for kind in KINDS {
        let kind_name = state.names().intern(kind);
        assert_eq!(
            texts(state, state.rows_of_kind(kind_name)),
            model.of_kind(kind)
        );
    }
    for id in &rows {
        let row = state.names().intern(id);
        assert_eq!(texts(state, state.records_of(row)), model.records(id));
        let fields: Vec<String> = model
            .cells
            .keys()
            .filter(|(r, _)| r == id)
            .map(|(_, f)| f.clone())
            .collect();
        assert_eq!(texts(state, state.field_names_of_row(row)), fields);
        for field in fields {
            let name = state.names().intern(&field);
            assert_eq!(*state.get(row, name), model.get(id, &field));
        }
        for stat in ["f0", "f1", "f2", "f3", "f9"] {
            let name = state.names().intern(stat);
            let value = Look::new(state, &WithoutRules).stat_value(row, name).ok();
            assert_eq!(value, model.shown(id, stat));
        }
    }
}

struct Run {
    state: State,
    model: Model,
    settled: Model,
    marks: Vec<(Mark, Model)>,
}

impl Run {
    fn step(&mut self, others: &mut Vec<Run>, step: &Move) {
        match step {
            Move::Act(act) => drop(perform(&mut self.state, &mut self.model, act)),
            Move::Mark => self.marks.push((self.state.mark(), self.model.clone())),
            Move::Rollback => {
                if let Some((mark, model)) = self.marks.pop() {
                    self.state.rollback(mark);
                    self.model = model;
                }
            }
            Move::Commit => {
                if let Some((mark, model)) = self.marks.first() {
                    self.state.rollback(*mark);
                    self.model = model.clone();
                }
                let before = self.settled.clone();
                let changes = self.commit();
                assert_eq!(
                    changes_as_texts(&self.state, &changes),
                    self.model.changes_from(&before)
                );
            }
            Move::Fork => others.push(Run {
                state: self.state.fork(),
                model: self.model.clone(),
                settled: self.model.clone(),
                marks: Vec::new(),
            }),
            Move::Swap => {
                if let Some(other) = others.first_mut() {
                    std::mem::swap(self, other);
                }
            }
        }
    }

    fn commit(&mut self) -> Vec<Change> {
        let start = self.state.log.mark_before_all();
        self.marks.clear();
        self.settled = self.model.clone();
        self.state.commit(start)
    }

    fn check(&self) {
        assert_equal(&self.state, &self.model);
        for (mark, model) in &self.marks {
            let changes = self.state.changes_since(*mark);
            assert_eq!(
                changes_as_texts(&self.state, &changes),
                self.model.changes_from(model)
            );
        }
    }
}

proptest! {
    #[test]
    fn the_store_is_a_map_of_cells(first_names in prop::collection::vec(0usize..60, 0..60), moves in prop::collection::vec(any_move(), 0..80)) {
        let names = Rc::new(Names::default());
        for n in &first_names {
            names.intern(&format!("f{n}"));
        }
        let mut run = Run {
            state: State::new(names),
            model: Model::default(),
            settled: Model::default(),
            marks: Vec::new(),
        };
        let mut others = Vec::new();
        for step in &moves {
            run.step(&mut others, step);
            prop_assert_eq!(run.state.hash(), run.model.hash());
        }
        run.check();
        others.iter().for_each(Run::check);
        while let Some((mark, model)) = run.marks.pop() {
            run.state.rollback(mark);
            run.model = model;
            run.check();
        }
    }

    #[test]
    fn a_saved_state_is_the_state(acts in prop::collection::vec(any_act(), 0..60)) {
        let (mut state, mut model) = (super::state(), Model::default());
        for act in &acts {
            drop(perform(&mut state, &mut model, act));
        }
        let again = State::from_bytes(&state.to_bytes(), Rc::default()).unwrap();
        assert_equal(&again, &model);
    }
}
