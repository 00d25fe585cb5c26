//! Tests the moves of the clock and its refusals.

use std::rc::Rc;

use super::{Clock, Phases, step};
use crate::store::State;
use crate::store::tests::{put, remove, state};
use crate::value::{Text, Value};

fn phases(names: &[&str], start: Option<&str>) -> Phases {
    let names = names.iter().map(|name| Text::from(*name)).collect();
    Phases::new(names, start.map(Text::from)).unwrap()
}

fn people() -> State {
    let mut state = state();
    for id in ["ann", "bo", "cy"] {
        put(&mut state, id, "person").unwrap();
    }
    state
}

fn order(ids: &[&str]) -> Vec<Text> {
    ids.iter().map(|id| Text::from(*id)).collect()
}

fn turn(state: &mut State) -> String {
    let none = Phases::default();
    step::remove_turn_from_clock(state, &none).unwrap();
    if let Some((turn, _)) = step::begin_turn(state, &none).unwrap() {
        return turn.row.to_string();
    }
    step::end_round(state, &none, false).unwrap();
    let (turn, _) = step::begin_turn(state, &none).unwrap().unwrap();
    format!(
        "{} in {}",
        turn.row,
        Clock::from_state(state, &none).round.unwrap()
    )
}

#[test]
fn phases_follow_each_other_and_count_by_kind() {
    let phases = phases(&["night", "dawn", "day"], Some("day"));
    let mut clock = Clock::at_game_start(&phases);
    let mut shown = Vec::new();
    for _ in 0..4 {
        shown.push(format!("{} {}", clock.phase.clone().unwrap(), clock.number));
        clock = clock.next_phase(&phases, None).unwrap();
    }
    assert_eq!(shown, ["day 1", "night 1", "dawn 1", "day 2"]);
    let clock = clock.next_phase(&phases, Some("day")).unwrap();
    assert_eq!((clock.number, clock.serial), (3, 6));
    assert_eq!(
        clock.next_phase(&phases, None).unwrap().phase,
        Some("night".into())
    );
}

#[test]
fn phases_are_counted_from_the_number_that_the_ruleset_says() {
    let mut phases = phases(&["night", "day"], Some("day"));
    phases.count_phase_from("day", 0).unwrap();
    phases.count_phase_from("night", 7).unwrap();
    let unknown = phases.count_phase_from("dya", 0).unwrap_err();
    assert_eq!(unknown.code, "clock/unknown-phase");
    assert_eq!(unknown.hints, ["did you mean \"day\"?"]);
    let mut clock = Clock::at_game_start(&phases);
    let mut shown = Vec::new();
    for _ in 0..4 {
        let mut state = people();
        clock.write_to_state(&mut state).unwrap();
        assert_eq!(
            Clock::from_state(&state, &phases),
            clock,
            "the first is kept too"
        );
        shown.push(format!("{} {}", clock.phase.clone().unwrap(), clock.number));
        clock = clock.next_phase(&phases, None).unwrap();
    }
    assert_eq!(shown, ["day 0", "night 7", "day 1", "night 8"]);
    assert_eq!((clock.phases_begun("day"), clock.serial), (3, 5));
}

#[test]
fn a_phase_that_is_no_longer_declared_is_followed_by_the_first() {
    let old = Clock::at_game_start(&phases(&["dusk"], None));
    let next = old
        .next_phase(&phases(&["night", "day"], None), None)
        .unwrap();
    assert_eq!(next.phase, Some("night".into()));
}

#[test]
fn a_clock_that_never_moved_is_no_row() {
    let (mut state, phases) = (people(), phases(&["night", "day"], None));
    let before = state.hash();
    let first = Clock::from_state(&state, &phases);
    assert_eq!((first.number, state.hash()), (1, before));
    step::begin_phase(&mut state, &phases, None).unwrap();
    let second = Clock::from_state(&state, &phases);
    assert_eq!((&*second.phase.clone().unwrap(), second.serial), ("day", 2));
    let again = State::from_bytes(&state.to_bytes(), Rc::default()).unwrap();
    assert_eq!(Clock::from_state(&again, &phases), second);
    assert_eq!(state.entity_count(), 3, "the clock is the host's");
}

