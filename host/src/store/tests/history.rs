//! This module tests undo, redo, slots and going back over random games.

use std::rc::Rc;

use proptest::prelude::*;

use super::model::Model;
use super::random::{any_act, assert_equal, perform};
use super::{put, set, state};
use crate::store::{Draft, History, HistoryError, Operation, State, StoreError, What};
use crate::value::Value;

fn draft(address: &str) -> Draft {
    let input = Value::map([("address", address.into()), ("face", 4.into())]);
    Draft {
        by: "gm".into(),
        command: address.into(),
        inputs: vec![input],
        ..Draft::default()
    }
}

/// Plays one command that sets a cell.
fn play(history: &mut History, state: &mut State, value: i64) -> u64 {
    let mark = state.mark();
    set(state, "ann", "hp", value).unwrap();
    let address = format!("{}/attack/ann/{value}", history.next_slot());
    history.record(state, mark, draft(&address)).slot.unwrap()
}

fn game() -> (History, State) {
    let mut state = state();
    put(&mut state, "ann", "player").unwrap();
    let start = state.mark();
    assert!(state.is_pending());
    state.rollback(start);
    let first = state.log.start();
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
    history.refuse(&state, draft("3/attack/ann/9"), "store/unknown-row", "no");
    assert_eq!(history.next_slot(), 3);
    let undone = history.undo(&mut state, "gm").unwrap();
    assert_eq!(
        (undone.seq, undone.slot, &undone.what),
        (4, None, &What::Undo { of: 2 })
    );
    assert_eq!((hp(&state), history.next_slot()), (Some(1), 2));
    assert_eq!(
        history.seen().into_iter().collect::<Vec<_>>(),
        ["2/attack/ann/2", "3/attack/ann/9"]
    );
    let redone = history.redo(&mut state, "gm").unwrap();
    assert_eq!(
        (redone.seq, redone.slot, &redone.what),
        (5, None, &What::Redo { of: 2 })
    );
    assert_eq!((hp(&state), history.next_slot()), (Some(2), 3));
    assert_eq!(
        history.seen().into_iter().collect::<Vec<_>>(),
        ["3/attack/ann/9"]
    );
    assert_eq!(
        history.redo(&mut state, "gm"),
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
        history.record(state, mark, draft).slot.unwrap()
    };
    let (mut copy, mut copied) = (History::new(&state), state.fork());
    assert_eq!(play(&mut history, &mut state, 1), 1);
    assert_eq!(play(&mut history, &mut state, 2), 2);
    assert_eq!(go_on(&mut history, &mut state, 1, 3), 1);
    assert_eq!(play(&mut history, &mut state, 4), 3);
    assert_eq!(go_on(&mut history, &mut state, 2, 5), 2);
    for operation in history.operations() {
        copy.append(&mut copied, operation.clone()).unwrap();
    }
    assert_eq!((copied.hash(), copy.next_slot()), (state.hash(), 4));
    for next in [4, 3, 3, 2, 1] {
        history.undo(&mut state, "gm").unwrap();
        assert_eq!(history.next_slot(), next);
    }
    for next in [2, 3, 3, 4, 4] {
        history.redo(&mut state, "gm").unwrap();
        assert_eq!(history.next_slot(), next);
    }
    assert_eq!(hp(&state), Some(5));
}

#[test]
fn a_new_ruling_ends_redo_and_a_refusal_does_not() {
    let (mut history, mut state) = game();
    assert_eq!(
        history.undo(&mut state, "gm"),
        Err(HistoryError::NothingToUndo)
    );
    play(&mut history, &mut state, 1);
    play(&mut history, &mut state, 2);
    history.undo(&mut state, "gm").unwrap();
    history.refuse(&state, draft("x"), "limit/fuel", "no");
    history.redo(&mut state, "gm").unwrap();
    history.undo(&mut state, "gm").unwrap();
    assert_eq!(play(&mut history, &mut state, 3), 2);
    assert_eq!(
        history.redo(&mut state, "gm"),
        Err(HistoryError::NothingToRedo)
    );
    let live: Vec<u64> = history.live().map(|operation| operation.seq).collect();
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
        history.undo(&mut other, "gm"),
        Err(HistoryError::OtherState)
    );
    other.commit(mark);
    assert_eq!(
        history.undo(&mut other, "gm"),
        Err(HistoryError::OtherState)
    );
    assert_eq!(history.operations().len(), 1);
    history.undo(&mut state, "gm").unwrap();
}

