//! Tests undo, redo, ruling numbers and earlier states over random games.

use std::rc::Rc;

use proptest::prelude::*;

use super::model::Model;
use super::random::{any_act, assert_equal, perform};
use super::{put, set, state};
use crate::store::{Draft, History, HistoryError, Operation, Publication, State, StoreError, What};
use crate::value::Value;

pub(super) fn draft(address: &str) -> Draft {
    let input = Value::map([("address", address.into()), ("face", 4.into())]);
    Draft {
        by: "gm".into(),
        command: address.into(),
        inputs: vec![input],
        ..Draft::default()
    }
}

/// Plays one command that sets a cell.
pub(super) fn play(history: &mut History, state: &mut State, value: i64) -> u64 {
    let mark = state.mark();
    set(state, "ann", "hp", value).unwrap();
    let address = format!("{}/attack/ann/{value}", history.next_ruling_number());
    history
        .record_ruling(state, mark, draft(&address))
        .slot
        .unwrap()
}

pub(super) fn game() -> (History, State) {
    let mut state = state();
    put(&mut state, "ann", "player").unwrap();
    let start = state.mark();
    assert!(state.has_pending_writes());
    state.rollback(start);
    let first = state.log.mark_before_all();
    state.commit(first);
    (History::new(&state), state)
}

fn hp(state: &State) -> Option<i64> {
    super::get(state, "ann", "hp").as_i64()
}

#[test]
fn undo_gives_the_slot_back_and_redo_takes_it_again() {
    let (mut history, mut state) = game();
    assert_eq!(play(&mut history, &mut state, 1), 1);
    assert_eq!(play(&mut history, &mut state, 2), 2);
    history.record_refused_command(&state, draft("3/attack/ann/9"), "store/unknown-row", "no");
    assert_eq!(history.next_ruling_number(), 3);
    let undone = history.undo_last_ruling(&mut state, "gm").unwrap();
    assert_eq!(
        (undone.seq, undone.slot, &undone.what),
        (4, None, &What::Undo { of: 2 })
    );
    assert_eq!((hp(&state), history.next_ruling_number()), (Some(1), 2));
    assert_eq!(
        history
            .seen_dice_addresses()
            .into_iter()
            .collect::<Vec<_>>(),
        ["2/attack/ann/2", "3/attack/ann/9"]
    );
    let redone = history.redo_last_undone(&mut state, "gm").unwrap();
    assert_eq!(
        (redone.seq, redone.slot, &redone.what),
        (5, None, &What::Redo { of: 2 })
    );
    assert_eq!((hp(&state), history.next_ruling_number()), (Some(2), 3));
    assert_eq!(
        history
            .seen_dice_addresses()
            .into_iter()
            .collect::<Vec<_>>(),
        ["3/attack/ann/9"]
    );
    assert_eq!(
        history.redo_last_undone(&mut state, "gm"),
        Err(HistoryError::NothingToRedo)
    );
}

#[test]
fn a_ruling_that_goes_on_keeps_its_slot_and_those_behind_it_keep_theirs() {
    let (mut history, mut state) = game();
    let go_on = |history: &mut History, state: &mut State, slot: u64, value: i64| {
        let mark = state.mark();
        set(state, "ann", "hp", value).unwrap();
        let draft = Draft {
            slot: Some(slot),
            ..draft("again")
        };
        history.record_ruling(state, mark, draft).slot.unwrap()
    };
    let (mut copy, mut copied) = (History::new(&state), state.fork());
    assert_eq!(play(&mut history, &mut state, 1), 1);
    assert_eq!(play(&mut history, &mut state, 2), 2);
    assert_eq!(go_on(&mut history, &mut state, 1, 3), 1);
    assert_eq!(play(&mut history, &mut state, 4), 3);
    assert_eq!(go_on(&mut history, &mut state, 2, 5), 2);
    for operation in history.operations() {
        copy.append_recorded_operation(&mut copied, Operation::clone(operation))
            .unwrap();
    }
    assert_eq!(
        (copied.hash(), copy.next_ruling_number()),
        (state.hash(), 4)
    );
    for next in [4, 3, 3, 2, 1] {
        history.undo_last_ruling(&mut state, "gm").unwrap();
        assert_eq!(history.next_ruling_number(), next);
    }
    for next in [2, 3, 3, 4, 4] {
        history.redo_last_undone(&mut state, "gm").unwrap();
        assert_eq!(history.next_ruling_number(), next);
    }
    assert_eq!(hp(&state), Some(5));
}

