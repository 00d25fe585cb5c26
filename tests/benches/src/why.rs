//! Measures `why` in a long game, about changes that are thousands of operations old.

use host::game;
use std::path::Path;

use host::game::{Home, Ruling, Seed, SessionOptions, Solo, Timeline};
use host::script::EngineOptions;

use crate::lane_race::{Lane, fastest_nanoseconds};
use crate::results_table::{Row, Section};

const ROUNDS: u32 = 20;
/// Operations of the game.
const OPERATIONS: usize = 10_000;
/// Maximum nanoseconds of an answer.
const MOST: f64 = 20e6;

/// The subjects of `why`: stats with old modifiers, a row, and operations.
const ASKED: [&str; 6] = ["ann.mood", "ann.guard", "bo.rung", "ann", "5199", "9999"];

/// Measures the answers.
pub(crate) fn measure(rounds: Option<u32>) -> Section {
    let rounds = rounds.unwrap_or(ROUNDS);
    let mut solo = long_game();
    let mut rows = Vec::new();
    for text in ASKED {
        let ask = || {
            let why = |timeline: &mut Timeline, ruling: &Ruling<'_>| {
                game::explain_subject(timeline, ruling.caller, "gm", text)
            };
            solo.run_as_line(("gm", "why"), why)
                .expect("it can be explained")
        };
        let [time] = fastest_nanoseconds(rounds, [Lane::of_operation(1, ask)]);
        rows.push(Row::time_at_most(format!("why {text}"), time, MOST));
    }
    let ask = || {
        let why_not = |timeline: &mut Timeline, ruling: &Ruling<'_>| {
            game::explain_why_not(timeline, ruling.caller, "gm", "charm ann with cheer")
        };
        solo.run_as_line(("gm", "why not"), why_not)
            .expect("it can be tried")
    };
    let [time] = fastest_nanoseconds(rounds, [Lane::of_operation(1, ask)]);
    rows.push(Row::time_at_most(
        "why not charm ann with cheer",
        time,
        MOST,
    ));
    Section {
        title: "Why, in a game of 10,000 operations",
        rows,
    }
}

fn long_game() -> Solo {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let home = Home {
        folder: root.clone(),
        mods: vec![root.join("tests/why")],
        content: None,
    };
    let options = SessionOptions {
        home,
        ruleset: "mini".to_owned(),
        seed: Seed::from_text("bench"),
        engine: EngineOptions::default(),
    };
    let (mut solo, _) = Solo::start(options, &[]).expect("the toy of the tests loads");
    for line in ["charm ann with cheer", "wall", "whim bo polite", "kind"] {
        solo.submit("gm", line);
    }
    while solo.timeline().history().operations().len() < OPERATIONS {
        let number = solo.timeline().history().operations().len();
        let reply = match number % 2 {
            0 => solo.submit("gm", "lot"),
            _ => solo.submit("gm", &format!("fall {}", number % 7)),
        };
        assert!(reply.refusal.is_none(), "the game goes on");
    }
    solo
}