#[test]
fn an_operation_from_elsewhere_must_continue_the_history() {
    let (mut history, mut state) = game();
    let (mut copy, mut copy_state) = (History::new(&state), state.fork());
    play(&mut history, &mut state, 1);
    let good = history.operations()[0].clone();
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
        assert_eq!(copy.append(&mut copy_state, operation), Err(expected));
        assert_eq!(
            (copy_state.hash(), copy_state.is_pending()),
            (before, false)
        );
    }
    copy.append(&mut copy_state, good).unwrap();
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

/// One command of a random game: acts, and what the person does before it.
type Turn = (Vec<super::random::Act>, u8);

fn turn() -> impl Strategy<Value = Turn> {
    (prop::collection::vec(any_act(), 1..4), 0u8..10)
}

#[test]
fn what_is_withdrawn_was_never_recorded() {
    let (mut history, mut state) = game();
    let none = history.withdraw(&mut state);
    assert_eq!(none, Err(HistoryError::UnknownOperation(0)));
    play(&mut history, &mut state, 1);
    play(&mut history, &mut state, 2);
    history.undo(&mut state, "gm").unwrap();
    play(&mut history, &mut state, 3);
    assert_eq!(
        history.redo(&mut state, "gm"),
        Err(HistoryError::NothingToRedo)
    );
    assert_eq!(history.withdraw(&mut state).unwrap().seq, 4);
    assert_eq!((hp(&state), history.next_slot()), (Some(1), 2));
    // The ruling that was taken back before may hold again, and that is withdrawn like any other.
    history.redo(&mut state, "gm").unwrap();
    assert_eq!(hp(&state), Some(2));
    assert_eq!(
        history.withdraw(&mut state).unwrap().what,
        What::Redo { of: 2 }
    );
    history.withdraw(&mut state).unwrap();
    assert_eq!((hp(&state), history.next_slot()), (Some(2), 3));
    for value in 3..=200 {
        play(&mut history, &mut state, value);
    }
    let before = history.state_before(200).unwrap().to_bytes();
    history.withdraw(&mut state).unwrap();
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
        let (mut befores, mut slots) = (Vec::new(), Vec::new());
        for (acts, whim) in &turns {
            befores.push(state.to_bytes());
            slots.push(history.next_slot());
            match whim {
                0 if models.len() > 1 => {
                    history.undo(&mut state, "gm").unwrap();
                    models.pop();
                }
                1 => drop(history.refuse(&state, draft("no"), "limit/fuel", "no")),
                _ => {
                    let (mark, mut model) = (state.mark(), models[models.len() - 1].clone());
                    acts.iter().for_each(|act| drop(perform(&mut state, &mut model, act)));
                    history.record(&mut state, mark, draft("yes"));
                    models.push(model);
                }
            }
        }
        let (last, rulings) = (state.hash(), models.len() - 1);
        assert_equal(&state, &models[rulings]);
        prop_assert_eq!(history.live().count(), rulings);
        for model in models.iter().rev().skip(1) {
            history.undo(&mut state, "gm").unwrap();
            prop_assert_eq!(state.hash(), model.hash());
        }
        prop_assert_eq!(history.undo(&mut state, "gm"), Err(HistoryError::NothingToUndo));
        assert_equal(&state, &Model::default());
        for _ in 0..rulings {
            history.redo(&mut state, "gm").unwrap();
        }
        prop_assert_eq!(state.hash(), last);
        assert_equal(&state, &models[rulings]);
        for (at, bytes) in befores.iter().enumerate().step_by(37) {
            prop_assert_eq!(&history.state_before(at as u64 + 1).unwrap().to_bytes(), bytes);
        }
        for (at, slot) in slots.iter().enumerate().step_by(7) {
            prop_assert_eq!(history.next_slot_before(at as u64 + 1), *slot);
        }
        let mut copy = State::new(Rc::clone(state.names()));
        let mut again = History::new(&copy);
        for operation in history.operations() {
            again.append(&mut copy, operation.clone()).unwrap();
        }
        assert_equal(&copy, &models[rulings]);
        prop_assert_eq!(again.next_slot(), history.next_slot());
    }
}

