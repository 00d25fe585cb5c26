//! Measures corrections of the past: an old ruling is removed from a long game of the harbour, and all later rulings
//! are run again.

use host::game;
use std::time::Duration;

use host::game::{Consent, Solo};

use crate::lane_race::{elapsed_time, median_nanoseconds};
use crate::results_table::{Row, Section};
use crate::shipped_home::start_toy_game;

const ROUNDS: u32 = 5;
/// Operations of the game.
const LONG: u64 = 1_000;
/// Maximum nanoseconds to remove one of its rulings.
const MOST: f64 = 300e6;

/// The lines of the game; `{}` is one of the people.
const LINES: [&str; 6] = [
    "let {} go to mill",
    "roll 2d6+1",
    "set {} health 9",
    "let {} go to square",
    "lay parry on {}",
    "wait 10m",
];
const PEOPLE: [&str; 5] = ["ann", "bo", "cai", "dot", "eve"];

/// Measures the corrections.
pub(crate) fn measure(rounds: Option<u32>) -> Section {
    let mut solo = long_harbour_game();
    let first = 10;
    let last = LONG - 20;
    // Each round takes another ruling, because the result of a correction is cached.
    let row = |solo: &mut Solo, name: &str, of: u64, consent| {
        let rounds = 0..u64::from(rounds.unwrap_or(ROUNDS));
        let times = rounds.map(|round| correction_time(solo, of + round, consent));
        let times: Vec<Duration> = times.collect();
        Row::time_at_most(name.to_owned(), median_nanoseconds(times), MOST)
    };
    let rows = vec![
        row(
            &mut solo,
            "the preview, of an early ruling of 1000",
            first,
            Consent::Asked,
        ),
        row(
            &mut solo,
            "revert of an early ruling of 1000",
            first,
            Consent::Given,
        ),
        row(&mut solo, "revert of a late one", last, Consent::Given),
    ];
    Section {
        title: "Corrections of the past",
        rows,
    }
}

/// Returns the time of a correction, and undoes it.
fn correction_time(solo: &mut Solo, of: u64, consent: Consent) -> Duration {
    let given = ("gm", "revert");
    let mut refusal = None;
    let took = elapsed_time(|| {
        refusal = solo.run_as_line(given, |timeline, ruling| {
            game::revert_ruling(timeline, of, (consent, &[]), ruling).refusal
        });
    });
    assert!(refusal.is_none(), "{refusal:?}");
    if consent == Consent::Given {
        let undone = solo.submit("gm", "undo");
        assert!(undone.refusal.is_none(), "it is undone");
    }
    took
}

fn long_harbour_game() -> Solo {
    let mut solo = start_toy_game("harbour");
    let mut number = 0;
    while (solo.timeline().history().operations().len() as u64) < LONG {
        let line = LINES[number % LINES.len()];
        let who = PEOPLE[number / LINES.len() % PEOPLE.len()];
        let reply = solo.submit("gm", &line.replace("{}", who));
        assert!(reply.refusal.is_none(), "{:?}", reply.refusal);
        number += 1;
    }
    solo
}