#[test]
fn turns_go_round_and_pass_over_who_is_gone() {
    let mut state = people();
    step::begin_rounds(&mut state, &Phases::default(), order(&["cy", "ann", "bo"])).unwrap();
    assert_eq!(turn(&mut state), "cy");
    assert_eq!(turn(&mut state), "ann");
    remove(&mut state, "ann").unwrap();
    assert_eq!(turn(&mut state), "bo");
    remove(&mut state, "cy").unwrap();
    assert_eq!(turn(&mut state), "bo in 2");
    assert_eq!(state.turns_begun_by_id("bo"), Some(2));
    remove(&mut state, "bo").unwrap();
    step::remove_turn_from_clock(&mut state, &Phases::default()).unwrap();
    let refusal = step::begin_turn(&mut state, &Phases::default()).unwrap_err();
    assert_eq!(refusal.code, "clock/nobody");
}

#[test]
fn a_new_order_goes_on_behind_the_present_turn() {
    for (new, next) in [
        (&["bo", "cy", "ann"][..], "cy"),
        (&["cy", "ann", "bo"], "cy in 2"),
        (&["ann", "cy"], "cy"),
        (&["cy", "bo", "ann"], "ann"),
    ] {
        let mut state = people();
        step::begin_rounds(&mut state, &Phases::default(), order(&["ann", "bo", "cy"])).unwrap();
        turn(&mut state);
        turn(&mut state);
        step::reorder_turns(&mut state, &Phases::default(), order(new)).unwrap();
        assert_eq!(turn(&mut state), next, "{new:?}");
    }
}

#[test]
fn what_the_clock_cannot_do_is_refused() {
    let mut state = people();
    let none = Phases::default();
    let code = |error: Box<crate::diag::Diagnostic>| error.code.to_string();
    let said = |error: Box<crate::diag::Diagnostic>| error.message;
    assert_eq!(
        code(step::begin_phase(&mut state, &none, None).unwrap_err()),
        "clock/no-phases"
    );
    assert_eq!(
        code(step::end_phase(&mut state, &none).unwrap_err()),
        "clock/no-phases"
    );
    assert_eq!(
        code(step::begin_turn(&mut state, &none).unwrap_err()),
        "clock/no-rounds"
    );
    assert_eq!(
        code(step::end_round(&mut state, &none, true).unwrap_err()),
        "clock/no-rounds"
    );
    assert_eq!(
        code(step::reorder_turns(&mut state, &none, order(&["ann"])).unwrap_err()),
        "clock/no-rounds"
    );
    for bad in [&[][..], &["ann", "bo", "ann"]] {
        let refusal = step::begin_rounds(&mut state, &none, order(bad)).unwrap_err();
        assert_eq!(code(refusal), "clock/order");
    }
    step::begin_rounds(&mut state, &none, order(&["ann"])).unwrap();
    let twice = step::begin_rounds(&mut state, &none, order(&["ann"])).unwrap_err();
    assert_eq!(said(twice), "rounds are running already");
    let near = Clock::at_game_start(&phases(&["night", "day"], None));
    let refusal = near
        .next_phase(&phases(&["night", "day"], None), Some("nihgt"))
        .unwrap_err();
    assert!(
        refusal.hints.join("").contains("\"night\""),
        "{:?}",
        refusal.hints
    );
}

#[test]
fn time_never_goes_back() {
    let mut state = people();
    let none = Phases::default();
    let clock = Clock::from_state(&state, &none);
    let goal = clock.second_after(&Value::from(90)).unwrap();
    while step::pass_time(&mut state, &none, goal).unwrap().is_some() {}
    let clock = Clock::from_state(&state, &none);
    assert_eq!(clock.time, 90);
    let back = clock.second_after(&Value::from(-1)).unwrap_err();
    assert_eq!(back.message, "time never goes back: -1 seconds cannot pass");
    assert_eq!(clock.moved_to_second(89).unwrap_err().code, "clock/time");
    assert!(step::pass_time(&mut state, &none, 10).unwrap().is_none());
    assert_eq!(Clock::from_state(&state, &none).time, 90);
    for wrong in [
        Value::from("1h"),
        Value::Nil,
        Value::Number("0.5".parse().unwrap()),
    ] {
        assert_eq!(
            clock.second_after(&wrong).unwrap_err().message,
            "time passes in whole seconds"
        );
    }
    let far = Value::from((1i64 << 53) - 1);
    assert_eq!(
        clock.second_after(&far).unwrap_err().message,
        "the time of the game would be too large"
    );
}

#[test]
fn an_order_that_fits_no_field_is_refused_whole() {
    let mut state = people();
    let long: Vec<Text> = (0..500).map(|n| format!("somebody {n}").into()).collect();
    let before = state.hash();
    let refusal = step::begin_rounds(&mut state, &Phases::default(), long).unwrap_err();
    assert_eq!(refusal.code, "limit/size");
    assert_eq!(state.hash(), before);
    assert_eq!(Clock::from_state(&state, &Phases::default()).round, None);
}
