//! Measures timelines: scratch copies, forks, and lookaheads.

use std::rc::Rc;

use host::game::{Solo, Stream};
use host::store::Write;
use host::value::Value;

use crate::lane_race::{Lane, elapsed_time, fastest_nanoseconds};
use crate::results_table::{Row, Section};
use crate::shipped_home::start_toy_game;

const ROUNDS: u32 = 20;
/// Operations of the forked game.
const LONG: usize = 10_000;
/// Continuations of one lookahead.
const CONTINUATIONS: u32 = 1_000;

/// Measures the timelines.
pub(crate) fn measure(rounds: Option<u32>) -> Section {
    let rounds = rounds.unwrap_or(ROUNDS);
    let mut small = start_toy_game("mini");
    small.submit("gm", "charm Ann with cheer");
    let [scratch] = fastest_nanoseconds(
        rounds,
        [Lane::of_batch(1_000, || scratch_time(&small, 1_000))],
    );
    let mut chance = 0;
    let [ahead] = fastest_nanoseconds(
        rounds,
        [Lane::of_batch(1, || {
            chance += u64::from(CONTINUATIONS);
            look_ahead_time(&mut small, chance)
        })],
    );
    let mut long = start_toy_game("mini");
    while long.timeline().history().operations().len() < LONG {
        long.submit("gm", "charm Ann with cheer");
        long.submit("gm", "set Bo mood 3");
    }
    let [fork] = fastest_nanoseconds(rounds, [Lane::of_batch(20, || fork_time(&mut long, 20))]);
    Section {
        title: "Lines of the game as values",
        rows: vec![
            Row::time_at_most("a scratch with ten writes, and its drop", scratch, 4e3),
            Row::time_at_most(
                format!("a fork of a game of {LONG} operations, made, left and dropped"),
                fork,
                100e3,
            ),
            Row::time_at_most(
                format!("a look ahead of {CONTINUATIONS} continuations of one line"),
                ahead,
                30e6,
            ),
        ],
    }
}

/// Returns the time to make scratch copies and write ten cells in each.
fn scratch_time(solo: &Solo, times: u32) -> std::time::Duration {
    let names = Rc::clone(solo.timeline().state().names());
    let (row, field) = (names.intern("ann"), names.intern("mood"));
    elapsed_time(|| {
        for _ in 0..times {
            let there = solo.timeline().scratch_copy();
            let mut state = there.state().fork();
            for number in 0..10 {
                let value = Value::from(number);
                let written = state.apply(Write::Set { row, field, value });
                written.expect("Ann has a mood");
            }
        }
    })
}

/// Returns the time to make, leave and drop forks.
fn fork_time(solo: &mut Solo, times: u32) -> std::time::Duration {
    elapsed_time(|| {
        for _ in 0..times {
            for line in ["fork try", "fork main", "fork drop try"] {
                let reply = solo.submit("gm", line);
                assert!(reply.refusal.is_none(), "{:?}", reply.refusal);
            }
        }
    })
}

/// Returns the time of a number of lookaheads, each with its own dice.
fn look_ahead_time(solo: &mut Solo, chance: u64) -> std::time::Duration {
    let client = solo.client.clone();
    elapsed_time(|| {
        for number in 0..u64::from(CONTINUATIONS) {
            let dice = Stream::new(chance + number);
            let session = &mut solo.session;
            let done = session.lookahead(&client, dice, "charm Ann with cheer", |_, reply| {
                reply.refusal.is_none()
            });
            assert_eq!(done, Ok(true), "it may be done");
        }
    })
}