fn revert(of: u64) -> What {
    What::Revert {
        of,
        changed: Vec::new(),
        refused: Vec::new(),
    }
}

fn replace(of: u64) -> What {
    What::Replace {
        of,
        with: "stay".into(),
        changed: Vec::new(),
        refused: Vec::new(),
    }
}

/// Records a correction that changes nothing.
fn correct(history: &mut History, state: &mut State, what: What) -> u64 {
    correct_in(history, state, (what, None))
}

/// Records a correction that changes nothing and waited in a slot.
fn correct_in(history: &mut History, state: &mut State, (what, slot): (What, Option<u64>)) -> u64 {
    let hash = state.hash();
    let (net, draft) = ((Vec::new(), hash), Draft { slot, ..draft("-") });
    history.correct(state, (draft, what), net).unwrap().seq
}

#[test]
fn the_last_correction_of_a_place_says_what_stands_there() {
    let (mut history, mut state) = game();
    for value in 1..=4 {
        play(&mut history, &mut state, value);
    }
    assert_eq!(history.standing(), [1, 2, 3, 4]);
    assert_eq!(history.standing_with((&replace(2), None)), [1, 5, 3, 4]);
    assert_eq!(correct(&mut history, &mut state, replace(2)), 5);
    assert_eq!(correct(&mut history, &mut state, revert(3)), 6);
    assert_eq!(history.standing(), [1, 5, 4]);
    assert_eq!(correct(&mut history, &mut state, replace(5)), 7);
    assert_eq!(history.standing(), [1, 7, 4]);
    assert_eq!(history.left_out(), [(2, 7), (3, 6)].into());
    assert_eq!(history.place_of(7).map(|one| one.seq), Some(2));
    // What takes the replacement back brings the one before; what takes that back, the ruling itself.
    assert_eq!(correct(&mut history, &mut state, revert(7)), 8);
    assert_eq!(history.standing(), [1, 5, 4]);
    assert_eq!(correct(&mut history, &mut state, revert(5)), 9);
    assert_eq!(history.standing(), [1, 2, 4]);
    assert_eq!(correct(&mut history, &mut state, revert(9)), 10);
    assert_eq!(history.standing(), [1, 5, 4]);
    history.undo(&mut state, "gm").unwrap();
    assert_eq!(history.standing(), [1, 2, 4]);
    history.redo(&mut state, "gm").unwrap();
    assert_eq!(history.standing(), [1, 5, 4]);
    assert_eq!(history.next_slot(), 5, "corrections have no slot");
    assert_eq!(history.next_slot_before(13), 5);
    for (of, code) in [(13, "save/out-of-order"), (11, "save/out-of-order")] {
        let net = (Vec::new(), state.hash());
        let refused = history.correct(&mut state, (draft("-"), revert(of)), net);
        assert_eq!(refused.unwrap_err().code(), code, "{of}");
    }
}

#[test]
fn answers_go_with_the_ruling_that_they_belong_to() {
    let (mut history, mut state) = game();
    play(&mut history, &mut state, 1);
    play(&mut history, &mut state, 2);
    let mut answer = |history: &mut History, value: i64| {
        let mark = state.mark();
        set(&mut state, "ann", "hp", value).unwrap();
        let slot = Some(2);
        let draft = Draft {
            slot,
            ..draft("2/way/ann/1")
        };
        history.record(&mut state, mark, draft).seq
    };
    assert_eq!(answer(&mut history, 3), 3);
    assert_eq!(history.standing_with((&revert(2), None)), [1]);
    assert_eq!(history.standing_with((&revert(3), None)), [1, 2]);
    assert_eq!(history.standing_with((&replace(2), None)), [1, 4]);
    assert_eq!(correct(&mut history, &mut state, revert(3)), 4);
    let mark = state.mark();
    set(&mut state, "ann", "hp", 9).unwrap();
    let again = Draft {
        slot: Some(2),
        ..draft("2/way/ann/1")
    };
    assert_eq!(history.record(&mut state, mark, again).seq, 5);
    assert_eq!(history.standing(), [1, 2, 5], "a later answer stays");
}

