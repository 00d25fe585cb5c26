//! Tests the valid rulings after corrections: reverts, replacements, corrections that waited, and undo.

use super::history::{draft, game, play};
use super::set;
use crate::store::{Draft, History, Operation, State, What};

#[test]
fn the_last_correction_of_a_place_says_what_stands_there() {
    let (mut history, mut state) = game();
    for value in 1..=4 {
        play(&mut history, &mut state, value);
    }
    assert_eq!(history.valid_ruling_seqs(), [1, 2, 3, 4]);
    assert_eq!(
        history.valid_seqs_after_correction((&replace(2), None)),
        [1, 5, 3, 4]
    );
    assert_eq!(correct(&mut history, &mut state, replace(2)), 5);
    assert_eq!(correct(&mut history, &mut state, revert(3)), 6);
    assert_eq!(history.valid_ruling_seqs(), [1, 5, 4]);
    assert_eq!(correct(&mut history, &mut state, replace(5)), 7);
    assert_eq!(history.valid_ruling_seqs(), [1, 7, 4]);
    assert_eq!(history.ineffective_rulings(), [(2, 7), (3, 6)].into());
    assert_eq!(history.original_ruling(7).map(|one| one.seq), Some(2));
    // A revert of the replacement restores the earlier replacement; a revert of that one restores the ruling.
    assert_eq!(correct(&mut history, &mut state, revert(7)), 8);
    assert_eq!(history.valid_ruling_seqs(), [1, 5, 4]);
    assert_eq!(correct(&mut history, &mut state, revert(5)), 9);
    assert_eq!(history.valid_ruling_seqs(), [1, 2, 4]);
    assert_eq!(correct(&mut history, &mut state, revert(9)), 10);
    assert_eq!(history.valid_ruling_seqs(), [1, 5, 4]);
    history.undo_last_ruling(&mut state, "gm").unwrap();
    assert_eq!(history.valid_ruling_seqs(), [1, 2, 4]);
    history.redo_last_undone(&mut state, "gm").unwrap();
    assert_eq!(history.valid_ruling_seqs(), [1, 5, 4]);
    assert_eq!(history.next_ruling_number(), 5, "corrections have no slot");
    assert_eq!(history.next_numbers_before(13).slot, 5);
    for (of, code) in [(13, "save/out-of-order"), (11, "save/out-of-order")] {
        let net = (Vec::new(), state.hash());
        let refused = history.record_correction(&mut state, (draft("-"), revert(of)), net);
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
        history.record_ruling(&mut state, mark, draft).seq
    };
    assert_eq!(answer(&mut history, 3), 3);
    assert_eq!(history.valid_seqs_after_correction((&revert(2), None)), [1]);
    assert_eq!(
        history.valid_seqs_after_correction((&revert(3), None)),
        [1, 2]
    );
    assert_eq!(
        history.valid_seqs_after_correction((&replace(2), None)),
        [1, 4]
    );
    assert_eq!(correct(&mut history, &mut state, revert(3)), 4);
    let mark = state.mark();
    set(&mut state, "ann", "hp", 9).unwrap();
    let again = Draft {
        slot: Some(2),
        ..draft("2/way/ann/1")
    };
    assert_eq!(history.record_ruling(&mut state, mark, again).seq, 5);
    assert_eq!(
        history.valid_ruling_seqs(),
        [1, 2, 5],
        "a later answer stays"
    );
}

/// The place where a correction asked is empty while the correction is valid. If that place is reverted, the
/// correction is not valid.
#[test]
fn a_correction_that_waited_goes_with_where_it_asked() {
    let (mut history, mut state) = game();
    for value in 1..=4 {
        play(&mut history, &mut state, value);
    }
    // Ruling 4 asks a question; correction 5 has the ruling number of 4.
    assert_eq!(
        history.valid_seqs_after_correction((&revert(2), Some(4))),
        [1, 3]
    );
    let waited = (revert(2), Some(4));
    assert_eq!(correct_in(&mut history, &mut state, waited.clone()), 5);
    assert_eq!(history.operation(5).unwrap().slot, Some(4));
    assert_eq!(history.valid_ruling_seqs(), [1, 3]);
    assert_eq!(
        history.ineffective_rulings(),
        [(2, 5)].into(),
        "it asked, and that holds"
    );
    play(&mut history, &mut state, 6);
    assert_eq!(history.valid_ruling_seqs(), [1, 3, 6]);
    // Without the correction, ruling 4 asks again, and the corrected ruling is valid again.
    assert_eq!(correct(&mut history, &mut state, revert(5)), 7);
    assert_eq!(history.valid_ruling_seqs(), [1, 2, 3, 4, 6]);
    let next = revert(2);
    assert_eq!(
        history.nearest_common_place(&[1, 3, 6], Some((&next, Some(4)))),
        (2, 1)
    );
    let back = revert(7);
    assert_eq!(
        history.nearest_common_place(&[1, 3, 6], Some((&back, None))),
        (7, 3)
    );
    assert_eq!(correct_in(&mut history, &mut state, waited), 8);
    assert_eq!(history.valid_ruling_seqs(), [1, 3, 6]);
    // If the place of the question is reverted, neither this correction nor the earlier one is valid.
    assert_eq!(correct(&mut history, &mut state, revert(4)), 9);
    assert_eq!(history.valid_ruling_seqs(), [1, 2, 3, 6]);
    assert_eq!(
        history.ineffective_rulings(),
        [(4, 9), (5, 7), (8, 9)].into()
    );
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
        let appended = other.append_recorded_operation(
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
    assert_eq!(history.nearest_common_place(&[1, 3], None), (2, 1));
    assert_eq!(history.nearest_common_place(&[], None), (1, 0));
    history.undo_last_ruling(&mut state, "gm").unwrap();
    history.redo_last_undone(&mut state, "gm").unwrap();
    correct(&mut history, &mut state, revert(2));
    play(&mut history, &mut state, 4);
    assert_eq!(history.valid_ruling_seqs(), [1, 3, 7]);
    assert_eq!(history.nearest_common_place(&[1, 3], None), (7, 2));
    assert_eq!(history.nearest_common_place(&[1, 2, 3, 7], None), (4, 3));
    assert_eq!(history.nearest_common_place(&[1, 2, 7], None), (3, 2));
    assert_eq!(history.nearest_common_place(&[2], None), (1, 0));
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

/// Records a correction that changes nothing and waited under a ruling number.
fn correct_in(history: &mut History, state: &mut State, (what, slot): (What, Option<u64>)) -> u64 {
    let hash = state.hash();
    let (net, draft) = ((Vec::new(), hash), Draft { slot, ..draft("-") });
    history
        .record_correction(state, (draft, what), net)
        .unwrap()
        .seq
}