#[test]
fn a_new_ruling_ends_redo_and_a_refusal_does_not() {
    let (mut history, mut state) = game();
    assert_eq!(
        history.undo_last_ruling(&mut state, "gm"),
        Err(HistoryError::NothingToUndo)
    );
    play(&mut history, &mut state, 1);
    play(&mut history, &mut state, 2);
    history.undo_last_ruling(&mut state, "gm").unwrap();
    history.record_refused_command(&state, draft("x"), "limit/fuel", "no");
    history.redo_last_undone(&mut state, "gm").unwrap();
    history.undo_last_ruling(&mut state, "gm").unwrap();
    assert_eq!(play(&mut history, &mut state, 3), 2);
    assert_eq!(
        history.redo_last_undone(&mut state, "gm"),
        Err(HistoryError::NothingToRedo)
    );
    let live: Vec<u64> = history
        .live_operations()
        .map(|operation| operation.seq)
        .collect();
    assert_eq!(live, [1, 7]);
}

#[test]
fn a_foreign_or_unsettled_state_is_refused() {
    let (mut history, mut state) = game();
    play(&mut history, &mut state, 1);
    let mut other = state.fork();
    let mark = other.mark();
    set(&mut other, "ann", "hp", 9).unwrap();
    assert_eq!(
        history.undo_last_ruling(&mut other, "gm"),
        Err(HistoryError::OtherState)
    );
    other.commit(mark);
    assert_eq!(
        history.undo_last_ruling(&mut other, "gm"),
        Err(HistoryError::OtherState)
    );
    assert_eq!(history.operations().len(), 1);
    history.undo_last_ruling(&mut state, "gm").unwrap();
}

#[test]
fn an_operation_from_elsewhere_must_continue_the_history() {
    let (mut history, mut state) = game();
    let (mut copy, mut copy_state) = (History::new(&state), state.fork());
    play(&mut history, &mut state, 1);
    let good = Operation::clone(&history.operations()[0]);
    let other_hash = Operation {
        state: copy_state.hash(),
        ..good.clone()
    };
    let other_slot = Operation {
        slot: Some(2),
        ..good.clone()
    };
    let other_seq = Operation {
        seq: 2,
        ..good.clone()
    };
    let undo = Operation {
        what: What::Undo { of: 1 },
        slot: None,
        ..good.clone()
    };
    let mut misfit = good.clone();
    misfit.changes[0].old = 5.into();
    let before = copy_state.hash();
    let differs = StoreError::OldDiffers("ann".into(), "hp".into());
    for (operation, expected) in [
        (other_hash, HistoryError::HashDiffers(1)),
        (other_slot, HistoryError::OutOfOrder(1)),
        (other_seq, HistoryError::OutOfOrder(2)),
        (undo, HistoryError::OutOfOrder(1)),
        (misfit, HistoryError::Store(1, differs)),
    ] {
        assert_eq!(
            copy.append_recorded_operation(&mut copy_state, operation),
            Err(expected)
        );
        assert_eq!(
            (copy_state.hash(), copy_state.has_pending_writes()),
            (before, false)
        );
    }
    copy.append_recorded_operation(&mut copy_state, good)
        .unwrap();
    assert_eq!(copy_state.hash(), state.hash());
    assert_eq!(
        copy.state_before(0).unwrap_err(),
        HistoryError::UnknownOperation(0)
    );
    assert_eq!(copy.state_before(2).unwrap().hash(), state.hash());
    assert_eq!(
        copy.state_before(3).unwrap_err(),
        HistoryError::UnknownOperation(3)
    );
}

