//! Compares the fast methods of the API with the safe ones in shipped games: a village of werewolves, a round of an
//! encounter, a day of a forum, a book of spells. Each lane plays the same game on a machine without some fast methods.
//! The lanes take turns, at least twenty times.

use std::time::Duration;

use host::script::omit_fast_methods;

use crate::lane_race::{Lane, elapsed_time, fastest_nanoseconds};
use crate::results_table::{Row, Section, Target};
use crate::{encounters, forum, spells, village};

const ROUNDS: u32 = 20;
/// Creatures of the encounter.
const CREATURES: usize = 12;
/// The fast methods that each lane leaves out: none, groups of methods, then single methods.
const LEFT_OUT: [&[&str]; 10] = [
    &[],
    &["get", "stat", "set", "exists", "rows"],
    &["kind", "base", "is_tallied", "written"],
    &["has_listeners"],
    &["told_again", "leave"],
    &["get"],
    &["stat"],
    &["set"],
    &["exists"],
    &["rows"],
];

/// Plays a part of a game and returns its time.
type Part = Box<dyn FnMut() -> Duration>;

/// The name of a game, and the function that prepares it.
type Made = (&'static str, fn() -> Part);

/// Measures the races.
pub(crate) fn measure(rounds: Option<u32>) -> Section {
    let rounds = rounds.unwrap_or(ROUNDS).max(ROUNDS);
    let games: [Made; 4] = [
        ("twelve villages of ten", prepare_villages),
        ("a round of twelve creatures", prepare_encounter_round),
        ("twenty attacks of a forum", prepare_attacks),
        ("a book of spells", prepare_spell_book),
    ];
    let rows = games
        .into_iter()
        .flat_map(|(name, make)| rows_without_fast_methods(name, make, rounds));
    Section {
        title: "Shipped games without fast ways, in the same games with all of them",
        rows: rows.collect(),
    }
}

fn rows_without_fast_methods(name: &str, make: fn() -> Part, rounds: u32) -> Vec<Row> {
    let lanes = LEFT_OUT.map(|left_out| {
        omit_fast_methods(left_out);
        let mut part = make();
        part();
        Lane::of_batch(1, part)
    });
    omit_fast_methods(&[]);
    let times = fastest_nanoseconds(rounds, lanes);
    let row = |(left_out, time): (&[&str], f64)| {
        let name = format!("{name}, without {}", left_out.join(" "));
        Row::ratio_with_target(name, time / times[0], Target::None)
    };
    let told = Row::time_without_target(name, times[0]);
    let compared = LEFT_OUT.into_iter().zip(times).skip(1).map(row);
    [told].into_iter().chain(compared).collect()
}

fn prepare_villages() -> Part {
    let mut simulator = village::werewolf_simulator("Low Tide");
    Box::new(move || {
        let mut next = village::next_game_player(&mut simulator);
        elapsed_time(|| (0..village::GAMES).for_each(|_| next()))
    })
}

fn prepare_encounter_round() -> Part {
    let mut bench = encounters::Bench::new(CREATURES);
    Box::new(move || bench.play_round(CREATURES))
}

fn prepare_attacks() -> Part {
    let mut solo = forum::game_ready_for_attacks();
    Box::new(move || {
        let time = elapsed_time(|| {
            for number in 0..forum::PLAYERS {
                forum::give_line_as_markdown(&mut solo, &forum::attack_line(number));
            }
        });
        forum::undo_attacks(&mut solo);
        time
    })
}

fn prepare_spell_book() -> Part {
    let mut bench = spells::Bench::new();
    Box::new(move || elapsed_time(|| bench.give_measured_command("computed", 1)))
}
