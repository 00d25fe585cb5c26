//! Tests folds: rules given as a state table.

use std::convert::Infallible;

use num_bigint::BigUint;

use super::parse_notation;
use crate::dice::{FoldError, FoldOutcome, fold_outcomes};
use crate::value::Value;

fn fold_table(outcomes: &[FoldOutcome]) -> Vec<(String, i64, u128)> {
    let rows = outcomes.iter();
    rows.map(|row| (row.state.to_string(), row.sum, row.count))
        .collect()
}

fn fold_refusal_code(dice: &[u32], step: impl Fn(&Value, u32) -> (Value, i64)) -> String {
    match fold_outcomes(dice, Value::Nil, |state, face, _| {
        Ok::<_, Infallible>(step(state, face))
    }) {
        Err(FoldError::Refused(finding)) => finding.code.to_string(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_sum_beside_the_state_is_a_plain_sum() {
    let mut calls = 0;
    let outcomes = fold_outcomes(&[6, 6, 8], Value::Nil, |_, face, _| {
        calls += 1;
        Ok::<_, Infallible>((Value::Nil, i64::from(face)))
    });
    let sums: Vec<(i64, BigUint)> = outcomes
        .unwrap()
        .iter()
        .map(|row| (row.sum, row.count.into()))
        .collect();
    assert_eq!(
        sums,
        parse_notation("2d6+d8")
            .distribution()
            .unwrap()
            .iter()
            .collect::<Vec<_>>()
    );
    assert_eq!(calls, 14, "one question for each state, size and face");
}

#[test]
fn a_state_may_be_the_rule_for_the_next_die() {
    // The best face so far is the state; a face that repeats it adds one.
    let outcomes = fold_outcomes(&[2, 3], Value::from(0), |best, face, _| {
        let (best, face) = (best.as_i64().unwrap(), i64::from(face));
        Ok::<_, Infallible>((Value::from(best.max(face)), i64::from(best == face)))
    });
    let wanted = [("1", 1, 1), ("2", 0, 2), ("2", 1, 1), ("3", 0, 2)];
    let wanted = wanted.map(|(state, sum, count)| (state.to_owned(), sum, count));
    assert_eq!(fold_table(&outcomes.unwrap()), wanted);
}

#[test]
fn the_best_two_of_a_pool_agree_with_keep() {
    let step = |state: &Value, face: u32, _: u32| {
        let mut best = [
            state.as_i64().unwrap() / 100,
            state.as_i64().unwrap() % 100,
            face.into(),
        ];
        best.sort_unstable();
        Ok::<_, Infallible>((Value::from(best[2] * 100 + best[1]), 0))
    };
    let mut sums = std::collections::BTreeMap::<i64, BigUint>::new();
    for row in fold_outcomes(&[6, 6, 8, 10], Value::from(0), step).unwrap() {
        let state = row.state.as_i64().unwrap();
        *sums.entry(state / 100 + state % 100).or_default() += row.count;
    }
    let exact = parse_notation("{d10,d6,d8,d6}kh2").distribution().unwrap();
    assert_eq!(
        sums.into_iter().collect::<Vec<_>>(),
        exact.iter().collect::<Vec<_>>()
    );
}

#[test]
fn outcomes_are_ordered_and_complete() {
    let outcomes = fold_outcomes(&[20, 12], Value::from("none"), |state, face, sides| {
        let state = if face == sides {
            Value::from("top")
        } else {
            state.clone()
        };
        Ok::<_, Infallible>((state, if face < 3 { -1 } else { 1 }))
    });
    let outcomes = outcomes.unwrap();
    let keys: Vec<_> = outcomes
        .iter()
        .map(|row| (row.state.clone(), row.sum))
        .collect();
    assert!(keys.is_sorted());
    assert_eq!(outcomes.iter().map(|row| row.count).sum::<u128>(), 240);
    assert_eq!(
        fold_table(&fold_outcomes(&[], Value::from(7), |_, _, _| Err(())).unwrap()),
        [("7".into(), 0, 1)]
    );
}

#[test]
fn a_failing_rule_ends_the_fold() {
    let failed = fold_outcomes(&[6], Value::Nil, |_, face, _| {
        if face == 4 {
            Err("four")
        } else {
            Ok((Value::Nil, 0))
        }
    });
    assert_eq!(failed, Err(FoldError::Step("four")));
}

#[test]
fn folds_have_limits() {
    let still = |_: &Value, _: u32| (Value::Nil, 0);
    assert_eq!(fold_refusal_code(&[6, 0], still), "dice/bad-size");
    assert_eq!(fold_refusal_code(&[1_000_001], still), "dice/bad-size");
    assert_eq!(fold_refusal_code(&[1; 1001], still), "dice/too-many");
    assert_eq!(
        fold_refusal_code(&[2; 128], still),
        "dice/distribution-too-large"
    );
    assert!(
        fold_outcomes(&[2; 127], Value::Nil, |_, _, _| Ok::<_, ()>((
            Value::Nil,
            0
        )))
        .is_ok()
    );
    assert_eq!(
        fold_refusal_code(&[6], |_, _| (Value::list([]), 0)),
        "dice/bad-state"
    );
    assert_eq!(
        fold_refusal_code(&[6], |_, _| (Value::from("x".repeat(257)), 0)),
        "dice/bad-state"
    );
    let far = |_: &Value, face: u32| (Value::Nil, i64::from(face) * 2_000_000);
    assert_eq!(fold_refusal_code(&[6], far), "dice/distribution-too-large");
    let edge = |_: &Value, face: u32| (Value::Nil, if face == 1 { i64::MIN } else { i64::MAX });
    assert_eq!(
        fold_refusal_code(&[2, 2], edge),
        "dice/distribution-too-large"
    );
    let new = |_: &Value, face: u32| (Value::from(i64::from(face)), 0);
    assert_eq!(
        fold_refusal_code(&[100_001], new),
        "dice/distribution-too-large"
    );
}