#[test]
fn a_note_has_no_slot_and_undo_passes_over_it() {
    let (mut history, mut state) = game();
    let (mut copy, mut copy_state) = (History::new(&state), state.fork());
    play(&mut history, &mut state, 1);
    play(&mut history, &mut state, 2);
    let posted = |lines: &[(u64, u64)], after| What::Posted {
        posts: vec![Publication {
            to: vec!["public".into()],
            lines: lines.to_vec(),
            parts: Vec::new(),
        }],
        after,
    };
    let note = Draft::default();
    let what = posted(&[(1, 2)], 2);
    let noted = history.record_note(&state, note.clone(), what).unwrap();
    assert_eq!((noted.seq, noted.slot), (3, None));
    assert_eq!(history.next_ruling_number(), 3);
    for wrong in [
        posted(&[(1, 2)], 4),
        posted(&[(2, 1)], 3),
        posted(&[(0, 1)], 3),
        posted(&[(1, 3)], 2),
        What::Posted {
            posts: vec![Publication {
                to: vec!["public".into()],
                lines: Vec::new(),
                parts: vec![(3, vec![0])],
            }],
            after: 2,
        },
        What::Posted {
            posts: Vec::new(),
            after: 2,
        },
        What::Withdrawn { of: 2 },
        What::Ruling,
    ] {
        let refused = history.record_note(&state, note.clone(), wrong);
        assert_eq!(refused, Err(HistoryError::OutOfOrder(4)));
    }
    let undone = history.undo_last_ruling(&mut state, "gm").unwrap();
    assert_eq!(undone.what, What::Undo { of: 2 });
    let withdrawn = What::Withdrawn { of: 3 };
    history.record_note(&state, note, withdrawn).unwrap();
    // A note does not end what can be redone.
    history.redo_last_undone(&mut state, "gm").unwrap();
    assert_eq!(hp(&state), Some(2));
    for operation in history.operations() {
        let operation = Operation::clone(operation);
        copy.append_recorded_operation(&mut copy_state, operation)
            .unwrap();
    }
    assert_eq!(copy_state.hash(), state.hash());
    let mut changing = Operation::clone(&history.operations()[2]);
    (changing.seq, changing.changes) = (7, history.operations()[0].changes.clone());
    assert_eq!(
        copy.append_recorded_operation(&mut copy_state, changing),
        Err(HistoryError::OutOfOrder(7))
    );
}

/// One command of a random game: its acts, and a choice that is made before it.
type Turn = (Vec<super::random::Act>, u8);

fn turn() -> impl Strategy<Value = Turn> {
    (prop::collection::vec(any_act(), 1..4), 0u8..10)
}