/// Where a correction asked stands nothing while it holds, and without that it does not hold.
#[test]
fn a_correction_that_waited_goes_with_where_it_asked() {
    let (mut history, mut state) = game();
    for value in 1..=4 {
        play(&mut history, &mut state, value);
    }
    // 4 asks in its slot, 5 corrects from there.
    assert_eq!(history.standing_with((&revert(2), Some(4))), [1, 3]);
    let waited = (revert(2), Some(4));
    assert_eq!(correct_in(&mut history, &mut state, waited.clone()), 5);
    assert_eq!(history.operation(5).unwrap().slot, Some(4));
    assert_eq!(history.standing(), [1, 3]);
    assert_eq!(
        history.left_out(),
        [(2, 5)].into(),
        "it asked, and that holds"
    );
    play(&mut history, &mut state, 6);
    assert_eq!(history.standing(), [1, 3, 6]);
    // Without the answer it asks again, and what had an effect by it leads nowhere.
    assert_eq!(correct(&mut history, &mut state, revert(5)), 7);
    assert_eq!(history.standing(), [1, 2, 3, 4, 6]);
    let next = revert(2);
    assert_eq!(history.nearest(&[1, 3, 6], Some((&next, Some(4)))), (2, 1));
    let back = revert(7);
    assert_eq!(history.nearest(&[1, 3, 6], Some((&back, None))), (7, 3));
    assert_eq!(correct_in(&mut history, &mut state, waited), 8);
    assert_eq!(history.standing(), [1, 3, 6]);
    // Without where it asked neither it nor the one before holds.
    assert_eq!(correct(&mut history, &mut state, revert(4)), 9);
    assert_eq!(history.standing(), [1, 2, 3, 6]);
    assert_eq!(history.left_out(), [(4, 9), (5, 7), (8, 9)].into());
    for (slot, fits) in [
        (Some(5), true),
        (Some(6), false),
        (Some(0), false),
        (None, true),
    ] {
        let mut other = history.fork();
        let mut there = state.fork();
        let last = Operation {
            seq: 10,
            slot,
            ..history.operation(5).unwrap().clone()
        };
        let hash = there.hash();
        let appended = other.append(
            &mut there,
            Operation {
                state: hash,
                ..last
            },
        );
        assert_eq!(appended.is_ok(), fits, "{slot:?}");
    }
}

#[test]
fn the_nearest_point_is_where_the_same_rulings_stand() {
    let (mut history, mut state) = game();
    for value in 1..=3 {
        play(&mut history, &mut state, value);
    }
    assert_eq!(history.nearest(&[1, 3], None), (2, 1));
    assert_eq!(history.nearest(&[], None), (1, 0));
    history.undo(&mut state, "gm").unwrap();
    history.redo(&mut state, "gm").unwrap();
    correct(&mut history, &mut state, revert(2));
    play(&mut history, &mut state, 4);
    assert_eq!(history.standing(), [1, 3, 7]);
    assert_eq!(history.nearest(&[1, 3], None), (7, 2));
    assert_eq!(history.nearest(&[1, 2, 3, 7], None), (4, 3));
    assert_eq!(history.nearest(&[1, 2, 7], None), (3, 2));
    assert_eq!(history.nearest(&[2], None), (1, 0));
}

#[test]
fn a_history_is_cut_and_forked() {
    let (mut history, mut state) = game();
    for value in 1..=3 {
        play(&mut history, &mut state, value);
    }
    let (mut early, mut then) = history.until(2).unwrap();
    assert_eq!(
        (hp(&then), early.operations().len(), early.next_slot()),
        (Some(2), 2, 3)
    );
    play(&mut early, &mut then, 8);
    let mut fork = history.fork();
    let mut there = state.fork();
    fork.undo(&mut there, "gm").unwrap();
    assert_eq!((hp(&there), hp(&state)), (Some(2), Some(3)));
    assert_eq!(history.operations().len(), 3);
    for seq in [0, 4, u64::MAX] {
        assert_eq!(
            history.until(seq).unwrap_err(),
            HistoryError::UnknownOperation(seq)
        );
    }
}
