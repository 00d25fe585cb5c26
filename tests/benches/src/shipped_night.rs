//! Measures the first night of the shipped set-up "Quay" by its rules against the same night in plain Rust on the same
//! store. It has six people. The wolf hunts, the Seer, the Surgeon and the Watchman act, and the town opens its polls.
//! Both nights end in states with the same hash.

mod plain_night;

use std::rc::Rc;

use host::store::StateHash;

use plain_night::{Plain, Words};

use crate::lane_race::{Lane, fastest_nanoseconds};
use crate::results_table::{Row, Section, Target};
use crate::village::werewolf_simulator;

const ROUNDS: u32 = 20;
const GAME: u64 = 1;
/// Numbers of lines of the game master before the night, and before the day.
const BEFORE: u32 = 0;
const AFTER: u32 = 2;

/// Measures the night.
pub(crate) fn measure(rounds: Option<u32>) -> Section {
    let rounds = rounds.unwrap_or(ROUNDS);
    let mut recording = werewolf_simulator("Quay");
    let (_, solo) = recording.play_recorded(GAME);
    let history = solo.timeline().history();
    let operation = |number| {
        history
            .operation(number)
            .expect("invariant: a game has nights")
    };
    let (dusk, dawn) = (operation(3), operation(4));
    let faces: Vec<i64> = [dusk, dawn]
        .iter()
        .flat_map(|one| &one.inputs)
        .map(|input| input.get("face").as_i64().unwrap_or(0))
        .collect();
    let ends: [StateHash; 2] = [dusk.state, dawn.state];
    let before = history.state_before(3).expect("invariant: the night falls");
    let words = Rc::new(Words::new(before.names()));
    let plain = || Plain::of(before.fork(), &words, &faces);
    let mut first = plain();
    let mut changes = first.play_dusk();
    assert_eq!(
        first.state.hash(),
        ends[0],
        "invariant: both dusks are the same"
    );
    changes += first.play_dawn();
    assert_eq!(
        first.state.hash(),
        ends[1],
        "invariant: both nights are the same"
    );
    assert_eq!(
        first.unused_face_count(),
        0,
        "invariant: all that was drawn is used"
    );
    let (mut begun, mut played) = (werewolf_simulator("Quay"), werewolf_simulator("Quay"));
    for (simulator, lines, state) in [
        (&mut begun, BEFORE, before.hash()),
        (&mut played, AFTER, ends[1]),
    ] {
        let reached = simulator.play_part(GAME, lines);
        assert_eq!(reached.ok(), Some(state), "invariant: the night is played");
    }
    let [begun, played, rust] = fastest_nanoseconds(
        rounds,
        [
            Lane::of_operation(10, || {
                std::hint::black_box(begun.play_part(GAME, BEFORE).is_ok());
            }),
            Lane::of_operation(10, || {
                std::hint::black_box(played.play_part(GAME, AFTER).is_ok());
            }),
            Lane::of_operation(10, || {
                let mut plain = plain();
                std::hint::black_box((plain.play_dusk(), plain.play_dawn(), plain));
            }),
        ],
    );
    let scripted = played - begun;
    assert!(scripted > 0.0, "invariant: a night takes time");
    Section {
        title: "the first night of the shipped six players",
        rows: vec![
            Row::time_without_target(format!("{changes} cells, by the shipped rules"), scripted),
            Row::time_without_target("the same night in plain Rust on the same store", rust),
            Row::ratio_with_target(
                "by the rules, in plain Rust",
                scripted / rust,
                Target::AtMost(15.0),
            ),
        ],
    }
}