#[test]
fn what_is_withdrawn_was_never_recorded() {
    let (mut history, mut state) = game();
    let none = history.remove_last_operation(&mut state);
    assert_eq!(none, Err(HistoryError::UnknownOperation(0)));
    play(&mut history, &mut state, 1);
    play(&mut history, &mut state, 2);
    history.undo_last_ruling(&mut state, "gm").unwrap();
    play(&mut history, &mut state, 3);
    assert_eq!(
        history.redo_last_undone(&mut state, "gm"),
        Err(HistoryError::NothingToRedo)
    );
    assert_eq!(history.remove_last_operation(&mut state).unwrap().seq, 4);
    assert_eq!((hp(&state), history.next_ruling_number()), (Some(1), 2));
    // The ruling that was undone first can be redone. This redo is removed like any other operation.
    history.redo_last_undone(&mut state, "gm").unwrap();
    assert_eq!(hp(&state), Some(2));
    assert_eq!(
        history.remove_last_operation(&mut state).unwrap().what,
        What::Redo { of: 2 }
    );
    history.remove_last_operation(&mut state).unwrap();
    assert_eq!((hp(&state), history.next_ruling_number()), (Some(2), 3));
    for value in 3..=200 {
        play(&mut history, &mut state, value);
    }
    let before = history.state_before(200).unwrap().to_bytes();
    history.remove_last_operation(&mut state).unwrap();
    assert_eq!(state.to_bytes(), before);
    play(&mut history, &mut state, 1000);
    let after = history.state_before(201).unwrap();
    assert_eq!(hp(&after), Some(1000));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn undo_all_and_redo_all_lead_to_both_ends(turns in prop::collection::vec(turn(), 300)) {
        let mut state = State::new(Rc::default());
        let mut history = History::new(&state);
        let mut models = vec![Model::default()];
        let (mut befores, mut nexts) = (Vec::new(), Vec::new());
        for (acts, whim) in &turns {
            befores.push(state.to_bytes());
            nexts.push(history.next_numbers());
            match whim {
                0 if models.len() > 1 => {
                    history.undo_last_ruling(&mut state, "gm").unwrap();
                    models.pop();
                }
                1 => drop(history.record_refused_command(&state, draft("no"), "limit/fuel", "no")),
                _ => {
                    let (mark, mut model) = (state.mark(), models[models.len() - 1].clone());
                    acts.iter().for_each(|act| drop(perform(&mut state, &mut model, act)));
                    history.record_ruling(&mut state, mark, draft("yes"));
                    models.push(model);
                }
            }
        }
        let (last, rulings) = (state.hash(), models.len() - 1);
        assert_equal(&state, &models[rulings]);
        prop_assert_eq!(history.live_operations().count(), rulings);
        for model in models.iter().rev().skip(1) {
            history.undo_last_ruling(&mut state, "gm").unwrap();
            prop_assert_eq!(state.hash(), model.hash());
        }
        prop_assert_eq!(history.undo_last_ruling(&mut state, "gm"), Err(HistoryError::NothingToUndo));
        assert_equal(&state, &Model::default());
        for _ in 0..rulings {
            history.redo_last_undone(&mut state, "gm").unwrap();
        }
        prop_assert_eq!(state.hash(), last);
        assert_equal(&state, &models[rulings]);
        for (at, bytes) in befores.iter().enumerate().step_by(37) {
            prop_assert_eq!(&history.state_before(at as u64 + 1).unwrap().to_bytes(), bytes);
        }
        for (at, next) in nexts.iter().enumerate().step_by(7) {
            prop_assert_eq!(&history.next_numbers_before(at as u64 + 1), next);
        }
        let mut copy = State::new(Rc::clone(state.names()));
        let mut again = History::new(&copy);
        for operation in history.operations() {
            again.append_recorded_operation(&mut copy, Operation::clone(operation)).unwrap();
        }
        assert_equal(&copy, &models[rulings]);
        prop_assert_eq!(again.next_ruling_number(), history.next_ruling_number());
    }
}

#[test]
fn a_history_is_cut_and_forked() {
    let (mut history, mut state) = game();
    for value in 1..=3 {
        play(&mut history, &mut state, value);
    }
    let (mut early, mut then) = history.copy_until_operation(2).unwrap();
    assert_eq!(
        (
            hp(&then),
            early.operations().len(),
            early.next_ruling_number()
        ),
        (Some(2), 2, 3)
    );
    play(&mut early, &mut then, 8);
    let mut fork = history.fork();
    let mut there = state.fork();
    fork.undo_last_ruling(&mut there, "gm").unwrap();
    assert_eq!((hp(&there), hp(&state)), (Some(2), Some(3)));
    assert_eq!(history.operations().len(), 3);
    for seq in [0, 4, u64::MAX] {
        assert_eq!(
            history.copy_until_operation(seq).unwrap_err(),
            HistoryError::UnknownOperation(seq)
        );
    }
}

#[test]
fn a_state_that_the_history_does_not_lead_to_is_refused() {
    let (mut history, mut state) = game();
    play(&mut history, &mut state, 7);
    set(&mut state, "ann", "hp", 9).unwrap();
    let refused = history.undo_last_ruling(&mut state, "gm").unwrap_err();
    assert_eq!(refused, HistoryError::OtherState);
    assert_eq!(refused.code(), "store/other-state");
}
